public import DiceGeometry
public import DiceImaging

/// The room that a board leaves for dice, with room for a second die below each one that seems to stand on
/// another.
///
///     var clearance = BoardClearance()
///     // For each frame:
///     overlay.draw(on: &canvas, at: square, sparing: clearance.outlines(of: dice, in: image))
///
/// A box tells that a die's top face is level, not how high it lies. The picture does: the front line of the
/// outline of a die on the table shows the table, that of a die on another one shows the lower die. So
/// colours are compared at places of two lines:
///
/// - `front`: up to 32 on those sides of `DieStance.outline(margin:)` that face where the die stands;
/// - `around`: up to 64 all around the outline with two layers, which lies on the table in any case.
///
/// A frame speaks for a second die where
///
///     max over f in front (min over a in around |f − a|)
///       > max over a in around (min over b ≠ a in around |a − b|)
///
/// and the left side is more than 1 of 255: something on the front line is less like any of the table than
/// the table's own places are like each other. |·| is the distance in red, green and blue. Places in the
/// outlines of other dice or outside the picture do not count; where fewer than two of either line are left
/// the frame cannot tell, and speaks for a second die. A shadow or a pattern that ends on the front line
/// does so too; a lower die that looks like the table does not.
///
/// For a board that does not flicker, room is made where half of a die's latest 32 frames speak for it, and
/// taken away when none of them does any more.
public struct BoardClearance: Hashable, Sendable {
  /// A die by its top face.
  public struct Die: Hashable, Sendable {
    /// The same in all frames, such as `TrackedDie.identifier`; another one for each die of a frame.
    public var identifier: UInt64
    /// Where it stands, in pixels of the frame.
    public var stance: DieStance
    /// The margin of `DieStance.outline(margin:)`, such as ``BoardOverlay/dieMargin``.
    public var margin: Double

    /// A die.
    public init(
      identifier: UInt64, stance: DieStance, margin: Double = BoardOverlay.dieMargin
    ) {
      self.identifier = identifier
      self.stance = stance
      self.margin = margin
    }
  }

  /// What the latest frames tell of a die.
  private struct Memory: Hashable {
    let identifier: UInt64
    /// The latest frame in the lowest bit; 1 where it speaks for a second die.
    var votes: UInt32 = 0
    /// 0...32.
    var voteCount = 0
    var hasRoom = false

    mutating func add(_ vote: Bool) {
      votes = votes << 1 | (vote ? 1 : 0)
      voteCount = min(voteCount + 1, UInt32.bitWidth)
      hasRoom = votes != 0 && (hasRoom || 2 * votes.nonzeroBitCount >= voteCount)
    }
  }

  private var memories: [Memory] = []

  /// Nothing seen yet.
  public init() {}

  /// What the dice of the next frame hide of the table, as outlines to spare.
  ///
  /// A die that is not among them is forgotten. For one picture alone use a new value.
  ///
  /// - Parameters:
  ///   - dice: The dice on the table.
  ///   - picture: The frame, upright and before anything is drawn on it.
  /// - Returns: an outline for each die, in their order, for
  ///   ``BoardOverlay/draw(on:at:sparing:opacity:softness:)``; an empty one for a box without an area.
  /// - Complexity: O(dice²), with some 6000 comparisons of colours for each die.
  public mutating func outlines(of dice: [Die], in picture: PixelImage) -> [[PixelPoint]] {
    let single = dice.map { $0.stance.outline(margin: $0.margin) }
    var latest: [Memory] = []
    latest.reserveCapacity(dice.count)
    var (front, around) = ([SIMD3<Float>](), [SIMD3<Float>]())
    front.reserveCapacity(32)
    around.reserveCapacity(64)
    var result = single
    for index in dice.indices {
      let die = dice[index]
      // A camera straight above sees no more of two dice than of one.
      let way = die.stance.shift
      guard !single[index].isEmpty, (way * way).sum() > 0 else { continue }
      let double = die.stance.outline(margin: die.margin, layers: 2)
      front.removeAll(keepingCapacity: true)
      around.removeAll(keepingCapacity: true)
      func note(_ point: PixelPoint, _ colors: inout [SIMD3<Float>]) {
        for other in single.indices where other != index {
          if single[other].encloses(point) { return }
        }
        if let color = picture.color(at: point) { colors.append(color) }
      }
      single[index].visitPlaces(32, towards: way) { note($0, &front) }
      double.visitPlaces(64) { note($0, &around) }
      var memory =
        memories.first { $0.identifier == die.identifier } ?? Memory(identifier: die.identifier)
      memory.add(!Self.showsOnlyTable(front, around))
      latest.append(memory)
      if memory.hasRoom { result[index] = double }
    }
    memories = latest
    return result
  }

  /// Whether no place of the front line is further in colour from those on the table than one of them is
  /// from the others.
  private static func showsOnlyTable(
    _ front: [SIMD3<Float>], _ around: [SIMD3<Float>]
  ) -> Bool {
    guard front.count > 1, around.count > 1 else { return false }
    func nearest(to color: SIMD3<Float>, besides index: Int? = nil) -> Float {
      var least = Float.infinity
      for other in around.indices where other != index {
        let way = around[other] - color
        least = min(least, (way * way).sum())
      }
      return least
    }
    var limit: Float = 1
    for index in around.indices {
      limit = max(limit, nearest(to: around[index], besides: index))
    }
    return front.allSatisfy { nearest(to: $0) <= limit }
  }
}

extension [PixelPoint] {
  /// Whether a point lies inside a convex outline that goes clockwise as one sees it; never in an empty one.
  fileprivate func encloses(_ point: PixelPoint) -> Bool {
    for index in indices {
      let (from, to) = (self[index], self[index + 1 < count ? index + 1 : 0])
      let side = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
      if side < 0 { return false }
    }
    return !isEmpty
  }

  /// Visits places that are evenly spaced along a convex outline that goes clockwise as one sees it, or
  /// along those of its sides that face a direction within 60 degrees.
  fileprivate func visitPlaces(
    _ placeCount: Int, towards direction: SIMD2<Double>? = nil, _ visit: (PixelPoint) -> Void
  ) {
    func visitSides(_ body: (_ from: PixelPoint, _ way: SIMD2<Double>, _ length: Double) -> Void) {
      for index in indices {
        let (from, to) = (self[index], self[index + 1 < count ? index + 1 : 0])
        let way = SIMD2(to.x - from.x, to.y - from.y)
        let length = (way * way).sum().squareRoot()
        if let direction {
          let outwards = way.y * direction.x - way.x * direction.y
          guard outwards > 0.5 * length * (direction * direction).sum().squareRoot() else {
            continue
          }
        }
        body(from, way, length)
      }
    }
    var whole = 0.0
    visitSides { whole += $2 }
    guard whole > 0, whole.isFinite else { return }
    var (passed, next) = (0.0, 0)
    visitSides { (from, way, length) in
      while next < placeCount {
        let share = ((Double(next) + 0.5) / Double(placeCount) * whole - passed) / length
        guard share < 1 else { break }
        visit(PixelPoint(x: from.x + share * way.x, y: from.y + share * way.y))
        next += 1
      }
      passed += length
    }
  }
}

extension PixelImage {
  /// Red, green and blue of the pixel about a point, 0...255; nil outside the picture.
  fileprivate func color(at point: PixelPoint) -> SIMD3<Float>? {
    guard point.x >= 0, point.y >= 0, point.x < Double(width), point.y < Double(height) else {
      return nil
    }
    let place = (Int(point.y) * width + Int(point.x)) * format.channelCount
    guard format != .gray else { return SIMD3(repeating: Float(samples[place])) }
    return SIMD3(Float(samples[place]), Float(samples[place + 1]), Float(samples[place + 2]))
  }
}

public import DiceGeometry
public import DiceImaging

/// The room that a board leaves for dice: more where one seems to stand on another, or to reach beyond its
/// outline to a side, as a die does that leans.
///
///     var clearance = BoardClearance()
///     // For each frame:
///     overlay.draw(on: &canvas, at: square, sparing: clearance.outlines(of: dice, in: image))
///
/// A box tells of a die's top face, not how high it lies nor how the die is tilted. The picture does: around a
/// die that lies on the table there is table. So colours are compared at places of lines:
///
/// - `line`: up to 32 on those sides of `DieStance.outline(margin:)` that face a direction: towards the
///   camera, where the die stands, to the left, to the right and away from the camera;
/// - `around`: up to 64 all around a larger outline, which lies on the table in any case: that with two
///   layers, and for the three other directions besides an edge larger on every side.
///
/// Something stands on a line where
///
///     max over l in line (min over a in around |l − a|)
///       > max over a in around (min over b ≠ a in around |a − b|)
///
/// and the left side is more than 1 of 255: something on the line is less like any of the table than the table's
/// own places are like each other. |·| is the distance in red, green and blue. Places in the outlines of other
/// dice or outside the picture do not count.
///
/// - Towards the camera a frame then speaks for a second die below. It does so, too, where fewer than two
///   places of either line are left. A shadow or a pattern that ends on the line speaks for a second die; a
///   lower die that looks like the table does not.
/// - To the other sides a frame speaks for half an edge more room. There a place must be twice as far from the
///   table, and from the table in shade, down to half of its light; too few places say nothing.
///
/// For a board that does not flicker, room is made where half of a die's latest 32 frames speak for it, and
/// taken away when none of them does any more. A die that is no longer told of keeps its room for 16 frames:
/// often it is still there and was not found.
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

    /// A die as it is followed: with ``BoardOverlay/cockedDieMargin`` where it leans, or where its box does not
    /// fit a face that lies level on the field, else with ``BoardOverlay/dieMargin``.
    public init(
      identifier: UInt64, topFace: BoundingBox, on field: PlayingField?, isCocked: Bool
    ) {
      let leans = isCocked || DieStance.isTilted(topFace, on: field)
      self.init(
        identifier: identifier, stance: DieStance(topFace: topFace, on: field, isCocked: leans),
        margin: leans ? BoardOverlay.cockedDieMargin : BoardOverlay.dieMargin)
    }
  }

  /// What the latest frames tell of a side of a die.
  private struct Votes: Hashable {
    /// The latest frame in the lowest bit; 1 where it speaks for room.
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

  /// What the latest frames tell of a die: of the side towards the camera, and of the three others.
  private struct Memory: Hashable {
    let identifier: UInt64
    var front = Votes()
    var others = [Votes](repeating: Votes(), count: 3)
    /// What was spared last.
    var outline: [PixelPoint] = []
    /// For how many frames it has not been told of.
    var missedFrameCount = 0
  }

  /// By how many edges a die may reach beyond its outline to a side.
  private static let sideReach = 0.5
  /// How far beyond the outline, in edges, the table is looked at for the sides.
  private static let sideDistance = 1.0

  /// For how many frames a die that is no longer told of keeps its room.
  private static let missedFrameLimit = 16

  private var memories: [Memory] = []

  /// Nothing seen yet.
  public init() {}

  /// What the dice of the next frame hide of the table, as outlines to spare.
  ///
  /// For one picture alone use a new value.
  ///
  /// - Parameters:
  ///   - dice: The dice on the table.
  ///   - picture: The frame, upright and before anything is drawn on it.
  /// - Returns: an outline for each die, in their order, for
  ///   ``BoardOverlay/draw(on:at:sparing:opacity:softness:)``, an empty one for a box without an area; then
  ///   those of dice which were told of no more than 16 frames before, where they were.
  /// - Complexity: O(dice²), with some 25,000 comparisons of colours for each die.
  public mutating func outlines(of dice: [Die], in picture: PixelImage) -> [[PixelPoint]] {
    let single = dice.map { $0.stance.outline(margin: $0.margin) }
    var latest: [Memory] = []
    latest.reserveCapacity(dice.count)
    var (line, around) = ([SIMD3<Float>](), [SIMD3<Float>]())
    line.reserveCapacity(32)
    around.reserveCapacity(64)
    var result = single
    for index in dice.indices where !single[index].isEmpty {
      let (die, way) = (dice[index], dice[index].stance.shift)
      func note(_ point: PixelPoint, _ colors: inout [SIMD3<Float>]) {
        for other in single.indices where other != index {
          if single[other].encloses(point) { return }
        }
        if let color = picture.color(at: point) { colors.append(color) }
      }
      func look(along outline: [PixelPoint]) {
        around.removeAll(keepingCapacity: true)
        outline.visitPlaces(64) { note($0, &around) }
      }
      func look(towards direction: SIMD2<Double>) {
        line.removeAll(keepingCapacity: true)
        single[index].visitPlaces(32, towards: direction) { note($0, &line) }
      }
      var memory =
        memories.first { $0.identifier == die.identifier } ?? Memory(identifier: die.identifier)
      var towards = SIMD2(0.0, 1.0)
      // A camera straight above sees no more of two dice than of one.
      if (way * way).sum() > 0 {
        towards = way / (way * way).sum().squareRoot()
        let double = die.stance.outline(margin: die.margin, layers: 2)
        look(along: double)
        look(towards: towards)
        memory.front.add(Self.showsMore(than: .plain, around, on: line) ?? true)
        if memory.front.hasRoom { result[index] = double }
      }
      look(along: die.stance.outline(margin: die.margin + Self.sideDistance, layers: 2))
      let left = SIMD2(towards.y, -towards.x)
      for (side, direction) in [left, -towards, -left].enumerated() {
        look(towards: direction)
        memory.others[side].add(Self.showsMore(than: .shaded, around, on: line) ?? false)
        if memory.others[side].hasRoom {
          result[index] = result[index].swept(by: direction * (Self.sideReach * die.stance.edge))
        }
      }
      memory.outline = result[index]
      memory.missedFrameCount = 0
      latest.append(memory)
    }
    for var memory in memories
    where memory.missedFrameCount < Self.missedFrameLimit
      && !dice.contains(where: { $0.identifier == memory.identifier })
    {
      memory.missedFrameCount += 1
      result.append(memory.outline)
      latest.append(memory)
    }
    memories = latest
    return result
  }

  /// What of a table counts as the table.
  private struct Table {
    /// How much of its light is left in shade, 0...1.
    var leastLight: Float
    /// By how much a place may be farther from the table than the table's own places are from each other.
    var slack: Float

    /// The table as it is.
    static let plain = Table(leastLight: 1, slack: 1)
    /// The table in light and shade.
    static let shaded = Table(leastLight: 0.5, slack: 2)
  }

  /// Whether a place of a line is further in colour from those on the table than they are from each other; nil
  /// where there are too few places to tell.
  private static func showsMore(
    than table: Table, _ around: [SIMD3<Float>], on line: [SIMD3<Float>]
  ) -> Bool? {
    guard line.count > 1, around.count > 1 else { return nil }
    var limit: Float = 1
    for index in around.indices {
      var least = Float.infinity
      for other in around.indices where other != index {
        let way = around[other] - around[index]
        least = min(least, (way * way).sum())
      }
      limit = max(limit, least)
    }
    limit *= table.slack * table.slack
    return line.contains { (color) in
      around.allSatisfy { (place) in
        // As much of its light as comes nearest to the colour.
        let square = (place * place).sum()
        let light = square > 0 ? (color * place).sum() / square : 1
        let way = place * min(1, max(table.leastLight, light)) - color
        return (way * way).sum() > limit
      }
    }
  }
}

extension [PixelPoint] {
  /// Whether a point lies inside a convex outline that goes clockwise as one sees it; never in an empty one.
  func encloses(_ point: PixelPoint) -> Bool {
    for index in indices {
      let (from, to) = (self[index], self[index + 1 < count ? index + 1 : 0])
      let side = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
      if side < 0 { return false }
    }
    return !isEmpty
  }

  /// The convex outline of all that this convex one passes on a way.
  fileprivate func swept(by way: SIMD2<Double>) -> [PixelPoint] {
    var result: [PixelPoint] = []
    for index in indices {
      let corner = self[index]
      let before = self[index > 0 ? index - 1 : count - 1]
      let after = self[index + 1 < count ? index + 1 : 0]
      // Clockwise as one sees it: a side's outward normal is (way.y, -way.x).
      func leaves(_ from: PixelPoint, _ to: PixelPoint) -> Bool {
        (to.y - from.y) * way.x - (to.x - from.x) * way.y > 0
      }
      let moved = PixelPoint(x: corner.x + way.x, y: corner.y + way.y)
      switch (leaves(before, corner), leaves(corner, after)) {
      case (false, false): result.append(corner)
      case (true, true): result.append(moved)
      case (true, false): result += [moved, corner]
      case (false, true): result += [corner, moved]
      }
    }
    return result
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

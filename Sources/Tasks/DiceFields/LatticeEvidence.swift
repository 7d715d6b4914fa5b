internal import DiceGeometry

/// What the picture shows where a lattice has its edges: the pieces of its lines between neighbouring
/// crossings.
struct LatticeEvidence {
  /// The whole numbers that are looked at, in both directions.
  let first: Int
  let count: Int
  /// The evidence for the edges from `(u, v)` to `(u, v + 1)`, `[v, u]`.
  ///
  /// 1 where an edge is seen all along, −1 where plain ground is, a little below 0 for other things.
  private(set) var upright: [Float]
  /// From `(u, v)` to `(u + 1, v)`, `[v, u]`.
  private(set) var level: [Float]
  private(set) var sightings: [Lattice.Sighting] = []

  /// How many places of an edge are looked at.
  private let sampleCount: Int
  private let reach: Double
  /// Where lines cross, `[v, u]`; outside the picture for those behind the camera.
  private var points: [SIMD2<Double>]
  /// How strong gradients are half a cell after each edge, upright and level, `[v, u]`; below 0 where
  /// nobody has looked.
  private var textures: [SIMD2<Float>]
  private var sights: [Sight] = []

  static let plainCost: Float = 1
  static let clutterCost: Float = 0.15
  /// How much stronger than what lies in the cells beside it an edge is.
  static let textureFactor: Float = 1.4

  /// - Parameters:
  ///   - reach: How far from a line an edge may be, in pixels, at most a fifth of the pitch.
  ///   - radius: How many lines are looked at on either side of the middle.
  ///   - box: The part of the lattice to look at; nil for all.
  init(
    _ lattice: Lattice, in field: GradientField, reach: Double,
    radius: Int = 23, sampleCount: Int = 8, within box: LatticeBox? = nil
  ) {
    first = -radius
    self.sampleCount = sampleCount
    self.reach = reach
    count = 2 * radius + 1
    upright = [Float](repeating: -Self.plainCost, count: count * count)
    level = upright
    textures = [SIMD2<Float>](repeating: SIMD2(-1, -1), count: count * count)
    points = [SIMD2<Double>](repeating: SIMD2(-1, -1), count: count * count)
    for v in 0..<count {
      for u in 0..<count {
        let (x, y) = (Double(first + u), Double(first + v))
        if lattice.isVisible(x, y) { points[v * count + u] = lattice.point(x, y) }
      }
    }
    for v in 0..<count {
      for u in 0..<count {
        if let box, !box.contains(u + first, v + first) { continue }
        let place = v * count + u
        guard isSeen(place, in: field) else { continue }
        if v + 1 < count, isSeen(place + count, in: field) {
          upright[place] = look(u, v, isUpright: true, in: field)
        }
        if u + 1 < count, isSeen(place + 1, in: field) {
          level[place] = look(u, v, isUpright: false, in: field)
        }
      }
    }
  }

  private func isSeen(_ place: Int, in field: GradientField) -> Bool {
    field.contains(points[place], margin: -2)
  }

  /// The evidence for the edge that begins at a crossing.
  private mutating func look(
    _ u: Int, _ v: Int, isUpright: Bool, in field: GradientField
  ) -> Float {
    let place = v * count + u
    guard
      let edge = Edge(
        from: points[place], to: points[place + (isUpright ? count : 1)], reach: reach)
    else { return -Self.plainCost }
    sights.removeAll(keepingCapacity: true)
    var (plain, strong) = (0, 0)
    for index in 0..<sampleCount {
      let sight = edge.sight(index, of: sampleCount, in: field)
      if sight.anything < field.threshold { plain += 1 }
      strong += sight.isEdge(above: field.threshold) ? 1 : 0
      sights.append(sight)
    }
    var seen = 0
    if strong > 0 {
      // A texture seldom looks like an edge all along.
      let threshold =
        strong == sampleCount
        ? field.threshold
        : max(field.threshold, Self.textureFactor * texture(u, v, isUpright, in: field))
      for sight in sights where sight.isEdge(above: threshold) {
        seen += 1
        sightings.append(
          Lattice.Sighting(
            point: sight.point, line: Double(first + (isUpright ? u : v)), isUpright: isUpright,
            weight: 1))
      }
    }
    let clutter = sampleCount - seen - plain
    return
      (Float(seen) - Self.plainCost * Float(plain) - Self.clutterCost * Float(clutter))
      / Float(sampleCount)
  }

  /// How strong gradients are in the cells beside an edge, that with the weaker ones; 0 beyond the picture.
  private mutating func texture(
    _ u: Int, _ v: Int, _ isUpright: Bool, in field: GradientField
  ) -> Float {
    let before = isUpright ? (u - 1, v) : (u, v - 1)
    let one = texture(ofCell: u, v, isUpright, in: field)
    guard Self.textureFactor * one > field.threshold else { return one }
    return min(one, texture(ofCell: before.0, before.1, isUpright, in: field))
  }

  /// How strong gradients are about the line through a cell's middle, on which there should be no edge: a
  /// quarter of its places have less, for a stone or a digit may cover the others.
  private mutating func texture(
    ofCell u: Int, _ v: Int, _ isUpright: Bool, in field: GradientField
  ) -> Float {
    guard u >= 0, v >= 0, u + 1 < count, v + 1 < count else { return 0 }
    let place = v * count + u
    let known = isUpright ? textures[place].x : textures[place].y
    guard known < 0 else { return known }
    var found: Float = 0
    let corners = [place, place + 1, place + count, place + count + 1]
    if corners.allSatisfy({ isSeen($0, in: field) }) {
      let ends = isUpright ? corners : [corners[0], corners[2], corners[1], corners[3]]
      let edge = Edge(
        from: 0.5 * (points[ends[0]] + points[ends[1]]),
        to: 0.5 * (points[ends[2]] + points[ends[3]]), reach: reach)
      if let edge {
        let all = (0..<sampleCount).map { edge.sight($0, of: sampleCount, in: field).anything }
        found = all.sorted()[sampleCount / 4]
      }
    }
    if isUpright { textures[place].x = found } else { textures[place].y = found }
    return found
  }

  /// What is seen across a place of an edge.
  private struct Sight {
    /// The strongest gradient in the edge's direction, and in any.
    var strongest: Float = 0
    var anything: Float = 0
    /// Where the edge is.
    var point: SIMD2<Double>

    func isEdge(above threshold: Float) -> Bool {
      strongest > threshold && strongest > 0.7 * anything
    }
  }

  /// A piece of a line, about which an edge may be.
  private struct Edge {
    let start: SIMD2<Double>
    let along: SIMD2<Double>
    let normal: SIMD2<Double>
    let reach: Double

    /// Nil for one that is too short.
    init?(from start: SIMD2<Double>, to end: SIMD2<Double>, reach: Double) {
      (self.start, along) = (start, end - start)
      let length = along.length
      guard length >= 5 else { return nil }
      normal = along.perpendicular / length
      self.reach = max(1, min(reach, 0.2 * length))
    }

    func sight(_ index: Int, of count: Int, in field: GradientField) -> Sight {
      let floatNormal = SIMD2(Float(normal.x), Float(normal.y))
      let steps = Int(reach.rounded(.up))
      let point = start + along * ((Double(index) + 0.5) / Double(count) * 0.84 + 0.08)
      var sight = Sight(point: point)
      var (weight, sum) = (0.0, 0.0)
      for step in -steps...steps {
        let offset = Double(step) * reach / Double(steps)
        let gradient = field.gradient(at: point + offset * normal)
        let across = abs((gradient * floatNormal).sum())
        let magnitude = (gradient * gradient).sum().squareRoot()
        sight.anything = max(sight.anything, magnitude)
        if across > 0.88 * magnitude {
          sight.strongest = max(sight.strongest, across)
          weight += Double(across * across)
          sum += Double(across * across) * offset
        }
      }
      if weight > 0 { sight.point += (sum / weight) * normal }
      return sight
    }
  }
}

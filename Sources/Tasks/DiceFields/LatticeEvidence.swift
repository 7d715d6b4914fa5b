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

  static let plainCost: Float = 1
  static let clutterCost: Float = 0.15

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
    count = 2 * radius + 1
    upright = [Float](repeating: -Self.plainCost, count: count * count)
    level = upright
    var points = [SIMD2<Double>](repeating: SIMD2(-1, -1), count: count * count)
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
        guard field.contains(points[place], margin: -2) else { continue }
        if v + 1 < count, field.contains(points[place + count], margin: -2) {
          upright[place] = look(
            from: points[place], to: points[place + count], in: field, reach, Double(first + u),
            isUpright: true)
        }
        if u + 1 < count, field.contains(points[place + 1], margin: -2) {
          level[place] = look(
            from: points[place], to: points[place + 1], in: field, reach, Double(first + v),
            isUpright: false)
        }
      }
    }
  }

  private mutating func look(
    from start: SIMD2<Double>, to end: SIMD2<Double>, in field: GradientField, _ reach: Double,
    _ line: Double, isUpright: Bool
  ) -> Float {
    let along = end - start
    let length = along.length
    guard length >= 5 else { return -Self.plainCost }
    let normal = along.perpendicular / length
    let floatNormal = SIMD2(Float(normal.x), Float(normal.y))
    let reach = max(1, min(reach, 0.2 * length))
    let steps = Int(reach.rounded(.up))
    let count = sampleCount
    var (seen, plain) = (0, 0)
    for index in 0..<count {
      let point = start + along * ((Double(index) + 0.5) / Double(count) * 0.84 + 0.08)
      var (strongest, anything) = (Float(0), Float(0))
      var (weight, sum) = (0.0, 0.0)
      for step in -steps...steps {
        let offset = Double(step) * reach / Double(steps)
        let gradient = field.gradient(at: point + offset * normal)
        let across = abs((gradient * floatNormal).sum())
        let magnitude = (gradient * gradient).sum().squareRoot()
        anything = max(anything, magnitude)
        if across > 0.88 * magnitude {
          strongest = max(strongest, across)
          weight += Double(across * across)
          sum += Double(across * across) * offset
        }
      }
      if strongest > field.threshold, strongest > 0.7 * anything {
        seen += 1
        sightings.append(
          Lattice.Sighting(
            point: point + (sum / weight) * normal, line: line, isUpright: isUpright, weight: 1))
      } else if anything < field.threshold {
        plain += 1
      }
    }
    let clutter = count - seen - plain
    return
      (Float(seen) - Self.plainCost * Float(plain) - Self.clutterCost * Float(clutter))
      / Float(count)
  }
}

internal import DiceGeometry
internal import DiceNumerics

/// Lines in two directions at whole numbers, under a homography: `u = 0, 1, …` and `v = 0, 1, …`.
struct Lattice {
  /// From the lattice to the picture's pixels; weights are positive where the picture can show it.
  private(set) var map: Homography
  private(set) var inverse: Homography

  init?(_ map: Homography) {
    guard let inverse = map.inverse, map.isFinite, inverse.isFinite else { return nil }
    (self.map, self.inverse) = (map, inverse)
  }

  init?(_ plane: RectifiedPlane, _ u: LinePeriod, _ v: LinePeriod) {
    self.init(
      Homography(
        first: SIMD3(u.period, 0, u.phase), second: SIMD3(0, v.period, v.phase),
        third: SIMD3(0, 0, 1)
      ).concatenated(with: plane.inverse))
  }

  func point(_ u: Double, _ v: Double) -> SIMD2<Double> { map.map(SIMD2(u, v)) }

  /// Whether a place of the lattice is in front of the camera, given one in the picture that is.
  func isVisible(_ u: Double, _ v: Double) -> Bool { map.weight(at: SIMD2(u, v)) > 0 }

  /// A point of the picture that lies on a line of the lattice.
  struct Sighting {
    var point: SIMD2<Double>
    var line: Double
    /// Whether the line is `u = line`, else `v = line`.
    var isUpright: Bool
    var weight: Double
  }

  /// The lattice that fits points on its lines best.
  ///
  /// Linear least squares of `(row − line third) · p = 0`, divided by the weight that the last estimate
  /// gives the point, so that errors count in units of the lattice.
  mutating func fit(_ sightings: [Sighting], width: Int, height: Int) -> Bool {
    guard sightings.count >= 12 else { return false }
    // The frame of the picture's middle keeps numbers alike.
    let (cx, cy) = (Double(width) / 2, Double(height) / 2)
    let scale = (cx * cx + cy * cy).squareRoot()
    let back = Homography(
      first: SIMD3(scale, 0, cx), second: SIMD3(0, scale, cy), third: SIMD3(0, 0, 1))
    guard var current = back.concatenated(with: inverse).normalized, let forward = back.inverse
    else { return false }
    for _ in 0..<2 {
      var equations = NormalEquations(unknownCount: 8)
      for sighting in sightings {
        let p = forward.map(sighting.point)
        let weight = current.weight(at: p)
        guard weight > 1e-6 else { continue }
        let (x, y, one) = (p.x / weight, p.y / weight, 1 / weight)
        let k = sighting.line
        equations.add(
          sighting.isUpright
            ? SIMD8(x, y, one, 0, 0, 0, -k * x, -k * y)
            : SIMD8(0, 0, 0, x, y, one, -k * x, -k * y),
          value: k * one, weight: sighting.weight)
      }
      guard let e = equations.solution() else { return false }
      current = Homography(
        first: SIMD3(e[0], e[1], e[2]), second: SIMD3(e[3], e[4], e[5]),
        third: SIMD3(e[6], e[7], 1))
    }
    guard let next = forward.concatenated(with: current).inverse, let fitted = Lattice(next)
    else { return false }
    self = fitted
    return true
  }

  /// Moves whole numbers so that a place near the picture's middle is near 0.
  mutating func recenter(at point: SIMD2<Double>) {
    let place = inverse.map(point)
    guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { return }
    let shift = Homography(
      first: SIMD3(1, 0, place.x.rounded()), second: SIMD3(0, 1, place.y.rounded()),
      third: SIMD3(0, 0, 1))
    if let moved = Lattice(shift.concatenated(with: map)) { self = moved }
  }
}

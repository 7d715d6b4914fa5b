internal import DiceGeometry

/// A plane seen so that two vanishing points are infinitely far away: lines to the first are upright
/// there, lines to the second level, and in the picture's middle the unit is about a pixel.
struct RectifiedPlane {
  /// From the picture's pixels.
  let map: Homography
  /// To the picture's pixels.
  let inverse: Homography

  init?(_ first: VanishingPoint, _ second: VanishingPoint, center: SIMD2<Double>, scale: Double) {
    var horizon = first.place.cross(second.place)
    guard abs(horizon.z) > 0.02 * (horizon * horizon).sum().squareRoot() else { return nil }
    horizon /= horizon.z
    // Lines through the middle and the vanishing points.
    let (a, b) = (first.place, second.place)
    var x = SIMD3(a.y, -a.x, 0)
    var y = SIMD3(b.y, -b.x, 0)
    let lengths = (x * x).sum().squareRoot() * (y * y).sum().squareRoot()
    guard lengths > 1e-9 else { return nil }
    x *= scale / (x * x).sum().squareRoot()
    y *= scale / (y * y).sum().squareRoot()
    let frame = Homography(
      first: SIMD3(1 / scale, 0, -center.x / scale), second: SIMD3(0, 1 / scale, -center.y / scale),
      third: SIMD3(0, 0, 1))
    map = frame.concatenated(with: Homography(first: x, second: y, third: horizon))
    guard let inverse = map.inverse else { return nil }
    self.inverse = inverse
  }
}

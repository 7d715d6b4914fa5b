/// A straight piece of an edge, in continuous pixels.
struct LineSegment {
  var start: SIMD2<Double>
  var end: SIMD2<Double>
  /// The length in pixels.
  var length: Double

  init(start: SIMD2<Double>, end: SIMD2<Double>) {
    (self.start, self.end) = (start, end)
    length = (end - start).length
  }

  var middle: SIMD2<Double> { (start + end) / 2 }
  /// Of length 1.
  var direction: SIMD2<Double> { (end - start) / max(length, 1e-12) }
}

extension SIMD2<Double> {
  var length: Double { (self * self).sum().squareRoot() }
  /// The same direction, turned by a quarter clockwise as one sees the picture.
  var perpendicular: SIMD2<Double> { SIMD2(-y, x) }
  func cross(_ other: SIMD2<Double>) -> Double { x * other.y - y * other.x }
  func dot(_ other: SIMD2<Double>) -> Double { (self * other).sum() }
}

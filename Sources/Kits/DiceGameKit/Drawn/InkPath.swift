/// The places of a stroke without times: checked, at most ``InkPath/pointLimit`` of them, in the unit
/// and from the origin of a drawing's first point.
package struct InkPath: Hashable, Sendable {
  /// The places kept of a longer stroke.
  package static let pointLimit = 256

  package var points: [SIMD2<Float>]
  package private(set) var low: SIMD2<Float>
  package private(set) var high: SIMD2<Float>

  /// A path through places.
  ///
  /// - Precondition: there is a place; all are finite.
  package init(_ points: [SIMD2<Float>]) {
    precondition(!points.isEmpty, "a path has a place")
    self.points = points
    (low, high) = (points[0], points[0])
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
  }

  /// Width and height of the bounding box.
  package var size: SIMD2<Float> { high - low }
  /// The middle of the bounding box.
  package var center: SIMD2<Float> { (low + high) / 2 }

  /// The path of a stroke.
  ///
  /// Of a stroke with more places than are kept, those that lie evenly among its indices are taken.
  init(_ stroke: Stroke, index: Int, origin: SIMD2<Double>) throws(DrawingError) {
    let count = stroke.points.count
    guard count > 0 else { throw .emptyStroke(stroke: index) }
    guard count <= Drawing.pointLimit else { throw .pointCount(stroke: index, found: count) }
    for (place, point) in stroke.points.enumerated()
    where
      !(point.x.magnitude <= Drawing.coordinateLimit
      && point.y.magnitude <= Drawing.coordinateLimit)
    {
      throw .coordinate(stroke: index, point: place)
    }
    let kept = min(count, Self.pointLimit)
    self.init(
      (0..<kept).map { place in
        let point = stroke.points[kept < 2 ? 0 : place * (count - 1) / (kept - 1)]
        return SIMD2<Float>(SIMD2(point.x, point.y) - origin)
      })
  }

  /// The length along the path.
  package var length: Float {
    var sum: Float = 0
    for place in 1..<max(1, points.count) { sum += Self.norm(points[place] - points[place - 1]) }
    return sum
  }

  @inline(__always)
  package static func norm(_ vector: SIMD2<Float>) -> Float {
    (vector.x * vector.x + vector.y * vector.y).squareRoot()
  }
}

/// Several paths that are seen as one thing.
package struct InkGroup: Sendable {
  package let paths: [InkPath]
  package let low: SIMD2<Float>
  package let high: SIMD2<Float>

  /// - Precondition: there is a path.
  package init(_ paths: [InkPath]) {
    self.paths = paths
    low = paths.dropFirst().reduce(paths[0].low) { pointwiseMin($0, $1.low) }
    high = paths.dropFirst().reduce(paths[0].high) { pointwiseMax($0, $1.high) }
  }

  /// The longer side of the bounding box; 1 for a box whose sides are too small to be divided by.
  var unit: Float {
    let side = max(high.x - low.x, high.y - low.y)
    return side > 1e-30 ? side : 1
  }

  /// The groups' paths in a frame whose origin is the middle of the box and whose unit is half its
  /// longer side.
  var normalized: [[SIMD2<Float>]] {
    let middle = low + (high - low) / 2
    let factor = 2 / unit
    return paths.map { path in path.points.map { ($0 - middle) * factor } }
  }
}

/// A point of one plane and where it was seen in another.
public struct PointCorrespondence: Hashable, Sendable {
  /// The point that a map starts from, in any unit.
  public var source: SIMD2<Double>
  /// Where it should land, in any unit; for a camera, in pixels.
  public var target: SIMD2<Double>
  /// How much its squared error counts beside that of the others; positive.
  public var weight: Double

  /// A correspondence of two points.
  public init(source: SIMD2<Double>, target: SIMD2<Double>, weight: Double = 1) {
    self.source = source
    self.target = target
    self.weight = weight
  }

  /// A correspondence of two points in pictures.
  public init(source: PixelPoint, target: PixelPoint, weight: Double = 1) {
    self.init(
      source: SIMD2(source.x, source.y), target: SIMD2(target.x, target.y), weight: weight)
  }

  /// Whether the coordinates are finite and the weight is finite and positive.
  var isUsable: Bool {
    source.x.isFinite && source.y.isFinite && target.x.isFinite && target.y.isFinite
      && weight > 0 && weight.isFinite
  }

  /// The squared distance in the target plane between where a map takes the source and the target;
  /// not a finite number where the source lies on the map's horizon.
  func squaredError(under map: Homography) -> Double {
    let difference = map.map(source) - target
    return (difference * difference).sum()
  }
}

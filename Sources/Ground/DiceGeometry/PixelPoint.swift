/// A position in a picture, in pixels.
///
/// Continuous, with the origin at the outer corner of the top-left pixel, x to the right and y
/// downwards: the centre of the pixel in column `c` and row `r` is `(c + 0.5, r + 0.5)`.
public struct PixelPoint: Hashable, Sendable {
  /// Pixels to the right of the left edge.
  public var x: Double
  /// Pixels below the top edge.
  public var y: Double

  /// A point at the given position.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The centre of a pixel: `(column + 0.5, row + 0.5)`.
  public init(centerOfPixelInColumn column: Int, row: Int) {
    self.init(x: Double(column) + 0.5, y: Double(row) + 0.5)
  }

  /// Whether both coordinates are finite numbers.
  public var isFinite: Bool { x.isFinite && y.isFinite }

  /// The square of the Euclidean distance, `(x₁ − x₂)² + (y₁ − y₂)²`.
  ///
  /// NaN where a coordinate is NaN; infinite where a square leaves the range of `Double`.
  public func squaredDistance(to other: PixelPoint) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return dx * dx + dy * dy
  }
}

#if !hasFeature(Embedded)
  extension PixelPoint: Codable {}
#endif

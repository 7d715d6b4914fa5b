/// A position as shares of a picture's sides, from 0 to 1.
///
/// As in Vision the origin is the bottom-left corner and y grows upwards; a point taken from the top
/// is brought over by ``verticallyFlipped()``. Values outside 0…1 are kept and lie outside the picture.
public struct NormalizedPoint: Hashable, Sendable {
  /// The share of the width, from the left.
  public var x: Double
  /// The share of the height, from the bottom.
  public var y: Double

  /// A point at the given shares of the sides.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The point for a position in a picture of `width` by `height` pixels.
  ///
  /// `x = point.x / width` and `y = point.y / height`, counted from the bottom: `1 − point.y / height`
  /// where the pixels' origin is the upper left.
  ///
  /// - Parameters:
  ///   - point: The position in pixels.
  ///   - width: The picture's width in pixels; the result is not finite where it is 0.
  ///   - height: The picture's height in pixels; the result is not finite where it is 0.
  ///   - origin: Where the pixels' origin lies.
  public init(
    imagePoint point: PixelPoint, width: Double, height: Double,
    origin: CoordinateOrigin = .upperLeft
  ) {
    let y = point.y / height
    self.init(x: point.x / width, y: origin == .upperLeft ? 1 - y : y)
  }

  /// The point for a position in a picture of `width` by `height` pixels.
  public init(
    imagePoint point: PixelPoint, width: Int, height: Int, origin: CoordinateOrigin = .upperLeft
  ) {
    self.init(imagePoint: point, width: Double(width), height: Double(height), origin: origin)
  }

  /// The point with its y counted from the other side: `y' = 1 − y`.
  public func verticallyFlipped() -> NormalizedPoint {
    NormalizedPoint(x: x, y: 1 - y)
  }

  /// The position in a picture of `width` by `height` pixels.
  ///
  /// `(x width, (1 − y) height)` for an upper-left origin, `(x width, y height)` for a lower-left one.
  ///
  /// - Parameters:
  ///   - width: The picture's width in pixels.
  ///   - height: The picture's height in pixels.
  ///   - origin: Where the result's origin lies. Upper left unless told, as everywhere in this
  ///     library's pixels; Vision's method of this name has lower left there.
  public func toImageCoordinates(
    width: Double, height: Double, origin: CoordinateOrigin = .upperLeft
  ) -> PixelPoint {
    PixelPoint(x: x * width, y: (origin == .upperLeft ? 1 - y : y) * height)
  }

  /// The position in a picture of `width` by `height` pixels.
  public func toImageCoordinates(
    width: Int, height: Int, origin: CoordinateOrigin = .upperLeft
  ) -> PixelPoint {
    toImageCoordinates(width: Double(width), height: Double(height), origin: origin)
  }
}

#if !hasFeature(Embedded)
  extension NormalizedPoint: Codable {}
#endif

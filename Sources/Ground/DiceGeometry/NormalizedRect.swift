/// An upright rectangle as shares of a picture's sides, from 0 to 1.
///
/// As in Vision the origin is the bottom-left corner and y grows upwards, so `y` is the bottom edge; a
/// rectangle taken from the top is brought over by ``verticallyFlipped()``. Values outside 0…1 are kept
/// and lie outside the picture.
public struct NormalizedRect: Hashable, Sendable {
  /// The left edge, as a share of the width.
  public var x: Double
  /// The bottom edge, as a share of the height from the bottom.
  public var y: Double
  /// The extent to the right of `x`, as a share of the width.
  public var width: Double
  /// The extent above `y`, as a share of the height.
  public var height: Double

  /// A rectangle with its bottom-left corner at `(x, y)`.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The whole picture.
  public static let fullImage = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

  /// The rectangle for a box in a picture of `width` by `height` pixels.
  ///
  /// `x = box.x / width`, `width = box.width / width`, and so for y, counted from the bottom:
  /// `y = 1 − box.maxY / height` where the pixels' origin is the upper left.
  ///
  /// - Parameters:
  ///   - box: The box in pixels.
  ///   - width: The picture's width in pixels; the result is not finite where it is 0.
  ///   - height: The picture's height in pixels; the result is not finite where it is 0.
  ///   - origin: Where the pixels' origin lies.
  public init(
    imageBox box: BoundingBox, width: Double, height: Double,
    origin: CoordinateOrigin = .upperLeft
  ) {
    self.init(
      x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height)
    if origin == .upperLeft { self = verticallyFlipped() }
  }

  /// The rectangle for a box in a picture of `width` by `height` pixels.
  public init(
    imageBox box: BoundingBox, width: Int, height: Int, origin: CoordinateOrigin = .upperLeft
  ) {
    self.init(imageBox: box, width: Double(width), height: Double(height), origin: origin)
  }

  /// The left edge, `x`.
  public var minX: Double { x }
  /// The bottom edge, `y`.
  public var minY: Double { y }
  /// The right edge, `x + width`.
  public var maxX: Double { x + width }
  /// The top edge, `y + height`.
  public var maxY: Double { y + height }
  /// Half way between left and right, `x + width / 2`.
  public var midX: Double { x + width / 2 }
  /// Half way between bottom and top, `y + height / 2`.
  public var midY: Double { y + height / 2 }
  /// The middle of the rectangle.
  public var center: NormalizedPoint { NormalizedPoint(x: midX, y: midY) }

  /// Whether all four numbers are finite.
  public var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

  /// The rectangle with its y counted from the other side: `y' = 1 − y − height`.
  public func verticallyFlipped() -> NormalizedRect {
    NormalizedRect(x: x, y: 1 - y - height, width: width, height: height)
  }

  /// The box in a picture of `width` by `height` pixels.
  ///
  /// `x width`, `(1 − y − height) height` for an upper-left origin or `y height` for a lower-left one,
  /// and the sizes multiplied alike.
  ///
  /// - Parameters:
  ///   - width: The picture's width in pixels.
  ///   - height: The picture's height in pixels.
  ///   - origin: Where the result's origin lies. Upper left unless told, as everywhere in this
  ///     library's pixels; Vision's method of this name has lower left there.
  public func toImageCoordinates(
    width: Double, height: Double, origin: CoordinateOrigin = .upperLeft
  ) -> BoundingBox {
    let rect = origin == .upperLeft ? verticallyFlipped() : self
    return BoundingBox(
      x: rect.x * width, y: rect.y * height, width: rect.width * width,
      height: rect.height * height)
  }

  /// The box in a picture of `width` by `height` pixels.
  public func toImageCoordinates(
    width: Int, height: Int, origin: CoordinateOrigin = .upperLeft
  ) -> BoundingBox {
    toImageCoordinates(width: Double(width), height: Double(height), origin: origin)
  }

  /// The share of the area covered by either rectangle that both cover, in 0…1.
  ///
  /// As ``BoundingBox/intersectionOverUnion(with:)``, and the same as that of the boxes in pixels but
  /// for rounding: both sides of the ratio are multiplied alike.
  public func intersectionOverUnion(with other: NormalizedRect) -> Double {
    BoundingBox(x: x, y: y, width: width, height: height).intersectionOverUnion(
      with: BoundingBox(x: other.x, y: other.y, width: other.width, height: other.height))
  }

  /// The rectangle in the whole picture, where this one is given within a region of it.
  ///
  /// `x' = region.x + x region.width`, `width' = width region.width`, and so for y.
  public func toFullImage(from region: NormalizedRect) -> NormalizedRect {
    NormalizedRect(
      x: region.x + x * region.width, y: region.y + y * region.height,
      width: width * region.width, height: height * region.height)
  }
}

#if !hasFeature(Embedded)
  extension NormalizedRect: Codable {}
#endif

/// An upright rectangle in a picture, in pixels.
///
/// Continuous, with the origin at the outer corner of the top-left pixel, x to the right and y
/// downwards. A box that covers exactly the pixel in column `c` and row `r` is
/// `(x: c, y: r, width: 1, height: 1)`: there is no "+1" anywhere.
///
/// Any numbers can be stored. What a method makes of a box falls into one of three groups:
///
/// - *proper*: finite corners and no negative size (``isProper``); zero sizes are points and lines.
/// - *empty*: no area (``isEmpty``): a zero or negative size, or one that is NaN.
/// - *improper*: a NaN, an infinite corner or a negative size. It overlaps nothing.
///
/// Two boxes are equal when their four numbers are, so a box that holds a NaN is unequal to itself.
public struct BoundingBox: Hashable, Sendable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The extent to the right of `x`.
  public var width: Double
  /// The extent below `y`.
  public var height: Double

  /// A box with its top-left corner at `(x, y)`.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A box around a centre: `x = midX − width / 2`, `y = midY − height / 2`.
  public init(midX: Double, midY: Double, width: Double, height: Double) {
    self.init(x: midX - width / 2, y: midY - height / 2, width: width, height: height)
  }

  /// A box between two corners: `width = maxX − minX`, `height = maxY − minY`.
  ///
  /// Corners in the wrong order give negative sizes, which are kept.
  public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.init(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
  }

  /// The box of no size at the origin.
  public static let zero = BoundingBox(x: 0, y: 0, width: 0, height: 0)
}

// MARK: - Measures

extension BoundingBox {
  /// The left edge, `x`.
  public var minX: Double { x }
  /// The top edge, `y`.
  public var minY: Double { y }
  /// The right edge, `x + width`.
  public var maxX: Double { x + width }
  /// The bottom edge, `y + height`.
  public var maxY: Double { y + height }
  /// Half way between left and right, `x + width / 2`.
  public var midX: Double { x + width / 2 }
  /// Half way between top and bottom, `y + height / 2`.
  public var midY: Double { y + height / 2 }
  /// The middle of the box.
  public var center: PixelPoint { PixelPoint(x: midX, y: midY) }

  /// `width * height`, and 0 for an empty box.
  ///
  /// Infinite where a size is infinite or the product leaves the range of `Double`.
  public var area: Double { isEmpty ? 0 : width * height }

  /// Whether the box has no area: a size that is zero, negative or NaN.
  public var isEmpty: Bool { !(width > 0 && height > 0) }

  /// Whether all four numbers and both far edges are finite.
  public var isFinite: Bool {
    // A NaN or an infinity in a summand stays one in the sum.
    x.isFinite && y.isFinite && maxX.isFinite && maxY.isFinite
  }

  /// Whether the box is finite and neither size is negative.
  public var isProper: Bool { isFinite && width >= 0 && height >= 0 }
}

// MARK: - Moving and scaling

extension BoundingBox {
  /// The box moved by `x` pixels to the right and `y` pixels down.
  public func translated(x: Double, y: Double) -> BoundingBox {
    BoundingBox(x: self.x + x, y: self.y + y, width: width, height: height)
  }

  /// The box in a picture enlarged by the two factors: the origin stays, every number is multiplied.
  ///
  /// A negative factor mirrors, and a proper box stays proper.
  public func scaled(x horizontalFactor: Double, y verticalFactor: Double) -> BoundingBox {
    BoundingBox(
      x: (horizontalFactor < 0 ? maxX : minX) * horizontalFactor,
      y: (verticalFactor < 0 ? maxY : minY) * verticalFactor,
      width: width * horizontalFactor.magnitude, height: height * verticalFactor.magnitude)
  }

  /// The box in a picture enlarged by the factor: the origin stays, every number is multiplied.
  public func scaled(by factor: Double) -> BoundingBox {
    scaled(x: factor, y: factor)
  }

  /// The box with its sizes multiplied by the factor and its centre kept; the factor is not negative.
  public func scaledAboutCenter(by factor: Double) -> BoundingBox {
    BoundingBox(
      midX: midX, midY: midY, width: width * factor, height: height * factor)
  }
}

#if !hasFeature(Embedded)
  extension BoundingBox: Codable {}
#endif

extension BoundingBox: CustomStringConvertible {
  /// The numbers to a tenth of a pixel: `(x 338.8, y 33.6, width 65.5, height 47.0)`.
  public var description: String {
    func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    return "(x \(tenths(x)), y \(tenths(y)), width \(tenths(width)), height \(tenths(height)))"
  }
}

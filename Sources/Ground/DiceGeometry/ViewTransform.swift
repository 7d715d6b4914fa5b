/// The map from an upright picture to a view that shows it, and back: where to draw the box of a
/// result.
///
///     let view = ViewTransform(
///       imageWidth: result.uprightWidth, imageHeight: result.uprightHeight,
///       viewWidth: 390, viewHeight: 844, contentMode: .aspectFill)
///     let frame = view.map(die.boundingBox)
///
/// With a picture of `w` by `h` pixels, a view of `W` by `H` points and the factors `sx` and `sy` of
/// the ``ContentMode``, the picture's middle lies on the view's:
///
///     x' = sx (x − w / 2) + W / 2        y' = sy (y − h / 2) + H / 2
///
/// A mirrored view, as of a front camera, has `W − x'` in place of `x'`. Where the view's origin is its
/// lower left corner, as in AppKit, `y'` is counted from there: `H − y'`, and a box's `y` is that of
/// its lower edge. The map continues outside the view: with ``ContentMode/aspectFill`` boxes of what
/// is cut off lie outside.
public struct ViewTransform: Hashable, Sendable {
  /// How a picture fills a view.
  public enum ContentMode: UInt8, CaseIterable, Hashable, Sendable {
    /// All of the picture is seen, with room left at two sides: `sx = sy = min(W / w, H / h)`.
    case aspectFit = 0
    /// The picture fills the view and its longer side's ends are cut off:
    /// `sx = sy = max(W / w, H / h)`.
    case aspectFill = 1
    /// All of the picture is seen, stretched: `sx = W / w`, `sy = H / h`.
    case stretch = 2
  }

  /// Columns of the upright picture.
  public let imageWidth: Int
  /// Rows of the upright picture.
  public let imageHeight: Int
  /// The view's width, in its own units.
  public let viewWidth: Double
  /// The view's height, in its own units.
  public let viewHeight: Double
  /// How the picture fills the view.
  public let contentMode: ContentMode
  /// Where the view's origin lies.
  public let origin: CoordinateOrigin
  /// Whether the view shows the picture as in a mirror.
  public let isMirrored: Bool
  /// From pixels of the upright picture to the view.
  public let imageToView: AffineMap
  /// From the view to pixels of the upright picture.
  public let viewToImage: AffineMap
  /// Where the picture lies in the view: beyond it with ``ContentMode/aspectFill``.
  public let contentBox: BoundingBox

  /// The map for a picture and a view.
  ///
  /// - Parameters:
  ///   - imageWidth: Columns of the upright picture.
  ///   - imageHeight: Rows of the upright picture.
  ///   - viewWidth: The view's width, in any unit.
  ///   - viewHeight: The view's height, in the same unit.
  ///   - contentMode: How the picture fills the view.
  ///   - origin: Where the view's origin lies.
  ///   - isMirrored: Whether the view shows the picture as in a mirror.
  /// - Returns: Nil where a side is not positive and finite, or the sides differ by so much that
  ///   there is no way back.
  public init?(
    imageWidth: Int, imageHeight: Int, viewWidth: Double, viewHeight: Double,
    contentMode: ContentMode = .aspectFit, origin: CoordinateOrigin = .upperLeft,
    isMirrored: Bool = false
  ) {
    guard
      imageWidth > 0, imageHeight > 0, viewWidth > 0, viewHeight > 0, viewWidth.isFinite,
      viewHeight.isFinite
    else { return nil }
    let (width, height) = (Double(imageWidth), Double(imageHeight))
    var (sx, sy) = (viewWidth / width, viewHeight / height)
    switch contentMode {
    case .aspectFit: (sx, sy) = (min(sx, sy), min(sx, sy))
    case .aspectFill: (sx, sy) = (max(sx, sy), max(sx, sy))
    case .stretch: break
    }
    if isMirrored { sx = -sx }
    if origin == .lowerLeft { sy = -sy }
    let map = AffineMap(
      scaleX: sx, scaleY: sy, translationX: viewWidth / 2 - sx * width / 2,
      translationY: viewHeight / 2 - sy * height / 2)
    guard map.isFinite, let inverse = map.inverse else { return nil }
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.viewWidth = viewWidth
    self.viewHeight = viewHeight
    self.contentMode = contentMode
    self.origin = origin
    self.isMirrored = isMirrored
    imageToView = map
    viewToImage = inverse
    contentBox = map.map(BoundingBox(x: 0, y: 0, width: width, height: height))
  }

  /// Where a box of the upright picture lies in the view.
  ///
  /// - Parameter box: A box in pixels of the upright picture, as that of a result.
  /// - Returns: The box in the view's units; its `x` and `y` are the corner nearest to the view's
  ///   origin. NaN and infinities spread.
  public func map(_ box: BoundingBox) -> BoundingBox { imageToView.map(box) }

  /// Where a rectangle, given as shares of the upright picture's sides, lies in the view.
  ///
  /// The same as that of its box in pixels: whichever of the two a die's box is taken from.
  public func map(_ rect: NormalizedRect) -> BoundingBox {
    map(rect.toImageCoordinates(width: imageWidth, height: imageHeight))
  }

  /// Where a point of the upright picture lies in the view.
  public func map(_ point: PixelPoint) -> PixelPoint { imageToView.map(point) }

  /// The pixel of the upright picture under a point of the view, such as a touch.
  public func imagePoint(at point: PixelPoint) -> PixelPoint { viewToImage.map(point) }
}

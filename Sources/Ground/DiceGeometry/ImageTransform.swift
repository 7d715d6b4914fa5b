/// The one invertible map from a stored picture to a network's input, and back.
///
/// Three frames, all continuous in pixels with a top-left origin (pixel centres at +0.5):
///
///     stored  --orientation-->  upright  --region, crop and scale-->  input
///
/// - *stored*: the rows as they lie in memory.
/// - *upright*: the picture as a person sees it; ``ImageOrientation`` leads there.
/// - *input*: what the network sees.
///
/// With the region of interest `(rx, ry, rw, rh)` in upright pixels and the input of `W` by `H`, the
/// second step is `x' = sx (x − rx − rw / 2) + W / 2` and `y' = sy (y − ry − rh / 2) + H / 2`, with
/// the factors `sx` and `sy` of ``CropAndScale``. The map continues outside the picture: a box that
/// reaches into the padding comes back as one that reaches out of the picture.
///
/// A way there and back errs by a few units in the last place of the largest product of a coordinate
/// and a factor: below 1e-8 pixels for sides up to 8192 and regions of at least a pixel.
public struct ImageTransform: Hashable, Sendable {
  /// The longest side of a picture or an input: 2²⁴ pixels.
  public static let maximumSide = 1 << 24
  /// The shortest side of a region of interest: 2⁻²⁴ of the picture's.
  public static let minimumRegionSide = 0x1p-24

  /// The stored picture's width in pixels.
  public let storedWidth: Int
  /// The stored picture's height in pixels.
  public let storedHeight: Int
  /// How the stored rows are turned to stand upright.
  public let orientation: ImageOrientation
  /// How the region is brought to the input's size.
  public let cropAndScale: CropAndScale
  /// The input's width in pixels.
  public let inputWidth: Int
  /// The input's height in pixels.
  public let inputHeight: Int
  /// The region of interest, in upright pixels; the whole picture where none was given.
  public let region: BoundingBox
  /// The part of the input that the picture covers, in input pixels.
  ///
  /// All of it, but for ``CropAndScale/scaleFit``, where it is centred and the rest is padding.
  public let contentBox: BoundingBox
  /// From upright to input pixels.
  public let uprightToInput: AffineMap
  /// From input to upright pixels.
  public let inputToUpright: AffineMap
  /// From stored to input pixels.
  public let storedToInput: AffineMap
  /// From input to stored pixels.
  public let inputToStored: AffineMap

  /// The map for a picture, a region of it and an input.
  ///
  /// - Parameters:
  ///   - storedWidth: The stored picture's width in pixels.
  ///   - storedHeight: The stored picture's height in pixels.
  ///   - orientation: How the stored rows are turned to stand upright.
  ///   - regionOfInterest: The part to look at, as shares of the upright picture with the origin at
  ///     the lower left; nil for all of it. It may reach outside by 1e-9 for rounding, and is then
  ///     clipped.
  ///   - cropAndScale: How the region is brought to the input's size.
  ///   - inputWidth: The input's width in pixels.
  ///   - inputHeight: The input's height in pixels.
  /// - Throws: ``GeometryError``, its cases checked in the order in which they are declared.
  public init(
    storedWidth: Int, storedHeight: Int, orientation: ImageOrientation = .up,
    regionOfInterest: NormalizedRect? = nil, cropAndScale: CropAndScale = .scaleFit,
    inputWidth: Int, inputHeight: Int
  ) throws(GeometryError) {
    let sides = 1...Self.maximumSide
    guard sides.contains(storedWidth), sides.contains(storedHeight) else {
      throw .storedSizeOutOfRange(width: storedWidth, height: storedHeight)
    }
    guard sides.contains(inputWidth), sides.contains(inputHeight) else {
      throw .inputSizeOutOfRange(width: inputWidth, height: inputHeight)
    }
    let upright = orientation.uprightSize(storedWidth: storedWidth, storedHeight: storedHeight)
    let frame = BoundingBox(
      x: 0, y: 0, width: Double(upright.width), height: Double(upright.height))
    var region = frame
    if let regionOfInterest {
      try Self.check(regionOfInterest)
      region = regionOfInterest.toImageCoordinates(width: upright.width, height: upright.height)
        .clipped(to: frame)
    }
    self.init(
      storedWidth: storedWidth, storedHeight: storedHeight, orientation: orientation,
      region: region, window: region, cropAndScale: cropAndScale, inputWidth: inputWidth,
      inputHeight: inputHeight)
  }

  /// The map for a picture and a window on it that may reach outside.
  ///
  /// Where there is no picture, the input is padding. The window is scaled as
  /// ``CropAndScale/scaleFit`` says.
  ///
  /// - Parameters:
  ///   - window: What to look at, in upright pixels; its middle lies in the picture.
  ///   - storedWidth: The stored picture's width in pixels.
  ///   - storedHeight: The stored picture's height in pixels.
  ///   - orientation: How the stored rows are turned to stand upright.
  ///   - inputWidth: The input's width in pixels.
  ///   - inputHeight: The input's height in pixels.
  /// - Returns: Nil where the sizes are out of range, or the window is not finite, is shorter than
  ///   2⁻¹⁰ pixels, or has its middle outside the picture.
  public init?(
    window: BoundingBox, storedWidth: Int, storedHeight: Int, orientation: ImageOrientation,
    inputWidth: Int, inputHeight: Int
  ) {
    let sides = 1...Self.maximumSide
    guard
      sides.contains(storedWidth), sides.contains(storedHeight), sides.contains(inputWidth),
      sides.contains(inputHeight)
    else { return nil }
    let upright = orientation.uprightSize(storedWidth: storedWidth, storedHeight: storedHeight)
    let frame = BoundingBox(
      x: 0, y: 0, width: Double(upright.width), height: Double(upright.height))
    guard
      window.isFinite, window.width >= 0x1p-10, window.height >= 0x1p-10,
      frame.contains(window.center)
    else { return nil }
    self.init(
      storedWidth: storedWidth, storedHeight: storedHeight, orientation: orientation,
      region: window.clipped(to: frame), window: window, cropAndScale: .scaleFit,
      inputWidth: inputWidth, inputHeight: inputHeight)
  }

  /// The map that shows `window` and the picture where it lies in `region`, a part of the window.
  private init(
    storedWidth: Int, storedHeight: Int, orientation: ImageOrientation, region: BoundingBox,
    window: BoundingBox, cropAndScale: CropAndScale, inputWidth: Int, inputHeight: Int
  ) {
    self.storedWidth = storedWidth
    self.storedHeight = storedHeight
    self.orientation = orientation
    self.cropAndScale = cropAndScale
    self.inputWidth = inputWidth
    self.inputHeight = inputHeight
    self.region = region

    let input = BoundingBox(x: 0, y: 0, width: Double(inputWidth), height: Double(inputHeight))
    let scale = Self.scale(from: window, to: input, cropAndScale)
    uprightToInput = AffineMap(
      scaleX: scale.x, scaleY: scale.y,
      translationX: input.midX - window.midX * scale.x,
      translationY: input.midY - window.midY * scale.y)
    inputToUpright = AffineMap(
      scaleX: 1 / scale.x, scaleY: 1 / scale.y,
      translationX: window.midX - input.midX / scale.x,
      translationY: window.midY - input.midY / scale.y)
    // The sides without padding are the input's to the last bit.
    contentBox =
      region == window
      ? BoundingBox(
        midX: input.midX, midY: input.midY,
        width: scale.x < input.width / region.width ? region.width * scale.x : input.width,
        height: scale.y < input.height / region.height ? region.height * scale.y : input.height)
      : uprightToInput.map(region).clipped(to: input)
    storedToInput = orientation.storedToUpright(
      storedWidth: Double(storedWidth), storedHeight: Double(storedHeight)
    ).concatenated(with: uprightToInput)
    inputToStored = inputToUpright.concatenated(
      with: orientation.uprightToStored(
        storedWidth: Double(storedWidth), storedHeight: Double(storedHeight)))
  }

  /// The upright picture's width in pixels.
  public var uprightWidth: Int { orientation.swapsAxes ? storedHeight : storedWidth }
  /// The upright picture's height in pixels.
  public var uprightHeight: Int { orientation.swapsAxes ? storedWidth : storedHeight }

  /// The part of ``region`` that the network sees, in upright pixels.
  ///
  /// All of it, but for ``CropAndScale/centerCrop``, which cuts off the ends of the longer side.
  public var visibleRegion: BoundingBox {
    cropAndScale == .centerCrop ? inputToUpright.map(contentBox).clipped(to: region) : region
  }
}

extension ImageTransform {
  private static func check(_ region: NormalizedRect) throws(GeometryError) {
    guard region.isFinite else { throw .regionOfInterestNotFinite(region) }
    guard region.width >= minimumRegionSide, region.height >= minimumRegionSide else {
      throw .regionOfInterestEmpty(region)
    }
    let slack = 1e-9
    guard
      region.x >= -slack, region.y >= -slack,
      region.x + region.width <= 1 + slack, region.y + region.height <= 1 + slack
    else { throw .regionOfInterestOutsideImage(region) }
  }

  private static func scale(
    from region: BoundingBox, to input: BoundingBox, _ rule: CropAndScale
  ) -> (x: Double, y: Double) {
    let x = input.width / region.width
    let y = input.height / region.height
    return switch rule {
    case .centerCrop: (max(x, y), max(x, y))
    case .scaleFit: (min(x, y), min(x, y))
    case .scaleFill: (x, y)
    }
  }
}

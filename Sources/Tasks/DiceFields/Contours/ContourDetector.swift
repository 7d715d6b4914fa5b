public import DiceGeometry
public import DiceImaging

/// Finds the contours of what is dark on light ground in a picture, or light on dark ground.
///
/// The picture is turned upright, cut to the region of interest, reduced, made gray, parted by a
/// threshold, and its borders are followed:
///
///     var detector = ContourDetector()
///     let tree = try detector.detect(in: image)
///     for contour in tree.topLevelContours { print(contour.polygon.area) }
///
/// A detector keeps its memory: once it has seen a frame of a size with as many points, and the tree is
/// given back, it allocates nothing. Keep one for each thread.
public struct ContourDetector: Sendable {
  /// What to look for, and how.
  public struct Options: Hashable, Sendable {
    /// What parts dark and light.
    public enum Threshold: Hashable, Sendable {
      /// The contrast's pivot, for all pixels.
      case pivot
      /// The mean around each pixel, less an offset of so many 255ths: for uneven light. Of large
      /// things it shows the edges alone. Sizes are in pixels of the reduced picture; see
      /// ``Binarization/adaptiveMean(blockSize:offset:)``.
      case adaptiveMean(blockSize: Int, offset: Int)
      /// As `adaptiveMean`, with the weights of a Gaussian.
      case adaptiveGaussian(blockSize: Int, offset: Int)
    }

    /// The range of the contrast adjustment, that of Vision's request.
    public static let contrastRange = 0.0...3.0
    /// The range of the greatest dimension.
    public static let dimensionRange = 16...BinaryImage.maximumSide

    /// What differences from the pivot are multiplied with before an adaptive threshold.
    ///
    /// Results are clamped; 1 leaves gray as it is. A threshold at the pivot itself does not depend on
    /// it.
    public var contrastAdjustment = 2.0
    /// The gray, 0...1, that the contrast leaves as it is; nil for the one that parts the picture's dark
    /// and light best (Otsu).
    public var contrastPivot: Double?
    /// Whether what is dark on light ground is foreground, else what is light on dark.
    public var detectsDarkOnLight = true
    /// The longest side that is looked at, in pixels.
    ///
    /// Longer ones are reduced to it. Nil to look at all pixels.
    public var maximumDimension: Int? = 512
    /// The part to look at, as shares of the upright picture with the origin at the lower left; nil for
    /// all of it.
    public var regionOfInterest: NormalizedRect?
    /// What parts dark and light.
    public var threshold = Threshold.pivot
    /// Which points of a contour are kept.
    public var chain = ContourTracer.Chain.corners

    /// The options of the properties' defaults.
    public init() {}
  }

  /// What to look for, and how.
  public var options: Options

  private var sampler = InputSampler()
  private var colors: [UInt8] = []
  private var gray = GrayImage(width: 1, height: 1)
  private var binarizer = Binarizer()
  private var tracer = ContourTracer()
  /// The picture that borders were followed in last.
  public private(set) var binaryImage = BinaryImage(width: 1, height: 1)

  /// A detector.
  public init(_ options: Options = Options()) { self.options = options }

  /// The contours of a picture.
  ///
  /// - Throws: ``ContourError``.
  public mutating func detect(in image: PixelImage) throws(ContourError) -> ContourTree {
    var tree = ContourTree()
    try image.withFrame { (frame) throws(ContourError) in try detect(in: frame, into: &tree) }
    return tree
  }

  /// Finds the contours of a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame, in any orientation.
  ///   - tree: Takes the contours in place of those that it had; its memory is used again.
  /// - Throws: ``ContourError``; the tree is as it was then.
  public mutating func detect(
    in frame: borrowing RawFrame, into tree: inout ContourTree
  ) throws(ContourError) {
    try check()
    let map = try takeGray(of: frame)
    binarize()
    tracer.trace(binaryImage, chain: options.chain, into: &tree)
    tree.setImage(
      width: Double(frame.uprightWidth), height: Double(frame.uprightHeight), map: map)
  }

  private func check() throws(ContourError) {
    guard Options.contrastRange.contains(options.contrastAdjustment) else {
      throw .contrastAdjustmentOutOfRange(options.contrastAdjustment)
    }
    if let pivot = options.contrastPivot {
      guard (0.0...1.0).contains(pivot) else { throw .contrastPivotOutOfRange(pivot) }
    }
    if let dimension = options.maximumDimension {
      guard Options.dimensionRange.contains(dimension) else {
        throw .maximumDimensionOutOfRange(dimension)
      }
    }
  }

  /// Makes the gray picture of the region.
  ///
  /// - Returns: The map from its continuous coordinates to those of the upright picture.
  private mutating func takeGray(
    of frame: borrowing RawFrame
  ) throws(ContourError) -> AffineMap {
    let whole = try Self.transform(frame, options.regionOfInterest, width: 1, height: 1)
    let region = whole.region
    // The pixels that the region touches.
    let (left, top) = (Int(region.minX), Int(region.minY))
    let right = max(left + 1, Int(region.maxX.rounded(.up)))
    let bottom = max(top + 1, Int(region.maxY.rounded(.up)))
    let longest = max(right - left, bottom - top)
    if options.maximumDimension == nil, longest > BinaryImage.maximumSide {
      throw .regionTooLarge(width: right - left, height: bottom - top)
    }
    let limit = options.maximumDimension ?? longest
    if longest <= limit, frame.orientation == .up {
      gray.resize(width: right - left, height: bottom - top)
      frame.copyLuminance(into: &gray.storage, columns: left..<right, rows: top..<bottom)
      return AffineMap(
        scaleX: 1, scaleY: 1, translationX: Double(left), translationY: Double(top))
    }
    let scale = min(1, Double(limit) / Double(longest))
    let width = max(1, Int((region.width * scale).rounded()))
    let height = max(1, Int((region.height * scale).rounded()))
    let transform = try Self.transform(
      frame, options.regionOfInterest, width: width, height: height)
    let missing = width * height * 3 - colors.count
    if missing > 0 { colors.append(contentsOf: repeatElement(0, count: missing)) }
    sampler.sample(frame, through: transform, into: &colors, layout: .interleaved(width: width))
    gray.resize(width: width, height: height)
    unsafe colors.withUnsafeBufferPointer { (colors) in
      guard
        let reduced = try? unsafe RawFrame(
          unsafePixels: colors.baseAddress!, format: .rgb, width: width, height: height,
          bytesPerRow: width * 3)
      else { preconditionFailure("rows of whole pixels are a frame") }
      reduced.copyLuminance(into: &gray.storage, columns: 0..<width, rows: 0..<height)
    }
    return transform.inputToUpright
  }

  private static func transform(
    _ frame: borrowing RawFrame, _ region: NormalizedRect?, width: Int, height: Int
  ) throws(ContourError) -> ImageTransform {
    do {
      return try ImageTransform(
        storedWidth: frame.width, storedHeight: frame.height, orientation: frame.orientation,
        regionOfInterest: region, cropAndScale: .scaleFill, inputWidth: width,
        inputHeight: height)
    } catch { throw .geometry(error) }
  }

  private mutating func binarize() {
    let polarity: Binarization.Polarity =
      options.detectsDarkOnLight ? .darkOnLight : .lightOnDark
    let binarization: Binarization
    switch options.threshold {
    case .pivot:
      // A threshold at the pivot stays there, whatever the contrast is.
      binarization = options.contrastPivot.map { .fixed(threshold: Int($0 * 255)) } ?? .otsu
    case .adaptiveMean(let blockSize, let offset):
      adjustContrast()
      binarization = .adaptiveMean(blockSize: blockSize, offset: offset)
    case .adaptiveGaussian(let blockSize, let offset):
      adjustContrast()
      binarization = .adaptiveGaussian(blockSize: blockSize, offset: offset)
    }
    binarizer.binarize(gray, binarization, polarity: polarity, into: &binaryImage)
  }

  private mutating func adjustContrast() {
    guard options.contrastAdjustment != 1 else { return }
    let pivot =
      options.contrastPivot.map { $0 * 255 } ?? Double(binarizer.otsuThreshold(of: gray))
    gray.adjustContrast(by: options.contrastAdjustment, about: pivot)
  }
}

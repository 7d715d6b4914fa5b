public import DiceGeometry

/// A frame whose samples lie in byte arrays, with rows any number of bytes apart.
///
/// The arrays are kept as given; wrapping them copies nothing. Frames of whole pixels have one
/// array, frames with separate planes have luma in one and chroma in the other.
public struct StoredFrame: Hashable, Sendable {
  /// Columns of the stored picture, at least 1.
  public let width: Int
  /// Rows of the stored picture, at least 1.
  public let height: Int
  /// What the samples mean.
  public let format: RawFrame.Format
  /// How the stored rows must be turned to stand upright.
  public var orientation: ImageOrientation

  private let pixels: [UInt8]
  private let bytesPerRow: Int
  private let chroma: [UInt8]
  private let chromaBytesPerRow: Int
  private let chromaOrder: RawFrame.ChromaOrder

  /// Wraps whole pixels.
  ///
  /// - Parameters:
  ///   - pixels: The samples, at least `(height - 1) * bytesPerRow + width * channelCount` bytes.
  ///   - format: The order of the samples in a pixel.
  ///   - width: Columns, at least 1.
  ///   - height: Rows, at least 1.
  ///   - bytesPerRow: From the start of a row to the start of the next; nil for rows without
  ///     padding.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: the broken rule: `noPixels`, `sizeOverflow`, `rowTooShort` or `tooFewBytes`.
  public init(
    pixels: [UInt8], format: RawFrame.PixelFormat, width: Int, height: Int,
    bytesPerRow: Int? = nil, orientation: ImageOrientation = .up
  ) throws(FrameError) {
    let stride = bytesPerRow ?? width.multipliedReportingOverflow(by: format.channelCount).0
    try FrameRules.check(
      .pixels, width: width, height: height, bytesPerPixel: format.channelCount,
      bytesPerRow: stride, available: pixels.count)
    self.width = width
    self.height = height
    self.format = .packed(format)
    self.orientation = orientation
    self.pixels = pixels
    self.bytesPerRow = stride
    chroma = []
    chromaBytesPerRow = 0
    chromaOrder = .cbCr
  }

  /// Wraps a luma plane and a plane of interleaved chroma (NV12, NV21, `420v`, `420f`).
  ///
  /// - Parameters:
  ///   - luma: The luma samples, at least `(height - 1) * lumaBytesPerRow + width` bytes.
  ///   - lumaBytesPerRow: From the start of a luma row to the start of the next; nil for `width`.
  ///   - chroma: Pairs of chroma samples, `(height + 1) / 2` rows of `(width + 1) / 2` pairs.
  ///   - chromaBytesPerRow: From the start of a chroma row to the start of the next; nil for rows
  ///     without padding.
  ///   - chromaOrder: Which of the two chroma samples comes first.
  ///   - encoding: Matrix and range of the samples.
  ///   - width: Columns, at least 1.
  ///   - height: Rows, at least 1.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: the broken rule: `noPixels`, `sizeOverflow`, `rowTooShort` or `tooFewBytes`.
  public init(
    luma: [UInt8], lumaBytesPerRow: Int? = nil, chroma: [UInt8], chromaBytesPerRow: Int? = nil,
    chromaOrder: RawFrame.ChromaOrder = .cbCr, encoding: YCbCrEncoding, width: Int, height: Int,
    orientation: ImageOrientation = .up
  ) throws(FrameError) {
    let lumaStride = lumaBytesPerRow ?? width
    try FrameRules.check(
      .luma, width: width, height: height, bytesPerPixel: 1, bytesPerRow: lumaStride,
      available: luma.count)
    let pairs = FrameRules.half(width)
    let chromaStride = chromaBytesPerRow ?? pairs.multipliedReportingOverflow(by: 2).0
    try FrameRules.check(
      .chroma, width: pairs, height: FrameRules.half(height), bytesPerPixel: 2,
      bytesPerRow: chromaStride, available: chroma.count)
    self.width = width
    self.height = height
    self.format = .yCbCr420(encoding)
    self.orientation = orientation
    pixels = luma
    bytesPerRow = lumaStride
    self.chroma = chroma
    self.chromaBytesPerRow = chromaStride
    self.chromaOrder = chromaOrder
  }

  /// Lends the frame to a closure, which cannot keep it.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  public func withFrame<Result, Failure: Error>(
    _ body: (borrowing RawFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe pixels.withUnsafeBufferPointer { (pixels) throws(Failure) -> Result in
      try unsafe chroma.withUnsafeBufferPointer { (chroma) throws(Failure) -> Result in
        let plane = unsafe RawFrame.Plane(base: pixels.baseAddress!, bytesPerRow: bytesPerRow)
        let planes: RawFrame.Chroma =
          switch format {
          case .packed: unsafe .none
          case .yCbCr420:
            unsafe .interleaved(
              RawFrame.Plane(base: chroma.baseAddress!, bytesPerRow: chromaBytesPerRow),
              chromaOrder)
          }
        return try unsafe body(
          RawFrame(
            width: width, height: height, format: format, orientation: orientation,
            pixels: plane, chroma: planes))
      }
    }
  }
}

extension PixelImage {
  /// Lends the picture as a frame to a closure, which cannot keep it.
  ///
  /// Nothing is copied.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws.
  public func withFrame<Result, Failure: Error>(
    _ body: (borrowing RawFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let packed: RawFrame.PixelFormat =
      switch format {
      case .gray: .gray
      case .rgb: .rgb
      case .rgba: .rgba
      }
    return try unsafe samples.withUnsafeBufferPointer { (samples) throws(Failure) -> Result in
      let plane = unsafe RawFrame.Plane(
        base: samples.baseAddress!, bytesPerRow: width * packed.channelCount)
      return try unsafe body(
        RawFrame(
          width: width, height: height, format: .packed(packed), orientation: orientation,
          pixels: plane, chroma: .none))
    }
  }
}

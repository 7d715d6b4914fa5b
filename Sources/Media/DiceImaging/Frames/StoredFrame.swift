public import DiceGeometry

/// A frame whose samples lie in byte arrays, with rows any number of bytes apart.
///
/// The arrays are kept as given; wrapping them copies nothing. Frames of whole pixels have one
/// array. Frames with separate planes have luma in one and interleaved chroma in the other, or all
/// three planes one after another in one.
public struct StoredFrame: Hashable, Sendable {
  /// Columns of the stored picture, at least 1.
  public let width: Int
  /// Rows of the stored picture, at least 1.
  public let height: Int
  /// What the samples mean.
  public let format: RawFrame.Format
  /// Where chroma samples lie among the pixels that share them; without meaning where none do.
  public let chromaSiting: RawFrame.ChromaSiting
  /// How the stored rows must be turned to stand upright.
  public var orientation: ImageOrientation

  let pixels: [UInt8]
  let bytesPerRow: Int
  let chroma: Chroma

  /// Where chroma lies.
  package enum Chroma: Hashable, Sendable {
    case none
    case interleaved([UInt8], bytesPerRow: Int, RawFrame.ChromaOrder)
    /// Behind luma, in the same array.
    case behindLuma(cbOffset: Int, crOffset: Int, bytesPerRow: Int)
  }

  /// Takes samples whose rules have been checked.
  package init(
    width: Int, height: Int, format: RawFrame.Format, chromaSiting: RawFrame.ChromaSiting,
    orientation: ImageOrientation, pixels: [UInt8], bytesPerRow: Int, chroma: Chroma
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.chromaSiting = chromaSiting
    self.orientation = orientation
    self.pixels = pixels
    self.bytesPerRow = bytesPerRow
    self.chroma = chroma
  }

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
    self.init(
      width: width, height: height, format: .packed(format), chromaSiting: .center,
      orientation: orientation, pixels: pixels, bytesPerRow: stride, chroma: .none)
  }

  /// Wraps a luma plane that stands alone, of which gray pixels are made.
  ///
  /// - Parameters:
  ///   - luma: The samples, at least `(height - 1) * bytesPerRow + width` bytes.
  ///   - range: Which part of 0...255 the samples use.
  ///   - width: Columns, at least 1.
  ///   - height: Rows, at least 1.
  ///   - bytesPerRow: From the start of a row to the start of the next; nil for `width`.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: the broken rule: `noPixels`, `sizeOverflow`, `rowTooShort` or `tooFewBytes`.
  public init(
    luma: [UInt8], range: YCbCrEncoding.Range, width: Int, height: Int, bytesPerRow: Int? = nil,
    orientation: ImageOrientation = .up
  ) throws(FrameError) {
    let stride = bytesPerRow ?? width
    try FrameRules.check(
      .luma, width: width, height: height, bytesPerPixel: 1, bytesPerRow: stride,
      available: luma.count)
    self.init(
      width: width, height: height, format: .luma(range), chromaSiting: .center,
      orientation: orientation, pixels: luma, bytesPerRow: stride, chroma: .none)
  }

  /// Wraps a luma plane and a plane of interleaved chroma (NV12, NV21, `420v`, `420f`; NV16,
  /// `422v`; NV24, `444v`).
  ///
  /// - Parameters:
  ///   - luma: The luma samples, at least `(height - 1) * lumaBytesPerRow + width` bytes.
  ///   - lumaBytesPerRow: From the start of a luma row to the start of the next; nil for `width`.
  ///   - chroma: Pairs of chroma samples, as many rows and columns as the subsampling gives.
  ///   - chromaBytesPerRow: From the start of a chroma row to the start of the next; nil for rows
  ///     without padding.
  ///   - chromaOrder: Which of the two chroma samples comes first.
  ///   - subsampling: How many pixels share a chroma sample.
  ///   - chromaSiting: Where chroma samples lie among the pixels that share them.
  ///   - encoding: Matrix and range of the samples.
  ///   - width: Columns, at least 1.
  ///   - height: Rows, at least 1.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: the broken rule: `noPixels`, `sizeOverflow`, `rowTooShort` or `tooFewBytes`.
  public init(
    luma: [UInt8], lumaBytesPerRow: Int? = nil, chroma: [UInt8], chromaBytesPerRow: Int? = nil,
    chromaOrder: RawFrame.ChromaOrder = .cbCr, subsampling: RawFrame.ChromaSubsampling = .s420,
    chromaSiting: RawFrame.ChromaSiting = .center, encoding: YCbCrEncoding, width: Int,
    height: Int, orientation: ImageOrientation = .up
  ) throws(FrameError) {
    let lumaStride = lumaBytesPerRow ?? width
    try FrameRules.check(
      .luma, width: width, height: height, bytesPerPixel: 1, bytesPerRow: lumaStride,
      available: luma.count)
    let pairs = subsampling.columnCount(forWidth: width)
    let chromaStride = chromaBytesPerRow ?? pairs.multipliedReportingOverflow(by: 2).0
    try FrameRules.check(
      .chroma, width: pairs, height: subsampling.rowCount(forHeight: height), bytesPerPixel: 2,
      bytesPerRow: chromaStride, available: chroma.count)
    self.init(
      width: width, height: height, format: RawFrame.Format(subsampling, encoding),
      chromaSiting: chromaSiting, orientation: orientation, pixels: luma, bytesPerRow: lumaStride,
      chroma: .interleaved(chroma, bytesPerRow: chromaStride, chromaOrder))
  }

  /// Wraps three planes that follow each other without padding: luma, Cb and Cr (I420, `yuv420p`,
  /// `yuv422p`, `yuv444p`).
  ///
  /// - Parameters:
  ///   - planes: `width * height` luma samples, then the Cb and then the Cr samples, as many rows
  ///     and columns of each as the subsampling gives; bytes behind them are not looked at.
  ///   - subsampling: How many pixels share a chroma sample.
  ///   - chromaSiting: Where chroma samples lie among the pixels that share them.
  ///   - encoding: Matrix and range of the samples.
  ///   - width: Columns, at least 1.
  ///   - height: Rows, at least 1.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: the broken rule: `noPixels`, `sizeOverflow` or `tooFewBytes`, of which the last
  ///   counts luma first and then both chroma planes together.
  public init(
    planes: [UInt8], subsampling: RawFrame.ChromaSubsampling,
    chromaSiting: RawFrame.ChromaSiting = .center, encoding: YCbCrEncoding, width: Int,
    height: Int, orientation: ImageOrientation = .up
  ) throws(FrameError) {
    try FrameRules.check(
      .luma, width: width, height: height, bytesPerPixel: 1, bytesPerRow: width,
      available: planes.count)
    // Both fit: luma does, and is in memory, and a chroma plane is not larger.
    let lumaCount = width * height
    let stride = subsampling.columnCount(forWidth: width)
    let chromaCount = stride * subsampling.rowCount(forHeight: height)
    guard planes.count - lumaCount >= 2 * chromaCount else {
      throw .tooFewBytes(
        plane: .chroma, found: planes.count - lumaCount, required: 2 * chromaCount)
    }
    self.init(
      width: width, height: height, format: RawFrame.Format(subsampling, encoding),
      chromaSiting: chromaSiting, orientation: orientation, pixels: planes, bytesPerRow: width,
      chroma: .behindLuma(
        cbOffset: lumaCount, crOffset: lumaCount + chromaCount, bytesPerRow: stride))
  }

  /// Wraps a picture, whose samples are shared and not copied.
  public init(_ image: PixelImage) {
    let format = image.format.packed
    self.init(
      width: image.width, height: image.height, format: .packed(format), chromaSiting: .center,
      orientation: image.orientation, pixels: image.samples,
      bytesPerRow: image.width * format.channelCount, chroma: .none)
  }
}

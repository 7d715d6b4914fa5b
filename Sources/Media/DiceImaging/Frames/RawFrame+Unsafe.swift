public import DiceGeometry

/// Doors for memory that something else owns, such as the planes of a camera buffer.
///
/// The caller vouches for two things that cannot be checked: that each address is the first byte of
/// a plane with the given size, and that the memory stays there unchanged for as long as the frame
/// is used. With Core Video that is between locking and unlocking the buffer's base address.
extension RawFrame {
  /// Looks at whole pixels, one after another.
  ///
  ///     let frame = try unsafe RawFrame(
  ///       unsafePixels: baseAddress, format: .bgra, width: 1920, height: 1080,
  ///       bytesPerRow: bytesPerRow)
  ///
  /// - Parameters:
  ///   - baseAddress: The first sample of the first row.
  ///   - format: The order of the samples in a pixel.
  ///   - width: Columns of the stored picture, at least 1.
  ///   - height: Rows of the stored picture, at least 1.
  ///   - bytesPerRow: From the start of a row to the start of the next.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: `noPixels`, `sizeOverflow` or `rowTooShort`.
  @unsafe
  public init(
    unsafePixels baseAddress: UnsafeRawPointer, format: PixelFormat, width: Int, height: Int,
    bytesPerRow: Int, orientation: ImageOrientation = .up
  ) throws(FrameError) {
    _ = try FrameRules.byteCount(
      of: .pixels, width: width, height: height, bytesPerPixel: format.channelCount,
      bytesPerRow: bytesPerRow)
    unsafe self.init(
      width: width, height: height, format: .packed(format), orientation: orientation,
      pixels: Plane(base: baseAddress, bytesPerRow: bytesPerRow), chroma: .none)
  }

  /// Looks at a luma plane and a plane of interleaved chroma (NV12, NV21, `420v`, `420f`; NV16,
  /// `422v`; NV24, `444v`).
  ///
  /// - Parameters:
  ///   - luma: The first luma sample.
  ///   - lumaBytesPerRow: From the start of a luma row to the start of the next.
  ///   - chroma: The first chroma sample; chroma rows hold a pair for each chroma column.
  ///   - chromaBytesPerRow: From the start of a chroma row to the start of the next.
  ///   - chromaOrder: Which of the two chroma samples comes first.
  ///   - subsampling: How many pixels share a chroma sample.
  ///   - chromaSiting: Where chroma samples lie among the pixels that share them.
  ///   - encoding: Matrix and range of the samples.
  ///   - width: Columns of the stored picture, at least 1.
  ///   - height: Rows of the stored picture, at least 1.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: `noPixels`, `sizeOverflow` or `rowTooShort`.
  @unsafe
  public init(
    unsafeLuma luma: UnsafeRawPointer, lumaBytesPerRow: Int, chroma: UnsafeRawPointer,
    chromaBytesPerRow: Int, chromaOrder: ChromaOrder = .cbCr,
    subsampling: ChromaSubsampling = .s420, chromaSiting: ChromaSiting = .center,
    encoding: YCbCrEncoding, width: Int, height: Int, orientation: ImageOrientation = .up
  ) throws(FrameError) {
    _ = try FrameRules.byteCount(
      of: .luma, width: width, height: height, bytesPerPixel: 1, bytesPerRow: lumaBytesPerRow)
    _ = try FrameRules.byteCount(
      of: .chroma, width: subsampling.columnCount(forWidth: width),
      height: subsampling.rowCount(forHeight: height), bytesPerPixel: 2,
      bytesPerRow: chromaBytesPerRow)
    unsafe self.init(
      width: width, height: height, format: Format(subsampling, encoding),
      chromaSiting: chromaSiting, orientation: orientation,
      pixels: Plane(base: luma, bytesPerRow: lumaBytesPerRow),
      chroma: .interleaved(Plane(base: chroma, bytesPerRow: chromaBytesPerRow), chromaOrder))
  }

  /// Looks at three planes: luma, Cb and Cr (I420, `yuv420p`, `yuv422p`, `yuv444p`).
  ///
  /// - Parameters:
  ///   - luma: The first luma sample.
  ///   - lumaBytesPerRow: From the start of a luma row to the start of the next.
  ///   - cb: The first Cb sample; rows hold a sample for each chroma column.
  ///   - cr: The first Cr sample; rows hold a sample for each chroma column.
  ///   - chromaBytesPerRow: From the start of a chroma row to the start of the next, in both
  ///     planes.
  ///   - subsampling: How many pixels share a chroma sample.
  ///   - chromaSiting: Where chroma samples lie among the pixels that share them.
  ///   - encoding: Matrix and range of the samples.
  ///   - width: Columns of the stored picture, at least 1.
  ///   - height: Rows of the stored picture, at least 1.
  ///   - orientation: How the stored rows must be turned to stand upright.
  /// - Throws: `noPixels`, `sizeOverflow` or `rowTooShort`.
  @unsafe
  public init(
    unsafeLuma luma: UnsafeRawPointer, lumaBytesPerRow: Int, cb: UnsafeRawPointer,
    cr: UnsafeRawPointer, chromaBytesPerRow: Int, subsampling: ChromaSubsampling = .s420,
    chromaSiting: ChromaSiting = .center, encoding: YCbCrEncoding, width: Int, height: Int,
    orientation: ImageOrientation = .up
  ) throws(FrameError) {
    _ = try FrameRules.byteCount(
      of: .luma, width: width, height: height, bytesPerPixel: 1, bytesPerRow: lumaBytesPerRow)
    _ = try FrameRules.byteCount(
      of: .chroma, width: subsampling.columnCount(forWidth: width),
      height: subsampling.rowCount(forHeight: height), bytesPerPixel: 1,
      bytesPerRow: chromaBytesPerRow)
    unsafe self.init(
      width: width, height: height, format: Format(subsampling, encoding),
      chromaSiting: chromaSiting, orientation: orientation,
      pixels: Plane(base: luma, bytesPerRow: lumaBytesPerRow),
      chroma: .separate(
        cb: Plane(base: cb, bytesPerRow: chromaBytesPerRow),
        cr: Plane(base: cr, bytesPerRow: chromaBytesPerRow)))
  }
}

#if !hasFeature(Embedded)
  extension RawFrame {
    /// Lends a frame of whole pixels to a closure, which cannot keep it.
    ///
    /// Parameters are those of ``init(unsafePixels:format:width:height:bytesPerRow:orientation:)``.
    ///
    /// - Throws: ``FrameError`` as the initializer, and what the closure throws.
    @unsafe
    public static func withUnsafePixels<Result>(
      _ baseAddress: UnsafeRawPointer, format: PixelFormat, width: Int, height: Int,
      bytesPerRow: Int, orientation: ImageOrientation = .up,
      _ body: (borrowing RawFrame) throws -> Result
    ) throws -> Result {
      let frame = try unsafe RawFrame(
        unsafePixels: baseAddress, format: format, width: width, height: height,
        bytesPerRow: bytesPerRow, orientation: orientation)
      return try body(frame)
    }

    /// Lends a frame of two planes to a closure, which cannot keep it.
    ///
    /// Parameters are those of the initializer with the same labels.
    ///
    /// - Throws: ``FrameError`` as the initializer, and what the closure throws.
    @unsafe
    public static func withUnsafePlanes<Result>(
      luma: UnsafeRawPointer, lumaBytesPerRow: Int, chroma: UnsafeRawPointer,
      chromaBytesPerRow: Int, chromaOrder: ChromaOrder = .cbCr,
      subsampling: ChromaSubsampling = .s420, chromaSiting: ChromaSiting = .center,
      encoding: YCbCrEncoding, width: Int, height: Int, orientation: ImageOrientation = .up,
      _ body: (borrowing RawFrame) throws -> Result
    ) throws -> Result {
      let frame = try unsafe RawFrame(
        unsafeLuma: luma, lumaBytesPerRow: lumaBytesPerRow, chroma: chroma,
        chromaBytesPerRow: chromaBytesPerRow, chromaOrder: chromaOrder, subsampling: subsampling,
        chromaSiting: chromaSiting, encoding: encoding, width: width, height: height,
        orientation: orientation)
      return try body(frame)
    }
  }
#endif

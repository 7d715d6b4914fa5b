internal import DiceGeometry
package import DiceParallel
public import DiceImaging

/// Decodes JPEG files: baseline, extended sequential and progressive, 8 bits, with Huffman or
/// arithmetic coding, grey, YCbCr, RGB, CMYK or YCCK, with any sampling factors.
///
/// The samples equal those of libjpeg-turbo with its default settings (accurate integer transform,
/// smooth chroma upsampling), at all scales. Two kinds of file are exceptions: those whose
/// coefficients are larger than any picture's, where arithmetic of 16 bits wraps around, and
/// progressive ones that end before their last refinement, whose blocks are not smoothed here.
///
/// Damaged files are errors: compressed data that ends early or holds an illegal code yields no
/// picture. Only the end-of-image marker may be missing, where the picture is complete without it.
/// Stray bytes ahead of a marker are skipped, as other decoders do. Embedded colour profiles are
/// ignored. Files without Huffman tables, as frames of motion JPEG are, get the standard ones.
///
/// CMYK and YCCK become red, green and blue without a profile: `R = k - (255 - c) k / 255` and so on,
/// where c, m, y and k are the samples as the file stores them, 255 less the ink. That is how Adobe's
/// programs write such files, and what all files of four components are taken for.
///
/// The data of arithmetic coding may end in zeros that the file leaves out, so not all damage shows:
/// at most 1024 bytes may be missing ahead of a marker, and none at the end of a file without one.
///
/// The orientation comes from an EXIF block, and where that says nothing, from XMP.
///
/// Not supported, each refused with an error of its own: lossless and hierarchical coding, 12 bits,
/// and a height that follows the first scan (DNL).
///
/// The work is bounded: the limits bound the pixels, a file that is too short for the blocks it
/// claims is refused before memory is taken, and all scans of a file together may visit 32 blocks for
/// each block of the picture and 1,048,576 more (an ordinary progressive file visits some 4 to 10).
///
/// Source: ITU-T T.81 (JPEG), T.871 (JFIF).
public enum JPEGDecoder {
  /// Decodes a JPEG file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file; what follows its end-of-image marker is ignored.
  ///   - scale: how much smaller than stored to decode, which saves time.
  ///   - limits: bounds on the stored picture's size.
  /// - Returns: a picture in `.gray` (one component) or `.rgb` with the orientation that the file
  ///   gives. Its size is the stored size divided by the scale, rounded up.
  /// - Throws: `JPEGError`, whose case says which rule the file breaks or which kind of JPEG is not
  ///   supported.
  /// - Complexity: linear in the numbers of pixels and bytes. A row of blocks and the output are held
  ///   in memory; for progressive files and those of several scans all coefficients as well, two
  ///   bytes each.
  public static func decode(
    _ bytes: [UInt8], scale: JPEGScale = .full, limits: DecodingLimits = .init()
  ) throws(JPEGError) -> PixelImage {
    try decode(bytes, scale: scale, limits: limits, pool: nil)
  }

  /// The same on the threads of a pool, up to 16: the samples are the same, and so are the errors.
  ///
  /// A file of one Huffman-coded scan is decoded on all of them, with and without restart markers; then
  /// each holds the coefficients and samples of up to 2048 units as well. Of other files that are not
  /// coded arithmetically, the transforms and colours are shared.
  package static func decode(
    _ bytes: [UInt8], scale: JPEGScale, limits: DecodingLimits, pool: WorkerPool?
  ) throws(JPEGError) -> PixelImage {
    var parser = try JPEGParser(bytes)
    guard let scan = try parser.nextScan(), let frame = parser.frame else {
      throw .missingPicture
    }
    let colorModel = try parser.colorModel()
    let (pixelCount, overflow) = frame.width.multipliedReportingOverflow(by: frame.height)
    guard !overflow, pixelCount <= limits.pixelCount, pixelCount <= Int.max / 8 else {
      throw .tooManyPixels(width: frame.width, height: frame.height, limit: limits.pixelCount)
    }
    guard limits.allowSides(frame.width, frame.height) else {
      throw .sideTooLong(width: frame.width, height: frame.height, limit: limits.sideLength)
    }
    // Each block takes at least a bit, or two with its coefficients: a claim that the file cannot
    // fulfil is refused before memory is taken for it.
    // (Arithmetic coding makes thousands of empty blocks of a bit.)
    let bitsPerBlock =
      frame.coding == .arithmetic ? 0 : frame.process == .progressive ? 1 : 2
    guard frame.blockCount * bitsPerBlock <= 8 * (bytes.count - parser.position) else {
      throw .truncated(offset: bytes.count)
    }
    return try decode(
      &parser, frame: frame, scan: scan, colorModel: colorModel, scale: scale, pool: pool)
  }

  /// Reads what a JPEG file says about its picture, without decoding it.
  ///
  /// - Throws: `JPEGError` as `decode` would for what stands ahead of the compressed data; limits
  ///   are not applied.
  /// - Complexity: linear in the bytes ahead of the first scan.
  public static func decodeHeader(_ bytes: [UInt8]) throws(JPEGError) -> JPEGHeader {
    var parser = try JPEGParser(bytes)
    guard try parser.nextScan() != nil, let frame = parser.frame else { throw .missingPicture }
    _ = try parser.colorModel()
    return JPEGHeader(
      width: frame.width, height: frame.height, componentCount: frame.components.count,
      isProgressive: frame.process == .progressive, orientation: parser.orientation)
  }

  private static func decode(
    _ parser: inout JPEGParser, frame: JPEGFrame, scan: JPEGScan, colorModel: JPEGColorModel,
    scale: JPEGScale, pool: WorkerPool?
  ) throws(JPEGError) -> PixelImage {
    let isStreamable =
      frame.process != .progressive && scan.components.count == frame.components.count
    let isInOrder = isStreamable && frame.coding == .arithmetic
    let threadCount = JPEGParallelScan.threadCount(
      frame, of: isInOrder ? 1 : pool?.threadCount ?? 1)
    let assembler = JPEGRowAssembler(
      frame, colorModel: colorModel, scale: scale, pool: threadCount > 1 ? pool : nil,
      partCount: threadCount,
      windowRows: threadCount == 1
        ? 1 : JPEGParallelScan.windowRows(frame, threadCount: threadCount))
    let format: PixelImage.Format = colorModel == .gray ? .gray : .rgb
    let sampleCount = assembler.outputWidth * assembler.outputHeight * format.channelCount
    var failure: JPEGError?
    let samples: [UInt8]
    if isStreamable {
      let decoder = try JPEGStreamDecoder(
        parser: parser, frame: frame, scan: scan, assembler: assembler)
      samples = unsafe [UInt8](unsafeUninitializedCapacity: sampleCount) { buffer, count in
        do throws(JPEGError) {
          if let base = buffer.baseAddress { try unsafe decoder.decode(to: base) }
          count = sampleCount
        } catch { failure = error }
      }
    } else {
      let decoder = JPEGCoefficientDecoder(frame: frame, assembler: assembler)
      try decoder.decodeScans(&parser, first: scan)
      samples = unsafe [UInt8](unsafeUninitializedCapacity: sampleCount) { buffer, count in
        if let base = buffer.baseAddress { unsafe decoder.emit(to: base) }
        count = sampleCount
      }
    }
    if let failure { throw failure }
    return PixelImage(
      width: assembler.outputWidth, height: assembler.outputHeight, format: format,
      samples: samples, orientation: parser.orientation)
  }
}

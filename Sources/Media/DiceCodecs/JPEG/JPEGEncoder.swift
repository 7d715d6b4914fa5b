internal import DiceGeometry
public import DiceImaging

/// How many chroma samples a JPEG file holds.
public enum JPEGSubsampling: CaseIterable, Hashable, Sendable {
  /// One for each pixel.
  case s444
  /// One for each two by two pixels: smaller files, softer colour edges.
  case s420

  /// Pixels along the edge of the square that one chroma sample stands for.
  var factor: Int { self == .s444 ? 1 : 2 }
}

/// Encodes pictures as baseline JPEG files.
///
/// With the same settings the compressed data equals that of libjpeg-turbo: the tables of T.81's
/// annex K scaled by quality, the accurate integer transform, averaged chroma.
///
/// Source: ITU-T T.81 (JPEG), T.871 (JFIF).
public enum JPEGEncoder {
  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - image: the picture. `.gray` becomes one component, `.rgb` three. Of `.rgba` the colours are
  ///     encoded as they are and alpha is dropped. An orientation other than `.up` is written into
  ///     an EXIF block; the stored rows are not turned.
  ///   - quality: 1 (smallest) to 100 (nearly lossless), as libjpeg scales it.
  ///   - subsampling: how many chroma samples to hold; of no effect for `.gray`.
  ///   - optimizesTables: whether to fit the Huffman tables to the picture, which saves some percent
  ///     of the bytes and takes about twice the time.
  ///   - colorProfile: what the samples mean, for other programs; left out where it does not fit a
  ///     picture of one component, or of three.
  /// - Returns: the file's bytes.
  /// - Throws: `JPEGError.invalidQuality`, or `JPEGError.tooLargeToEncode` for a picture with more
  ///   than 65535 columns or rows.
  /// - Complexity: linear in the number of pixels.
  public static func encode(
    _ image: PixelImage, quality: Int = 90, subsampling: JPEGSubsampling = .s420,
    optimizesTables: Bool = false, colorProfile: ColorProfile? = nil
  ) throws(JPEGError) -> [UInt8] {
    guard (1...100).contains(quality) else { throw .invalidQuality(quality) }
    guard image.width <= 65535, image.height <= 65535 else {
      throw .tooLargeToEncode(width: image.width, height: image.height)
    }
    let isGray = image.format == .gray
    let factor = isGray ? 1 : subsampling.factor
    let quantization = [
      scaled(JPEGStandardTables.luminanceQuantization, quality: quality),
      scaled(JPEGStandardTables.chrominanceQuantization, quality: quality),
    ]
    let blocks = JPEGBlockSource(image, factor: factor, quantization: quantization)
    var tables = JPEGHuffmanSpecifications.standard
    if optimizesTables {
      var counter = JPEGSymbolCounter()
      unsafe blocks.forEachBlock { (block, component) in
        unsafe counter.count(block, component: component)
      }
      tables = counter.optimalTables()
    }

    var writer = JPEGFileWriter()
    writer.writeMarker(0xD8)
    writer.writeSegment(
      0xE0, [0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
    if image.orientation != .up { writer.writeOrientation(image.orientation) }
    if let colorProfile, colorProfile.fits(image.format) { writer.writeColorProfile(colorProfile) }
    let tableCount = isGray ? 1 : 2
    for index in 0..<tableCount {
      writer.writeQuantizationTable(quantization[index], index: UInt8(index))
    }
    writer.writeFrame(image, componentCount: isGray ? 1 : 3, factor: factor)
    for index in 0..<tableCount {
      writer.writeHuffmanTable(tables.dc[index], head: UInt8(index))
      writer.writeHuffmanTable(tables.ac[index], head: 0x10 | UInt8(index))
    }
    writer.writeScan(componentCount: isGray ? 1 : 3)
    var coder = JPEGBlockCoder(tables: tables, bytes: writer.bytes)
    unsafe blocks.forEachBlock { (block, component) in
      unsafe coder.encode(block, component: component)
    }
    writer.bytes = coder.finished()
    writer.writeMarker(0xD9)
    return writer.bytes
  }

  /// A quantization table for a quality, as libjpeg scales it, for baseline files.
  private static func scaled(_ table: [Int], quality: Int) -> [Int] {
    let percentage = quality < 50 ? 5000 / quality : 200 - 2 * quality
    return table.map { min(max(($0 * percentage + 50) / 100, 1), 255) }
  }
}

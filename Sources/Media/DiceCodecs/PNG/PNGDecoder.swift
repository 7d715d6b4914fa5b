internal import DiceGeometry
public import DiceImaging

/// Reads PNG files: every colour type, bit depth and interlacing of the specification.
///
/// The picture has the format that `PNGHeader.format` says:
///
/// - Gray stays gray; with alpha or a transparent colour it becomes red, green, blue, alpha.
/// - Colour and palettes become red, green, blue, and with transparency red, green, blue, alpha.
/// - Samples of 1, 2 and 4 bits are scaled to 0 to 255, which is exact.
/// - Samples of 16 bits keep their high byte. (Pillow does the same, but for gray of 16 bits
///   without alpha, where it keeps all bits in mode `I;16`.)
/// - A transparent colour gives alpha 0 where all bits of the stored samples are equal to it. Its
///   bits above the bit depth are ignored. The colour itself stays.
///
/// Samples are taken as sRGB: gamma, chromaticities and colour profiles are ignored, and so are
/// background and time. The orientation comes from an `eXIf` chunk; where that says nothing, from
/// the raw profiles that ImageMagick writes as text, and then from XMP. Of an animated file the still
/// picture is read.
///
/// Any bytes are accepted as input: the result is a picture or a `PNGError`. The checksums of the
/// compressed rows and of all chunks are verified, but for those that the specification knows and that
/// change no picture, such as text: damaged ones are passed over. Other deviations are tolerated as
/// other readers do: more colours in a palette than the bit depth can name, image data behind the last
/// row or behind other chunks, a file that ends behind its image data, and bytes after the `IEND`
/// chunk.
///
/// Source: Portable Network Graphics (PNG) Specification, third edition.
public enum PNGDecoder {
  /// Whether a file starts with the signature of PNG, by its first eight bytes.
  public static func matchesSignature(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: PNGFile.signature)
  }

  /// Reads what a file says about its picture, without the picture.
  ///
  /// - Parameter bytes: the file, or its beginning up to the name of the first `IDAT` chunk.
  /// - Throws: `PNGError` for a rule that is broken up to there.
  /// - Complexity: O(n) in the bytes before the first `IDAT` chunk.
  public static func decodeHeader(_ bytes: [UInt8]) throws(PNGError) -> PNGHeader {
    try PNGFile(bytes, extent: .header).header
  }

  /// Reads the picture of a file.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - limits: what the file may claim; checked before memory is taken.
  ///   - keepsAlpha: whether alpha is of use. Without it a picture takes a byte less for each pixel, and
  ///     one of gray and alpha three bytes less.
  /// - Returns: the picture, with rows as stored and the orientation that the file states.
  /// - Throws: `PNGError`, the first rule that is broken.
  /// - Complexity: O(n) in the bytes of the file and the pixels. Memory beside the file is the
  ///   picture, a few rows, less than a megabyte, and a copy of the compressed rows where they come
  ///   in several chunks.
  public static func decode(
    _ bytes: [UInt8], limits: DecodingLimits = .init(), keepsAlpha: Bool = true
  ) throws(PNGError) -> PixelImage {
    let file = try PNGFile(bytes, extent: .wholeFile, limits: limits)
    let layout = PNGLayout(file.header, keepsAlpha: keepsAlpha)
    // No DEFLATE data grows more than 1032 times: a match of 258 bytes takes at least two bits.
    if layout.storedByteCount / 1032 > file.imageDataByteCount {
      throw file.reason(for: .imageDataTooShort(requiredByteCount: layout.storedByteCount))
    }
    let samples: [UInt8]
    do throws(PNGError) {
      samples = unsafe try file.withImageData(of: bytes) {
        (data) throws(PNGError) -> [UInt8] in
        var rows = try unsafe PNGRowReader(file, layout, data)
        return try unsafe rows.readAll()
      }
    } catch {
      throw file.reason(for: error)
    }
    return PixelImage(
      width: file.header.width, height: file.header.height, format: layout.format,
      samples: samples, orientation: file.metadata.orientation ?? .up)
  }
}

/// The sizes of a picture's rows in the file and in memory.
struct PNGLayout {
  let passes: [PNGPass]
  /// The format of the picture in memory.
  let format: PixelImage.Format
  /// Samples of the picture.
  let sampleCount: Int
  /// Bytes of all stored rows with their filter bytes.
  let storedByteCount: Int
  /// Bytes of the longest stored row without its filter byte.
  let longestRow: Int

  /// - Precondition: the header keeps some limits, so that nothing overflows.
  init(_ header: PNGHeader, keepsAlpha: Bool) {
    format = header.format(keepsAlpha: keepsAlpha)
    passes = PNGPass.passes(
      width: header.width, height: header.height, isInterlaced: header.isInterlaced)
    sampleCount = header.width * header.height * format.channelCount
    var stored = 0
    var longest = 0
    for pass in passes {
      let row = Self.rowByteCount(width: pass.width, header)
      longest = max(longest, row)
      stored += (row + 1) * pass.height
    }
    storedByteCount = stored
    longestRow = longest
  }

  /// Bytes of a stored row without its filter byte.
  static func rowByteCount(width: Int, _ header: PNGHeader) -> Int {
    (width * header.bitsPerPixel + 7) / 8
  }
}

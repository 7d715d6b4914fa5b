public import DiceImaging

/// Reads portable bitmaps, graymaps and pixmaps: the formats `P1` to `P6` of Netpbm.
///
/// Bitmaps and graymaps become gray pictures, pixmaps red-green-blue ones. A black pixel of a
/// bitmap is 0, a white one 255. A sample `v` of a map with the maximum `m` becomes `v * 255 / m`,
/// rounded to the nearest number and up where two are equally near. (Pillow rounds such ties to
/// even, and keeps graymaps with a maximum above 255 in 32 bits.) Samples are taken as they are:
/// the gamma of ITU-R BT.709 that Netpbm describes is close to that of sRGB, which nearly all files
/// have.
///
/// Comments from `#` to the end of a line may stand anywhere in the header and among decimal
/// samples. A file may hold several pictures: the first one is read, and what follows is ignored.
/// Any bytes are accepted as input: the result is a picture or a `PortableMapError`.
///
/// Source: Netpbm, formats PBM, PGM and PPM.
public enum PortableMapDecoder {
  /// Whether a file starts with `P1` to `P6` and white space or a comment.
  public static func matchesSignature(_ bytes: [UInt8]) -> Bool {
    kind(of: bytes) != nil
  }

  /// Reads what a file says about its picture, without the picture.
  ///
  /// - Parameter bytes: the file, or its beginning up to the end of the header.
  /// - Throws: `PortableMapError` for a rule that the header breaks.
  public static func decodeHeader(
    _ bytes: [UInt8]
  ) throws(PortableMapError) -> PortableMapHeader {
    var scanner = PortableMapScanner(bytes, offset: 2)
    return try header(bytes, &scanner)
  }

  /// Reads the first picture of a file.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - limits: what the file may claim; checked before memory is taken.
  /// - Returns: the picture, which stands upright.
  /// - Throws: `PortableMapError`, the first rule that is broken.
  /// - Complexity: O(n) in the bytes of the file.
  public static func decode(
    _ bytes: [UInt8], limits: DecodingLimits = .init()
  ) throws(PortableMapError) -> PixelImage {
    var scanner = PortableMapScanner(bytes, offset: 2)
    let header = try header(bytes, &scanner)
    let pixels = header.width.multipliedReportingOverflow(by: header.height)
    let count = pixels.partialValue.multipliedReportingOverflow(
      by: 2 * header.format.channelCount)
    if pixels.overflow || count.overflow || pixels.partialValue > limits.pixelCount {
      throw .tooManyPixels(
        width: header.width, height: header.height, limit: limits.pixelCount)
    }
    guard limits.allowSides(header.width, header.height) else {
      throw .sideTooLong(
        width: header.width, height: header.height, limit: limits.sideLength)
    }
    let samples =
      if header.kind.isPlain {
        try plainSamples(header, count: count.partialValue / 2, &scanner)
      } else {
        try binarySamples(header, count: count.partialValue / 2, &scanner)
      }
    return PixelImage(
      width: header.width, height: header.height, format: header.format, samples: samples)
  }

  // MARK: Header

  private static func kind(of bytes: [UInt8]) -> PortableMapHeader.Kind? {
    guard bytes.count >= 3, bytes[0] == 0x50, bytes[1] >= 0x30,
      PortableMapScanner.isSpace(bytes[2]) || bytes[2] == 0x23
    else { return nil }
    return PortableMapHeader.Kind(rawValue: bytes[1] - 0x30)
  }

  private static func header(
    _ bytes: [UInt8], _ scanner: inout PortableMapScanner
  ) throws(PortableMapError) -> PortableMapHeader {
    guard let kind = kind(of: bytes) else { throw .invalidSignature }
    guard let width = try scanner.nextNumber(), let height = try scanner.nextNumber() else {
      throw .truncatedHeader
    }
    if width == 0 || height == 0 { throw .invalidSize(width: width, height: height) }
    var maximum = 1
    if !kind.isBitmap {
      guard let number = try scanner.nextNumber() else { throw .truncatedHeader }
      guard (1...65535).contains(number) else { throw .invalidMaximum(number) }
      maximum = number
    }
    return PortableMapHeader(kind: kind, width: width, height: height, maximum: maximum)
  }

  // MARK: Samples

  /// A sample of 0 to `maximum` as one of 0 to 255.
  @inline(__always)
  private static func scaled(_ sample: Int, _ maximum: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (sample * 255 + maximum / 2) / maximum)
  }

  private static func plainSamples(
    _ header: PortableMapHeader, count: Int, _ scanner: inout PortableMapScanner
  ) throws(PortableMapError) -> [UInt8] {
    var samples: [UInt8] = []
    // A sample takes at least a byte of the file.
    samples.reserveCapacity(min(count, scanner.bytes.count))
    while samples.count < count {
      if header.kind.isBitmap {
        guard let bit = try scanner.nextBit() else { break }
        samples.append(bit == 0 ? 255 : 0)
      } else {
        guard let sample = try scanner.nextNumber() else { break }
        if sample > header.maximum {
          throw .sampleAboveMaximum(sample, maximum: header.maximum)
        }
        samples.append(scaled(sample, header.maximum))
      }
    }
    if samples.count < count {
      throw .tooFewSamples(sampleCount: samples.count, requiredSampleCount: count)
    }
    return samples
  }

  private static func binarySamples(
    _ header: PortableMapHeader, count: Int, _ scanner: inout PortableMapScanner
  ) throws(PortableMapError) -> [UInt8] {
    try scanner.skipSeparator()
    let bytes = scanner.bytes
    let start = scanner.offset
    let rowByteCount = header.kind.isBitmap ? (header.width - 1) / 8 + 1 : 0
    let required =
      if header.kind.isBitmap {
        rowByteCount * header.height
      } else {
        header.maximum > 255 ? 2 * count : count
      }
    if bytes.count - start < required {
      throw .truncatedSamples(byteCount: bytes.count - start, requiredByteCount: required)
    }
    let maximum = header.maximum
    if header.kind.isBitmap {
      var samples: [UInt8] = []
      samples.reserveCapacity(count)
      for y in 0..<header.height {
        for x in 0..<header.width {
          let byte = bytes[start + y * rowByteCount + x / 8]
          samples.append(byte >> (7 - UInt8(x % 8)) & 1 == 0 ? 255 : 0)
        }
      }
      return samples
    }
    if maximum == 255 { return Array(bytes[start..<start + count]) }
    var samples = [UInt8](repeating: 0, count: count)
    if maximum < 255 {
      let table = (0...maximum).map { scaled($0, maximum) }
      for index in 0..<count {
        let sample = Int(bytes[start + index])
        if sample > maximum { throw .sampleAboveMaximum(sample, maximum: maximum) }
        samples[index] = table[sample]
      }
    } else {
      for index in 0..<count {
        let sample = Int(bytes[start + 2 * index]) << 8 | Int(bytes[start + 2 * index + 1])
        if sample > maximum { throw .sampleAboveMaximum(sample, maximum: maximum) }
        samples[index] = scaled(sample, maximum)
      }
    }
    return samples
  }
}

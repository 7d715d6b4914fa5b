import DiceGeometry
import DiceCodecs
import TestSupport
import Testing

struct JPEGDecoderTests {
  @Test func stretchesFractionalSamplingRatiosToTheNearestSample() throws {
    var builder = JPEGFileBuilder()
    builder.flatQuantization()
    builder.frame(0, width: 24, height: 8, sampling: [0x31, 0x21, 0x11])
    builder.huffman(0x00, symbols: [0, 9])
    builder.huffman(0x10, symbols: [0])
    builder.scan(components: [1, 2, 3])
    // Three flat blocks of luminance, two of blue (0 and 256 / 8 above the middle), one of red.
    builder.data("00" + "00" + "00" + "00" + "10" + "100000000" + "0" + "00")
    builder.marker(0xD9)
    let image = try JPEGDecoder.decode(builder.bytes)
    #expect(image.width == 24 && image.height == 8)
    for row in 0..<8 {
      let blues = (0..<24).map { image.samples[(row * 24 + $0) * 3 + 2] }
      expectEqual(blues, [UInt8](repeating: 128, count: 12) + [UInt8](repeating: 185, count: 12))
    }
  }

  /// `plain-17x9` with a segment behind its start.
  private func orientation(exif: [UInt8]) throws -> ImageOrientation {
    var builder = JPEGFileBuilder()
    builder.segment(0xE1, [0x45, 0x78, 0x69, 0x66, 0, 0] + exif)
    builder.bytes += try JPEGFixtures.picture("plain-17x9").dropFirst(2)
    return try JPEGDecoder.decodeHeader(builder.bytes).orientation
  }

  @Test func takesMalformedOrientationsForUpright() throws {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let head: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    let sound = head + [0, 1] + entry + [0, 0, 0, 0]
    try expectEqual(orientation(exif: sound), .right)
    for length in 0..<18 {
      try expectEqual(orientation(exif: Array(sound.prefix(length))), .up)
    }
    // Order mark, magic number, offset, type, count and value, each made wrong.
    for (index, byte) in [(0, 0x4E), (3, 43), (4, 0xFF), (7, 200), (13, 4), (17, 2), (19, 9)] {
      var wrong = sound
      wrong[index] = UInt8(byte)
      try expectEqual(orientation(exif: wrong), .up, "byte \(index)")
    }
    try expectEqual(orientation(exif: head + [0xFF, 0xFF] + entry), .right)
    try expectEqual(orientation(exif: head + [0, 0] + entry), .up)
  }

  private func base() -> JPEGFileBuilder {
    var builder = JPEGFileBuilder()
    builder.flatQuantization()
    builder.huffman(0x00, symbols: [0])
    builder.huffman(0x10, symbols: [0])
    return builder
  }

  @Test func namesTheRuleThatAHeaderBreaks() throws {
    func error(_ change: (inout JPEGFileBuilder) -> Void) -> JPEGError? {
      var builder = base()
      change(&builder)
      builder.data("0000000000000000")
      builder.marker(0xD9)
      let bytes = builder.bytes
      return #expect(throws: JPEGError.self) { try JPEGDecoder.decode(bytes) }
    }
    expectEqual(
      error {
        $0.frame(0, width: 8, height: 8)
        $0.frame(0, width: 8, height: 8)
      }, .repeatedFrame)
    expectEqual(error { $0.frame(0, width: 0, height: 8) }, .zeroWidth)
    expectEqual(error { $0.frame(0, width: 8, height: 0) }, .unsupportedLineCountMarker)
    expectEqual(
      error { $0.frame(0, width: 8, height: 8, sampling: [0x51]) },
      .invalidSamplingFactors(horizontal: 5, vertical: 1))
    expectEqual(
      error { $0.frame(0, width: 8, height: 8, sampling: [0x11, 0x11]) },
      .unsupportedComponentCount(2))
    expectEqual(
      error { $0.segment(0xC0, [8, 0, 8]) }, .invalidSegmentLength(marker: 0xC0, length: 5))
    expectEqual(error { $0.segment(0xDD, [0]) }, .invalidSegmentLength(marker: 0xDD, length: 3))
    expectEqual(error { $0.segment(0xDB, [4]) }, .invalidQuantizationTable(index: 4))
    expectEqual(
      error { $0.segment(0xDB, [0] + [UInt8](repeating: 0, count: 64)) },
      .invalidQuantizationTable(index: 0))
    expectEqual(
      error { $0.segment(0xDB, [1, 1]) }, .invalidSegmentLength(marker: 0xDB, length: 4))
    expectEqual(
      error { $0.segment(0xC4, [0x20] + [UInt8](repeating: 0, count: 16)) },
      .invalidHuffmanTable(index: 0))
    // Three codes of one bit.
    expectEqual(
      error { $0.segment(0xC4, [1, 3] + [UInt8](repeating: 0, count: 15) + [1, 2, 3]) },
      .invalidHuffmanTable(index: 1))
    expectEqual(error { $0.huffman(0x00, symbols: [16]) }, .invalidHuffmanTable(index: 0))
    expectEqual(error { $0.scan(components: [1]) }, .unexpectedMarker(marker: 0xDA, offset: 115))
    expectEqual(
      error {
        $0.frame(0, width: 8, height: 8)
        $0.scan(components: [2])
      }, .invalidScan(offset: 132))
    expectEqual(
      error {
        $0.frame(2, width: 8, height: 8)
        $0.scan(components: [1], band: [0, 5, 0])
      }, .invalidScan(offset: 132))
    expectEqual(
      error {
        $0.frame(2, width: 8, height: 8)
        $0.scan(components: [1], band: [1, 63, 0x31])
      }, .invalidScan(offset: 132))
    expectEqual(
      error {
        $0.frame(0, width: 8, height: 8, sampling: [0x11, 0x11, 0x11])
        $0.scan(components: [1])
        $0.data("00")
      }, .missingScan(component: 1))
    expectEqual(
      error {
        $0.frame(2, width: 8, height: 8)
        $0.scan(components: [1], band: [1, 63, 0])
        $0.data("0")
      }, .missingScan(component: 0))
    expectEqual(error { $0.marker(0xD8) }, .unexpectedMarker(marker: 0xD8, offset: 115))
    // The only code is 0.
    expectEqual(
      error {
        $0.frame(0, width: 64, height: 8)
        $0.scan(components: [1])
        $0.data("0011111110111111")
      }, .invalidHuffmanCode(offset: 142))
  }

  @Test func needsTheTablesThatAScanNames() throws {
    var builder = JPEGFileBuilder()
    builder.frame(0, width: 8, height: 8)
    builder.scan(components: [1])
    builder.data("000000")
    #expect(throws: JPEGError.missingQuantizationTable(index: 0)) {
      try JPEGDecoder.decode(builder.bytes)
    }
    builder = JPEGFileBuilder()
    builder.flatQuantization()
    builder.frame(0, width: 8, height: 8)
    builder.segment(0xDA, [1, 1, 0x20, 0, 63, 0])
    builder.data("000000")
    #expect(throws: JPEGError.missingHuffmanTable(index: 2)) {
      try JPEGDecoder.decode(builder.bytes)
    }
  }

  @Test func describesEachErrorInASentence() {
    let errors: [JPEGError] = [
      .missingStartOfImage, .truncated(offset: 3), .missingPicture,
      .unexpectedMarker(marker: 0xD8, offset: 4), .invalidSegmentLength(marker: 1, length: 1),
      .zeroWidth, .tooManyPixels(width: 1, height: 2, limit: 3), .repeatedFrame,
      .invalidSamplingFactors(horizontal: 0, vertical: 5), .invalidScan(offset: 1),
      .missingScan(component: 1), .invalidQuantizationTable(index: 1),
      .missingQuantizationTable(index: 2), .invalidHuffmanTable(index: 1),
      .missingHuffmanTable(index: 1), .invalidHuffmanCode(offset: 3), .truncatedScan(offset: 3),
      .missingRestartMarker(number: 1, offset: 2), .tooMuchScanWork(limit: 9),
      .unsupportedPrecision(bits: 12), .unsupportedLosslessCoding,
      .unsupportedHierarchicalCoding, .unsupportedLineCountMarker,
      .invalidArithmeticConditioning(index: 1), .invalidArithmeticCode(offset: 3),
      .sideTooLong(width: 1, height: 2, limit: 1), .unsupportedComponentCount(2),
      .tooLargeToEncode(width: 1, height: 2),
      .invalidQuality(0),
    ]
    expectEqual(Set(errors.map(\.description)).count, errors.count)
    #expect(errors.allSatisfy { $0.description.hasSuffix(".") })
    #expect(errors[3].description.contains("FF D8") && errors[3].description.contains("byte 4"))
    #expect(errors[4].description.contains("FF 01") && errors[4].description.contains("1 byte"))
  }
}

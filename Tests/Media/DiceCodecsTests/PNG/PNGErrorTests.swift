import DiceCodecs
import TestSupport
import Testing

struct PNGErrorTests {
  private static let onePixel: [UInt8] = [0, 7]

  @Test func namesTheBrokenRuleOfTheFile() {
    expect(.invalidSignature, from: Array("GIF89a..............".utf8))
    expect(.truncated(byteCount: 0, requiredByteCount: 8), from: [])
    expect(.truncated(byteCount: 3, requiredByteCount: 8), from: [0x89, 0x50, 0x4E])
    let file = PNGBuilder().adding(rows: Self.onePixel)
    let headless = PNGBuilder()
    expect(
      .truncated(byteCount: headless.bytes.count, requiredByteCount: headless.bytes.count + 8),
      from: headless.bytes)
    expect(.missingImageData, from: PNGBuilder().ended())
    var damaged = file.ended()
    damaged[20] ^= 1
    let stored = damaged[29..<33].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    expect(
      .checksumMismatch(
        .header, stored: stored, computed: CRC32.checksum(damaged[12..<29])),
      from: damaged)
  }

  @Test func namesTheBrokenRuleOfTheHeader() {
    func header(_ builder: PNGBuilder) -> [UInt8] { builder.adding(rows: [0]).ended() }
    expect(.invalidSize(width: 0, height: 5), from: header(PNGBuilder(width: 0, height: 5)))
    expect(.invalidSize(width: 5, height: 0), from: header(PNGBuilder(width: 5, height: 0)))
    expect(
      .invalidSize(width: 1, height: 0x8000_0000),
      from: header(PNGBuilder(width: 1, height: 0x8000_0000)))
    for colorType: UInt8 in [1, 5, 7, 255] {
      expect(.invalidColorType(colorType), from: header(PNGBuilder(colorType: colorType)))
    }
    let allowed: [UInt8: [UInt8]] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    for (colorType, depths) in allowed {
      for depth: UInt8 in [0, 1, 2, 3, 4, 5, 8, 12, 16, 32] where !depths.contains(depth) {
        expect(
          .invalidBitDepth(depth, colorType: PNGHeader.ColorType(rawValue: colorType)!),
          from: header(PNGBuilder(bitDepth: depth, colorType: colorType)))
      }
    }
    expect(.invalidCompressionMethod(1), from: header(PNGBuilder(methods: [1, 0, 0])))
    expect(.invalidFilterMethod(64), from: header(PNGBuilder(methods: [0, 64, 0])))
    expect(.invalidInterlaceMethod(2), from: header(PNGBuilder(methods: [0, 0, 2])))
  }

  @Test func namesTheBrokenRuleOfAChunk() {
    let file = PNGBuilder()
    let palette = PNGBuilder(colorType: 3)
    var headless = file
    headless.bytes.removeLast(25)
    expect(
      .missingHeader(found: .imageData), from: headless.adding(rows: Self.onePixel).ended())
    expect(
      .invalidChunkLength(.header, byteCount: 12, allowed: 13...13),
      from: headless.adding("IHDR", [UInt8](repeating: 0, count: 12)).ended())
    expect(.duplicateChunk(.header), from: file.adding("IHDR").ended())
    expect(
      .invalidChunkLength(.end, byteCount: 1, allowed: 0...0),
      from: file.adding(rows: Self.onePixel).adding("IEND", [0]).bytes)
    expect(
      .invalidChunkType(PNGChunkType(rawValue: 0x4944_4131), offset: 33),
      from: file.adding("IDA1").ended())
    expect(
      .chunkTooLong(PNGChunkType(rawValue: 0x7445_5874), byteCount: 0xFFFF_FFFF),
      from: file.bytes + [255, 255, 255, 255] + Array("tEXt".utf8))
    expect(
      .unknownCriticalChunk(PNGChunkType(rawValue: 0x4443_4241)),
      from: file.adding("DCBA").ended())
    expect(
      .interruptedImageData,
      from: file.adding("IDAT").adding("tEXt").adding(rows: Self.onePixel).ended())
    expect(
      .interruptedImageData,
      from: PNGBuilder(height: 2).adding(rows: Self.onePixel).adding("tEXt")
        .adding(rows: Self.onePixel).ended())
    expect(.missingPalette, from: palette.adding(rows: Self.onePixel).ended())
    expect(.missingPalette, from: palette.adding("tRNS", [0]).ended())
    for count in [0, 1, 2, 4, 769, 771] {
      expect(
        .invalidPaletteLength(byteCount: count),
        from: palette.adding("PLTE", [UInt8](repeating: 0, count: count)).ended())
    }
    let three = palette.adding("PLTE", [UInt8](repeating: 0, count: 9))
    expect(.duplicateChunk(.palette), from: three.adding("PLTE", [0, 0, 0]).ended())
    expect(
      .invalidChunkLength(.transparency, byteCount: 4, allowed: 0...3),
      from: three.adding("tRNS", [0, 0, 0, 0]).ended())
    expect(
      .duplicateChunk(.transparency), from: three.adding("tRNS", [0]).adding("tRNS", [0]).ended())
    expect(
      .paletteIndexOutOfRange(index: 7, paletteCount: 3),
      from: three.adding(rows: Self.onePixel).ended())
  }

  @Test func namesChunksThatDoNotBelong() {
    let gray = PNGBuilder().adding(rows: Self.onePixel)
    let color = PNGBuilder(colorType: 2).adding(rows: [0, 1, 2, 3])
    expect(.forbiddenChunk(.palette, colorType: .gray), from: gray.adding("PLTE", [0]).ended())
    expect(
      .forbiddenChunk(.palette, colorType: .grayAlpha),
      from: PNGBuilder(colorType: 4).adding("PLTE", [0, 0, 0]).ended())
    expect(
      .forbiddenChunk(.transparency, colorType: .grayAlpha),
      from: PNGBuilder(colorType: 4).adding("tRNS", [0, 0]).ended())
    expect(
      .forbiddenChunk(.transparency, colorType: .rgba),
      from: PNGBuilder(colorType: 6).adding("tRNS", [0, 0]).ended())
    expect(
      .misplacedChunk(.palette, after: .imageData), from: color.adding("PLTE", [0, 0, 0]).ended())
    expect(
      .misplacedChunk(.transparency, after: .imageData), from: gray.adding("tRNS", [0, 0]).ended())
    expect(
      .misplacedChunk(.palette, after: .transparency),
      from: PNGBuilder(colorType: 2).adding("tRNS", [0, 0, 0, 0, 0, 0])
        .adding("PLTE", [0, 0, 0]).ended())
    expect(
      .invalidChunkLength(.transparency, byteCount: 3, allowed: 2...2),
      from: PNGBuilder().adding("tRNS", [0, 0, 0]).ended())
    expect(
      .invalidChunkLength(.transparency, byteCount: 5, allowed: 6...6),
      from: PNGBuilder(colorType: 2).adding("tRNS", [0, 0, 0, 0, 0]).ended())
  }

  @Test func namesTheBrokenRuleOfTheRows() {
    let file = PNGBuilder()
    expect(.invalidFilter(5), from: file.adding(rows: [5, 0]).ended())
    expect(.invalidCompression(.truncated), from: file.adding("IDAT").ended())
    expect(
      .invalidCompression(.invalidHeaderCheck(header: 0x789D)),
      from: file.adding("IDAT", [0x78, 0x9D, 0, 0]).ended())
    let stream = Deflate.zlib(Self.onePixel)
    expect(
      .invalidCompression(.truncated),
      from: file.adding("IDAT", Array(stream.dropLast())).ended())
    var damaged = stream
    damaged[damaged.count - 1] ^= 4
    expect(
      .invalidCompression(.checksumMismatch(stored: 0x0009_000C, computed: 0x0009_0008)),
      from: file.adding("IDAT", damaged).ended())
  }

  @Test func describesChunksAndErrors() {
    expectEqual(PNGChunkType.imageData.description, "IDAT")
    expectEqual(PNGChunkType(rawValue: 0x0001_4142).description, "0x14142")
    #expect(PNGChunkType.transparency.isCritical == false && PNGChunkType.end.isCritical)
    let errors: [PNGError] = [
      .invalidSignature, .truncated(byteCount: 1, requiredByteCount: 2),
      .invalidChunkType(PNGChunkType(rawValue: 1), offset: 8), .chunkTooLong(.end, byteCount: 9),
      .invalidChunkLength(.end, byteCount: 1, allowed: 0...0),
      .checksumMismatch(.end, stored: 1, computed: 2), .unknownCriticalChunk(.end),
      .missingHeader(found: .end), .missingPalette, .missingImageData, .duplicateChunk(.end),
      .misplacedChunk(.palette, after: .imageData), .interruptedImageData,
      .forbiddenChunk(.palette, colorType: .gray), .invalidSize(width: 0, height: 1),
      .tooManyPixels(width: 1, height: 2, limit: 1), .invalidColorType(1),
      .invalidBitDepth(3, colorType: .gray), .invalidCompressionMethod(1),
      .invalidFilterMethod(1), .invalidInterlaceMethod(2), .invalidPaletteLength(byteCount: 1),
      .paletteIndexOutOfRange(index: 1, paletteCount: 1), .invalidFilter(5),
      .invalidCompression(.truncated), .imageDataTooShort(requiredByteCount: 1),
      .appleOptimization, .sideTooLong(width: 1, height: 2, limit: 1),
    ]
    for error in errors { #expect(error.description.hasSuffix(".")) }
    expectEqual(Set(errors.map { $0.description }).count, errors.count)
  }

  private func expect(
    _ error: PNGError, from bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: sourceLocation) { try PNGDecoder.decode(bytes) }
  }
}

import DiceGeometry
import DiceImaging
import DiceCodecs
import TestSupport
import Testing

/// What is as large as can be, or as small: a picture, or the documented limit's own error.
@Suite(.timeLimit(.minutes(2))) struct LimitTests {
  // MARK: - Large pictures

  /// A picture of zeros, of one bit a pixel, in a thousandth of its bytes.
  private static func emptyPNG(width: Int, height: Int) -> [UInt8] {
    let rows = [UInt8](repeating: 0, count: (1 + (width + 7) / 8) * height)
    return PNGBuilder(width: UInt32(width), height: UInt32(height), bitDepth: 1)
      .adding("IDAT", Deflate.zlib(rows, level: .fast)).ended()
  }

  @Test func ahundredMillionPixelsAreReadAndOneRowMoreIsNot() throws {
    let bytes = Self.emptyPNG(width: 10_000, height: 10_000)
    #expect(bytes.count < 100_000)
    let image = try ImageDecoder.decode(bytes)
    #expect(image.samples.count == 100_000_000 && image.format == .gray)
    #expect(
      throws: PNGError.tooManyPixels(width: 10_000, height: 10_001, limit: 100_000_000)
    ) {
      try PNGDecoder.decode(Self.emptyPNG(width: 10_000, height: 10_001))
    }
  }

  @Test func aBombStopsAtThePicturesOwnSize() throws {
    // A hundred megabytes of zeros for a picture of one pixel.
    let bomb = Deflate.zlib([UInt8](repeating: 0, count: 100_000_000), level: .fast)
    try expectEqual(PNGDecoder.decode(PNGBuilder().adding("IDAT", bomb).ended()).samples, [0])
    // Texts are not unpacked, or up to a limit; profiles where they are asked for, likewise.
    for keyword in [
      "Comment", "Raw profile type exif", "XML:com.adobe.xmp", "Raw profile type APP1",
    ] {
      let text = PNGBuilder().adding("zTXt", Array("\(keyword)\0\0".utf8) + bomb)
        .adding("iCCP", Array("profile\0\0".utf8) + bomb)
      let file = text.adding(rows: [0, 7]).ended()
      try expectEqual(PNGDecoder.decode(file).samples, [7])
      expectEqual(ImageDecoder.colorProfile(of: file), nil)
    }
    #expect(throws: InflateError.outputLimitExceeded(limit: 1000)) {
      try Inflate.zlib(bomb, outputLimit: 1000)
    }
  }

  @Test func aSideThatIsTooLongIsRefusedAtTheHeader() throws {
    let side = 1 << 24
    // Nothing but headers: nothing can have been unpacked.
    let long = PNGBuilder(width: 1, height: 100_000_000).bytes + [0, 0, 1, 0]
    #expect(throws: PNGError.sideTooLong(width: 1, height: 100_000_000, limit: side)) {
      try PNGDecoder.decode(long)
    }
    #expect(throws: PortableMapError.sideTooLong(width: side + 1, height: 1, limit: side)) {
      try PortableMapDecoder.decode(Array("P5 \(side + 1) 1 255 ".utf8))
    }
    #expect(throws: Y4MError.sideTooLong(width: 1, height: side + 1, limit: side)) {
      try VideoFixtures.frames(Array("YUV4MPEG2 W1 H\(side + 1)\n".utf8))
    }
    let limits = DecodingLimits(sideLength: 16)
    #expect(throws: JPEGError.sideTooLong(width: 17, height: 9, limit: 16)) {
      try JPEGDecoder.decode(JPEGFixtures.picture("plain-17x9"), limits: limits)
    }
    try expectEqual(
      JPEGDecoder.decode(JPEGFixtures.picture("size-9x16-1x1"), limits: limits).width, 9)
  }

  @Test func absurdSizesAreRefusedBeforeMemoryIsTaken() {
    let side = Int(Int32.max)
    let limits = DecodingLimits(pixelCount: .max, sideLength: .max)
    #expect(
      throws: PNGError.tooManyPixels(width: side, height: side, limit: 100_000_000)
    ) {
      try PNGDecoder.decode(
        PNGBuilder(width: UInt32(side), height: UInt32(side)).adding(rows: [0]).ended())
    }
    // Without a limit the file is too short for its claim.
    #expect(throws: PNGError.imageDataTooShort(requiredByteCount: 1_000_001_000_000)) {
      try PNGDecoder.decode(
        PNGBuilder(width: 1_000_000, height: 1_000_000).adding(rows: [0]).ended(), limits: limits)
    }
    let header = Array("YUV4MPEG2 W1000000 H1000000 F1:1 Cmono\nFRAME\nabc".utf8)
    #expect(
      throws: Y4MError.tooManyPixels(width: 1_000_000, height: 1_000_000, limit: 100_000_000)
    ) { try VideoFixtures.frames(header) }
    #expect(
      throws: Y4MError.truncatedFrame(frame: 0, found: 3, required: 1_000_000_000_000)
    ) { try VideoFixtures.frames(header, limits: limits) }
  }

  // MARK: - Small pictures

  @Test func picturesWithoutPixelsAreRefusedByName() {
    for (width, height) in [(0, 1), (1, 0), (0, 0)] as [(UInt32, UInt32)] {
      #expect(throws: PNGError.invalidSize(width: width, height: height)) {
        try PNGDecoder.decode(PNGBuilder(width: width, height: height).adding(rows: []).ended())
      }
    }
    func jpeg(width: Int, height: Int) -> [UInt8] {
      var builder = JPEGFileBuilder()
      builder.flatQuantization()
      builder.frame(0, width: width, height: height)
      builder.scan(components: [1])
      return builder.bytes
    }
    #expect(throws: JPEGError.zeroWidth) { try JPEGDecoder.decode(jpeg(width: 0, height: 1)) }
    #expect(throws: JPEGError.unsupportedLineCountMarker) {
      try JPEGDecoder.decode(jpeg(width: 1, height: 0))
    }
    #expect(throws: PortableMapError.invalidSize(width: 0, height: 0)) {
      try PortableMapDecoder.decode(Array("P6 0 0 255 ".utf8))
    }
  }

  @Test func picturesOfOnePixelAreRead() throws {
    for format in [PixelImage.Format.gray, .rgb, .rgba] {
      let samples = [UInt8]([1, 2, 3, 4].prefix(format.channelCount))
      let image = PixelImage(width: 1, height: 1, format: format, samples: samples)
      try expectEqual(ImageDecoder.decode(PNGEncoder.encode(image)), image)
      let jpeg = try ImageDecoder.decode(JPEGEncoder.encode(image, quality: 100))
      #expect(jpeg.width == 1 && jpeg.height == 1)
    }
  }

  // MARK: - Long structures

  @Test func aHundredThousandChunksAreRead() throws {
    let stream = Deflate.zlib([0, 7])
    var file = PNGBuilder()
    let text = PNGBuilder().adding("tEXt").bytes.suffix(12)
    let nothing = PNGBuilder().adding("IDAT").bytes.suffix(12)
    for _ in 0..<50_000 { file.bytes += text }
    for byte in stream { file = file.adding("IDAT", [byte]) }
    for _ in 0..<50_000 { file.bytes += nothing }
    try expectEqual(PNGDecoder.decode(file.ended()).samples, [7])
  }

  @Test func fiftyThousandSegmentsAreRead() throws {
    let picture = Array(try JPEGFixtures.picture("plain-17x9"))
    let expected = try JPEGDecoder.decode(picture)
    var builder = JPEGFileBuilder()
    for _ in 0..<50_000 { builder.segment(0xFE, [1]) }
    builder.bytes += [UInt8](repeating: 0xFF, count: 100_000)
    try expectEqual(JPEGDecoder.decode(builder.bytes + picture.dropFirst(2)), expected)
  }

  @Test func anExifBlockThatLeadsInCirclesHasNoOrientation() throws {
    // A directory of one entry that is followed by itself, 65535 entries, and an offset beyond.
    let head: [UInt8] = [0x49, 0x49, 0x2A, 0]
    let blocks: [[UInt8]] = [
      head + [8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0],
      head + [8, 0, 0, 0, 0xFF, 0xFF], head + [0xFF, 0xFF, 0xFF, 0xFF], head + [0, 0, 0, 0], head,
    ]
    for block in blocks {
      let png = PNGBuilder().adding("eXIf", block).adding(rows: [0, 7]).ended()
      try expectEqual(PNGDecoder.decode(png).orientation, .up)
    }
  }
}

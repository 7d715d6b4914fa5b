import DiceGeometry
import DiceCodecs
import MediaTestSupport
import TestSupport
import Testing

struct PNGDecoderTests {
  @Test func decodesTheGoldenFilesExactly() throws {
    let pictures = try GoldenPack.pictures("golden/png/pictures.pack")
    expectEqual(pictures.count, 212)
    var fileCount = 0
    for picture in pictures {
      for file in picture.files {
        #expect(PNGDecoder.matchesSignature(file.bytes))
        let image = try PNGDecoder.decode(file.bytes)
        expectEqual(image, picture.image, "\(picture.name) \(file.name)")
        fileCount += 1
      }
    }
    expectEqual(fileCount, 479)
  }

  @Test func alphaIsLeftOutWhereItIsOfNoUse() throws {
    var count = 0
    for picture in try GoldenPack.pictures("golden/png/pictures.pack") {
      for file in picture.files {
        let header = try PNGDecoder.decodeHeader(file.bytes)
        let isGray = header.colorType == .gray || header.colorType == .grayAlpha
        let image = try PNGDecoder.decode(file.bytes, keepsAlpha: false)
        expectEqual(image.format, (isGray ? .gray : .rgb))
        let opaque = zip(0..., picture.image.samples).filter {
          picture.image.format != .rgba || $0.0 % 4 < (isGray ? 1 : 3)
        }
        expectEqual(image.samples, opaque.map(\.1), "\(picture.name) \(file.name)")
        expectEqual(image.orientation, picture.image.orientation)
        count += picture.image.format == .rgba ? 1 : 0
      }
    }
    #expect(count > 50)
  }

  @Test func readsTheHeaderAlone() throws {
    let pictures = try GoldenPack.pictures("golden/png/pictures.pack")
    for picture in pictures {
      for file in picture.files {
        let header = try PNGDecoder.decodeHeader(file.bytes)
        #expect(header.width == picture.image.width && header.height == picture.image.height)
        expectEqual(header.format, picture.image.format, "\(picture.name)")
        if ["plain", "interlaced"].contains(file.name) {
          expectEqual(header.isInterlaced, (file.name == "interlaced"))
        }
        if picture.name.hasPrefix("palette4") {
          #expect(header.colorType == .palette && header.bitDepth == 4)
        }
      }
    }
    // The beginning of the file is enough.
    let file = PNGBuilder(width: 3, height: 2, colorType: 2).bytes
    let beginning = file + [0, 1, 0, 0] + Array("IDAT".utf8)
    try expectEqual(PNGDecoder.decodeHeader(beginning).format, .rgb)
    #expect(throws: PNGError.truncated(byteCount: 40, requiredByteCount: 41)) {
      try PNGDecoder.decodeHeader(Array(beginning.dropLast()))
    }
  }

  @Test func honoursTheLimitBeforeItTakesMemory() throws {
    let rows = PNGBuilder(width: 30, height: 20).adding(rows: [UInt8](repeating: 0, count: 620))
    let file = rows.ended()
    try expectEqual(PNGDecoder.decode(file, limits: DecodingLimits(pixelCount: 600)).width, 30)
    #expect(throws: PNGError.tooManyPixels(width: 30, height: 20, limit: 599)) {
      try PNGDecoder.decode(file, limits: DecodingLimits(pixelCount: 599))
    }
    let huge = PNGBuilder(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, bitDepth: 16, colorType: 6)
      .adding(rows: [0]).ended()
    for limit in [100, Int.max] {
      #expect(
        throws: PNGError.tooManyPixels(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, limit: limit)
      ) {
        try PNGDecoder.decode(huge, limits: DecodingLimits(pixelCount: limit))
      }
    }
  }

  @Test func refusesClaimsThatTheDataCannotFill() {
    // 2 GB of rows in a few bytes: refused without taking the memory.
    let claims = PNGBuilder(width: 50_000, height: 40_000).adding(rows: [0, 0]).ended()
    #expect(throws: PNGError.imageDataTooShort(requiredByteCount: 2_000_040_000)) {
      try PNGDecoder.decode(claims, limits: DecodingLimits(pixelCount: .max))
    }
    let short = PNGBuilder(width: 4, height: 4).adding(rows: [0, 1, 2, 3, 4, 0, 1]).ended()
    #expect(throws: PNGError.imageDataTooShort(requiredByteCount: 20)) {
      try PNGDecoder.decode(short)
    }
  }

  @Test func stopsABombAtTheLastRow() throws {
    let bomb = [UInt8](repeating: 0, count: 30_000_000)
    let file = PNGBuilder(width: 4, height: 4).adding(rows: bomb).ended()
    #expect(file.count < 40_000)
    try expectEqual(PNGDecoder.decode(file).samples, [UInt8](repeating: 0, count: 16))
    // What follows is not even looked at: the rest of the stream is damaged.
    var damaged = Deflate.zlib(
      [UInt8](repeating: 0, count: 20) + TestPictures.noise(500_000, seed: 1))
    damaged.replaceSubrange(300_000..., with: [UInt8](repeating: 0xFF, count: 100))
    let surplus = PNGBuilder(width: 4, height: 4).adding("IDAT", damaged).ended()
    try expectEqual(PNGDecoder.decode(surplus).samples, [UInt8](repeating: 0, count: 16))
  }

  @Test func readsAFileThatEndsBehindItsRows() throws {
    let rows: [UInt8] = [0, 1, 2, 3, 4, 0, 5, 6, 7, 8]
    let stream = Deflate.zlib(rows)
    let file = PNGBuilder(width: 4, height: 2).adding("IDAT", stream)
    let samples: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let end = PNGBuilder().adding("tEXt", [65, 0, 66]).adding("IEND").bytes.dropFirst(33)
    for count in 0..<end.count {
      try expectEqual(PNGDecoder.decode(file.bytes + end.prefix(count)).samples, samples)
    }
    // Not where a row or the stream's checksum is missing.
    let half = PNGBuilder(width: 4, height: 2).adding("IDAT", Array(stream.dropLast(9)))
    #expect(
      throws: PNGError.truncated(
        byteCount: half.bytes.count, requiredByteCount: half.bytes.count + 8)
    ) { try PNGDecoder.decode(half.bytes) }
    let unchecked = PNGBuilder(width: 4, height: 2).adding("IDAT", Array(stream.dropLast(2)))
    #expect(throws: PNGError.self) { try PNGDecoder.decode(unchecked.bytes) }
    for count in 1...8 {
      #expect(throws: PNGError.self) { try PNGDecoder.decode(Array(file.bytes.dropLast(count))) }
    }
  }

  @Test func checksumsMatterWhereAPictureDoes() throws {
    let body = PNGBuilder().adding(rows: [0, 7])
    func damaged(_ type: String, _ data: [UInt8]) -> [UInt8] {
      var file = PNGBuilder().adding(type, data)
      file.bytes[file.bytes.count - 1] ^= 1
      file.bytes += body.bytes.dropFirst(33)
      return file.ended()
    }
    for type in ["tEXt", "zTXt", "iTXt", "sPLT", "iCCP", "gAMA", "tIME", "pHYs", "bKGD"] {
      try expectEqual(PNGDecoder.decode(damaged(type, [1, 2])).samples, [7], "\(type)")
    }
    // Of an unknown chunk the name may be what was damaged.
    for type in ["tRNS", "eXIf", "uRNS", "teSt", "IDAT", "PLTE"] {
      let thrown = #expect(throws: PNGError.self) { try PNGDecoder.decode(damaged(type, [1, 2])) }
      guard case .checksumMismatch = thrown else {
        Issue.record("\(type): \(String(describing: thrown))")
        continue
      }
    }
  }

  @Test func namesWhatApplesToolsMake() {
    var file = PNGBuilder()
    let chunk = PNGBuilder().adding("CgBI", [0x50, 0, 0x20, 2]).bytes.dropFirst(33)
    file.bytes.insert(contentsOf: chunk, at: 8)
    let bytes = file.adding(rows: [0, 7]).ended()
    #expect(throws: PNGError.appleOptimization) { try PNGDecoder.decode(bytes) }
    #expect(throws: PNGError.appleOptimization) { try PNGDecoder.decodeHeader(bytes) }
    #expect(
      PNGError.appleOptimization.description.contains(
        "pngcrush -revert-iphone-optimizations in.png out.png"))
  }

  @Test func ignoresDamagedMetadata() throws {
    let exif: [[UInt8]] = [
      [], Array("II*\0".utf8), Array("MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF],
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0xFF, 0xFF, 1, 0x12],
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 9, 0, 0],
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 4, 0, 0, 0, 1, 0, 6, 0, 0],
      Array("Exif\0\0".utf8),
    ]
    for data in exif {
      let file = PNGBuilder().adding("eXIf", data).adding(rows: [0, 7]).ended()
      try expectEqual(PNGDecoder.decode(file).orientation, .up)
      try expectEqual(PNGDecoder.decode(file).samples, [7])
    }
    let turned = PNGBuilder().adding(
      "eXIf",
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    ).adding(rows: [0, 7]).ended()
    try expectEqual(PNGDecoder.decode(turned).orientation, .right)
  }
}

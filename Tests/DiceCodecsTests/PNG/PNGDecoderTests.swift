import DiceGeometry
import DiceCodecs
import Testing

struct PNGDecoderTests {
  @Test func decodesTheGoldenFilesExactly() throws {
    let pictures = try GoldenPack.pictures("golden/png/pictures.pack")
    #expect(pictures.count == 203)
    var fileCount = 0
    for picture in pictures {
      for file in picture.files {
        #expect(PNGDecoder.matchesSignature(file.bytes))
        let image = try PNGDecoder.decode(file.bytes)
        #expect(image == picture.image, "\(picture.name) \(file.name)")
        fileCount += 1
      }
    }
    #expect(fileCount == 357)
  }

  @Test func readsTheHeaderAlone() throws {
    let pictures = try GoldenPack.pictures("golden/png/pictures.pack")
    for picture in pictures {
      for file in picture.files {
        let header = try PNGDecoder.decodeHeader(file.bytes)
        #expect(header.width == picture.image.width && header.height == picture.image.height)
        #expect(header.format == picture.image.format, "\(picture.name)")
        if ["plain", "interlaced"].contains(file.name) {
          #expect(header.isInterlaced == (file.name == "interlaced"))
        }
        if picture.name.hasPrefix("palette4") {
          #expect(header.colorType == .palette && header.bitDepth == 4)
        }
      }
    }
    // The beginning of the file is enough.
    let file = PNGBuilder(width: 3, height: 2, colorType: 2).bytes
    let beginning = file + [0, 1, 0, 0] + Array("IDAT".utf8)
    #expect(try PNGDecoder.decodeHeader(beginning).format == .rgb)
    #expect(throws: PNGError.truncated(byteCount: 40, requiredByteCount: 41)) {
      try PNGDecoder.decodeHeader(Array(beginning.dropLast()))
    }
  }

  @Test func honoursTheLimitBeforeItTakesMemory() throws {
    let rows = PNGBuilder(width: 30, height: 20).adding(rows: [UInt8](repeating: 0, count: 620))
    let file = rows.ended()
    #expect(try PNGDecoder.decode(file, limits: DecodingLimits(pixelCount: 600)).width == 30)
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

  @Test func stopsABombAtTheLastRow() {
    let bomb = [UInt8](repeating: 0, count: 30_000_000)
    let file = PNGBuilder(width: 4, height: 4).adding(rows: bomb).ended()
    #expect(file.count < 40_000)
    #expect(throws: PNGError.imageDataTooLong(requiredByteCount: 20)) {
      try PNGDecoder.decode(file)
    }
    let oneMore = PNGBuilder(width: 4, height: 4)
      .adding(rows: [UInt8](repeating: 0, count: 21)).ended()
    #expect(throws: PNGError.imageDataTooLong(requiredByteCount: 20)) {
      try PNGDecoder.decode(oneMore)
    }
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
      #expect(try PNGDecoder.decode(file).orientation == .up)
      #expect(try PNGDecoder.decode(file).samples == [7])
    }
    let turned = PNGBuilder().adding(
      "eXIf",
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    ).adding(rows: [0, 7]).ended()
    #expect(try PNGDecoder.decode(turned).orientation == .right)
  }
}

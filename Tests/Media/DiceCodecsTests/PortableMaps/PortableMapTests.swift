import DiceImaging
import DiceCodecs
import TestSupport
import Testing

struct PortableMapTests {
  @Test func decodesTheGoldenFilesExactly() throws {
    let pictures = try GoldenPack.pictures("golden/portable-maps/maps.pack")
    expectEqual(pictures.count, 40)
    for picture in pictures {
      for file in picture.files {
        #expect(PortableMapDecoder.matchesSignature(file.bytes))
        try expectEqual(
          PortableMapDecoder.decode(file.bytes), picture.image,
          "\(picture.name) \(file.name)")
        let header = try PortableMapDecoder.decodeHeader(file.bytes)
        #expect(header.width == picture.image.width && header.height == picture.image.height)
        expectEqual(header.format, picture.image.format)
      }
    }
  }

  @Test func roundsToTheNearestSampleAndTiesUp() throws {
    for maximum in [1, 2, 3, 14, 254, 255, 510, 1000, 65535] {
      let values = Set((0...40).map { min($0, maximum) } + [maximum / 2, maximum - 1, maximum])
      for value in values {
        let exact = Double(value) * 255 / Double(maximum)
        let image = try decode("P2 1 1 \(maximum) \(value)")
        expectEqual(image.samples, [UInt8(exact.rounded(.toNearestOrAwayFromZero))])
      }
    }
  }

  @Test func readsCommentsAndAnyWhiteSpace() throws {
    try expectEqual(decode("P1#c\n2 1\n10").samples, [0, 255])
    try expectEqual(decode("P3\t1\u{B}1\u{C}255\r\n1#a\r2#b\n3").samples, [1, 2, 3])
    try expectEqual(decode("P5 1 1 255#last\nA").samples, [65])
    try expectEqual(decode("P5 1 1 255\n\n").samples, [10])
    // Only the first picture is read.
    try expectEqual(decode("P5 1 1 255\nAP5 1 1 255\nB").samples, [65])
    try expectEqual(decode("P2 1 1 9 9 junk").samples, [255])
  }

  @Test func namesTheBrokenRule() {
    for text in ["", "P", "P5", "P0 1 1", "P7\n", "P55 1 1", "Q5 1 1", "P5X1 1"] {
      expect(.invalidSignature, from: text)
      #expect(!PortableMapDecoder.matchesSignature(Array(text.utf8)))
    }
    for text in ["P5 ", "P5 1", "P5 1 1", "P5 1 1 #", "P1 9", "P6 1 1 255"] {
      expect(.truncatedHeader, from: text)
    }
    expect(.invalidCharacter(0x2D, offset: 3), from: "P5 -1 1 255 A")
    expect(.invalidCharacter(0x78, offset: 4), from: "P5 1x1 255 A")
    expect(.invalidCharacter(0x32, offset: 8), from: "P1 2 1 12")
    expect(.invalidCharacter(0x2E, offset: 11), from: "P2 1 1 255 .5")
    expect(.numberTooLarge(offset: 3), from: "P5 2147483648 1 255 A")
    expect(.numberTooLarge(offset: 3), from: "P5 99999999999999999999999999 1 255 A")
    expect(.invalidSize(width: 0, height: 1), from: "P5 0 1 255 A")
    expect(.invalidSize(width: 1, height: 0), from: "P1 1 0 0")
    expect(.invalidMaximum(0), from: "P5 1 1 0 A")
    expect(.invalidMaximum(65536), from: "P5 1 1 65536 A")
    expect(.truncatedSamples(byteCount: 2, requiredByteCount: 3), from: "P6 1 1 255 AB")
    expect(.truncatedSamples(byteCount: 1, requiredByteCount: 2), from: "P5 1 1 256 A")
    expect(.truncatedSamples(byteCount: 1, requiredByteCount: 2), from: "P4 9 1 A")
    expect(.tooFewSamples(sampleCount: 2, requiredSampleCount: 3), from: "P3 1 1 255 1 2")
    expect(.tooFewSamples(sampleCount: 3, requiredSampleCount: 4), from: "P1 2 2 101")
    expect(.sampleAboveMaximum(10, maximum: 9), from: "P2 1 1 9 10")
    expect(.sampleAboveMaximum(65, maximum: 64), from: "P5 1 1 64 A")
    expect(.sampleAboveMaximum(0x4142, maximum: 300), from: "P5 1 1 300 AB")
  }

  @Test func refusesHugeClaims() {
    let huge = "P3 2147483647 2147483647 255 1"
    for limit in [1000, Int.max] {
      #expect(
        throws: PortableMapError.tooManyPixels(
          width: 2_147_483_647, height: 2_147_483_647, limit: limit)
      ) {
        try PortableMapDecoder.decode(
          Array(huge.utf8), limits: DecodingLimits(pixelCount: limit))
      }
    }
    #expect(throws: PortableMapError.tooManyPixels(width: 4, height: 5, limit: 19)) {
      try PortableMapDecoder.decode(
        Array("P1 4 5 ".utf8), limits: DecodingLimits(pixelCount: 19))
    }
    #expect(
      throws: PortableMapError.tooFewSamples(
        sampleCount: 1, requiredSampleCount: 1_000_000_000_000)
    ) {
      try PortableMapDecoder.decode(
        Array("P1 1000000 1000000 1".utf8), limits: DecodingLimits(pixelCount: .max))
    }
  }

  @Test func survivesTruncationAndDamageEverywhere() throws {
    var failures = 0
    for picture in try GoldenPack.pictures("golden/portable-maps/maps.pack") {
      for file in picture.files {
        for count in 0..<file.bytes.count {
          let cut = Array(file.bytes[..<count])
          if (try? PortableMapDecoder.decode(cut)) == nil { failures += 1 }
          for flip: UInt8 in [1, 2, 0x10, 0xFF] {
            var damaged = file.bytes
            damaged[count] ^= flip
            let limits = DecodingLimits(pixelCount: 100_000)
            if (try? PortableMapDecoder.decode(damaged, limits: limits)) == nil { failures += 1 }
          }
        }
      }
    }
    #expect(failures > 1000)
  }

  @Test func writesGraymapsAndPixmaps() throws {
    let gray = PixelImage(width: 2, height: 3, format: .gray, samples: [1, 2, 3, 4, 5, 255])
    expectEqual(PortableMapEncoder.encode(gray), Array("P5\n2 3\n255\n".utf8) + gray.samples)
    try expectEqual(PortableMapDecoder.decode(PortableMapEncoder.encode(gray)), gray)
    let color = PixelImage(width: 2, height: 1, format: .rgb, samples: [1, 2, 3, 4, 5, 6])
    expectEqual(PortableMapEncoder.encode(color), Array("P6\n2 1\n255\n".utf8) + color.samples)
    try expectEqual(PortableMapDecoder.decode(PortableMapEncoder.encode(color)), color)
    let alpha = PixelImage(
      width: 2, height: 1, format: .rgba, samples: [1, 2, 3, 0, 4, 5, 6, 255])
    expectEqual(PortableMapEncoder.encode(alpha), PortableMapEncoder.encode(color))
  }

  private func decode(_ text: String) throws -> PixelImage {
    try PortableMapDecoder.decode(Array(text.utf8))
  }

  private func expect(
    _ error: PortableMapError, from text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: sourceLocation) { try decode(text) }
    #expect(error.description.hasSuffix("."), sourceLocation: sourceLocation)
  }
}

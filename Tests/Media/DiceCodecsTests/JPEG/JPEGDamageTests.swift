import DiceCodecs
import TestSupport
import Testing

struct JPEGDamageTests {
  private static let names = [
    "plain-17x9", "size-15x17-gray", "restart-gray", "progressive-2x1", "progressive-gray",
    "sequential-two-scans", "exif-6-little", "no-huffman-tables", "arithmetic-7x5-2x1",
    "progressive-arithmetic-7x5-2x1", "arithmetic-cmyk",
  ]

  @Test func refusesEachTruncatedFile() throws {
    var count = 0
    for name in Self.names {
      let bytes = try JPEGFixtures.picture(name)
      let whole = try JPEGDecoder.decode(bytes)
      for length in 0..<bytes.count {
        do {
          let image = try JPEGDecoder.decode(Array(bytes.prefix(length)))
          // Only the end-of-image marker may be missing, and the bits that fill up the last byte.
          #expect(length >= bytes.count - 3, "\(name) cut to \(length)")
          expectEqual(image, whole)
        } catch {
          #expect("\(error)".hasSuffix("."))
        }
        count += 1
      }
    }
    #expect(count > 3000)
  }

  @Test func survivesEachFlippedBit() throws {
    var pictures = 0
    var errors = 0
    for name in Self.names {
      let bytes = try JPEGFixtures.picture(name)
      for index in bytes.indices {
        for mask: UInt8 in [1, 8, 64, 255] {
          var damaged = bytes
          damaged[index] ^= mask
          for scale in mask == 255 ? JPEGScale.allCases : [.full] {
            do {
              let image = try JPEGDecoder.decode(
                damaged, scale: scale, limits: DecodingLimits(pixelCount: 1_000_000))
              #expect(image.width > 0)
              pictures += 1
            } catch {
              errors += 1
            }
          }
        }
      }
    }
    #expect(pictures > 1000)
    #expect(errors > 1000)
  }

  @Test func survivesBytesThatAreNoFile() throws {
    var generator = SeededGenerator(seed: 7)
    let head = try JPEGFixtures.picture("plain-17x9").prefix(300)
    for length in 0..<200 {
      let noise = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      #expect(throws: JPEGError.self) { try JPEGDecoder.decode(noise) }
      #expect(throws: JPEGError.self) { try JPEGDecoder.decode([0xFF, 0xD8] + noise) }
      _ = try? JPEGDecoder.decode(head + noise)
    }
    #expect(throws: JPEGError.missingStartOfImage) { try JPEGDecoder.decode([]) }
    #expect(throws: JPEGError.truncated(offset: 2)) { try JPEGDecoder.decode([0xFF, 0xD8]) }
    #expect(throws: JPEGError.missingPicture) {
      try JPEGDecoder.decode([0xFF, 0xD8, 0xFF, 0xD9])
    }
  }

  @Test func refusesClaimsOfHugePictures() throws {
    var builder = JPEGFileBuilder()
    builder.flatQuantization()
    builder.frame(0, width: 65535, height: 65535)
    builder.scan(components: [1])
    builder.data(String(repeating: "0", count: 64))
    #expect(
      throws: JPEGError.tooManyPixels(width: 65535, height: 65535, limit: 100_000_000)
    ) { try JPEGDecoder.decode(builder.bytes) }
    let header = try JPEGDecoder.decodeHeader(builder.bytes)
    expectEqual(header.width, 65535)

    // Within the limit, but the file is too short for that many blocks.
    for marker: UInt8 in [0, 2] {
      var builder = JPEGFileBuilder()
      builder.flatQuantization()
      builder.frame(marker, width: 10000, height: 10000)
      builder.scan(components: [1], band: [0, 0, 0])
      builder.data(String(repeating: "0", count: 640))
      #expect(throws: JPEGError.truncated(offset: builder.bytes.count)) {
        try JPEGDecoder.decode(builder.bytes)
      }
    }
    let small = try JPEGFixtures.picture("plain-17x9")
    #expect(throws: JPEGError.tooManyPixels(width: 17, height: 9, limit: 152)) {
      try JPEGDecoder.decode(small, limits: DecodingLimits(pixelCount: 152))
    }
    try expectEqual(JPEGDecoder.decode(small, limits: DecodingLimits(pixelCount: 153)).width, 17)
  }

  /// A grey progressive picture of 512 by 512 pixels whose scans say nothing: 4096 blocks each.
  private func manyScans(_ scanCount: Int) -> [UInt8] {
    var builder = JPEGFileBuilder()
    builder.flatQuantization()
    builder.frame(2, width: 512, height: 512)
    builder.huffman(0x00, symbols: [0])
    // 2^12 blocks end here.
    builder.huffman(0x10, symbols: [0xC0])
    builder.scan(components: [1], band: [0, 0, 0])
    builder.data(String(repeating: "0", count: 4096))
    for _ in 0..<scanCount {
      builder.scan(components: [1], band: [1, 63, 0])
      builder.data(String(repeating: "0", count: 13))
    }
    builder.marker(0xD9)
    return builder.bytes
  }

  @Test func limitsTheWorkThatScansMayAskFor() throws {
    let limit = 1_048_576 + 32 * 4096
    let image = try JPEGDecoder.decode(manyScans(limit / 4096 - 1))
    #expect(image.samples.allSatisfy { $0 == 128 })
    #expect(throws: JPEGError.tooMuchScanWork(limit: limit)) {
      try JPEGDecoder.decode(manyScans(limit / 4096))
    }
  }

  @Test func followsThousandsOfRestartMarkers() throws {
    var builder = JPEGFileBuilder()
    builder.flatQuantization()
    builder.frame(0, width: 512, height: 512)
    builder.huffman(0x00, symbols: [0, 3])
    builder.huffman(0x10, symbols: [0])
    builder.segment(0xDD, [0, 1])
    builder.scan(components: [1])
    for block in 0..<4096 {
      // A mean of 4 / 8 above the middle, anew in each interval.
      builder.data("10" + "100" + "0")
      if block < 4095 { builder.marker(0xD0 + UInt8(block % 8)) }
    }
    builder.marker(0xD9)
    let image = try JPEGDecoder.decode(builder.bytes)
    #expect(image.samples.allSatisfy { $0 == 129 })

    var wrong = builder.bytes
    let last = try #require(wrong.lastIndex(of: 0xD6))
    wrong[last] = 0xD5
    #expect(throws: JPEGError.missingRestartMarker(number: 6, offset: last - 1)) {
      try JPEGDecoder.decode(wrong)
    }
  }
}

import DiceCodecs
import DiceParallel
import Foundation
import TestSupport
import Testing

/// A line of `Fixtures/golden/jpeg/expected.txt`: what Pillow decodes from a file.
struct JPEGExpectation {
  let name: String
  let scale: JPEGScale
  let width: Int
  let height: Int
  let channelCount: Int
  let orientation: UInt8
  let offset: Int

  static func all() throws -> [JPEGExpectation] {
    try JPEGFixtures.lines("expected.txt").map { fields in
      let parts = fields[0].split(separator: "@").map(String.init)
      let scale = try #require(JPEGScale(rawValue: parts.count > 1 ? Int(parts[1]) ?? 0 : 1))
      let numbers = fields.dropFirst().compactMap { Int($0) }
      try #require(numbers.count == 5)
      return JPEGExpectation(
        name: parts[0], scale: scale, width: numbers[0], height: numbers[1],
        channelCount: numbers[2], orientation: UInt8(numbers[3]), offset: numbers[4])
    }
  }
}

enum JPEGFixtures {
  static func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("golden/jpeg/" + name)
  }

  static func picture(_ name: String) throws -> [UInt8] { try bytes(name + ".jpg") }

  /// The lines of a text file, split at spaces.
  static func lines(_ name: String) throws -> [[String]] {
    String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: " ").map(String.init) }
  }

  /// CRC-32 as zlib computes it.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = (0..<UInt32(256)).map { (index: UInt32) -> UInt32 in
      (0..<8).reduce(index) { (value: UInt32, _) -> UInt32 in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
    return ~bytes.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}

struct JPEGGoldenTests {
  @Test func decodesEachFixtureToThePixelsThatPillowDecodes() throws {
    let expected = try JPEGFixtures.bytes("expected.bin")
    var largest = 0
    var count = 0
    for expectation in try JPEGExpectation.all() {
      let image = try JPEGDecoder.decode(
        JPEGFixtures.picture(expectation.name), scale: expectation.scale)
      expectEqual(image.width, expectation.width, "\(expectation.name)")
      expectEqual(image.height, expectation.height, "\(expectation.name)")
      expectEqual(image.format.channelCount, expectation.channelCount, "\(expectation.name)")
      expectEqual(image.orientation.rawValue, expectation.orientation, "\(expectation.name)")
      let reference = expected[expectation.offset...].prefix(image.samples.count)
      try #require(reference.count == image.samples.count)
      let difference = zip(image.samples, reference).reduce(0) {
        max($0, abs(Int($1.0) - Int($1.1)))
      }
      expectEqual(difference, 0, "\(expectation.name) at scale \(expectation.scale)")
      largest = max(largest, difference)
      count += 1
    }
    expectEqual(count, 200)
    expectEqual(largest, 0)
  }

  /// The rows of one file on two threads: what each of them does in which order changes nothing.
  @Test func twoThreadsDecodeTheSame() throws {
    let pool = WorkerPool(threadCount: 2)
    var names = Set(try JPEGExpectation.all().map { $0.name }).sorted().map { (name) in
      "golden/jpeg/\(name).jpg"
    }
    names += ["scenes/scene-15.jpg", "scenes/scene-16.jpg", "any-dice/scene-1.jpg"]
    for name in names {
      let bytes = try Fixtures.bytes(name)
      for scale in JPEGScale.allCases {
        let shared = try JPEGDecoder.decode(bytes, scale: scale, limits: .init(), pool: pool)
        try expectEqual(JPEGDecoder.decode(bytes, scale: scale), shared, "\(name) at \(scale)")
      }
    }
  }

  /// Whichever thread meets the damage, the error is that of one thread.
  @Test func damageOnTwoThreadsIsTheSameError() throws {
    let pool = WorkerPool(threadCount: 2)
    let bytes = try Fixtures.bytes("scenes/scene-15.jpg")
    func check(_ bytes: [UInt8]) {
      let alone = #expect(throws: JPEGError.self) { try JPEGDecoder.decode(bytes) }
      let shared = #expect(throws: JPEGError.self) {
        try JPEGDecoder.decode(bytes, scale: .full, limits: .init(), pool: pool)
      }
      expectEqual(alone, shared)
    }
    for part in 2..<30 {
      let cut = Array(bytes.prefix(bytes.count * part / 30))
      check(cut)
      check(cut + [0xFF, 0xD9])
    }
  }

  @Test func readsTheHeaderOfEachFixture() throws {
    var count = 0
    for expectation in try JPEGExpectation.all() where expectation.scale == .full {
      let header = try JPEGDecoder.decodeHeader(JPEGFixtures.picture(expectation.name))
      expectEqual(header.width, expectation.width)
      expectEqual(header.height, expectation.height)
      let words = expectation.name.split { $0 == "-" || $0 == "." }
      let isFourfold = words.contains("cmyk") || words.contains("ycck")
      expectEqual(header.componentCount, (isFourfold ? 4 : expectation.channelCount))
      expectEqual(header.orientation.rawValue, expectation.orientation)
      expectEqual(header.isProgressive, expectation.name.hasPrefix("progressive"))
      count += 1
    }
    expectEqual(count, 157)
  }

  @Test func refusesUnsupportedKindsByName() throws {
    var count = 0
    for fields in try JPEGFixtures.lines("refused.txt") {
      let bytes = try JPEGFixtures.picture(fields[0])
      let thrown = #expect(throws: JPEGError.self) { try JPEGDecoder.decode(bytes) }
      let error = try #require(thrown)
      let isExpected =
        switch error {
        case .unsupportedLosslessCoding: fields[1] == "unsupportedLosslessCoding"
        case .unsupportedHierarchicalCoding: fields[1] == "unsupportedHierarchicalCoding"
        case .unsupportedPrecision(let bits): fields[1] == "unsupportedPrecision" && bits == 12
        case .unsupportedLineCountMarker: fields[1] == "unsupportedLineCountMarker"
        default: false
        }
      #expect(isExpected, "\(fields[0]): \(error)")
      #expect(throws: error) { try JPEGDecoder.decodeHeader(bytes) }
      count += 1
    }
    expectEqual(count, 7)
  }

  @Test func encodesTheSameBytesAsPillow() throws {
    var count = 0
    for fields in try JPEGFixtures.lines("encoded.txt") {
      let image = try JPEGDecoder.decode(JPEGFixtures.picture(fields[1]))
      let quality = try #require(Int(fields[2]))
      let encoded = try JPEGEncoder.encode(
        image, quality: quality, subsampling: fields[3] == "444" ? .s444 : .s420,
        optimizesTables: fields[4] == "1")
      expectEqual(encoded, (try JPEGFixtures.picture(fields[0])), "\(fields[0])")
      count += 1
    }
    expectEqual(count, 9)
  }

  @Test(.enabled(if: Fixtures.photos != nil, "no folder of photos"))
  func decodesPhotosToThePixelsThatPillowDecodes() throws {
    let folder = try #require(Fixtures.photos)
    var count = 0
    for fields in try JPEGFixtures.lines("photos.txt") {
      let data = try Data(contentsOf: folder.appending(path: fields[0]))
      let image = try JPEGDecoder.decode([UInt8](data))
      expectEqual(image.width, Int(fields[1]))
      expectEqual(image.height, Int(fields[2]))
      expectEqual(JPEGFixtures.checksum(image.samples), UInt32(fields[3]), "\(fields[0])")
      count += 1
    }
    #expect(count >= 10)
  }
}

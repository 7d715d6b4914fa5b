import TestSupport
import Testing

@testable import DiceNumerics

struct XXHash64Tests {
  @Test func givesThePublishedValues() {
    let cases: [(String, UInt64)] = [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B),
      ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ]
    for (text, expected) in cases {
      expectEqual(XXHash64.hash(Array(text.utf8)), expected, "\(text)")
    }
  }

  /// Lengths from 0 to 300 reach every combination of stripes, words, halves and single bytes.
  @Test func agreesWithTheXxhashPackageAtEveryLength() throws {
    let lines = String(
      decoding: try Fixtures.bytes("golden/weights/xxhash64.txt"), as: UTF8.self
    ).split(separator: "\n")
    expectEqual(lines.count, 301)
    for (count, line) in lines.enumerated() {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      expectEqual(XXHash64.hash(bytes), UInt64(line, radix: 16), "\(count) bytes")
    }
  }

  @Test func countsTheZeroedWordAsZeros() {
    let bytes = (0..<101).map { UInt8(200 &- $0) }
    for zeroed in [0, 8, 16, 24] {
      var blank = bytes
      for offset in zeroed..<zeroed + 8 { blank[offset] = 0 }
      expectEqual(XXHash64.hash(bytes, zeroed: zeroed), XXHash64.hash(blank))
      #expect(XXHash64.hash(bytes, zeroed: zeroed) != XXHash64.hash(bytes))
    }
  }
}

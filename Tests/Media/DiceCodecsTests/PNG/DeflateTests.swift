import TestSupport
import Testing

@testable import DiceCodecs

struct DeflateTests {
  /// Data of different kinds and lengths around the limits of the format.
  private static func sources() -> [(name: String, bytes: [UInt8])] {
    var generator = SeededGenerator(seed: 3)
    func noise(_ count: Int, below bound: UInt8 = 255) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0...bound, using: &generator) }
    }
    var sources: [(String, [UInt8])] = (0..<12).map { ("noise \($0)", noise($0)) }
    for count in [257, 258, 259, 65534, 65535, 65536, 131_070, 131_071] {
      sources.append(("noise \(count)", noise(count)))
      sources.append(("zeros \(count)", [UInt8](repeating: 0, count: count)))
    }
    let pattern = noise(32768)
    sources.append(("window", pattern + pattern + pattern))
    sources.append(("more than a window", noise(32769) + pattern + noise(1) + pattern))
    sources.append(("few values", noise(100_000, below: 3)))
    // Counts like Fibonacci numbers make a tree deeper than the longest code.
    var deep: [UInt8] = []
    var (a, b) = (1, 1)
    for value in 0..<25 where deep.count < 300_000 {
      deep += [UInt8](repeating: UInt8(value * 7), count: a)
      (a, b) = (b, a + b)
    }
    sources.append(("deep tree", deep.shuffled(using: &generator)))
    return sources
  }

  @Test(arguments: Deflate.Level.allCases)
  func decodesToTheSameBytes(level: Deflate.Level) throws {
    for (name, bytes) in Self.sources() {
      try expectEqual(
        Inflate.zlib(Deflate.zlib(bytes, level: level), outputLimit: bytes.count), bytes,
        "\(name)")
      try expectEqual(
        Inflate.raw(Deflate.raw(bytes, level: level), outputLimit: bytes.count), bytes,
        "\(name)")
    }
  }

  @Test func growsNoiseByNoMoreThanTheFormatNeeds() {
    for (_, bytes) in Self.sources() {
      for level in Deflate.Level.allCases {
        let bound = bytes.count + 6 + 5 * (bytes.count / 30000 + 1) + 1
        #expect(Deflate.zlib(bytes, level: level).count <= bound)
      }
    }
  }

  @Test func spendsMoreWorkForLessOutput() throws {
    let streams = try GoldenPack.streams("golden/png/streams.pack")
    var compared = 0
    for stream in streams where stream.name.hasSuffix("-6-default") {
      let bytes = try Inflate.zlib(stream.bytes, outputLimit: .max)
      let sizes = Deflate.Level.allCases.map { Deflate.zlib(bytes, level: $0).count }
      #expect(sizes[3] <= sizes[2] + 8 && sizes[2] <= sizes[1] + 8, "\(stream.name)")
      #expect(sizes[1] <= sizes[0], "\(stream.name)")
      // As small as zlib at its default level, within 3 percent and a few bytes.
      #expect(sizes[2] <= stream.bytes.count * 103 / 100 + 8, "\(stream.name)")
      compared += 1
    }
    expectEqual(compared, 7)
  }

  @Test func limitsTheLengthOfCodes() {
    var counts = [1, 1]
    while counts.count < 40 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    for limit in [7, 10, 15] {
      for symbolCount in [2, 3, 19, 40] where symbolCount <= 1 << limit {
        let code = PrefixCode(counts: Array(counts[..<symbolCount]), limit: limit)
        #expect(code.lengths.allSatisfy { $0 >= 1 && $0 <= limit })
        // A complete code: the shares of all symbols add up to one.
        let shares = code.lengths.map { (length) -> Int in 1 << (limit - Int(length)) }
        let sum: Int = shares.reduce(0, +)
        expectEqual(sum, 1 << limit)
        // A more frequent symbol never has a longer code.
        #expect(zip(code.lengths, code.lengths.dropFirst()).allSatisfy { $0 >= $1 })
      }
    }
  }

  @Test func makesTheShortestCode() {
    // Huffman's own example has 45, 13, 12, 16, 9 and 5 in 224 bits.
    let counts = [45, 13, 12, 16, 9, 5]
    let code = PrefixCode(counts: counts, limit: 15)
    expectEqual(zip(counts, code.lengths).reduce(0) { $0 + $1.0 * Int($1.1) }, 224)
    expectEqual(PrefixCode(counts: [0, 0, 0], limit: 7).lengths, [1, 1, 0])
    expectEqual(PrefixCode(counts: [0, 0, 9], limit: 7).lengths, [1, 0, 1])
    expectEqual(PrefixCode(counts: [4, 0, 0], limit: 7).lengths, [1, 1, 0])
  }

  @Test func mapsEveryDistanceAndLengthToItsSymbol() {
    for (symbol, range) in DeflateAlphabet.distances.enumerated() {
      let last = range.base + 1 << range.extraBits - 1
      expectEqual(DeflateAlphabet.symbol(ofDistance: range.base), symbol)
      expectEqual(DeflateAlphabet.symbol(ofDistance: last), symbol)
    }
    expectEqual(DeflateAlphabet.distances.last?.base, 24577)
    expectEqual(DeflateAlphabet.symbolOfLength[3], 0)
    expectEqual(DeflateAlphabet.symbolOfLength[257], 27)
    expectEqual(DeflateAlphabet.symbolOfLength[258], 28)
    expectEqual(DeflateAlphabet.lengths[27].base, 227)
  }
}

import TestSupport
import Testing

@testable import DiceCodecs

struct InflateTests {
  @Test func decodesTheStreamsOfZlib() throws {
    let streams = try GoldenPack.streams("golden/png/streams.pack")
    expectEqual(streams.count, 76)
    for stream in streams {
      let output = try Inflate.zlib(stream.bytes, outputLimit: stream.outputByteCount)
      expectEqual(output.count, stream.outputByteCount, "\(stream.name)")
      expectEqual(CRC32.checksum(output), stream.outputChecksum, "\(stream.name)")
      let body = Array(stream.bytes.dropFirst(2).dropLast(4))
      try expectEqual(Inflate.raw(body, outputLimit: .max), output, "\(stream.name)")
    }
  }

  @Test(arguments: [1, 7, 258, 4096, 100_000])
  func decodesInPiecesOfAnySize(pieceByteCount: Int) throws {
    let streams = try GoldenPack.streams("golden/png/streams.pack")
    for stream in streams where pieceByteCount > 1 || stream.outputByteCount < 10_000 {
      let whole = try Inflate.zlib(stream.bytes, outputLimit: .max)
      var pieces: [UInt8] = []
      try unsafe stream.bytes.withUnsafeBufferPointer { input in
        var reader = try unsafe ZlibStream(input, pieceByteCount: pieceByteCount)
        while pieces.count < whole.count {
          let count = min(pieceByteCount, whole.count - pieces.count)
          try unsafe reader.withNextPiece(input, count: count) { unsafe pieces += Array($0) }
        }
        try unsafe reader.finish(input)
      }
      expectEqual(pieces, whole, "\(stream.name)")
    }
  }

  @Test func resumesAfterEveryByteOfOutput() throws {
    let streams = try GoldenPack.streams("golden/png/streams.pack")
    var tried = 0
    for stream in streams where stream.outputByteCount < 5000 {
      let body = Array(stream.bytes.dropFirst(2).dropLast(4))
      let whole = try Inflate.raw(body, outputLimit: .max)
      var output = [UInt8](repeating: 0, count: whole.count)
      try unsafe body.withUnsafeBufferPointer { input in
        try unsafe output.withUnsafeMutableBufferPointer { output in
          var reader = InflateStream()
          for end in 0...output.count {
            let room = unsafe UnsafeMutableBufferPointer(rebasing: output[..<end])
            let position = try unsafe reader.read(input, into: room, at: max(0, end - 1))
            expectEqual(position, end)
          }
          #expect(reader.isFinished && reader.offset == input.count)
        }
      }
      expectEqual(output, whole, "\(stream.name)")
      tried += 1
    }
    #expect(tried > 50)
  }

  @Test func stopsAtTheOutputLimit() throws {
    let bomb = Deflate.zlib([UInt8](repeating: 0, count: 5_000_000), level: .best)
    #expect(bomb.count < 6000)
    for limit in [0, 1, 4095, 4096, 4097, 1_000_000, 4_999_999] {
      #expect(throws: InflateError.outputLimitExceeded(limit: limit)) {
        try Inflate.zlib(bomb, outputLimit: limit)
      }
    }
    try expectEqual(Inflate.zlib(bomb, outputLimit: 5_000_000).count, 5_000_000)
  }

  @Test func namesTheBrokenRuleOfTheHeader() {
    let good = Deflate.zlib(Array("abc".utf8))
    expect(.truncated, from: [])
    expect(.truncated, from: [0x78])
    expect(.truncated, from: [0x78, 0x9C])
    expect(.invalidHeaderCheck(header: 0x789D), from: [0x78, 0x9D])
    expect(.unsupportedMethod(7), from: [0x77, 0x85])
    expect(.invalidWindowSize(code: 8), from: [0x88, 0x1C])
    expect(.presetDictionary, from: [0x78, 0x20])
    expect(.trailingBytes(count: 2), from: good + [0, 0])
    var damaged = good
    damaged[damaged.count - 1] ^= 1
    expect(.checksumMismatch(stored: 0x024D_0126, computed: 0x024D_0127), from: damaged)
  }

  @Test func namesTheBrokenRuleOfABlock() {
    expectRaw(.reservedBlockType, from: [(1, 1), (3, 2)])
    expectRaw(
      .storedLengthMismatch(length: 5, complement: 0xFFFB),
      from: [(1, 1), (0, 2), (0, 5), (5, 16), (0xFFFB, 16)])
    expectRaw(.truncated, from: [(1, 1), (0, 2), (0, 5), (5, 16), (0xFFFA, 16), (7, 8)])
    expectRaw(
      .tooManyCodes(literalAndLengthCount: 287, distanceCount: 1),
      from: [(1, 1), (2, 2), (30, 5), (0, 5), (0, 4)])
    expectRaw(
      .tooManyCodes(literalAndLengthCount: 257, distanceCount: 31),
      from: [(1, 1), (2, 2), (0, 5), (30, 5), (0, 4)])
    // Four lengths for 16, 17, 18 and 0.
    let dynamic = [(1, 1), (2, 2), (0, 5), (0, 5), (0, 4)]
    expectRaw(
      .invalidPrefixCode(.codeLengths), from: dynamic + [(1, 3), (1, 3), (1, 3), (0, 3), (0, 32)])
    expectRaw(
      .invalidPrefixCode(.codeLengths), from: dynamic + [(1, 3), (0, 3), (0, 3), (0, 3), (0, 32)])
    expectRaw(
      .repeatWithoutPrevious, from: dynamic + [(1, 3), (0, 3), (0, 3), (1, 3), (1, 1), (0, 32)])
    // 0 and 18: 138 zeros twice are 276, more than 258.
    expectRaw(
      .repeatPastEnd,
      from: dynamic + [(0, 3), (0, 3), (1, 3), (1, 3), (1, 1), (127, 7), (1, 1), (127, 7), (0, 32)])
    expectRaw(
      .missingEndOfBlock,
      from: dynamic + [(0, 3), (0, 3), (1, 3), (1, 3), (1, 1), (127, 7), (1, 1), (109, 7), (0, 32)])
  }

  @Test func namesTheBrokenRuleOfASymbol() {
    // Fixed code: symbol 286 is 11000110, distance symbol 30 is 11110; first bits first.
    expectRaw(.invalidCode(.literalsAndLengths), from: [(1, 1), (1, 2), (0b0110_0011, 8), (0, 32)])
    expectRaw(
      .invalidCode(.distances), from: [(1, 1), (1, 2), (0b100_0000, 7), (0b01111, 5), (0, 32)])
    // A literal, then length 3 at distance 2.
    expectRaw(
      .distanceTooFar(distance: 2, available: 1),
      from: [(1, 1), (1, 2), (0b0000_1100, 8), (0b100_0000, 7), (0b10000, 5), (0, 32)])
    expectRaw(.truncated, from: [(1, 1), (1, 2), (0b0000_1100, 8)])
  }

  @Test func acceptsADistanceCodeOfOneSymbolAndOfNone() throws {
    // Lengths: 256 is 1 bit; then 0 and 18 in the alphabet of lengths, and 1.
    func block(distanceLength: Int) -> [UInt8] {
      // Order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: eighteen entries, 18, 0 and 1 in use.
      var bits = [(1, 1), (2, 2), (0, 5), (0, 5), (14, 4)]
      for symbol in DeflateAlphabet.lengthOrder[..<18] {
        bits.append(([1: 2, 0: 2, 18: 1][symbol] ?? 0, 3))
      }
      // Codes: 18 is 0, 0 is 10, 1 is 11.
      bits += [(0, 1), (127, 7), (0, 1), (107, 7), (3, 2)]
      bits += distanceLength == 1 ? [(3, 2)] : [(1, 2)]
      // The end of the block is the only literal code: 0.
      return Self.bytes(bits + [(0, 1)])
    }
    try expectEqual(Inflate.raw(block(distanceLength: 1), outputLimit: 10), [])
    try expectEqual(Inflate.raw(block(distanceLength: 0), outputLimit: 10), [])
  }

  @Test func survivesTruncationAndDamageEverywhere() throws {
    let streams = try GoldenPack.streams("golden/png/streams.pack")
    var failures = 0
    var successes = 0
    for stream in streams where stream.bytes.count < 700 {
      let body = Array(stream.bytes.dropFirst(2).dropLast(4))
      for count in 0..<body.count {
        #expect(throws: InflateError.self) {
          try Inflate.raw(Array(body[..<count]), outputLimit: .max)
        }
      }
      for index in body.indices {
        for flip: UInt8 in [1, 0x10, 0x80, 0xFF] {
          var damaged = body
          damaged[index] ^= flip
          do {
            _ = try Inflate.raw(damaged, outputLimit: 1 << 20)
            successes += 1
          } catch {
            failures += 1
          }
        }
      }
    }
    #expect(failures > 1000 && successes > 1000)
  }

  @Test func describesEveryErrorInASentence() {
    let errors: [InflateError] = [
      .truncated, .invalidHeaderCheck(header: 1), .unsupportedMethod(7),
      .invalidWindowSize(code: 8), .presetDictionary, .reservedBlockType,
      .storedLengthMismatch(length: 1, complement: 2),
      .tooManyCodes(literalAndLengthCount: 287, distanceCount: 1),
      .invalidPrefixCode(.codeLengths), .repeatWithoutPrevious, .repeatPastEnd,
      .missingEndOfBlock, .invalidCode(.distances), .distanceTooFar(distance: 2, available: 1),
      .outputLimitExceeded(limit: 3), .checksumMismatch(stored: 1, computed: 2),
      .trailingBytes(count: 4),
    ]
    for error in errors { #expect(error.description.hasSuffix(".")) }
    expectEqual(Set(errors.map { $0.description }).count, errors.count)
  }

  // MARK: Helpers

  private func expect(_ error: InflateError, from bytes: [UInt8]) {
    #expect(throws: error) { try Inflate.zlib(bytes, outputLimit: 1000) }
  }

  private func expectRaw(_ error: InflateError, from bits: [(Int, Int)]) {
    #expect(throws: error) { try Inflate.raw(Self.bytes(bits), outputLimit: 1000) }
  }

  /// Pairs of a value and its number of bits, the lowest bit first.
  private static func bytes(_ bits: [(Int, Int)]) -> [UInt8] {
    var writer = DeflateWriter()
    for (value, count) in bits { writer.append(UInt64(value), count: count) }
    return writer.finish()
  }
}

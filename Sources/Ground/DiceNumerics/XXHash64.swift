/// XXH64, a 64-bit checksum that reads eight bytes at a time.
///
/// Operations wrap modulo 2^64. It guards against accidents, not against forgers.
///
/// Source: Yann Collet, "xxHash fast digest algorithm", version 0.1.1.
package enum XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The checksum of `bytes` with seed 0, where the eight bytes from `zeroed` on count as 0.
  ///
  /// - Parameter zeroed: The offset of eight bytes that count as 0: a multiple of 8, below 32, of
  ///   which the file has all eight. Nil: all bytes count as they are.
  /// - Complexity: O(`bytes.count`).
  package static func hash(_ bytes: [UInt8], zeroed: Int? = nil) -> UInt64 {
    precondition(
      zeroed.map { $0 % 8 == 0 && (0..<32).contains($0) && bytes.count >= 32 } ?? true,
      "the zeroed bytes must be one word of the first 32 bytes")
    return unsafe bytes.withUnsafeBytes { (buffer) in unsafe hash(buffer, zeroed: zeroed) }
  }

  private static func hash(_ buffer: UnsafeRawBufferPointer, zeroed: Int?) -> UInt64 {
    let count = buffer.count
    var offset = 0
    var result: UInt64
    if count >= 32 {
      var lane0 = prime1 &+ prime2
      var lane1 = prime2
      var lane2: UInt64 = 0
      var lane3 = 0 &- prime1
      if let zeroed {
        lane0 = round(lane0, zeroed == 0 ? 0 : unsafe word(buffer, 0))
        lane1 = round(lane1, zeroed == 8 ? 0 : unsafe word(buffer, 8))
        lane2 = round(lane2, zeroed == 16 ? 0 : unsafe word(buffer, 16))
        lane3 = round(lane3, zeroed == 24 ? 0 : unsafe word(buffer, 24))
        offset = 32
      }
      while offset <= count - 32 {
        lane0 = round(lane0, unsafe word(buffer, offset))
        lane1 = round(lane1, unsafe word(buffer, offset + 8))
        lane2 = round(lane2, unsafe word(buffer, offset + 16))
        lane3 = round(lane3, unsafe word(buffer, offset + 24))
        offset += 32
      }
      result =
        rotated(lane0, 1) &+ rotated(lane1, 7) &+ rotated(lane2, 12) &+ rotated(lane3, 18)
      result = merged(result, lane0)
      result = merged(result, lane1)
      result = merged(result, lane2)
      result = merged(result, lane3)
    } else {
      result = prime5
    }
    result = result &+ UInt64(count)
    while offset <= count - 8 {
      result = rotated(result ^ round(0, unsafe word(buffer, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset <= count - 4 {
      let half = unsafe UInt32(
        littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      result = rotated(result ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < count {
      result = rotated(result ^ (UInt64(unsafe buffer[offset]) &* prime5), 11) &* prime1
      offset += 1
    }
    result = (result ^ (result &>> 33)) &* prime2
    result = (result ^ (result &>> 29)) &* prime3
    return result ^ (result &>> 32)
  }

  /// The little-endian word at `offset`, which leaves eight bytes in the buffer.
  @inline(__always)
  private static func word(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merged(_ result: UInt64, _ lane: UInt64) -> UInt64 {
    (result ^ round(0, lane)) &* prime1 &+ prime4
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value &<< count) | (value &>> (64 &- count))
  }
}

/// Bits of a FLAC file, the highest of each byte first.
struct FLACBits {
  private let bytes: [UInt8]
  /// The byte that is read next.
  private var next: Int
  /// Bits that were read from bytes and not yet asked for, the next one highest.
  private var cache: UInt64 = 0
  private var count = 0

  /// That the bytes are at their end.
  struct Ended: Error {}

  init(_ bytes: [UInt8], from place: Int) {
    self.bytes = bytes
    next = place
  }

  /// The place of the byte that holds the next bit.
  var place: Int { next - (count + 7) / 8 }

  /// The next bits as a number.
  ///
  /// - Precondition: 0 to 40 bits.
  mutating func bits(_ wanted: Int) throws(Ended) -> UInt64 {
    guard wanted > 0 else { return 0 }
    while count < wanted {
      guard next < bytes.count else { throw Ended() }
      cache |= UInt64(bytes[next]) << (56 - UInt64(count))
      next += 1
      count += 8
    }
    let value = cache >> (64 - UInt64(wanted))
    cache <<= UInt64(wanted)
    count -= wanted
    return value
  }

  /// The next bits as a number with a sign.
  mutating func signed(_ wanted: Int) throws(Ended) -> Int64 {
    guard wanted > 0 else { return 0 }
    let shift = Int64(64 - wanted)
    return (Int64(truncatingIfNeeded: try bits(wanted)) << shift) >> shift
  }

  /// How many zeros come before the next one; the one is read, too.
  mutating func zeros() throws(Ended) -> UInt64 {
    var total: UInt64 = 0
    while cache == 0 {
      total += UInt64(count)
      (cache, count) = (0, 0)
      guard next < bytes.count else { throw Ended() }
      cache = UInt64(bytes[next]) << 56
      next += 1
      count = 8
    }
    let zeroCount = cache.leadingZeroBitCount
    cache <<= UInt64(zeroCount)
    cache <<= 1
    count -= zeroCount + 1
    return total + UInt64(zeroCount)
  }

  /// Leaves out what is left of a byte.
  mutating func align() {
    let rest = count % 8
    cache <<= UInt64(rest)
    count -= rest
  }
}

/// The checksums of FLAC: x⁸ + x² + x + 1 of a frame's head, x¹⁶ + x¹⁵ + x² + 1 of the whole frame.
enum FLACChecksum {
  private static let table: [UInt16] = (0..<256).map { (byte) in
    (0..<8).reduce(UInt16(byte) << 8) { (value, _) in
      value & 0x8000 != 0 ? (value << 1) ^ 0x8005 : value << 1
    }
  }

  /// The checksum of a head.
  static func head(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { (sum, byte) in
      (0..<8).reduce(sum ^ byte) { (value, _) in value & 0x80 != 0 ? (value << 1) ^ 7 : value << 1 }
    }
  }

  /// The checksum of a frame.
  static func frame(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { (sum, byte) in (sum << 8) ^ table[Int(UInt8(sum >> 8) ^ byte)] }
  }
}

/// Makes bits of bytes, eight at a time.
enum BitPacking {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Writes a row of bits: whether samples are at least a value.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - count: How many there are.
  ///   - least: The least value, 0...256.
  ///   - inverted: Whether the bits are turned round.
  ///   - words: Takes `count / 64 + 1` words; bits behind the last sample are 0.
  @unsafe
  static func pack(
    _ samples: UnsafePointer<UInt8>, count: Int, atLeast least: Int, inverted: Bool,
    into words: UnsafeMutablePointer<UInt64>
  ) {
    let bytes = unsafe UnsafeRawPointer(samples)
    let flip: UInt64 = inverted ? ~0 : 0
    let wholeWords = count >> 6
    if least <= 0 || least > 255 {
      let word = (least <= 0 ? ~0 : 0) ^ flip
      for index in 0..<wholeWords { unsafe words[index] = word }
    } else if least <= 128 {
      // At least `least` where the lower seven bits, and 128 − least, carry into the top, or it is set.
      let addend = UInt64(128 - least) &* ones
      for index in 0..<wholeWords {
        unsafe words[index] =
          flip
          ^ word(bytes + index &* 64) { (eight) in
            ((eight & ~tops) &+ addend) | eight
          }
      }
    } else {
      // Both: the top is set, and the lower bits carry.
      let addend = UInt64(256 - least) &* ones
      for index in 0..<wholeWords {
        unsafe words[index] =
          flip
          ^ word(bytes + index &* 64) { (eight) in
            ((eight & ~tops) &+ addend) & eight
          }
      }
    }
    var last: UInt64 = 0
    for index in wholeWords << 6..<count {
      let isSet = unsafe Int(samples[index]) >= least
      if isSet != inverted { last |= 1 << UInt64(index & 63) }
    }
    unsafe words[wholeWords] = last
  }

  /// 64 bits of 64 bytes, of which a closure leaves the result in the top bits, eight at a time.
  @unsafe @inline(__always)
  private static func word(
    _ bytes: UnsafeRawPointer, _ compare: (UInt64) -> UInt64
  ) -> UInt64 {
    var word: UInt64 = 0
    for part in 0..<8 {
      let eight = UInt64(
        littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: part &* 8, as: UInt64.self))
      let bits = (compare(eight) & tops) >> 7
      // Moves the lowest bit of byte i to bit 56 + i; nothing else gets there.
      word |= ((bits &* 0x0102_0408_1020_4080) >> 56) << UInt64(part &* 8)
    }
    return word
  }
}

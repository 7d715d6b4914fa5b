/// Reads the bits of one interval of compressed data, most significant first.
///
/// Stuffed zero bytes are removed. At a marker or at the end of the bytes the reader stands still and
/// supplies zero bits; `overran` tells whether any of those were consumed.
@unsafe struct JPEGBitReader {
  let base: UnsafePointer<UInt8>
  let end: Int
  /// The next byte to take into the buffer; at a marker, its `FF`.
  var position: Int
  /// The next bits, left-aligned.
  ///
  /// Bits past `count` are zero or the true next ones.
  var buffer: UInt64 = 0
  /// Valid bits in `buffer`, 0 to 64.
  var count = 0
  /// Zero bits that were supplied beyond the data.
  var padding = 0

  /// Starts at a byte; `base` points to `end` bytes that outlive the reader.
  init(base: UnsafePointer<UInt8>, end: Int, position: Int) {
    unsafe self.base = base
    unsafe self.end = end
    unsafe self.position = position
  }

  /// Whether bits were consumed that the data does not hold.
  var overran: Bool { unsafe padding > count }

  /// Bits at hand that the data holds.
  var dataCount: Int { unsafe max(0, count - padding) }

  /// Which of the data's bits comes next, the same however many are at hand.
  var place: Int { unsafe Self.place(base: base, position: position, count: dataCount) }

  /// Which bit comes next for a reader that has `count` bits of those ahead of a byte at hand.
  static func place(base: UnsafePointer<UInt8>, position: Int, count: Int) -> Int {
    var (position, count) = (position, count)
    while count >= 8 {
      let isStuffed = unsafe position > 1 && base[position - 1] == 0 && base[position - 2] == 0xFF
      position -= isStuffed ? 2 : 1
      count -= 8
    }
    return 8 * position - count
  }

  /// Drops what is left of the interval and starts another one.
  mutating func restart(at position: Int) {
    unsafe self.position = position
    unsafe buffer = 0
    unsafe count = 0
    unsafe padding = 0
  }

  /// Makes at least 56 bits available, where fewer than 57 are.
  @inline(__always)
  mutating func refill() {
    if unsafe position &+ 8 <= end {
      let word = unsafe UInt64(
        bigEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
      // Nonzero where a byte is FF: the usual test for a zero byte, on the complement.
      if (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
        unsafe buffer |= word &>> UInt64(truncatingIfNeeded: count)
        unsafe position &+= (63 &- count) &>> 3
        unsafe count |= 56
        return
      }
    }
    // By value, so that a caller's copy of the reader can stay in registers.
    unsafe self = refilledByBytes()
  }

  @inline(never)
  private consuming func refilledByBytes() -> JPEGBitReader {
    while unsafe count <= 56 {
      if unsafe position < end {
        let byte = unsafe base[position]
        if byte != 0xFF {
          unsafe take(byte, length: 1)
          continue
        }
        var next = unsafe position + 1
        while unsafe next < end && base[next] == 0xFF { next += 1 }
        if unsafe next < end && base[next] == 0 {
          unsafe take(0xFF, length: next + 1 - position)
          continue
        }
      }
      unsafe count += 8
      unsafe padding += 8
    }
    return unsafe self
  }

  private mutating func take(_ byte: UInt8, length: Int) {
    unsafe buffer |= UInt64(byte) << UInt64(56 - count)
    unsafe count += 8
    unsafe position += length
  }

  @inline(__always)
  mutating func consume(_ bits: Int) {
    unsafe buffer = buffer &<< UInt64(truncatingIfNeeded: bits)
    unsafe count &-= bits
  }

  /// Takes 1 to 16 bits, which must be available, as an unsigned number.
  @inline(__always)
  mutating func bits(_ size: Int) -> Int {
    let value = unsafe Int(truncatingIfNeeded: buffer &>> UInt64(truncatingIfNeeded: 64 &- size))
    unsafe consume(size)
    return value
  }

  /// Takes 1 to 15 bits, which must be available, as a signed coefficient (T.81, F.2.2.1, EXTEND).
  @inline(__always)
  mutating func signedBits(_ size: Int) -> Int {
    let value = unsafe bits(size)
    let isNegative = (value &>> (size &- 1)) &- 1
    return value &+ (isNegative & ((-1 &<< size) &+ 1))
  }

  /// Takes a code and, where it fits the table's lookahead, the value behind it.
  ///
  /// Needs 16 bits. The result is an entry as `JPEGHuffmanTable` describes, or 0 for no code; where
  /// the entry's value is 0 and its size is not, the value's bits are yet to be taken.
  @inline(__always)
  mutating func entry(_ table: UnsafePointer<UInt32>) -> UInt32 {
    var entry = unsafe table[
      Int(truncatingIfNeeded: buffer &>> UInt64(64 - JPEGHuffmanTable.lookahead))]
    if entry & 255 == 0 { entry = unsafe Self.longEntry(table, buffer) }
    unsafe consume(Int(truncatingIfNeeded: entry & 255))
    return entry
  }

  /// The entry for a code that is longer than the lookahead, or 0.
  @inline(never)
  private static func longEntry(_ table: UnsafePointer<UInt32>, _ buffer: UInt64) -> UInt32 {
    let pattern = UInt32(truncatingIfNeeded: buffer >> 48)
    for length in (JPEGHuffmanTable.lookahead + 1)...16
    where unsafe pattern < table[JPEGHuffmanTable.limits + length] {
      let offset = unsafe table[JPEGHuffmanTable.offsets + length]
      let index = (pattern >> UInt32(16 - length)) &+ offset
      let symbol = unsafe table[JPEGHuffmanTable.symbols + Int(index & 255)]
      return (symbol >> 4) << 8 | (symbol & 15) << 12 | UInt32(length)
    }
    return 0
  }
}

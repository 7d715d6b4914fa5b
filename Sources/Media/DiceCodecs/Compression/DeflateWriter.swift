/// Collects bits, the first one in the lowest place of the first byte.
struct DeflateWriter {
  private var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount: UInt64 = 0

  /// Appends the low `count` bits of a value whose other bits are zero.
  ///
  /// - Precondition: `count` is at most 32.
  mutating func append(_ value: UInt64, count: Int) {
    precondition(count <= 32)
    bits |= value << bitCount
    bitCount += UInt64(count)
    while bitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Fills the last byte with zeros.
  mutating func alignToByte() {
    if bitCount > 0 { append(0, count: Int(8 - bitCount)) }
  }

  /// Appends whole bytes.
  ///
  /// - Precondition: the last byte is full.
  mutating func append(contentsOf source: UnsafeBufferPointer<UInt8>) {
    precondition(bitCount == 0)
    unsafe bytes.append(contentsOf: source)
  }

  /// Fills the last byte with zeros and returns all bytes.
  consuming func finish() -> [UInt8] {
    alignToByte()
    return bytes
  }

  /// Appends the codes of tokens, which have `totalBits` bits in all.
  ///
  /// - Parameters:
  ///   - literals: for each literal, and at 256 plus its length for each match, `code << 8 | bits`,
  ///     extra bits included; at most 20 bits.
  ///   - distances: for each distance symbol `code << 8 | bits` without the extra bits.
  mutating func append(
    _ tokens: [UInt32], literals: [UInt64], distances: [UInt64], totalBits: Int
  ) {
    precondition(literals.count == 256 + 259 && distances.count == 30)
    let start = bytes.count
    // Each store writes eight bytes at a byte that the tokens reach.
    let capacity = (Int(bitCount) + totalBits) / 8 + 8
    bytes.append(contentsOf: repeatElement(0, count: capacity))
    var bits = bits
    var bitCount = bitCount
    var offset = start
    unsafe bytes.withUnsafeMutableBytes { bytes in
      for token in tokens {
        var value: UInt64
        var count: UInt64
        if token & DeflateToken.match == 0 {
          let entry = literals[Int(token & 255)]
          value = entry &>> 8
          count = entry & 255
        } else {
          let entry = literals[256 &+ DeflateToken.length(token)]
          value = entry &>> 8
          count = entry & 255
          let distance = DeflateToken.distance(token)
          let symbol = DeflateAlphabet.symbol(ofDistance: distance)
          let extraBits = UInt64(max(0, symbol / 2 - 1))
          let code = distances[symbol]
          value |= (code &>> 8) &<< count
          count &+= code & 255
          // The extra bits are the low bits of the distance less one.
          let extra = UInt64(distance &- 1) & (1 &<< extraBits &- 1)
          value |= extra &<< count
          count &+= extraBits
        }
        // At most 7 + 48 bits.
        bits |= value &<< bitCount
        bitCount &+= count
        precondition(offset &+ 8 <= bytes.count)
        unsafe bytes.storeBytes(of: bits.littleEndian, toByteOffset: offset, as: UInt64.self)
        let whole = bitCount &>> 3
        offset &+= Int(whole)
        bits &>>= whole &<< 3
        bitCount &= 7
      }
    }
    self.bits = bits
    self.bitCount = bitCount
    bytes.removeLast(bytes.count - offset)
  }
}

extension DeflateAlphabet {
  /// The symbol of a match distance, 0 to 29.
  ///
  /// From 5 on, two symbols share each power of two: the two highest bits of the distance less one
  /// tell them apart.
  @inline(__always)
  static func symbol(ofDistance distance: Int) -> Int {
    let value = UInt32(truncatingIfNeeded: distance &- 1)
    if value < 4 { return Int(value) }
    let highest = 31 &- value.leadingZeroBitCount
    return 2 &* highest &+ Int(value &>> UInt32(highest &- 1) & 1)
  }

  /// For each match length up to 258 its symbol less 257.
  static let symbolOfLength: [UInt8] = {
    var symbols = [UInt8](repeating: 0, count: 259)
    for (symbol, range) in lengths.enumerated() {
      for length in range.base..<min(259, range.base + 1 << range.extraBits) {
        symbols[length] = UInt8(symbol)
      }
    }
    return symbols
  }()
}

/// The 32-bit cyclic redundancy check of PNG, gzip and zip: reflected polynomial `0xEDB88320`,
/// initial value and final exclusive-or of all ones.
///
/// Source: PNG specification, annex D; ISO 3309.
package enum CRC32 {
  /// The checksum of some bytes; `0` for none.
  ///
  /// - Complexity: O(n), eight bytes for each step.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe update(0, with: $0) }
  }

  /// The checksum of a part of an array; `0` for an empty one.
  ///
  /// - Complexity: O(n), eight bytes for each step.
  package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe update(0, with: $0) }
  }

  /// The checksum of bytes of which the first ones have the checksum `checksum`.
  static func update(_ checksum: UInt32, with bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    guard let start = bytes.baseAddress else { return checksum }
    var crc = ~checksum
    let base = unsafe UnsafeRawPointer(start)
    let count = bytes.count
    // The pointers stay in bounds: an offset never passes `count`, and a table index is below
    // 8 * 256 because each term is one byte plus the number of its table.
    unsafe tables.withUnsafeBufferPointer { table in
      var offset = 0
      while offset &+ 8 <= count {
        let word = unsafe UInt64(
          littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let low = UInt32(truncatingIfNeeded: word) ^ crc
        let high = UInt32(truncatingIfNeeded: word &>> 32)
        let a = unsafe table[7 &* 256 &+ Int(low & 255)] ^ table[6 &* 256 &+ Int(low &>> 8 & 255)]
        let b = unsafe table[5 &* 256 &+ Int(low &>> 16 & 255)] ^ table[4 &* 256 &+ Int(low &>> 24)]
        let c = unsafe table[3 &* 256 &+ Int(high & 255)] ^ table[2 &* 256 &+ Int(high &>> 8 & 255)]
        let d = unsafe table[256 &+ Int(high &>> 16 & 255)] ^ table[Int(high &>> 24)]
        crc = (a ^ b) ^ (c ^ d)
        offset &+= 8
      }
      while offset < count {
        let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
        crc = unsafe table[Int((crc ^ UInt32(byte)) & 255)] ^ crc &>> 8
        offset &+= 1
      }
    }
    return ~crc
  }

  /// Eight tables of 256 entries: `tables[256 * k + b]` is the register after byte `b` and then `k`
  /// zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var register = UInt32(byte)
      for _ in 0..<8 {
        register = register & 1 == 1 ? 0xEDB8_8320 ^ register >> 1 : register >> 1
      }
      tables[byte] = register
    }
    for index in 256..<8 * 256 {
      let previous = tables[index - 256]
      tables[index] = tables[Int(previous & 255)] ^ previous >> 8
    }
    return tables
  }()
}

/// Bytes as text of 64 letters: in addresses that hold data, and in lines of source code.
///
/// Source: RFC 4648, section 4; line feeds are skipped.
package enum Base64 {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// The text of bytes, padded with `=` to a multiple of four characters.
  ///
  /// - Parameters:
  ///   - bytes: any number of bytes.
  ///   - bytesPerLine: after how many bytes a line feed follows, and another at the end; a positive
  ///     multiple of 3. Nil for no line feeds.
  package static func encode(_ bytes: [UInt8], bytesPerLine: Int? = nil) -> [UInt8] {
    precondition(
      bytesPerLine.map { $0 > 0 && $0.isMultiple(of: 3) } ?? true, "lines hold groups of 3 bytes")
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + bytes.count / (bytesPerLine ?? .max) + 5)
    let characters = unsafe [UInt8](
      UnsafeBufferPointer(start: alphabet.utf8Start, count: alphabet.utf8CodeUnitCount))
    var index = 0
    while index < bytes.count {
      let available = min(3, bytes.count - index)
      var word = UInt32(bytes[index]) << 16
      if available > 1 { word |= UInt32(bytes[index + 1]) << 8 }
      if available > 2 { word |= UInt32(bytes[index + 2]) }
      for digit in 0..<4 {
        text.append(
          digit <= available
            ? characters[Int(word >> UInt32(18 - 6 * digit)) & 63] : UInt8(ascii: "="))
      }
      index += 3
      if let bytesPerLine, index.isMultiple(of: bytesPerLine) || index >= bytes.count {
        text.append(UInt8(ascii: "\n"))
      }
    }
    return text
  }

  /// The bytes of a text.
  ///
  /// - Precondition: the text has been made by ``encode(_:)``.
  /// - Complexity: O(length), some nanoseconds for each character.
  package static func decode(_ text: StaticString) -> [UInt8] {
    unsafe decode(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The bytes of a text.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    // Four tables, one for each place in a group of four characters: what a character adds to the group's
    // 24 bits. Other characters set a higher bit.
    var table = [UInt32](repeating: 1 << 31, count: 4 * 256)
    for value in 0..<alphabet.utf8CodeUnitCount {
      for place in 0..<4 {
        let character = unsafe Int(alphabet.utf8Start[value])
        table[place * 256 + character] = UInt32(value) << UInt32(18 - 6 * place)
      }
    }
    let count = text.count
    // Each group is stored as four bytes, the last of which the next group writes anew.
    return unsafe [UInt8](unsafeUninitializedCapacity: count / 4 * 3 + 4) { (bytes, byteCount) in
      unsafe table.withUnsafeBufferPointer { (table) in
        let target = UnsafeMutableRawBufferPointer(bytes)
        var word: UInt32 = 0
        var digitCount = 0
        var written = 0
        var index = 0
        while index < count {
          if digitCount == 0, index <= count &- 4 {
            let group =
              unsafe table[Int(text[index])] | table[256 &+ Int(text[index &+ 1])]
              | table[512 &+ Int(text[index &+ 2])] | table[768 &+ Int(text[index &+ 3])]
            if group < 1 << 24 {
              unsafe target.storeBytes(
                of: (group &<< 8).bigEndian, toByteOffset: written, as: UInt32.self)
              written &+= 3
              index &+= 4
              continue
            }
          }
          let value = unsafe table[768 &+ Int(text[index])]
          index &+= 1
          // Line feeds, and the filling at the end.
          if value > 63 { continue }
          word = word &<< 6 | value
          digitCount &+= 1
          if digitCount == 4 {
            unsafe target.storeBytes(
              of: (word &<< 8).bigEndian, toByteOffset: written, as: UInt32.self)
            written &+= 3
            digitCount = 0
          }
        }
        // Two digits are left for one byte, three for two.
        if digitCount > 1 {
          word = word &<< UInt32(32 - 6 * digitCount)
          unsafe target.storeBytes(of: word.bigEndian, toByteOffset: written, as: UInt32.self)
          written &+= digitCount &- 1
        }
        byteCount = written
      }
    }
  }
}

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
    var values = [UInt8](repeating: 0xFF, count: 256)
    for value in 0..<alphabet.utf8CodeUnitCount {
      unsafe values[Int(alphabet.utf8Start[value])] = UInt8(value)
    }
    let count = text.count
    return unsafe [UInt8](unsafeUninitializedCapacity: count / 4 * 3 + 3) { (bytes, byteCount) in
      unsafe values.withUnsafeBufferPointer { (values) in
        var word: UInt32 = 0
        var digitCount = 0
        var written = 0
        var index = 0
        while index < count {
          if digitCount == 0, index <= count &- 4 {
            let (a, b, c, d) = unsafe (
              values[Int(text[index])], values[Int(text[index &+ 1])],
              values[Int(text[index &+ 2])], values[Int(text[index &+ 3])]
            )
            if a | b | c | d < 64 {
              unsafe bytes[written] = a &<< 2 | b &>> 4
              unsafe bytes[written &+ 1] = b &<< 4 | c &>> 2
              unsafe bytes[written &+ 2] = c &<< 6 | d
              written &+= 3
              index &+= 4
              continue
            }
          }
          let value = unsafe values[Int(text[index])]
          index &+= 1
          // Line feeds, and the filling at the end.
          if value == 0xFF { continue }
          word = word &<< 6 | UInt32(truncatingIfNeeded: value)
          digitCount &+= 1
          if digitCount == 4 {
            unsafe bytes[written] = UInt8(truncatingIfNeeded: word &>> 16)
            unsafe bytes[written &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
            unsafe bytes[written &+ 2] = UInt8(truncatingIfNeeded: word)
            written &+= 3
            digitCount = 0
          }
        }
        // Two digits are left for one byte, three for two.
        if digitCount > 1 {
          word = word &<< UInt32(6 * (4 - digitCount))
          unsafe bytes[written] = UInt8(truncatingIfNeeded: word &>> 16)
          written += 1
          if digitCount > 2 {
            unsafe bytes[written] = UInt8(truncatingIfNeeded: word &>> 8)
            written += 1
          }
        }
        byteCount = written
      }
    }
  }
}

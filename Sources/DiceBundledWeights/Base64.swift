/// Base64 in lines, for bytes in source code.
///
/// Source: RFC 4648, section 4; line feeds are skipped.
enum Base64 {
  /// The characters of a line: 72 bytes.
  static let lineLength = 96

  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// The text of bytes, in lines of ``lineLength`` characters that each end with a line feed.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 72 * 97 + 97)
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
      if index % 72 == 0 || index >= bytes.count { text.append(UInt8(ascii: "\n")) }
    }
    return text
  }

  /// The bytes of a text.
  ///
  /// - Precondition: the text has been made by ``encode(_:)``.
  /// - Complexity: O(length), some nanoseconds for each character.
  static func decode(_ text: StaticString) -> [UInt8] {
    unsafe decode(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The bytes of a text.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
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
        for index in 0..<count {
          let value = unsafe values[Int(text[index])]
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

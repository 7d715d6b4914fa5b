/// Reads decimal numbers between white space and comments.
struct PortableMapScanner {
  private static let largestNumber = 0x7FFF_FFFF

  let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Blank, tab, line feed, vertical tab, form feed, carriage return.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte >= 9 && byte <= 13
  }

  /// Skips white space, and comments from `#` to the end of their line; false at the end of the
  /// file.
  private mutating func skipToToken() -> Bool {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == 0x23 {
        skipComment()
      } else if Self.isSpace(byte) {
        offset += 1
      } else {
        return true
      }
    }
    return false
  }

  private mutating func skipComment() {
    while offset < bytes.count && bytes[offset] != 10 && bytes[offset] != 13 { offset += 1 }
  }

  /// The next number, or nil at the end of the file.
  ///
  /// The offset moves behind its digits, which white space, a comment or the end of the file must
  /// follow.
  mutating func nextNumber() throws(PortableMapError) -> Int? {
    guard skipToToken() else { return nil }
    let start = offset
    var number = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == 0x23 || Self.isSpace(byte) { break }
      guard byte >= 0x30 && byte <= 0x39 else {
        throw .invalidCharacter(byte, offset: offset)
      }
      let digit = Int(byte - 0x30)
      if number > (Self.largestNumber - digit) / 10 { throw .numberTooLarge(offset: start) }
      number = number * 10 + digit
      offset += 1
    }
    return number
  }

  /// The next digit, 0 or 1, which nothing needs to separate from others; nil at the end of the
  /// file.
  mutating func nextBit() throws(PortableMapError) -> UInt8? {
    guard skipToToken() else { return nil }
    let byte = bytes[offset]
    guard byte == 0x30 || byte == 0x31 else { throw .invalidCharacter(byte, offset: offset) }
    offset += 1
    return byte - 0x30
  }

  /// Skips the single white space between the header and binary samples, and a comment before it.
  mutating func skipSeparator() throws(PortableMapError) {
    if offset < bytes.count && bytes[offset] == 0x23 { skipComment() }
    // A number is followed by white space, a comment or the end.
    guard offset < bytes.count else { throw .truncatedHeader }
    offset += 1
  }
}

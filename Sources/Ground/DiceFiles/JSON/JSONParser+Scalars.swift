extension JSONParser {
  /// Reads a string; `position` is at its opening quote, and behind the closing one afterwards.
  mutating func readString() throws(Failure) -> String {
    position += 1
    let start = position
    // Most strings are plain: their bytes are the text's own.
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let result = String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        return result
      }
      if byte < 0x20 { throw failure(.controlCharacter(found: byte)) }
      if byte == UInt8(ascii: "\\") { return try readEscapedString(from: start) }
      if byte < 0x80 { position += 1 } else { try skipCharacter() }
    }
    throw failure(.unexpectedEnd)
  }

  /// Goes on with a string whose first backslash is at `position`.
  private mutating func readEscapedString(from start: Int) throws(Failure) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte < 0x20 { throw failure(.controlCharacter(found: byte)) }
      if byte == UInt8(ascii: "\\") {
        position += 1
        try readEscape(into: &text)
      } else {
        let first = position
        if byte < 0x80 { position += 1 } else { try skipCharacter() }
        text.append(contentsOf: bytes[first..<position])
      }
    }
    throw failure(.unexpectedEnd)
  }

  private mutating func readEscape(into text: inout [UInt8]) throws(Failure) {
    let byte = try current()
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      try readUnicodeEscape(into: &text)
      return
    default: throw failure(.invalidEscape(found: byte))
    }
    position += 1
  }

  /// Reads `uXXXX`, and the second half of a surrogate pair where this is the first.
  private mutating func readUnicodeEscape(into text: inout [UInt8]) throws(Failure) {
    let start = position - 1
    position += 1
    var value = try readHexadecimal()
    if (0xD800...0xDFFF).contains(value) {
      let unpaired = Failure(rule: .unpairedSurrogate, offset: start)
      if value >= 0xDC00 { throw unpaired }
      for byte in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
        guard try current() == byte else { throw unpaired }
        position += 1
      }
      let low = try readHexadecimal()
      guard (0xDC00...0xDFFF).contains(low) else { throw unpaired }
      let high: UInt32 = (value - 0xD800) << 10
      value = 0x10000 + high + (low - 0xDC00)
    }
    switch value {
    case ..<0x80:
      text.append(UInt8(value))
    case ..<0x800:
      text.append(UInt8(0xC0 | value >> 6))
      text.append(UInt8(0x80 | value & 0x3F))
    case ..<0x10000:
      text.append(UInt8(0xE0 | value >> 12))
      text.append(UInt8(0x80 | value >> 6 & 0x3F))
      text.append(UInt8(0x80 | value & 0x3F))
    default:
      text.append(UInt8(0xF0 | value >> 18))
      text.append(UInt8(0x80 | value >> 12 & 0x3F))
      text.append(UInt8(0x80 | value >> 6 & 0x3F))
      text.append(UInt8(0x80 | value & 0x3F))
    }
  }

  private mutating func readHexadecimal() throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try current()
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 0x61 + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x41 + 10)
      default: throw failure(.invalidHexadecimalDigit(found: byte))
      }
      position += 1
    }
    return value
  }

  /// Passes over one character of two to four bytes (RFC 3629, section 4).
  private mutating func skipCharacter() throws(Failure) {
    let first = bytes[position]
    let secondRange: ClosedRange<UInt8>
    let count: Int
    switch first {
    case 0xC2...0xDF: (secondRange, count) = (0x80...0xBF, 2)
    case 0xE0: (secondRange, count) = (0xA0...0xBF, 3)
    case 0xE1...0xEC, 0xEE...0xEF: (secondRange, count) = (0x80...0xBF, 3)
    case 0xED: (secondRange, count) = (0x80...0x9F, 3)
    case 0xF0: (secondRange, count) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (secondRange, count) = (0x80...0xBF, 4)
    case 0xF4: (secondRange, count) = (0x80...0x8F, 4)
    default: throw failure(.invalidUTF8)
    }
    for index in 1..<count {
      guard position + index < bytes.count else {
        position = bytes.count
        throw failure(.unexpectedEnd)
      }
      let range = index == 1 ? secondRange : 0x80...0xBF
      guard range.contains(bytes[position + index]) else { throw failure(.invalidUTF8) }
    }
    position += count
  }

  // MARK: - Numbers

  /// Reads a number; `position` is at its first byte.
  ///
  /// Up to 19 digits are gathered as an integer. Where that integer is at most 2^53 and the power of
  /// ten at most 22, both are exact in `Double` and one multiplication or division rounds correctly;
  /// every other number goes through the standard library's correctly rounding conversion.
  ///
  /// Source: W. D. Clinger, How to Read Floating Point Numbers Accurately, 1990.
  mutating func readNumber() throws(Failure) -> Double {
    let start = position
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var digits: UInt64 = 0
    var digitCount = 0
    var exponent = 0

    let first = try digit()
    if first == 0, position + 1 < bytes.count, isDigit(bytes[position + 1]) {
      position += 1
      throw failure(.leadingZero)
    }
    while position < bytes.count, isDigit(bytes[position]) {
      take(bytes[position], &digits, &digitCount)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      _ = try digit()
      let fraction = position
      while position < bytes.count, isDigit(bytes[position]) {
        take(bytes[position], &digits, &digitCount)
      }
      exponent = fraction - position
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      var isSmall = false
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+")
      {
        isSmall = bytes[position] == UInt8(ascii: "-")
        position += 1
      }
      _ = try digit()
      var written = 0
      while position < bytes.count, isDigit(bytes[position]) {
        // More than a text has digits, and within an `Int` of 32 bits.
        written =
          written < 100_000_000 ? written * 10 + Int(bytes[position] - 0x30) : 1_000_000_000
        position += 1
      }
      exponent += isSmall ? -written : written
    }

    if digitCount <= 19, digits <= 1 << 53, exponent.magnitude <= 22 {
      let power = JSONParser.powersOfTen[Int(exponent.magnitude)]
      let value = exponent < 0 ? Double(digits) / power : Double(digits) * power
      return isNegative ? -value : value
    }
    // The number is 0.ddd times ten to this power, and the smallest Double is above 10^-324.
    let magnitude = exponent + digitCount
    if digitCount == 0 || magnitude < -330 { return isNegative ? -0.0 : 0 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if magnitude <= 310, let value = Double(text), value.isFinite { return value }
    throw Failure(rule: .numberOutOfRange, offset: start)
  }

  /// The digit at `position`, which stays.
  private func digit() throws(Failure) -> UInt8 {
    guard position < bytes.count else { throw failure(.unexpectedEnd) }
    guard isDigit(bytes[position]) else { throw unexpected(.digit) }
    return bytes[position] - 0x30
  }

  /// Adds a digit; leading zeros do not count, and digits after the nineteenth are only counted.
  @inline(__always)
  private mutating func take(_ byte: UInt8, _ digits: inout UInt64, _ digitCount: inout Int) {
    if digitCount > 0 || byte != UInt8(ascii: "0") {
      if digitCount < 19 { digits = digits * 10 + UInt64(byte - 0x30) }
      digitCount += 1
    }
    position += 1
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

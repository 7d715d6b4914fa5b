/// Bounds on a JSON text, so that a hostile one cannot use up memory or stack.
public struct JSONLimits: Hashable, Sendable {
  /// The most bytes of text.
  public var byteCount: Int
  /// The most arrays and objects inside each other; `[[1]]` has depth 2.
  ///
  /// A value above `greatestDepth` counts as that.
  public var depth: Int
  /// The most values, containers and their contents counted alike, keys not counted.
  public var valueCount: Int

  /// The depth that no limit exceeds: taking apart what is nested deeper could use up the stack of
  /// a secondary thread.
  public static let greatestDepth = 512

  /// The limits given; else 512 MiB of text, depth 128 and ten million values, which is well over a
  /// million annotated boxes.
  public init(byteCount: Int = 1 << 29, depth: Int = 128, valueCount: Int = 10_000_000) {
    self.byteCount = byteCount
    self.depth = depth
    self.valueCount = valueCount
  }
}

/// Which rule a JSON text breaks, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// The broken rule.
  public var rule: Rule
  /// The offset of the offending byte, from 0; the text's length where it ends too early.
  public var byteOffset: Int
  /// The line, from 1; lines end with CR, LF or both.
  public var line: Int
  /// The place in the line, from 1, counted in Unicode characters (scalars).
  public var column: Int

  /// The rules of a JSON text.
  public enum Rule: Hashable, Sendable {
    /// At most `limit` bytes are read, and the text has `found`.
    case tooLarge(found: Int, limit: Int)
    /// At most `limit` arrays and objects lie inside each other.
    case tooDeep(limit: Int)
    /// At most `limit` values are read.
    case tooManyValues(limit: Int)
    /// The text ends before its value does.
    case unexpectedEnd
    /// Something else was needed here.
    case unexpectedByte(found: UInt8, needed: Expectation)
    /// Only space may follow the value.
    case trailingBytes(found: UInt8)
    /// A number does not begin with a zero before other digits.
    case leadingZero
    /// A number's size is within that of a `Double`.
    case numberOutOfRange
    /// Control characters in a string are escaped.
    case controlCharacter(found: UInt8)
    /// After a backslash comes one of `"\/bfnrtu`.
    case invalidEscape(found: UInt8)
    /// `\u` is followed by four hexadecimal digits.
    case invalidHexadecimalDigit(found: UInt8)
    /// `\uD800` to `\uDFFF` come in pairs, high before low.
    case unpairedSurrogate
    /// The text is UTF-8: no stray or missing bytes, no overlong forms, no surrogates.
    case invalidUTF8
    /// The text is UTF-8, and this one another encoding.
    case wideEncoding(String)
    /// A key occurs once in an object (RFC 7493, section 2.3).
    case duplicateKey(String)
  }

  /// What a place in the text calls for.
  public enum Expectation: String, Hashable, Sendable {
    /// Any value.
    case value = "a value"
    /// A value, or the end of the array.
    case valueOrArrayEnd = "a value or ]"
    /// An object's key.
    case key = "a key in double quotes"
    /// A key, or the end of the object.
    case keyOrObjectEnd = "a key in double quotes or }"
    /// The colon after a key.
    case colon = "a colon"
    /// What follows an element.
    case commaOrArrayEnd = "a comma or ]"
    /// What follows a member.
    case commaOrObjectEnd = "a comma or }"
    /// A digit of a number.
    case digit = "a digit"
    /// `true`, `false` or `null`, spelt out.
    case literal = "true, false or null"
  }
}

extension JSONError: CustomStringConvertible {
  /// One sentence for the user, with line and column.
  public var description: String {
    "Line \(line), column \(column): \(rule)."
  }
}

extension JSONError.Rule: CustomStringConvertible {
  /// What is wrong, as part of a sentence.
  public var description: String {
    switch self {
    case .tooLarge(let found, let limit):
      "the text has \(found) bytes, and at most \(limit) are read"
    case .tooDeep(let limit): "more than \(limit) arrays and objects lie inside each other"
    case .tooManyValues(let limit): "the text holds more than \(limit) values"
    case .unexpectedEnd: "the text ends too early"
    case .unexpectedByte(let found, let needed):
      "\(needed.rawValue) is needed instead of \(JSONError.name(of: found))"
    case .trailingBytes(let found): "\(JSONError.name(of: found)) follows the end of the value"
    case .leadingZero: "a number begins with a zero too many"
    case .numberOutOfRange: "the number is too large"
    case .controlCharacter(let found):
      "a string holds the control character \(JSONError.name(of: found)) without an escape"
    case .invalidEscape(let found): "\(JSONError.name(of: found)) cannot follow a backslash"
    case .invalidHexadecimalDigit(let found):
      "\\u needs four hexadecimal digits, and \(JSONError.name(of: found)) is none"
    case .unpairedSurrogate: "half of a surrogate pair stands alone"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .wideEncoding(let name): "the text is \(name); save it as UTF-8"
    case .duplicateKey(let key): "the key \"\(FileError.printable(key))\" occurs twice"
    }
  }
}

extension JSONError {
  /// An error with line and column counted from the text before the offset.
  init(_ rule: Rule, at offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    var index = JSONReader.startOffset(of: bytes)
    let end = min(offset, bytes.count)
    while index < end {
      let byte = bytes[index]
      if byte == 0x0A || (byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != 0x0D {
        column += 1
      }
      index += 1
    }
    self.init(rule: rule, byteOffset: offset, line: line, column: column)
  }

  static func name(of byte: UInt8) -> String {
    if (0x21...0x7E).contains(byte) {
      return "\"\(String(decoding: [byte], as: UTF8.self))\""
    }
    let digits = String(byte, radix: 16, uppercase: true)
    return byte == 0x20 ? "a space" : "the byte 0x\(byte < 16 ? "0" : "")\(digits)"
  }
}

/// What the game tells the page: a value that is written as JSON.
indirect enum JSON {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(name: String, value: JSON)])
  /// A text that is JSON already.
  case text([UInt8])

  /// An array of whole numbers.
  static func integers(_ values: [Int]) -> JSON { .array(values.map { .integer($0) }) }

  /// A whole number, or null.
  static func integer(_ value: Int?) -> JSON { value.map { .integer($0) } ?? .null }

  /// Appends the value in UTF-8.
  func write(to text: inout Numbers<UInt8>) {
    switch self {
    case .null: Self.append("null", to: &text)
    case .bool(let value): Self.append(value ? "true" : "false", to: &text)
    case .integer(let value): Self.append("\(value)", to: &text)
    // JSON has no other numbers.
    case .number(let value): Self.append(value.isFinite ? "\(value)" : "null", to: &text)
    case .string(let value): Self.quote(value, to: &text)
    case .array(let values):
      text.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        value.write(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        Self.quote(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        member.value.write(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    case .text(let bytes):
      for byte in bytes { text.append(byte) }
    }
  }

  private static func append(_ string: String, to text: inout Numbers<UInt8>) {
    for byte in string.utf8 { text.append(byte) }
  }

  /// Quotes, backslashes and control characters are escaped, the latter as spaces.
  private static func quote(_ string: String, to text: inout Numbers<UInt8>) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        text.append(UInt8(ascii: "\\"))
        text.append(byte)
      case 0..<32: text.append(UInt8(ascii: " "))
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}

/// Writes JSON texts: UTF-8 without a byte order mark, members in their order.
///
/// - A number is written with the fewest digits that read back as the same `Double`; a whole number
///   below 2^53 without point or exponent; negative zero as `-0`. NaN and the infinities have no
///   spelling in JSON and are written as `null`.
/// - Quotes, backslashes and control characters are escaped, nothing else.
public enum JSONWriter {
  /// How the text is set out.
  public enum Layout: Hashable, Sendable {
    /// One line without any space.
    case compact
    /// A line for each member and element, two spaces for each level, and a line break at the
    /// end. An array without containers inside stays on one line.
    case pretty
  }

  /// The value as a JSON text.
  ///
  /// Equal values give equal bytes.
  ///
  /// - Complexity: O(n) in the length of the result.
  public static func write(_ value: JSONValue, layout: Layout = .compact) -> [UInt8] {
    var text: [UInt8] = []
    append(value, to: &text, layout: layout, level: 0)
    if layout == .pretty { text.append(0x0A) }
    return text
  }

  private static func append(
    _ value: JSONValue, to text: inout [UInt8], layout: Layout, level: Int
  ) {
    switch value {
    case .null: text.append(contentsOf: "null".utf8)
    case .bool(let value): text.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let value): append(value, to: &text)
    case .string(let value): append(value, to: &text)
    case .array(let elements):
      let isBroken =
        layout == .pretty && elements.contains { $0.kind == .array || $0.kind == .object }
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 {
          text.append(UInt8(ascii: ","))
          if layout == .pretty, !isBroken { text.append(0x20) }
        }
        if isBroken { breakLine(&text, level + 1) }
        append(element, to: &text, layout: layout, level: level + 1)
      }
      if isBroken { breakLine(&text, level) }
      text.append(UInt8(ascii: "]"))
    case .object(let object):
      text.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        if layout == .pretty { breakLine(&text, level + 1) }
        append(member.key, to: &text)
        text.append(UInt8(ascii: ":"))
        if layout == .pretty { text.append(0x20) }
        append(member.value, to: &text, layout: layout, level: level + 1)
      }
      if layout == .pretty, !object.members.isEmpty { breakLine(&text, level) }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func breakLine(_ text: inout [UInt8], _ level: Int) {
    text.append(0x0A)
    text.append(contentsOf: repeatElement(0x20, count: 2 * level))
  }

  private static func append(_ value: Double, to text: inout [UInt8]) {
    if !value.isFinite {
      text.append(contentsOf: "null".utf8)
    } else if value == 0, value.sign == .minus {
      text.append(contentsOf: "-0".utf8)
    } else if value.magnitude < 0x1p53, let whole = Int64(exactly: value) {
      text.append(contentsOf: "\(whole)".utf8)
    } else {
      text.append(contentsOf: "\(value)".utf8)
    }
  }

  private static func append(_ value: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        text.append(UInt8(ascii: "\\"))
        text.append(byte)
      case 0x08: text.append(contentsOf: "\\b".utf8)
      case 0x09: text.append(contentsOf: "\\t".utf8)
      case 0x0A: text.append(contentsOf: "\\n".utf8)
      case 0x0C: text.append(contentsOf: "\\f".utf8)
      case 0x0D: text.append(contentsOf: "\\r".utf8)
      case ..<0x20, 0x7F:
        text.append(contentsOf: "\\u00".utf8)
        for digit in [byte >> 4, byte & 15] {
          text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}

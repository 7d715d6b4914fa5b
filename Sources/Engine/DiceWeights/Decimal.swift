/// Numbers as text.
enum Decimal {
  /// The number with a comma between groups of three digits: "1,234,567".
  static func grouped(_ value: Int64) -> String {
    let digits = Array(String(value.magnitude).utf8)
    var text: [UInt8] = value < 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The shortest text that reads as the same number, without ".0" behind whole numbers.
  static func short(_ value: Float) -> String {
    let text = Array("\(value)".utf8)
    guard text.count > 2, text.suffix(2).elementsEqual(".0".utf8) else { return "\(value)" }
    return String(decoding: text.dropLast(2), as: UTF8.self)
  }

  /// The number in hexadecimal, filled with zeros to at least `digits` digits.
  static func hex(_ value: UInt64, digits: Int, uppercase: Bool = false) -> String {
    let text = String(value, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

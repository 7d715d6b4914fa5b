/// Texts of JSON on one line.
enum JSONText {
  /// A text; none of a weight file's names has control characters.
  static func string(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Values that are JSON already.
  static func list(_ items: [String]) -> String {
    "[" + items.joined(separator: ", ") + "]"
  }

  /// Finite numbers, each as the shortest text that reads as the same number.
  static func list(_ numbers: [Float]) -> String {
    list(numbers.map { (number) in "\(number)" })
  }

  /// Keys, and values that are JSON already.
  static func object(_ entries: [(key: String, value: String)]) -> String {
    let members = entries.map { (entry) in "\(string(entry.key)): \(entry.value)" }
    return "{" + members.joined(separator: ", ") + "}"
  }
}

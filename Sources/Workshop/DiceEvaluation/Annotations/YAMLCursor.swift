/// A place in a line of YAML.
struct YAMLCursor {
  /// Where a text stands, which says where it ends.
  enum Place {
    /// It goes to the end of the line.
    case line
    /// It is a key, up to a colon.
    case key
    /// It is in brackets.
    case flow
  }

  enum Failure: Error {
    case unterminated
    case unsupported
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The key whose value this is, for messages.
  let key: String

  init(_ bytes: [UInt8], key: String) {
    self.bytes = bytes
    self.key = key
  }

  /// The next byte; nil at the end of the line and before a comment.
  var peek: UInt8? {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    if byte == UInt8(ascii: "#"), position == 0 || isSpace(bytes[position - 1]) { return nil }
    return byte
  }

  var rest: [UInt8] { Array(bytes[position...]) }

  /// Whether nothing follows but space or a comment.
  var isAtEnd: Bool {
    var other = self
    other.skipSpace()
    return other.peek == nil
  }

  mutating func next() { position += 1 }

  mutating func skipSpace() {
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  mutating func scalar(_ place: Place) throws(Failure) -> String {
    guard let first = peek else { throw .unsupported }
    let text: [UInt8]
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
      text = try quotedText(first)
    } else {
      // Characters that begin something else than a text.
      if "&*!|>%@`{[]},".utf8.contains(first) { throw .unsupported }
      text = plainText(place)
      // A map in a line, or in a list.
      if place == .line, endsKey(text) { throw .unsupported }
    }
    if place == .line, !isAtEnd { throw .unsupported }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func quotedText(_ quote: UInt8) throws(Failure) -> [UInt8] {
    position += 1
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote {
        // Two single quotes stand for one.
        guard quote == UInt8(ascii: "'"), position < bytes.count, bytes[position] == quote else {
          return text
        }
        position += 1
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        guard position < bytes.count else { throw .unterminated }
        guard bytes[position] == UInt8(ascii: "\\") || bytes[position] == quote else {
          throw .unsupported
        }
        text.append(bytes[position])
        position += 1
        continue
      }
      text.append(byte)
    }
    throw .unterminated
  }

  private mutating func plainText(_ place: Place) -> [UInt8] {
    var text: [UInt8] = []
    while let byte = peek {
      if place != .line, byte == UInt8(ascii: ":"), isEnd(position + 1, place) { break }
      if place == .flow, "[]{},".utf8.contains(byte) { break }
      text.append(byte)
      position += 1
    }
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }

  private func isEnd(_ position: Int, _ place: Place) -> Bool {
    guard position < bytes.count else { return true }
    return isSpace(bytes[position]) || place == .flow && ",]}".utf8.contains(bytes[position])
  }

  /// Whether a text holds `: ` or ends in `:`, which makes it a map.
  private func endsKey(_ text: [UInt8]) -> Bool {
    text.indices.contains { index in
      text[index] == UInt8(ascii: ":") && (index + 1 == text.count || isSpace(text[index + 1]))
    }
  }
}

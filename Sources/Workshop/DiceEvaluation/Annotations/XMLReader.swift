/// An element of an XML document.
struct XMLElement: Hashable {
  /// Its name as written, a prefix included.
  var name: String
  /// The text directly in it, with its references resolved.
  var text: String
  /// The elements directly in it, in order.
  var children: [XMLElement]
  /// The line that it begins on, from 1.
  var line: Int
}

/// Bounds on an XML document.
struct XMLLimits: Hashable {
  /// The most bytes.
  var byteCount = 1 << 26
  /// The most elements inside each other.
  var depth = 32
  /// The most elements in all.
  var elementCount = 1_000_000
}

/// Which rule an XML document breaks, and where.
public struct XMLError: Error, Hashable, Sendable {
  /// The broken rule.
  public var rule: Rule
  /// The line, from 1.
  public var line: Int

  /// The rules of a document.
  public enum Rule: Hashable, Sendable {
    /// At most `limit` bytes are read.
    case tooLarge(found: Int, limit: Int)
    /// At most `limit` elements lie inside each other.
    case tooDeep(limit: Int)
    /// At most `limit` elements are read.
    case tooManyElements(limit: Int)
    /// The text is UTF-8.
    case invalidUTF8
    /// A declaration names no other encoding than UTF-8.
    case unsupportedEncoding(String)
    /// The document is complete.
    case unexpectedEnd
    /// What stands here is needed.
    case unexpected(found: UInt8, needed: String)
    /// A document type is not read: it could define entities and name other files.
    case documentType
    /// A reference is `&lt;`, `&gt;`, `&amp;`, `&apos;`, `&quot;` or the number of a character.
    case unknownReference(String)
    /// The document holds no control characters but tab and line breaks.
    case controlCharacter(UInt8)
    /// An end tag has the name of the element that is open.
    case mismatchedEnd(found: String, open: String)
    /// There is one element around all others.
    case contentOutsideRoot
  }
}

extension XMLError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String { "Line \(line): \(rule)." }
}

extension XMLError.Rule: CustomStringConvertible {
  /// What is wrong, as part of a sentence.
  public var description: String {
    switch self {
    case .tooLarge(let found, let limit):
      "the document has \(found) bytes, and at most \(limit) are read"
    case .tooDeep(let limit): "more than \(limit) elements lie inside each other"
    case .tooManyElements(let limit): "the document has more than \(limit) elements"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .unsupportedEncoding(let name):
      "the encoding is \(AnnotationError.quoted(name)), and only UTF-8 is read"
    case .unexpectedEnd: "the document ends too early"
    case .unexpected(let found, let needed):
      "\(needed) is needed instead of \(XMLReader.name(of: found))"
    case .documentType: "a document type (<!DOCTYPE ...>) is not read"
    case .unknownReference(let name):
      "\(AnnotationError.quoted("&\(name);")) stands for no character"
    case .controlCharacter(let byte):
      "the document holds the control character \(XMLReader.name(of: byte))"
    case .mismatchedEnd(let found, let open):
      "\(AnnotationError.quoted("</\(found)>")) ends the element \(AnnotationError.quoted(open))"
    case .contentOutsideRoot: "something stands outside the one root element"
    }
  }
}

/// Reads what annotations need of XML 1.0, strictly.
///
/// Elements, text, CDATA sections, comments and processing instructions are read; attributes are
/// checked and passed over. A document type is refused, so that no entity can be defined: the five of
/// XML and characters by number are all there are. The text is UTF-8.
///
/// - Complexity: O(n) in the bytes, with a stack of its own: depth costs no recursion.
struct XMLReader {
  private let bytes: [UInt8]
  private let limits: XMLLimits
  private var position: Int
  private var line = 1
  private var elementCount = 0
  /// The elements that are open, each with its text so far.
  private var open: [XMLElement] = []
  private var texts: [[UInt8]] = []

  private init(_ bytes: [UInt8], _ limits: XMLLimits) {
    self.bytes = bytes
    self.limits = limits
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The root element of a document.
  static func parse(
    _ bytes: [UInt8], limits: XMLLimits = XMLLimits()
  ) throws(XMLError) -> XMLElement {
    if bytes.count > limits.byteCount {
      throw XMLError(rule: .tooLarge(found: bytes.count, limit: limits.byteCount), line: 1)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw XMLError(rule: .invalidUTF8, line: 1)
    }
    var reader = XMLReader(bytes, limits)
    return try reader.document()
  }

  // MARK: - Document

  private mutating func document() throws(XMLError) -> XMLElement {
    if starts(with: "<?xml"), let next = peek(5), Self.isSpace(next) { try declaration() }
    var root: XMLElement?
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<") {
        if let finished = try markup(hasRoot: root != nil) { root = finished }
      } else if open.isEmpty {
        guard Self.isSpace(bytes[position]) else { throw error(.contentOutsideRoot) }
        try advance()
      } else {
        try text()
      }
    }
    guard let root, open.isEmpty else { throw error(.unexpectedEnd) }
    return root
  }

  /// What begins with `<`; gives the root where that ends.
  private mutating func markup(hasRoot: Bool) throws(XMLError) -> XMLElement? {
    if starts(with: "<!--") {
      try skip(4, through: "-->")
    } else if starts(with: "<?") {
      try skip(2, through: "?>")
    } else if starts(with: "<![CDATA[") {
      if open.isEmpty { throw error(.contentOutsideRoot) }
      let start = position + 9
      try skip(9, through: "]]>")
      texts[texts.count - 1] += bytes[start..<position - 3]
    } else if starts(with: "<!") {
      throw error(.documentType)
    } else if starts(with: "</") {
      return try endTag()
    } else {
      if open.isEmpty, hasRoot { throw error(.contentOutsideRoot) }
      return try startTag()
    }
    return nil
  }

  private mutating func startTag() throws(XMLError) -> XMLElement? {
    let line = line
    try advance()
    let name = try self.name()
    elementCount += 1
    if elementCount > limits.elementCount {
      throw error(.tooManyElements(limit: limits.elementCount))
    }
    if open.count >= limits.depth { throw error(.tooDeep(limit: limits.depth)) }
    open.append(XMLElement(name: name, text: "", children: [], line: line))
    texts.append([])
    while true {
      let hadSpace = try skipSpace()
      guard let byte = peek() else { throw error(.unexpectedEnd) }
      if byte == UInt8(ascii: ">") {
        try advance()
        return nil
      }
      if byte == UInt8(ascii: "/") {
        try advance()
        try require(UInt8(ascii: ">"))
        return close()
      }
      guard hadSpace else { throw error(.unexpected(found: byte, needed: "a space, / or >")) }
      try attribute()
    }
  }

  private mutating func endTag() throws(XMLError) -> XMLElement? {
    position += 2
    let name = try self.name()
    _ = try skipSpace()
    guard let current = open.last else { throw error(.contentOutsideRoot) }
    guard current.name.utf8.elementsEqual(name.utf8) else {
      throw error(.mismatchedEnd(found: name, open: current.name))
    }
    try require(UInt8(ascii: ">"))
    return close()
  }

  /// Ends the innermost element; gives it where it is the root.
  private mutating func close() -> XMLElement? {
    var element = open.removeLast()
    element.text = String(decoding: texts.removeLast(), as: UTF8.self)
    if open.isEmpty { return element }
    open[open.count - 1].children.append(element)
    return nil
  }

  private mutating func attribute() throws(XMLError) {
    _ = try name()
    _ = try skipSpace()
    try require(UInt8(ascii: "="))
    _ = try skipSpace()
    guard let quote = peek() else { throw error(.unexpectedEnd) }
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error(.unexpected(found: quote, needed: "a quoted value"))
    }
    try advance()
    while let byte = peek(), byte != quote {
      if byte == UInt8(ascii: "<") { throw error(.unexpected(found: byte, needed: "&lt;")) }
      if byte == UInt8(ascii: "&") { _ = try reference() } else { try advance() }
    }
    try require(quote)
  }

  private mutating func text() throws(XMLError) {
    while let byte = peek(), byte != UInt8(ascii: "<") {
      if byte == UInt8(ascii: "&") {
        texts[texts.count - 1] += try reference()
      } else {
        texts[texts.count - 1].append(byte)
        try advance()
      }
    }
  }

  /// The character of `&name;` or `&#number;` in UTF-8.
  private mutating func reference() throws(XMLError) -> [UInt8] {
    let start = position + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: ";"), end - start < 12 { end += 1 }
    guard end < bytes.count else { throw error(.unexpectedEnd) }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard bytes[end] == UInt8(ascii: ";"), let scalar = Self.character(named: name) else {
      throw error(.unknownReference(name))
    }
    position = end + 1
    return Array(String(Character(scalar)).utf8)
  }

  private static func character(named name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "apos": return "'"
    case "quot": return "\""
    default: break
    }
    guard name.utf8.first == UInt8(ascii: "#") else { return nil }
    var digits = name.dropFirst()
    let isHexadecimal = digits.utf8.first == UInt8(ascii: "x")
    if isHexadecimal { digits = digits.dropFirst() }
    guard digits.utf8.first != UInt8(ascii: "+"),
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number)
    else { return nil }
    let isControl = number < 0x20 && ![0x09, 0x0A, 0x0D].contains(number)
    return isControl || number == 0xFFFE || number == 0xFFFF ? nil : scalar
  }

  /// `<?xml version="1.0" encoding="utf-8"?>`: only the encoding matters.
  private mutating func declaration() throws(XMLError) {
    let start = position
    try skip(5, through: "?>")
    let text = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    guard let found = text.firstRange(of: "encoding")?.upperBound else { return }
    let name = text[found...].drop { " \t\r\n=\"'".contains($0) }
      .prefix { !" \t\r\n\"'?".contains($0) }
    guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) else {
      throw error(.unsupportedEncoding(String(name)))
    }
  }

  // MARK: - Bytes

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    return bytes[position..<position + count].elementsEqual(text.description.utf8)
  }

  /// Goes on by a byte, which is no control character.
  private mutating func advance() throws(XMLError) {
    let byte = bytes[position]
    if byte == 0x0A {
      line += 1
    } else if byte == 0x7F || byte < 0x20 && byte != 0x09 && byte != 0x0D {
      throw error(.controlCharacter(byte))
    }
    position += 1
  }

  private mutating func require(_ wanted: UInt8) throws(XMLError) {
    guard let byte = peek() else { throw error(.unexpectedEnd) }
    guard byte == wanted else {
      throw error(.unexpected(found: byte, needed: Self.name(of: wanted)))
    }
    position += 1
  }

  /// Passes over so many bytes and everything up to the end of a text.
  private mutating func skip(_ count: Int, through end: StaticString) throws(XMLError) {
    for _ in 0..<count { try advance() }
    while !starts(with: end) {
      if position >= bytes.count { throw error(.unexpectedEnd) }
      try advance()
    }
    position += end.utf8CodeUnitCount
  }

  private mutating func skipSpace() throws(XMLError) -> Bool {
    let start = position
    while let byte = peek(), Self.isSpace(byte) { try advance() }
    return position > start
  }

  /// A name: letters, digits, `_`, `:`, `-`, `.` and all beyond ASCII, no digit, dash or dot first.
  private mutating func name() throws(XMLError) -> String {
    let start = position
    while let byte = peek(), Self.isNameByte(byte, isFirst: position == start) { position += 1 }
    guard position > start else {
      guard let byte = peek() else { throw error(.unexpectedEnd) }
      throw error(.unexpected(found: byte, needed: "a name"))
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...: true
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func error(_ rule: XMLError.Rule) -> XMLError { XMLError(rule: rule, line: line) }

  /// A byte for a message.
  static func name(of byte: UInt8) -> String {
    if (0x21...0x7E).contains(byte) { return "\"\(String(decoding: [byte], as: UTF8.self))\"" }
    let digits = String(byte, radix: 16, uppercase: true)
    return byte == 0x20 ? "a space" : "the byte 0x\(byte < 16 ? "0" : "")\(digits)"
  }
}

internal import DiceFiles

/// What a YOLO data set's `data.yaml` says: class names, and where pictures lie.
package struct DatasetDescription: Hashable {
  /// The class names, by class index.
  package var names: [String]
  /// The folder that those of the parts are relative to, as written; nil where it is not said.
  var path: String?
  /// The folders of each part, as written: `train`, `val`, `test`.
  var folders: [String: [String]] = [:]
}

/// Which rule of the part of YAML that is read a file breaks, and where.
public struct YAMLError: Error, Hashable, Sendable {
  /// The broken rule.
  public var rule: Rule
  /// The line, from 1.
  public var line: Int

  /// The rules of the file.
  public enum Rule: Hashable, Sendable {
    /// At most `limit` bytes are read.
    case tooLarge(found: Int, limit: Int)
    /// A list or map has at most `limit` entries.
    case tooManyEntries(limit: Int)
    /// The text is UTF-8.
    case invalidUTF8
    /// The text holds no control characters but line breaks, and tabs within lines.
    case controlCharacter
    /// A line at the margin is `key: value`.
    case notAKey
    /// A key occurs once.
    case repeatedKey(String)
    /// A value is text, a list of texts or a map of texts: no anchors, tags, block texts, and no
    /// lists or maps inside each other.
    case unsupportedValue(key: String)
    /// A quoted text or a bracket has an end.
    case unterminated(key: String)
    /// There are class names.
    case missingNames
    /// Class names in a map are numbered from 0 without a gap.
    case wrongNumber(found: String)
    /// A class name has at least one character.
    case emptyName
    /// `nc` is the number of names.
    case wrongCount(found: String, count: Int)
  }
}

extension YAMLError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String { "Line \(line): \(rule)." }
}

extension YAMLError.Rule: CustomStringConvertible {
  /// What is wrong, as part of a sentence.
  public var description: String {
    switch self {
    case .tooLarge(let found, let limit):
      "the file has \(found) bytes, and at most \(limit) are read"
    case .tooManyEntries(let limit): "a list has more than \(limit) entries"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .controlCharacter: "the text holds a control character, or begins with a tab"
    case .notAKey: "this is not \"key: value\""
    case .repeatedKey(let key): "the key \(AnnotationError.quoted(key)) occurs twice"
    case .unsupportedValue(let key):
      "the value of \"\(key)\" must be a text, or a list or a map of texts"
    case .unterminated(let key): "the value of \"\(key)\" has no end"
    case .missingNames: "\"names\" is missing, the list of class names"
    case .wrongNumber(let found):
      "names are numbered from 0 without a gap, and \(AnnotationError.quoted(found)) does not fit"
    case .emptyName: "a class name is empty"
    case .wrongCount(let found, let count):
      "\"nc\" is \(AnnotationError.quoted(found)), and there are \(count) names"
    }
  }
}

/// Reads the part of YAML that descriptions of data sets are written in.
///
/// - The file is a map whose keys stand at the margin. Of these `names`, `nc`, `path`, `train`, `val`
///   and `test` are read; others are passed over with all that is indented below them.
/// - A value is a text (plain, `'single'` or `"double"` quoted with the escapes `\"` and `\\`), a
///   list of texts (`[a, b]`, which may go over several lines, or lines that begin with `-`), or a
///   map of texts (`{0: a, 1: b}`, or indented lines).
/// - Refused in those values: anchors, aliases, tags, block texts (`|`, `>`), and lists or maps
///   inside each other. Refused everywhere: tabs in front of a line, control characters, several
///   documents.
package struct YAMLReader {
  static let byteLimit = 1 << 20

  /// A value of a key that is read.
  private enum Value {
    case text(String)
    case list([String])
    case map([(key: String, value: String)])
  }

  private static let keys: Set<String> = ["names", "nc", "path", "train", "val", "test"]

  private let lines: [[UInt8]]
  private let entryLimit: Int
  private var index = 0

  /// Whether a file looks like the description of a data set: it begins as neither JSON nor XML, and
  /// has a line with the key `names`.
  static func isDataset(_ bytes: [UInt8]) -> Bool {
    guard let first = AnnotationFile.firstCharacter(of: bytes), !"[{<".utf8.contains(first) else {
      return false
    }
    return bytes.split(separator: 0x0A).contains {
      $0.starts(with: "names:".utf8) || $0.starts(with: [0xEF, 0xBB, 0xBF] + "names:".utf8)
    }
  }

  /// The description in a file.
  package static func dataset(
    _ bytes: [UInt8], labelLimit: Int
  ) throws(YAMLError) -> DatasetDescription {
    if bytes.count > byteLimit {
      throw YAMLError(rule: .tooLarge(found: bytes.count, limit: byteLimit), line: 1)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw YAMLError(rule: .invalidUTF8, line: 1)
    }
    var reader = try YAMLReader(bytes, entryLimit: labelLimit)
    let values = try reader.topLevel()
    return try reader.description(of: values)
  }

  /// Splits a file into lines, without line breaks.
  private init(_ bytes: [UInt8], entryLimit: Int) throws(YAMLError) {
    self.entryLimit = entryLimit
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var lines: [[UInt8]] = []
    for (number, line) in bytes[start...].split(
      separator: 0x0A, omittingEmptySubsequences: false
    ).enumerated() {
      let line = line.last == 0x0D ? line.dropLast() : line
      let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }
      let isBlank = indent.count == line.count
      if !isBlank, indent.contains(0x09) || line.contains(where: { $0 < 0x20 && $0 != 0x09 }) {
        throw YAMLError(rule: .controlCharacter, line: number + 1)
      }
      lines.append(isBlank ? [] : Array(line))
    }
    self.lines = lines
  }

  private func error(_ rule: YAMLError.Rule, at index: Int? = nil) -> YAMLError {
    YAMLError(rule: rule, line: (index ?? self.index) + 1)
  }

  // MARK: - Structure

  private mutating func topLevel() throws(YAMLError) -> [String: (value: Value, line: Int)] {
    var values: [String: (value: Value, line: Int)] = [:]
    var known: Set<String> = []
    var isFirst = true
    while index < lines.count {
      let line = lines[index]
      if isSkipped(line) {
        index += 1
        continue
      }
      if line.starts(with: Array("---".utf8)) {
        guard isFirst, isSkipped(Array(line.dropFirst(3))) else { throw error(.notAKey) }
        isFirst = false
        index += 1
        continue
      }
      isFirst = false
      guard line[0] != 0x20, let (key, rest) = try keyAndRest(line) else { throw error(.notAKey) }
      guard known.insert(key).inserted else { throw error(.repeatedKey(key)) }
      let start = index
      if Self.keys.contains(key) {
        values[key] = (try value(of: key, rest), start)
      } else {
        index += 1
        skipBlock()
      }
    }
    return values
  }

  /// Passes over lines that are indented, or entries of a list at the margin.
  private mutating func skipBlock() {
    while index < lines.count,
      isSkipped(lines[index]) || lines[index][0] == 0x20 || isEntry(lines[index])
    {
      index += 1
    }
  }

  private func isSkipped(_ line: [UInt8]) -> Bool {
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return true }
    return first == UInt8(ascii: "#")
  }

  private func isEntry(_ line: [UInt8]) -> Bool {
    line.first == UInt8(ascii: "-") && (line.count == 1 || line[1] == 0x20)
  }

  private mutating func value(of key: String, _ rest: [UInt8]) throws(YAMLError) -> Value {
    var cursor = YAMLCursor(rest, key: key)
    cursor.skipSpace()
    switch cursor.peek {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      return try flow(of: key, cursor)
    case nil:
      index += 1
      return try block(of: key)
    default:
      let text = try scalar(&cursor, .line)
      index += 1
      return .text(text)
    }
  }

  /// A list or map in brackets, which may go on in the next lines.
  private mutating func flow(of key: String, _ first: YAMLCursor) throws(YAMLError) -> Value {
    var cursor = first
    let isMap = cursor.peek == UInt8(ascii: "{")
    let end = UInt8(ascii: isMap ? "}" : "]")
    cursor.next()
    var list: [String] = []
    var map: [(key: String, value: String)] = []
    while true {
      try skipToContent(of: key, &cursor)
      if cursor.peek == end { break }
      let text = try scalar(&cursor, .flow)
      if isMap {
        try skipToContent(of: key, &cursor)
        guard cursor.peek == UInt8(ascii: ":") else { throw error(.unsupportedValue(key: key)) }
        cursor.next()
        try skipToContent(of: key, &cursor)
        map.append((text, try scalar(&cursor, .flow)))
      } else {
        list.append(text)
      }
      if max(list.count, map.count) > entryLimit {
        throw error(.tooManyEntries(limit: entryLimit))
      }
      try skipToContent(of: key, &cursor)
      if cursor.peek == UInt8(ascii: ",") {
        cursor.next()
      } else if cursor.peek != end {
        throw error(.unsupportedValue(key: key))
      }
    }
    cursor.next()
    guard cursor.isAtEnd else { throw error(.unsupportedValue(key: key)) }
    index += 1
    return isMap ? .map(map) : .list(list)
  }

  /// Moves on to something that is no space, in the next lines where it must.
  private mutating func skipToContent(
    of key: String, _ cursor: inout YAMLCursor
  ) throws(YAMLError) {
    while cursor.isAtEnd {
      index += 1
      guard index < lines.count else {
        index = lines.count - 1
        throw error(.unterminated(key: key))
      }
      cursor = YAMLCursor(lines[index], key: key)
    }
    cursor.skipSpace()
  }

  /// The indented lines below a key, or entries at the margin.
  private mutating func block(of key: String) throws(YAMLError) -> Value {
    var list: [String] = []
    var map: [(key: String, value: String)] = []
    var indent: Int?
    while index < lines.count {
      let line = lines[index]
      if isSkipped(line) {
        index += 1
        continue
      }
      let spaces = line.prefix { $0 == 0x20 }.count
      let content = Array(line[spaces...])
      let isEntry = isEntry(content)
      if spaces == 0, !isEntry { break }
      guard spaces == indent ?? spaces else { throw error(.unsupportedValue(key: key)) }
      indent = spaces
      if isEntry {
        var cursor = YAMLCursor(Array(content.dropFirst()), key: key)
        cursor.skipSpace()
        guard map.isEmpty, cursor.peek != nil else { throw error(.unsupportedValue(key: key)) }
        list.append(try scalar(&cursor, .line))
      } else {
        guard list.isEmpty, let (entryKey, rest) = try keyAndRest(content) else {
          throw error(.unsupportedValue(key: key))
        }
        var cursor = YAMLCursor(rest, key: key)
        cursor.skipSpace()
        guard cursor.peek != nil else { throw error(.unsupportedValue(key: key)) }
        map.append((entryKey, try scalar(&cursor, .line)))
      }
      if max(list.count, map.count) > entryLimit {
        throw error(.tooManyEntries(limit: entryLimit))
      }
      index += 1
    }
    return map.isEmpty ? .list(list) : .map(map)
  }

  /// `key: rest`; nil where a line has no key.
  private func keyAndRest(_ line: [UInt8]) throws(YAMLError) -> (String, [UInt8])? {
    var cursor = YAMLCursor(line, key: "")
    guard let first = cursor.peek, first != UInt8(ascii: "["), first != UInt8(ascii: "{") else {
      return nil
    }
    let key = try scalar(&cursor, .key)
    cursor.skipSpace()
    guard cursor.peek == UInt8(ascii: ":") else { return nil }
    cursor.next()
    if let next = cursor.peek, next != 0x20, next != 0x09 { return nil }
    return (key, cursor.rest)
  }

  private func scalar(
    _ cursor: inout YAMLCursor, _ place: YAMLCursor.Place
  ) throws(YAMLError) -> String {
    do throws(YAMLCursor.Failure) {
      return try cursor.scalar(place)
    } catch {
      switch error {
      case .unterminated: throw self.error(.unterminated(key: cursor.key))
      case .unsupported: throw self.error(.unsupportedValue(key: cursor.key))
      }
    }
  }

  // MARK: - Meaning

  private func description(
    of values: [String: (value: Value, line: Int)]
  ) throws(YAMLError) -> DatasetDescription {
    guard let (value, line) = values["names"] else { throw error(.missingNames, at: 0) }
    let names: [String]
    switch value {
    case .text: throw error(.unsupportedValue(key: "names"), at: line)
    case .list(let list): names = list
    case .map(let entries):
      var found = [String?](repeating: nil, count: entries.count)
      for (key, name) in entries {
        guard let number = NumberText.integer(key), found.indices.contains(number),
          found[number] == nil
        else { throw error(.wrongNumber(found: key), at: line) }
        found[number] = name
      }
      names = found.compactMap { $0 }
    }
    if names.isEmpty { throw error(.missingNames, at: line) }
    if names.contains("") { throw error(.emptyName, at: line) }
    if let (value, line) = values["nc"] {
      guard case .text(let text) = value, NumberText.integer(text) == names.count else {
        var text = ""
        if case .text(let found) = value { text = found }
        throw error(.wrongCount(found: text, count: names.count), at: line)
      }
    }
    var result = DatasetDescription(names: names)
    if let (value, line) = values["path"] {
      guard case .text(let text) = value else {
        throw error(.unsupportedValue(key: "path"), at: line)
      }
      result.path = text
    }
    for part in ["train", "val", "test"] {
      guard let (value, line) = values[part] else { continue }
      switch value {
      case .text(let text): result.folders[part] = text.isEmpty ? [] : [text]
      case .list(let list): result.folders[part] = list
      case .map: throw error(.unsupportedValue(key: part), at: line)
      }
    }
    return result
  }
}

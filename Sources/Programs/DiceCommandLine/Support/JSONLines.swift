/// The lines of a file that has a JSON object on each.
package enum JSONLines {
  /// A line that holds something.
  package struct Line {
    /// Its number in the file, from 1.
    package var number: Int
    /// What it holds.
    package var bytes: [UInt8]
  }

  /// The lines of a file but for those of space.
  ///
  /// A line may break a rule and the others be fine; but a file in which no line begins as an object does, or
  /// that is no text, is of another kind.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - things: what a line holds, in the plural.
  ///   - path: the file, for messages.
  ///   - advice: a sentence for a file of another kind; nil for none.
  /// - Throws: `ToolError.failure` for a file of another kind.
  package static func lines(
    of bytes: [UInt8], things: String, path: String, advice: (FileKind) -> String?
  ) throws(ToolError) -> [Line] {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let isText = bytes.prefix(1024).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    var lines: [Line] = []
    var hasObject = false
    for (index, part) in parts.enumerated() {
      guard let first = part.first(where: { $0 > 0x20 }) else { continue }
      hasObject = hasObject || first == UInt8(ascii: "{")
      lines.append(Line(number: index + 1, bytes: Array(part)))
    }
    let kind = FileKind(beginning: bytes)
    guard kind == nil, isText, hasObject || lines.isEmpty else {
      let hint = kind.flatMap(advice)
      throw .failure(
        subject: InputFiles.name(path),
        sentence: "This is no file of \(things), which are JSON objects, one a line."
          + (hint.map { " \($0)" } ?? ""))
    }
    return lines
  }
}

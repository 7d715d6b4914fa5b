internal import DiceCommandLine
internal import DiceFiles

/// Text that arrives piece by piece, line by line.
final class LineInput {
  /// The longest line, in bytes; what is longer is cut.
  static let byteLimit = 1000

  private let read: () throws(FileError) -> [UInt8]?
  private var rest: ArraySlice<UInt8> = []
  private var hasEnded = false

  /// Lines of what a function reads: the next bytes, nil at the end.
  init(_ read: @escaping () throws(FileError) -> [UInt8]?) { self.read = read }

  /// The next line without its end, and without spaces around it; nil at the end.
  ///
  /// - Throws: `ToolError.file`.
  func next() throws(ToolError) -> String? {
    var line: [UInt8] = []
    var isBegun = false
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line += rest[..<end].prefix(Self.byteLimit - line.count)
        rest = rest[(end + 1)...]
        return Self.text(line)
      }
      isBegun = isBegun || !rest.isEmpty
      line += rest.prefix(Self.byteLimit - line.count)
      rest = []
      if hasEnded { return isBegun ? Self.text(line) : nil }
      do throws(FileError) {
        if let bytes = try read() { rest = bytes[...] } else { hasEnded = true }
      } catch { throw .file(error) }
    }
  }

  private static func text(_ line: [UInt8]) -> String {
    let spaces: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
    let begin = line.firstIndex { !spaces.contains($0) } ?? line.endIndex
    let end = line.lastIndex { !spaces.contains($0) } ?? begin - 1
    return begin > end ? "" : String(decoding: line[begin...end], as: UTF8.self)
  }
}

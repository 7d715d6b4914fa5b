internal import DiceCodecs

/// What the tool writes near the beginning of its files, so that it knows them again.
package enum Signature {
  private static let text = "Made by \(Tool.name)"
  /// Without spaces, which end a comment of YUV4MPEG2.
  private static let comment = "Made-by-\(Tool.name)"
  /// The key of JSON files, which stands first, and its value.
  package static let key = "madeBy"

  private static let spellings = [
    text, comment, "Made by `\(Tool.name)", "\"\(key)\": \"\(Tool.name)",
    "\"\(key)\":\"\(Tool.name)",
  ].map { [UInt8]($0.utf8) }

  /// Whether the first bytes of a file hold the signature.
  package static func isIn(_ beginning: [UInt8]) -> Bool {
    spellings.contains { contains(beginning, $0) }
  }

  /// A PNG, JPEG, YUV4MPEG2, SVG or HTML file with the signature; other bytes as they are.
  package static func added(to file: [UInt8]) -> [UInt8] {
    var file = file
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47]), file.count > 33 {
      // Behind the header, which is always as long.
      file.insert(contentsOf: pngChunk, at: 33)
    } else if file.starts(with: [0xFF, 0xD8]) {
      let comment = [UInt8](text.utf8)
      file.insert(
        contentsOf: [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment,
        at: endOfApplicationSegments(file))
    } else if file.starts(with: "YUV4MPEG2 ".utf8), let end = file.firstIndex(of: 0x0A) {
      file.insert(contentsOf: " X\(comment)".utf8, at: end)
    } else if file.first == UInt8(ascii: "<"), let end = file.firstIndex(of: 0x0A) {
      file.insert(contentsOf: "<!-- \(text) -->\n".utf8, at: end + 1)
    }
    return file
  }

  /// A text chunk.
  private static var pngChunk: [UInt8] {
    let content = [UInt8]("tEXtComment\0\(text)".utf8)
    return bigEndian(UInt32(content.count - 4)) + content
      + bigEndian(CRC32.checksum(content))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Where a JPEG file goes on behind what readers want to find first.
  private static func endOfApplicationSegments(_ file: [UInt8]) -> Int {
    var place = 2
    while place + 4 <= file.count, file[place] == 0xFF, (0xE0...0xEF).contains(file[place + 1]) {
      let next = place + 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
      if next > file.count { break }
      place = next
    }
    return place
  }

  private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
  }
}

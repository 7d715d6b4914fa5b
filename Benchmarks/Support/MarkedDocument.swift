internal import DiceFiles

/// A document with blocks that measurements fill.
package enum MarkedDocument {
  /// Puts a text, as it is set, into the block between `<!-- NAME -->` and `<!-- end of NAME -->`.
  ///
  /// - Throws: `WrongResult` where there is no such block, and `FileError`.
  package static func insert(_ text: String, into path: String, at name: String) throws {
    let bytes = try FileSystem.readFile(at: path, byteLimit: 1 << 24)
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard let begin = lines.firstIndex(of: "<!-- \(name) -->"),
      let end = lines.firstIndex(of: "<!-- end of \(name) -->"), begin < end
    else { throw WrongResult("\(path) has no block \(name) for the tables") }
    let block = ["", "```", Substring(text), "```", ""]
    let document = (lines[...begin] + block + lines[end...]).joined(separator: "\n")
    try FileSystem.writeFile([UInt8](document.utf8), to: path)
  }
}

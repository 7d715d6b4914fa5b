internal import DiceFiles

/// Where a page goes: a file, or `index.html` in a folder that is made.
package enum PageFile {
  /// The file that a path stands for.
  package static func path(_ destination: String) -> String {
    isFile(destination) ? destination : Paths.joined(destination, "index.html")
  }

  /// Whether a path is that of a page itself.
  package static func isFile(_ destination: String) -> Bool {
    Paths.hasExtension("html", path: destination) || Paths.hasExtension("htm", path: destination)
  }

  /// Makes the folder for a page that is to lie in one, before the work.
  ///
  /// - Throws: `ToolError.file`.
  package static func prepare(_ destination: String) throws(ToolError) {
    if !isFile(destination) { try OutputFile.createFolder(destination) }
    try OutputFile.check(path(destination))
  }

  /// Writes a page beside the one that is there, and then in its place.
  package static func write(_ bytes: [UInt8], to destination: String) throws(ToolError) {
    try OutputFile.write(Signature.added(to: bytes), to: path(destination))
  }
}

internal import DiceFiles

/// Checks on files that are written after long work.
enum OutputFile {
  /// Checks what can be checked beforehand: that the folder is there and the path no folder.
  ///
  /// - Throws: `ToolError.file`.
  static func check(_ path: String) throws(ToolError) {
    let folder = Paths.parent(of: path)
    if !FileSystem.exists(at: folder) { throw .file(.notFound(path: folder)) }
    if !FileSystem.isFolder(at: folder) { throw .file(.isNotFolder(path: folder)) }
    if FileSystem.isFolder(at: path) { throw .file(.isFolder(path: path)) }
  }
}

internal import DiceFiles
internal import DiceWeights

/// Files that are written after long work.
package enum OutputFile {
  /// Checks what can be checked beforehand: that the folder is there and the path no folder.
  ///
  /// - Throws: `ToolError.file`.
  package static func check(_ path: String) throws(ToolError) {
    let folder = Paths.parent(of: path)
    if !FileSystem.exists(at: folder) { throw .file(.notFound(path: folder)) }
    if !FileSystem.isFolder(at: folder) { throw .file(.isNotFolder(path: folder)) }
    if FileSystem.isFolder(at: path) { throw .file(.isFolder(path: path)) }
  }

  /// Writes a file, as `FileSystem.writeFile` does.
  ///
  /// - Throws: `ToolError.file`.
  package static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
    do throws(FileError) { try FileSystem.writeFile(bytes, to: path) } catch { throw .file(error) }
  }

  /// Makes a folder, as `FileSystem.createFolder` does.
  ///
  /// - Throws: `ToolError.file`.
  package static func createFolder(_ path: String) throws(ToolError) {
    do throws(FileError) { try FileSystem.createFolder(at: path) } catch { throw .file(error) }
  }
}

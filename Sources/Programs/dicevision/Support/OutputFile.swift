internal import DiceFiles
internal import DiceWeights

/// Files that are written after long work.
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

  /// Writes a file, as `FileSystem.writeFile` does.
  ///
  /// - Throws: `ToolError.file`.
  static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
    do throws(FileError) { try FileSystem.writeFile(bytes, to: path) } catch { throw .file(error) }
  }

  /// Makes a folder, as `FileSystem.createFolder` does.
  ///
  /// - Throws: `ToolError.file`.
  static func createFolder(_ path: String) throws(ToolError) {
    do throws(FileError) { try FileSystem.createFolder(at: path) } catch { throw .file(error) }
  }

  /// Tells what was made of a weight file: as JSON where the arguments ask for it, else as a note.
  ///
  /// - Parameters:
  ///   - byteCount: the size of what was written.
  ///   - detail: what the note says besides the network's name.
  static func tell(
    _ path: String, byteCount: Int, of file: WeightFile, saying detail: String,
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) {
    guard try ResultArguments.isJSON(arguments) else {
      environment.note(
        "wrote \(quoted(path)) with \(printable(file.description.name)), \(detail)")
      return
    }
    let result: JSONValue = [
      "output": .string(path), "byteCount": JSONValue(byteCount),
      "network": .string(file.description.name),
      "checksum": .string(NumberText.hexadecimal(file.checksum)),
    ]
    try environment.print(
      String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
  }
}

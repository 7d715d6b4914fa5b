internal import DiceFiles
internal import DiceSystem

/// A folder for files that nobody keeps: it goes when it is no longer used.
package final class ScratchFolder {
  /// Where it is.
  package let path: String

  /// Makes a folder among the temporary ones.
  ///
  /// - Throws: `ToolError.failure` if there is no place for it.
  package init() throws(ToolError) {
    let parent =
      unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      ?? "/tmp"
    var template = (Paths.joined(parent, "\(Tool.name)-XXXXXX") + "\0").utf8.map {
      CChar(bitPattern: $0)
    }
    let path = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe mkdtemp(buffer.baseAddress!).map { unsafe String(cString: $0) }
    }
    guard let path else {
      throw .failure(subject: parent, sentence: "No temporary folder can be made there.")
    }
    self.path = path
  }

  deinit { Self.remove(path) }

  private static func remove(_ folder: String) {
    for file in (try? FileSystem.files(in: folder)) ?? [] { try? FileSystem.removeFile(at: file) }
    for inner in (try? FileSystem.folders(in: folder)) ?? [] { remove(inner) }
    _ = unsafe rmdir(folder)
  }
}

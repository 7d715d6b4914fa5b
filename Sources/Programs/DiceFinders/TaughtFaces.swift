package import DiceCommandLine
internal import DiceFiles
package import DiceVisionKit

/// Files of taught faces.
package enum TaughtFaces {
  /// The faces in a file.
  ///
  /// - Throws: `ToolError.file`, or `.failure` with the broken rule.
  package static func read(_ path: String) throws(ToolError) -> FaceSet {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: FaceSet.byteCountLimit)
    } catch { throw .file(error) }
    do throws(FaceSetError) { return try FaceSet(decoding: bytes) } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }
}

internal import DiceFiles
internal import DiceVisionKit

/// Weight files by their path.
enum WeightSource {
  /// The weight file at a path, or the bundled one.
  ///
  /// - Throws: `ToolError.file`, or `.failure` with the broken rule of the format.
  static func load(_ path: String?) throws(ToolError) -> WeightFile {
    guard let path else { return try file(DiceDetector.bundledWeights, "bundled weights") }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: path, byteLimit: WeightFormat.maximumFileByteCount)
    } catch {
      throw .file(error)
    }
    return try file(bytes, path)
  }

  private static func file(_ bytes: [UInt8], _ subject: String) throws(ToolError) -> WeightFile {
    do throws(WeightFileError) {
      return try WeightFile(bytes: bytes)
    } catch {
      throw .failure(subject: subject, sentence: "\(error)")
    }
  }
}

internal import DiceFiles
internal import DiceWeights

/// What the commands about poses share.
enum PoseArguments {
  /// The bytes of a weight file.
  static func bytes(_ path: String) throws(ToolError) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.readFile(at: path, byteLimit: WeightFormat.maximumFileByteCount)
    } catch { throw .file(error) }
  }

  /// A weight file.
  static func weightFile(_ path: String) throws(ToolError) -> WeightFile {
    let bytes = try bytes(path)
    do throws(WeightFileError) { return try WeightFile(bytes: bytes) } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }
}

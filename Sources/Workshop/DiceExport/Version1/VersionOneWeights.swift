public import DiceWeights

/// Weight files of format version 1, which had one picture as the input and detection heads among
/// the layers.
///
/// A converted file computes the same: its tensors have the same bytes. Its input is named "image";
/// each detection head becomes an output "boxes-STRIDE" with a head of the kind "grid boxes", the
/// file's labels, and the numbers "base size", "overlap threshold" and "confidence threshold".
public enum VersionOneWeights {
  /// The task of detectors, unless told otherwise.
  public static let detectionTask = "dice detection"

  /// Reads a file of version 1 and gives the same network as a file of version 2.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, from a source that need not be trusted.
  ///   - task: What the network is for.
  ///   - byteCountLimit: The most bytes that are accepted, where less than the format's 256 MiB.
  /// - Throws: The broken rule that is met first.
  /// - Complexity: O(`bytes.count`)
  public static func converted(
    _ bytes: [UInt8], task: String = detectionTask,
    byteCountLimit: Int = WeightFormat.maximumFileByteCount
  ) throws(VersionOneError) -> WeightFile {
    var decoder = try VersionOneDecoder(
      bytes, byteCountLimit: min(byteCountLimit, WeightFormat.maximumFileByteCount))
    try decoder.decode(task: task)
    do throws(WeightFileError) {
      return try WeightFile(
        bytes: WeightFile.encode(
          description: decoder.network, tensors: decoder.tensors, of: bytes))
    } catch {
      throw .brokenResult(error)
    }
  }
}

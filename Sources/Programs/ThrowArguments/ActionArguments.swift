internal import DiceCodecs
package import DiceCommandLine
internal import DiceFiles
package import DicePoses
package import ThrowVisionKit

/// What the commands about actions share.
package enum ActionArguments {
  package static let weights = ValueOption.text(
    "weights", "FILE", "The weight file.", default: "the library's")
  package static let labels = ValueOption<[String]>(
    "labels", "NAMES",
    "The labels, with commas between them: sequences with others are left out.",
    default: "all that occur", requirement: "two different names at least, with commas between"
  ) { (text) in
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    let isFine =
      names.count >= 2 && names.count <= 1000 && Set(names).count == names.count
      && names.allSatisfy { !$0.isEmpty }
    return isFine ? names : nil
  }

  /// What sequences of joints look like, for the help.
  package static let format = HelpSection(
    title: "Sequences",
    blocks: [
      .paragraph(
        "One JSON object a line, plain or with gzip: {\"id\", \"fps\", \"width\", \"height\", "
          + "\"label\", \"joints\": [NAMES], \"frames\": [[[X, Y, CONFIDENCE], ...], ...]}. Only id and "
          + "frames must be there; without joints they are the 13 of the Penn Action data set.")
    ])

  /// The bytes of a file, decompressed; `-` is standard input.
  package static func bytes(_ path: String, _ environment: Environment) throws(ToolError) -> [UInt8]
  {
    let bytes = try InputFiles.bytes(path, byteLimit: PoseSequence.fileByteLimit, environment)
    guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
    do throws(GzipError) {
      return try Gzip.decompress(bytes, outputLimit: PoseSequence.fileByteLimit)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
  }

  /// All sequences of some files.
  package static func sequences(
    _ paths: [String], _ environment: Environment
  ) throws(ToolError) -> [PoseSequence] {
    var result: [PoseSequence] = []
    for path in paths {
      let bytes = try bytes(path, environment)
      do throws(PoseSequenceError) { result += try PoseSequence.read(jsonLines: bytes) } catch {
        throw .failure(subject: path, sentence: "\(error)")
      }
    }
    return result
  }

  /// The classifier of a weight file; without a path the library's.
  package static func classifier(_ path: String?) throws(ToolError) -> ActionClassifier {
    let bytes = try path.map { (path) throws(ToolError) in try WeightSource.bytes(at: path) }
    do throws(ActionClassifierError) {
      guard let bytes else { return try ActionClassifier() }
      return try ActionClassifier(weights: bytes)
    } catch { throw .failure(subject: path ?? "weights", sentence: "\(error)") }
  }
}

internal import DiceCodecs
internal import DiceFiles
internal import DicePoses
internal import DiceThrowTraining
internal import ThrowVisionKit

/// What the commands about actions share.
enum ActionArguments {
  static let weights = ValueOption.text(
    "weights", "FILE", "The weight file.", default: "the library's")
  static let labels = ValueOption<[String]>(
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
  static let format = HelpSection(
    title: "Sequences",
    blocks: [
      .paragraph(
        "One JSON object a line, plain or with gzip: {\"id\", \"fps\", \"width\", \"height\", "
          + "\"label\", \"joints\": [NAMES], \"frames\": [[[X, Y, CONFIDENCE], ...], ...]}. Only id and "
          + "frames must be there; without joints they are the 13 of the Penn Action data set.")
    ])

  /// The bytes of a file, decompressed; `-` is standard input.
  static func bytes(_ path: String, _ environment: Environment) throws(ToolError) -> [UInt8] {
    let bytes = try InputFiles.bytes(path, byteLimit: PoseSequence.fileByteLimit, environment)
    guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
    do throws(GzipError) {
      return try Gzip.decompress(bytes, outputLimit: PoseSequence.fileByteLimit)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
  }

  /// All sequences of some files.
  static func sequences(
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
  static func classifier(_ path: String?) throws(ToolError) -> ActionClassifier {
    let bytes = try path.map { (path) throws(ToolError) in try WeightSource.bytes(at: path) }
    do throws(ActionClassifierError) {
      guard let bytes else { return try ActionClassifier() }
      return try ActionClassifier(weights: bytes)
    } catch { throw .failure(subject: path ?? "weights", sentence: "\(error)") }
  }

  /// What was measured, for people: the share, its interval, and what was told of each label.
  static func text(_ title: String, _ accuracy: ActionAccuracy) -> String {
    let interval = accuracy.interval
    var text =
      "\(title): \(NumberText.count(accuracy.readings.count, "sequence", "sequences")), balanced accuracy "
      + "\(NumberText.fixed(accuracy.balancedAccuracy, decimals: 4)) "
      + "(\(NumberText.fixed(interval.lowerBound, decimals: 3)) to "
      + "\(NumberText.fixed(interval.upperBound, decimals: 3)))\n"
    for (truth, row) in accuracy.confusions.enumerated() {
      let answers = zip(accuracy.labels, row).filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
      let hidden = accuracy.readings.count { $0.truth == truth && $0.answer == nil }
      let parts = answers + (hidden > 0 ? ["no trunk seen \(hidden)"] : [])
      let told = printable(parts.joined(separator: ", "))
      if !parts.isEmpty { text += "  \(printable(accuracy.labels[truth])): \(told)\n" }
    }
    return text
  }

  /// What was measured, for programs.
  static func json(_ accuracy: ActionAccuracy) -> JSONValue {
    let interval = accuracy.interval
    func number(_ value: Double) -> JSONValue { .number(NumberText.rounded(value, decimals: 5)) }
    return [
      "count": JSONValue(accuracy.readings.count), "share": number(accuracy.share),
      "balancedAccuracy": number(accuracy.balancedAccuracy),
      "interval": .array([number(interval.lowerBound), number(interval.upperBound)]),
      "labels": .array(accuracy.labels.map { .string($0) }),
      "confusions": .array(
        accuracy.confusions.map { row in .array(row.map { JSONValue($0) }) }),
      "mistakes": .array(
        accuracy.readings.filter { $0.answer != $0.truth }.map { .string($0.id) }),
    ]
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceVisionTraining

/// What a detector is trained to find.
enum TrainingLabels: Hashable, Sendable {
  /// The labels of the classes, in their order.
  case listed([String])
  /// All labels that the annotations have.
  case all

  /// The values of dice.
  static let dice = TrainingLabels.listed(StandardNetwork.labels)

  /// The word for all labels of the annotations.
  private static let word = "all"
  /// The most bytes of a file with labels.
  private static let byteLimit = 1 << 20

  /// The labels; none where those of the annotations are not known yet.
  var list: [String] {
    if case .listed(let labels) = self { return labels }
    return []
  }

  /// The labels that an argument names: with commas between them, in a file, or all.
  ///
  /// - Parameter text: the argument; nil for dice.
  /// - Throws: `ToolError.file`, or `.usage` for labels that are missing, repeated or the sign of what
  ///   nobody can tell.
  static func read(_ text: String?) throws(ToolError) -> TrainingLabels {
    guard let text else { return .dice }
    if text == word { return .all }
    var labels: [String]
    if FileSystem.kind(of: text) == .file {
      do throws(FileError) {
        let bytes = try FileSystem.readFile(at: text, byteLimit: byteLimit)
        labels = String(decoding: bytes, as: UTF8.self).split { $0.isNewline }.map(String.init)
      } catch { throw .file(error) }
    } else {
      labels = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    labels = labels.map { trimmed($0) }
    guard !labels.isEmpty, labels.allSatisfy({ !$0.isEmpty }),
      Set(labels).count == labels.count, !labels.contains(LabelledSet.unreadableLabel)
    else {
      throw .usage(
        .invalidValue(
          option: TrainCommand.labels.description.spelling, found: text,
          required: "different labels with commas between them, a file with one on each line, or "
            + word,
          suggestion: nil))
    }
    return .listed(labels)
  }

  /// The text without blanks at its ends.
  private static func trimmed(_ text: String) -> String {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

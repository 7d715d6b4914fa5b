internal import DiceCommandLine
internal import DiceFiles
internal import DicePoses
internal import ThrowArguments
internal import ThrowVisionKit

/// `dicevision throws`: tells from sequences of joints how something is thrown.
enum ThrowsCommand {
  static let name = "throws"

  static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json), ("csv", .csv)],
    "How results are printed: for people, a JSON object a line, or a table.", default: "text")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Tells overhand, underhand and underleg throws apart from sequences of joints.",
      discussion: [
        .paragraph(
          "Prints for each sequence the most likely label (overhand, underhand, underleg or none, with the "
            + "library's weights) and how likely it is. Where shoulders or hips are nowhere to be seen, "
            + "there is no label.")
      ],
      argument: CommandDescription.Argument(
        name: "FILE",
        summary: "Sequences of joints as JSON lines, plain or with gzip; - reads standard input.",
        counts: 1...Int.max, completion: .files(words: ["-"])),
      groups: [
        CommandDescription.OptionGroup(
          title: "Network", options: [ActionArguments.weights.description]),
        CommandDescription.OptionGroup(
          title: "Output",
          options: [format.description, ResultArguments.json.description]),
      ],
      sections: [ActionArguments.format],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) --format json throws.jsonl",
          meaning: "Prints {\"id\", \"label\", \"confidence\"} for each sequence.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let format = try ResultArguments.format(arguments, arguments[format])
    let classifier = try ActionArguments.classifier(arguments[ActionArguments.weights])
    let interruption = environment.watchInterruptions()
    try environment.print(format.beginning(columns: ["id", "label", "confidence"]))
    var attempts = Attempts(environment)
    for path in arguments.positionals {
      let lines = attempts.result { () throws(ToolError) in
        try JSONLines.lines(
          of: ActionArguments.bytes(path, environment), things: "sequences of joints", path: path,
          advice: advice)
      }
      guard let lines else { continue }
      if lines.isEmpty { environment.note("\(printable(InputFiles.name(path))): no sequences.") }
      // A line that breaks a rule does not keep the others from being answered.
      for line in lines {
        if let signal = interruption() { throw .interrupted(signal: signal) }
        try attempts.print { () throws(ToolError) in
          let sequence: PoseSequence
          do throws(PoseSequenceError) {
            sequence = try PoseSequence(json: line.bytes, line: line.number)
          } catch { throw .failure(subject: InputFiles.name(path), sentence: "\(error)") }
          return try answer(for: sequence, classifier, format)
        }
      }
    }
    return attempts.status
  }

  /// Which command takes what is no file of sequences.
  private static func advice(_ kind: FileKind) -> String? {
    switch kind {
    case .film: "`\(Tool.name) \(SessionCommand.name)` follows the throws of a film."
    case .picture: "`\(Tool.name) \(PoseCommand.name)` finds people and their joints in pictures."
    case .sound: nil
    }
  }

  private static func answer(
    for sequence: PoseSequence, _ classifier: ActionClassifier, _ format: ResultFormat
  ) throws(ToolError) -> String {
    let prediction: ActionPrediction?
    do throws(ActionClassifierError) { prediction = try classifier.classify(sequence) } catch {
      throw .failure(subject: name, sentence: "\(error)")
    }
    let confidence = NumberText.rounded(Double(prediction?.confidence ?? 0), decimals: 4)
    switch format {
    case .json:
      let result: JSONValue = [
        "id": .string(sequence.id), "label": prediction.map { .string($0.label) } ?? .null,
        "confidence": .number(confidence),
      ]
      return String(decoding: JSONWriter.write(result, layout: .compact), as: UTF8.self) + "\n"
    case .csv:
      return CSVTable.row(
        [sequence.id, prediction?.label ?? "", NumberText.short(confidence)])
    default:
      return "\(printable(sequence.id)): "
        + (prediction.map { printable("\($0)") } ?? "no trunk seen") + "\n"
    }
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameTraining
internal import DiceTraining

/// `dicevision train pen-ways`: teaches a network to read digits from the way of a pen.
enum TrainPenWaysCommand {
  static let name = "train pen-ways"

  static let epochs = TrainingArguments.epochs(
    "How often each digit is drawn, on the average.", default: "50")
  static let leaveOut = ValueOption.text(
    "leave-out", "WRITERS", "Writers, with commas between them, whose digits are not learnt from.",
    default: "none")
  static let letters = ValueOption.text(
    "letters", "FILE",
    "Letters of typefaces, which are no digits: a line of JSON for each, {\"label\": \"A\", "
      + "\"strokes\": [[[x, y], ...], ...]}, plain or with gzip (.gz).",
    default: "those of this package's typeface")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a network that reads digits, and knows what is none, from pen strokes.",
      argument: CommandDescription.Argument(
        name: "FILE",
        summary: "A file with a line of JSON for each digit, {\"writer\": ..., \"label\": \"4\", "
          + "\"strokes\": [[[x, y], ...], ...]}, plain or with gzip (.gz).", counts: 1...1),
      groups: [
        TrainingArguments.learning([
          epochs.description, letters.description, leaveOut.description,
          TrainDigitsCommand.steps.batch.description,
          TrainDigitsCommand.steps.learningRate.description,
        ]),
        TrainingArguments.results(), TrainingArguments.interruptions,
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) strokes.jsonl.gz --storage int8 --output ways.dvweights",
          meaning: "Trains on the digits of all writers.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let source = arguments.positionals[0]
    let files = try TrainingFiles(arguments, command: name, sources: [source])
    let strokes = try strokes(source, arguments)
    let options = TrainDigitsCommand.steps.options(
      arguments,
      sampleCount: TrainingArguments.sampleCount(
        epochs: arguments[epochs] ?? 50, of: strokes.count))
    return try files.train(
      .penWays, PenWayTask(strokes, letters: letters(arguments)), options, samples: "drawings",
      arguments, environment)
  }

  /// The letters that are given; nil where none are.
  static func letters(_ arguments: ParsedArguments) throws(ToolError) -> LetterDataset? {
    guard let path = arguments[letters] else { return nil }
    do throws(StrokeDatasetError) { return try LetterDataset(file: path) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .failure(subject: path, sentence: "\(error)")
    }
  }

  /// The strokes of a file without those of writers that are left out.
  static func strokes(
    _ source: String, _ arguments: ParsedArguments
  ) throws(ToolError) -> StrokeDataset {
    let all: StrokeDataset
    do throws(StrokeDatasetError) { all = try StrokeDataset(file: source) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .failure(subject: source, sentence: "\(error)")
    }
    let others = Set((arguments[leaveOut] ?? "").split(separator: ",").map { String($0) })
    let strokes = all.ofWriters { !others.contains($0) }
    guard strokes.count > 0 else {
      throw .failure(subject: source, sentence: "There is no digit to learn from.")
    }
    return strokes
  }
}

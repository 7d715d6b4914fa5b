internal import DiceFiles
internal import DiceGameTraining
internal import DiceTraining

/// `dicevision train-digit-or-none`: teaches a network to read digits in pictures, and to know what
/// is none.
enum TrainDigitOrNoneCommand {
  static let name = "train-digit-or-none"

  static let epochs = TrainingArguments.epochs(
    "How many samples are drawn, as a multiple of the pictures.", default: "10")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a network that reads digits in pictures, and knows what is none.",
      argument: CommandDescription.Argument(
        name: "PATH",
        summary: "A folder with train-images-idx3-ubyte and train-labels-idx1-ubyte, then a file "
          + "of pen strokes as train-pen-ways takes it; plain or with gzip (.gz).", counts: 2...2),
      groups: [
        TrainingArguments.learning([
          epochs.description, TrainPenWaysCommand.leaveOut.description,
          TrainDigitsCommand.steps.batch.description,
          TrainDigitsCommand.steps.learningRate.description,
        ]),
        TrainingArguments.results(), TrainingArguments.interruptions,
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) mnist strokes.jsonl.gz --storage int8 --output "
            + "digit-or-none.dvweights",
          meaning: "Trains on pictures and on the strokes of all writers.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let (folder, file) = (arguments.positionals[0], arguments.positionals[1])
    let files = try TrainingFiles(
      arguments, command: name, sources: ((try? FileSystem.files(in: folder)) ?? []) + [file])
    let pictures = try DigitArguments.dataset(folder, .training)
    let strokes = try TrainPenWaysCommand.strokes(file, arguments)
    let options = TrainDigitsCommand.steps.options(
      arguments,
      sampleCount: TrainingArguments.sampleCount(
        epochs: arguments[epochs] ?? 10, of: pictures.count))
    return try files.train(
      .digitOrNone, DigitOrNoneTask(pictures, strokes), options, samples: "pictures", arguments,
      environment)
  }
}

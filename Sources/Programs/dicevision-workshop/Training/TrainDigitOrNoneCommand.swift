internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameKit
internal import DiceGameTraining
internal import DiceTraining

/// `dicevision train digit-or-none`: teaches a network to read digits in pictures, and to know what
/// is none.
enum TrainDigitOrNoneCommand {
  static let name = "train digit-or-none"

  static let epochs = TrainingArguments.epochs(
    "How many samples are drawn, as a multiple of the pictures.", default: "10")

  static let initial = ValueOption.text(
    "initial-weights", "FILE",
    "Trains an earlier network further, in place of random weights: also with what a search for "
      + "numbers cuts letters and digits that touch into, mostly where that network is wrong.",
    default: "none")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a network that reads digits in pictures, and knows what is none.",
      argument: CommandDescription.Argument(
        name: "PATH",
        summary: "A folder with train-images-idx3-ubyte and train-labels-idx1-ubyte, then a file "
          + "of pen strokes as `train pen-ways` takes it; plain or with gzip (.gz).", counts: 2...2),
      groups: [
        TrainingArguments.learning([
          epochs.description, initial.description, TrainPenWaysCommand.letters.description,
          TrainPenWaysCommand.leaveOut.description,
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
    let letters = try TrainPenWaysCommand.letters(arguments)
    guard let path = arguments[initial] else {
      return try files.train(
        .digitOrNone, DigitOrNoneTask(pictures, strokes, letters: letters), options,
        samples: "pictures", arguments, environment)
    }
    let bundled = try WeightSource.bundled(path, environment)
    let earlier = if let bundled { bundled } else { try WeightSource.bytes(at: path) }
    let weights = try WeightSource.file(earlier, path)
    let task: DigitOrNoneTask
    do throws(DigitClassifierError) {
      task = try DigitOrNoneTask(pictures, strokes, letters: letters, earlier: earlier)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
    return try files.train(
      .digitOrNone, task, options, initialWeights: weights, samples: "pictures", arguments,
      environment)
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameTraining
internal import DiceTraining

/// `dicevision train digits`: teaches a network to read handwritten digits.
enum TrainDigitsCommand {
  static let name = "train digits"

  static let epochs = TrainingArguments.epochs(
    "How often each picture is drawn, on the average.", default: "30")
  /// How the networks of digits learn.
  static let steps = StepArguments(batchSize: 64, learningRate: 0.003)

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a classifier of handwritten digits on pictures in MNIST's format.",
      argument: CommandDescription.Argument(
        name: "FOLDER",
        summary: "A folder with train-images-idx3-ubyte and train-labels-idx1-ubyte, plain or with "
          + "gzip (.gz).", counts: 1...1),
      groups: [
        TrainingArguments.learning([
          epochs.description, steps.batch.description, steps.learningRate.description,
        ]),
        TrainingArguments.results(), TrainingArguments.interruptions,
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) mnist --epochs 25 --storage int8 --output digits.dvweights",
          meaning: "Trains as the library's own weights were trained.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let run = try TrainingFiles(
      arguments, command: name,
      sources: (try? FileSystem.files(in: arguments.positionals[0])) ?? [])
    let dataset = try DigitArguments.dataset(arguments.positionals[0], .training)
    let options = steps.options(
      arguments,
      sampleCount: TrainingArguments.sampleCount(
        epochs: arguments[epochs] ?? 30, of: dataset.count))
    return try run.train(
      .digits, DigitTask(dataset), options, samples: "images", arguments, environment)
  }
}

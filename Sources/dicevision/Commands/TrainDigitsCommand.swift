internal import DiceFiles
internal import DiceGameTraining
internal import DiceTraining
internal import DiceWeights

/// `dicevision train-digits`: teaches a network to read handwritten digits.
enum TrainDigitsCommand {
  static let name = "train-digits"

  static let epochs = ValueOption.number(
    "epochs", "N", in: 0...10_000, excludesLowerBound: true,
    "How often each picture is drawn, on the average.", default: "30")
  static let batch = ValueOption.integer(
    "batch", "N", in: 1...256, "Samples for each step.", default: "64")
  static let learningRate = ValueOption.number(
    "learning-rate", "RATE", in: 0...1, excludesLowerBound: true,
    "The greatest learning rate; it rises to it at first and falls in the end.",
    default: "0.003")
  static let storage = ValueOption<WeightStorage>.choice(
    "storage", [("int8", .int8), ("float16", .float16), ("float32", .float32)],
    "How the weights are stored.", default: "float16")

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
        CommandDescription.OptionGroup(
          title: "Learning",
          options: [
            epochs.description, batch.description, learningRate.description,
            TrainCommand.seed.description, TrainCommand.threads.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            TrainCommand.output.description, storage.description,
            TrainCommand.provenance.description, OutputPlan.force.description,
            ResultArguments.json.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Interruptions",
          options: [
            TrainCommand.checkpoint.description, TrainCommand.checkpointEvery.description,
            TrainCommand.restart.description,
          ]),
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
    let options = options(arguments, epochs: arguments[epochs] ?? 30, pictureCount: dataset.count)
    let trainer: Trainer<DigitTask>
    do throws(TrainingError) {
      trainer = try Trainer(
        .digits, task: DigitTask(dataset), options: options,
        threadCount: arguments[TrainCommand.threads])
    } catch { throw .failure(subject: name, sentence: "\(error)") }
    return try run.train(trainer, samples: "images", arguments, environment)
  }

  /// What the arguments say of learning.
  static func options(
    _ arguments: ParsedArguments, epochs: Double, pictureCount: Int
  ) -> TrainingOptions {
    var options = TrainingOptions()
    options.batchSize = arguments[batch] ?? 64
    options.sampleCount = max(1, min(1_000_000_000, Int(epochs * Double(pictureCount))))
    options.learningRate = Float(arguments[learningRate] ?? 0.003)
    options.seed = arguments[TrainCommand.seed] ?? options.seed
    return options
  }
}

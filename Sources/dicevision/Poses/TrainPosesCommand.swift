internal import DiceFiles
internal import DiceParallel
internal import DiceThrowTraining
internal import DiceTraining
internal import DiceWeights

/// `dicevision train-poses`: teaches a network to find the joints of a person.
enum TrainPosesCommand {
  static let name = "train-poses"

  static let epochs = ValueOption.number(
    "epochs", "N", in: 0...10_000, excludesLowerBound: true,
    "How often each person is drawn, on the average.", default: "30")
  static let batch = ValueOption.integer(
    "batch", "N", in: 1...256, "Samples for each step.", default: "32")
  static let learningRate = ValueOption.number(
    "learning-rate", "RATE", in: 0...1, excludesLowerBound: true,
    "The greatest learning rate; it rises to it at first and falls in the end.",
    default: "0.002")
  static let size = ValueOption.integer(
    "size", "PIXELS", in: 64...512,
    "The width and height of the network's input, a multiple of 32.",
    default: "128")
  static let from = ValueOption.text(
    "from", "WEIGHTS", "A weight file of such a network to begin with.",
    default: "random weights")
  static let everyone = Switch(
    "everyone", "Learns from all pictures, also from the tenth that is left out to measure with.")

  static let calm = Switch(
    "calm", "Varies crops less: for the end of a training that begins with --from.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a network that finds a person's joints on labelled photos.",
      argument: CommandDescription.Argument(
        name: "FOLDER", summary: "A folder with annotations.json and the pictures in images.",
        counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Learning",
          options: [
            everyone.description, calm.description, size.description, epochs.description,
            batch.description,
            learningRate.description, from.description,
            TrainCommand.seed.description, TrainCommand.threads.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            TrainCommand.output.description, TrainDigitsCommand.storage.description,
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
          call: "\(Tool.name) \(name) people --epochs 40 --output poses.dvweights",
          meaning: "Trains on nine tenths of the pictures in people/images.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let folder = arguments.positionals[0]
    let run = try TrainingFiles(
      arguments, command: name, sources: (try? FileSystem.files(in: folder)) ?? [])
    let side = arguments[size] ?? 128
    guard side.isMultiple(of: 32) else {
      throw .usage(.conflict(sentence: "--size \(side) must be a multiple of 32."))
    }
    let pool = WorkerPool(
      threadCount: arguments[TrainCommand.threads] ?? environment.processorCount)
    let description = NetworkDescription.poses(inputSide: side)
    let task: PoseTask
    do throws(PoseDatasetError) {
      var dataset = try PoseDataset(folder: folder)
      if !arguments.contains(everyone) { dataset = dataset.part(isLeftOut: false) }
      task = try PoseTask(
        description, dataset,
        variation: arguments.contains(calm) ? .calm : PoseVariation(), pool: pool)
    } catch { throw .failure(subject: folder, sentence: "\(error)") }
    var options = TrainingOptions()
    options.batchSize = arguments[batch] ?? 32
    options.sampleCount = max(
      1, min(1_000_000_000, Int((arguments[epochs] ?? 30) * Double(task.personCount))))
    options.learningRate = Float(arguments[learningRate] ?? 0.002)
    options.seed = arguments[TrainCommand.seed] ?? options.seed
    let beginning = try arguments[from].map { (path) throws(ToolError) in
      try PoseArguments.weightFile(path)
    }
    let trainer: Trainer<PoseTask>
    do throws(TrainingError) {
      trainer = try Trainer(
        description, task: task, options: options, initialWeights: beginning,
        threadCount: arguments[TrainCommand.threads])
    } catch { throw .failure(subject: name, sentence: "\(error)") }
    return try run.train(trainer, samples: "crops", arguments, environment)
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceThrowTraining
internal import DiceTraining
internal import DiceWeights
internal import ThrowArguments

/// `dicevision train poses`: teaches a network to find the joints of a person.
enum TrainPosesCommand {
  static let name = "train poses"

  static let epochs = TrainingArguments.epochs(
    "How often each person is drawn, on the average.", default: "30")
  /// How the networks of people learn.
  static let steps = StepArguments(batchSize: 32, learningRate: 0.002)
  static let size = ValueOption.integer(
    "size", "PIXELS", in: 64...512,
    "The width and height of the network's input, a multiple of 32.",
    default: "128")
  static let from = ValueOption.text(
    "from", "WEIGHTS", "A weight file of such a network to begin with.",
    default: "random weights")
  static let everyone = Switch(
    "everyone", "Learns from all pictures, also from the tenth that is left out to measure with.")

  static let figures = ValueOption.text(
    "figures", "FOLDER",
    "Also draws people in front of the pictures of this folder: a seventh of the samples.")
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
        TrainingArguments.learning([
          everyone.description, figures.description, calm.description, size.description,
          epochs.description,
          steps.batch.description, steps.learningRate.description, from.description,
        ]),
        TrainingArguments.results(), TrainingArguments.interruptions,
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
    let pool = TrainingArguments.pool(arguments, environment)
    let description = NetworkDescription.poses(inputSide: side)
    let drawn = try arguments[figures].map { (path) throws(ToolError) in
      let pictures = try TrainPeopleCommand.pictures(in: path)
      do throws(PoseDatasetError) { return try FigurePeople(backgrounds: pictures) } catch {
        throw .failure(subject: path, sentence: "\(error)")
      }
    }
    let task: PoseTask
    do throws(PoseDatasetError) {
      var dataset = try PoseDataset(folder: folder)
      if !arguments.contains(everyone) { dataset = dataset.part(isLeftOut: false) }
      task = try PoseTask(
        description, dataset,
        variation: arguments.contains(calm) ? .calm : PoseVariation(), figures: drawn,
        pool: pool)
    } catch { throw .failure(subject: folder, sentence: "\(error)") }
    let options = steps.options(
      arguments,
      sampleCount: TrainingArguments.sampleCount(
        epochs: arguments[epochs] ?? 30, of: task.personCount))
    let beginning = try arguments[from].map { (path) throws(ToolError) in
      try PoseArguments.weightFile(path)
    }
    return try run.train(
      description, task, options, initialWeights: beginning, samples: "crops", arguments,
      environment)
  }
}

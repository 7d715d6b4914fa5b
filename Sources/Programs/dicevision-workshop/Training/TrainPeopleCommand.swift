internal import DiceCommandLine
internal import DiceFiles
internal import DiceImaging
internal import DiceThrowTraining
internal import DiceTraining
internal import DiceWeights
internal import ThrowArguments
internal import ThrowVisionKit

/// `dicevision train people`: teaches a network to find people.
enum TrainPeopleCommand {
  static let name = "train people"

  static let backgrounds = ValueOption.text(
    "backgrounds", "FOLDER", "Pictures without people, which people are pasted into. Required.")
  static let samples = TrainingArguments.samples(
    "Samples that the run makes.", default: "200,000")
  static let size = ValueOption.integer(
    "size", "PIXELS", in: 64...1024,
    "The width and height of the network's input, a multiple of 32.", default: "224")

  static let unlabelled = ValueOption.text(
    "unlabelled", "FILE",
    "A weight file for joints, which looks for people whom the labels do not name: who is found "
      + "is learnt from, too, and where somebody may be nothing is.",
    default: "people without labels count as nobody")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a network that finds people on labelled photos.",
      argument: CommandDescription.Argument(
        name: "FOLDER", summary: "A folder with annotations.json and the pictures in images.",
        counts: 1...1),
      groups: [
        TrainingArguments.learning([
          backgrounds.description, TrainPosesCommand.everyone.description,
          unlabelled.description, size.description,
          samples.description, TrainPosesCommand.steps.batch.description,
          TrainPosesCommand.steps.learningRate.description, TrainPosesCommand.from.description,
        ]),
        TrainingArguments.results(), TrainingArguments.interruptions,
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) people --backgrounds places --output people.dvweights",
          meaning: "Trains on nine tenths of the pictures in people/images.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let folder = arguments.positionals[0]
    let backgroundFolder = try arguments.required(backgrounds, of: name)
    let run = try TrainingFiles(
      arguments, command: name, sources: (try? FileSystem.files(in: folder)) ?? [])
    let side = arguments[size] ?? 224
    guard side.isMultiple(of: 32) else {
      throw .usage(.conflict(sentence: "--size \(side) must be a multiple of 32."))
    }
    let pictures = try pictures(in: backgroundFolder)
    let pool = TrainingArguments.pool(arguments, environment)
    let description = NetworkDescription.people(inputSide: side)
    let others = try arguments[unlabelled].map { (path) throws(ToolError) in
      let bytes = try WeightSource.bytes(at: path)
      do throws(PoseDetectorError) { return try UnlabelledPeople(jointWeights: bytes) } catch {
        throw .failure(subject: path, sentence: "\(error)")
      }
    }
    let task: PeopleTask
    do throws(PoseDatasetError) {
      var dataset = try PoseDataset(folder: folder)
      if !arguments.contains(TrainPosesCommand.everyone) {
        dataset = dataset.part(isLeftOut: false)
      }
      task = try PeopleTask(
        description, dataset, backgrounds: pictures, unlabelled: others, pool: pool)
    } catch { throw .failure(subject: folder, sentence: "\(error)") }
    let options = TrainPosesCommand.steps.options(
      arguments, sampleCount: arguments[samples] ?? 200_000)
    let beginning = try arguments[TrainPosesCommand.from].map { (path) throws(ToolError) in
      try PoseArguments.weightFile(path)
    }
    return try run.train(
      description, task, options, initialWeights: beginning, samples: "pictures", arguments,
      environment)
  }
  /// The pictures of a folder and of the folders in it, red, green and blue.
  static func pictures(in folder: String) throws(ToolError) -> [PixelImage] {
    let list = PictureList([folder], isRecursive: true)
    for error in list.errors { throw error }
    do throws(PoseDatasetError) {
      return try list.paths.map { (path) throws(PoseDatasetError) in
        try PoseDataset.picture(at: path)
      }
    } catch { throw .failure(subject: folder, sentence: "\(error)") }
  }
}

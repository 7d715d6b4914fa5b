internal import DiceCommandLine
internal import DiceFiles
internal import DiceParallel
internal import DiceTraining
internal import DiceWeights

/// What the trainings of the kits' networks share: options, the groups that they stand in, and what is made of
/// them.
enum TrainingArguments {
  static let storage = ValueOption<WeightStorage>.choice(
    "storage", [("int8", .int8), ("float16", .float16), ("float32", .float32)],
    "How the weights are stored.", default: "float16")

  /// How long is learnt, by how often what is learnt from is drawn.
  static func epochs(_ summary: String, default number: String) -> ValueOption<Double> {
    .number(
      "epochs", "N", in: 0...10_000, excludesLowerBound: true, summary, default: number)
  }

  /// How long is learnt, by the number of samples.
  static func samples(_ summary: String, default number: String) -> ValueOption<Int> {
    .integer("samples", "N", in: 1...1_000_000_000, summary, default: number)
  }

  /// The samples of so many epochs, one at least.
  static func sampleCount(epochs: Double, of count: Int) -> Int {
    max(1, min(1_000_000_000, Int(epochs * Double(count))))
  }

  /// The threads that work at once.
  static func pool(_ arguments: ParsedArguments, _ environment: Environment) -> WorkerPool {
    WorkerPool(threadCount: arguments[TrainCommand.threads] ?? environment.processorCount)
  }

  // MARK: - Groups

  /// How is learnt: a command's own options, and those that every training has.
  static func learning(_ own: [OptionDescription]) -> CommandDescription.OptionGroup {
    CommandDescription.OptionGroup(
      title: "Learning",
      options: own + [TrainCommand.seed.description, TrainCommand.threads.description])
  }

  /// What is written.
  static func results(
    storage: ValueOption<WeightStorage> = storage
  ) -> CommandDescription.OptionGroup {
    CommandDescription.OptionGroup(
      title: "Results",
      options: [
        TrainCommand.output.description, storage.description,
        TrainCommand.provenance.description, OutputPlan.force.description,
        ResultArguments.json.description,
      ])
  }

  /// How a training goes on after an interruption.
  static let interruptions = CommandDescription.OptionGroup(
    title: "Interruptions",
    options: [
      TrainCommand.checkpoint.description, TrainCommand.checkpointEvery.description,
      TrainCommand.restart.description,
    ])
}

/// The options for the steps of a training, with what is usual in it.
struct StepArguments: Sendable {
  /// How many samples a step has.
  let batch: ValueOption<Int>
  /// How fast is learnt.
  let learningRate: ValueOption<Double>
  private let usual: TrainingOptions

  /// The options of a training that usually learns so.
  init(_ usual: TrainingOptions) {
    self.usual = usual
    batch = .integer(
      "batch", "N", in: 1...256, "Samples for each step.", default: "\(usual.batchSize)")
    learningRate = .number(
      "learning-rate", "RATE", in: 0...1, excludesLowerBound: true,
      "The greatest learning rate; it rises to it at first and falls in the end.",
      default: "\(usual.learningRate)")
  }

  /// The options of a training with steps of so many samples and this learning rate.
  init(batchSize: Int, learningRate: Float) {
    var usual = TrainingOptions()
    usual.batchSize = batchSize
    usual.learningRate = learningRate
    self.init(usual)
  }

  /// What the arguments ask for.
  func options(_ arguments: ParsedArguments, sampleCount: Int?) -> TrainingOptions {
    var options = usual
    options.batchSize = arguments[batch] ?? usual.batchSize
    options.sampleCount = sampleCount ?? usual.sampleCount
    options.learningRate = arguments[learningRate].map { Float($0) } ?? usual.learningRate
    options.seed = arguments[TrainCommand.seed] ?? usual.seed
    return options
  }
}

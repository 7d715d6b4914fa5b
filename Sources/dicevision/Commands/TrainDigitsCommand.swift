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
    guard let output = arguments[TrainCommand.output] else {
      throw .usage(
        .missingOption(option: TrainCommand.output.description.spelling, command: name))
    }
    let isJSON = try ResultArguments.isJSON(arguments)
    let checkpoint = arguments[TrainCommand.checkpoint] ?? output + ".checkpoint"
    let restarts = arguments.contains(TrainCommand.restart)
    let isContinued = !restarts && FileSystem.exists(at: checkpoint)
    var plan = OutputPlan(arguments)
    plan.read((try? FileSystem.files(in: arguments.positionals[0])) ?? [])
    plan.write(
      output, for: TrainCommand.output.description.spelling,
      restarts || isContinued ? .beginning(WeightFormat.magic) : .unsigned)
    plan.write(
      checkpoint, for: TrainCommand.checkpoint.description.spelling,
      isContinued ? .continued : .beginning(TrainingCheckpoint.magic))
    try plan.check()
    let dataset = try DigitArguments.dataset(arguments.positionals[0], .training)
    var options = TrainingOptions()
    options.batchSize = arguments[batch] ?? 64
    options.sampleCount = max(
      1, min(1_000_000_000, Int((arguments[epochs] ?? 30) * Double(dataset.count))))
    options.learningRate = Float(arguments[learningRate] ?? 0.003)
    options.seed = arguments[TrainCommand.seed] ?? options.seed
    let trainer: Trainer<DigitTask>
    do throws(TrainingError) {
      trainer = try Trainer(
        .digits, task: DigitTask(dataset), options: options,
        threadCount: arguments[TrainCommand.threads])
    } catch { throw .failure(subject: name, sentence: "\(error)") }
    var run = DigitTrainingRun(trainer, checkpoint: checkpoint, environment)
    try run.resume(restarts: restarts)
    try run.train(checkpointInterval: arguments[TrainCommand.checkpointEvery] ?? 500)
    let bytes: [UInt8]
    do throws(WeightFileError) {
      bytes = try trainer.export(
        storage: arguments[storage] ?? .float16,
        provenance: arguments.all(TrainCommand.provenance))
    } catch { throw .failure(subject: output, sentence: "\(error)") }
    try OutputFile.write(bytes, to: output)
    environment.note("wrote \(quoted(output)), \(NumberText.grouped(bytes.count)) bytes")
    if isJSON {
      let result: JSONValue = [
        "output": .string(output), "byteCount": JSONValue(bytes.count),
        "stepCount": JSONValue(trainer.step), "sampleCount": JSONValue(options.sampleCount),
      ]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
    }
    return .success
  }
}

/// The steps of a run, with its checkpoints and its line of progress.
struct DigitTrainingRun {
  private static let checkpointByteLimit = 1 << 30

  private let trainer: Trainer<DigitTask>
  private let checkpoint: String
  private let environment: Environment
  private var progressLine: ProgressLine

  init(_ trainer: Trainer<DigitTask>, checkpoint: String, _ environment: Environment) {
    self.trainer = trainer
    self.checkpoint = checkpoint
    self.environment = environment
    progressLine = ProgressLine(environment, intervalWithoutTerminal: 10)
  }

  /// Takes up the run of the checkpoint, where there is one.
  func resume(restarts: Bool) throws(ToolError) {
    if restarts || !FileSystem.exists(at: checkpoint) { return }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.readFile(at: checkpoint, byteLimit: Self.checkpointByteLimit)
    } catch { throw .file(error) }
    do throws(TrainingError) { try trainer.resume(from: bytes) } catch {
      throw .failure(
        subject: checkpoint,
        sentence: "\(error) --restart begins anew, --checkpoint names another file.")
    }
    environment.note(
      "\(quoted(checkpoint)): going on after step \(trainer.step) of "
        + "\(trainer.options.stepCount)")
  }

  /// Does all steps that are left.
  ///
  /// - Throws: `ToolError.interrupted` after the checkpoint has been written, `.file`, `.failure`.
  mutating func train(checkpointInterval: Int) throws(ToolError) {
    let interruption = environment.watchInterruptions()
    let start = (time: environment.seconds(), step: trainer.step)
    // The means over the last steps, the latest ones counting most.
    var loss = 0.0
    var right = 0.0
    var total = 0.0
    while !trainer.isFinished {
      let progress: TrainingProgress
      do throws(TrainingError) { progress = try trainer.advance() } catch {
        progressLine.clear()
        throw .failure(subject: TrainDigitsCommand.name, sentence: "\(error)")
      }
      loss = 0.99 * loss + 0.01 * Double(progress.loss.total)
      right = 0.99 * right + 0.01 * Double(progress.loss["right"] ?? 0)
      total = 0.99 * total + 0.01
      let now = environment.seconds()
      if progressLine.isDue(at: now) || trainer.isFinished {
        let done = Double(trainer.step - start.step) * Double(trainer.options.batchSize)
        let speed = now > start.time ? done / (now - start.time) : 0
        progressLine.show(
          "step \(trainer.step)/\(trainer.options.stepCount)"
            + "  loss \(NumberText.fixed(loss / total, decimals: 4))"
            + "  right \(NumberText.percent(right / total))"
            + "  \(NumberText.fixed(speed, decimals: 0)) images/s", at: now)
      }
      let signal = interruption()
      if signal != nil || trainer.isFinished || trainer.step.isMultiple(of: checkpointInterval) {
        do throws(FileError) {
          try FileSystem.writeFile(trainer.checkpoint(), to: checkpoint)
        } catch {
          progressLine.clear()
          throw .file(error)
        }
      }
      if let signal {
        progressLine.clear()
        environment.note(
          "stopped after step \(trainer.step) of \(trainer.options.stepCount); the same call goes "
            + "on from \(quoted(checkpoint))")
        throw .interrupted(signal: signal)
      }
    }
    progressLine.close()
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceTraining
internal import DiceWeights

/// The files that a training of a kit's network writes.
struct TrainingFiles {
  private let command: String
  private let output: String
  private let checkpoint: String
  private let restarts: Bool

  /// Checks what may be written before the work begins.
  ///
  /// - Parameter sources: the files that are read.
  init(
    _ arguments: ParsedArguments, command: String, sources: [String]
  ) throws(ToolError) {
    self.command = command
    output = try arguments.required(TrainCommand.output, of: command)
    _ = try ResultArguments.isJSON(arguments)
    checkpoint = arguments[TrainCommand.checkpoint] ?? output + ".checkpoint"
    restarts = arguments.contains(TrainCommand.restart)
    let isContinued = !restarts && FileSystem.exists(at: checkpoint)
    var plan = OutputPlan(arguments)
    plan.read(sources)
    plan.write(
      output, for: TrainCommand.output.description.spelling,
      restarts || isContinued ? .beginning(WeightFormat.magic) : .unsigned)
    plan.write(
      checkpoint, for: TrainCommand.checkpoint.description.spelling,
      isContinued ? .continued : .beginning(TrainingCheckpoint.magic))
    try plan.check()
  }

  /// Carries out a run, from its checkpoint where there is one, and writes its weights.
  ///
  /// - Parameters:
  ///   - description: the network.
  ///   - task: what it learns.
  ///   - initialWeights: what it begins with; nil for random weights.
  ///   - samples: what it learns from, for the line of progress: "images".
  /// - Throws: `ToolError` where the options do not fit the network, or something cannot be written.
  func train(
    _ description: NetworkDescription, _ task: some LearningTask, _ options: TrainingOptions,
    initialWeights: WeightFile? = nil, samples: String, _ arguments: ParsedArguments,
    _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let trainer = try trainer(
      description, task, options, initialWeights, threadCount: arguments[TrainCommand.threads])
    var run = TrainingSteps(
      trainer, command: command, samples: samples, checkpoint: checkpoint, environment)
    try run.resume(restarts: restarts)
    try run.train(checkpointInterval: arguments[TrainCommand.checkpointEvery] ?? 500)
    let bytes: [UInt8]
    do throws(WeightFileError) {
      bytes = try trainer.export(
        storage: arguments[TrainingArguments.storage] ?? .float16,
        provenance: arguments.all(TrainCommand.provenance))
    } catch { throw .failure(subject: output, sentence: "\(error)") }
    try OutputFile.write(bytes, to: output)
    environment.note("wrote \(quoted(output)), \(NumberText.grouped(bytes.count)) bytes")
    if try ResultArguments.isJSON(arguments) {
      let result: JSONValue = [
        "output": .string(output), "byteCount": JSONValue(bytes.count),
        "stepCount": JSONValue(trainer.step),
        "sampleCount": JSONValue(trainer.options.sampleCount),
      ]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
    }
    return .success
  }

  private func trainer<Task: LearningTask>(
    _ description: NetworkDescription, _ task: Task, _ options: TrainingOptions,
    _ initialWeights: WeightFile?, threadCount: Int?
  ) throws(ToolError) -> Trainer<Task> {
    do throws(TrainingError) {
      return try Trainer(
        description, task: task, options: options, initialWeights: initialWeights,
        threadCount: threadCount)
    } catch { throw .failure(subject: command, sentence: "\(error)") }
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceThrowTraining
internal import DiceTraining
internal import DiceWeights
internal import ThrowArguments
internal import ThrowVisionKit

/// `dicevision train actions`: teaches a network to tell actions apart.
enum TrainActionsCommand {
  static let name = "train actions"

  private static let defaults = ActionTraining()

  static let figures = Switch(
    "figures",
    "Also draws articulated figures, for the labels overhand, underhand, underleg and none.")
  static let seenFigures = ValueOption.integer(
    "seen-figures", "N", in: 1...100_000,
    "Also draws N films of figures for each of these labels, and learns from the joints that the "
      + "network of --joints finds in them. Needs --figures.")
  static let folds = ValueOption.integer(
    "folds", "N", in: 0...100,
    "Measures first: trains N times without one part of the sequences and reads that part. Also sets how "
      + "sure the classifier is. 0 leaves it out; else 2 or more.", default: "5")
  static let samples = TrainingArguments.samples(
    "Samples that each training makes.",
    default: NumberText.grouped(defaults.options.sampleCount))
  static let steps = StepArguments(defaults.options)

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Trains a classifier of actions on sequences of a person's joints.",
      discussion: [
        .paragraph(
          "Sequences may have any labels: what is learnt is what is labelled. Sequences with one id stay "
            + "together when the classifier is measured.")
      ],
      argument: CommandDescription.Argument(
        name: "FILE", summary: "Labelled sequences as JSON lines, plain or with gzip.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Sequences",
          options: [
            ActionArguments.labels.description, figures.description, seenFigures.description,
            PoseArguments.joints.description,
          ]),
        TrainingArguments.learning([
          samples.description, steps.batch.description, steps.learningRate.description,
          folds.description,
        ]),
        TrainingArguments.results(storage: TrainCommand.storage),
      ],
      sections: [ActionArguments.format],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) throws.jsonl --labels overhand,underhand,underleg,none "
            + "--figures --seen-figures 1000 --output actions.dvweights",
          meaning: "Trains as the library's own weights were trained.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let output = try arguments.required(TrainCommand.output, of: name)
    let isJSON = try ResultArguments.isJSON(arguments)
    let foldCount = arguments[folds] ?? 5
    guard foldCount != 1 else {
      throw .usage(.conflict(sentence: "--folds 1 leaves nothing to learn from; 0 or 2 at least."))
    }
    if arguments.contains(seenFigures), !arguments.contains(figures) {
      throw .usage(.conflict(sentence: "--seen-figures needs --figures."))
    }
    if arguments.contains(PoseArguments.joints), !arguments.contains(seenFigures) {
      throw .usage(.conflict(sentence: "--joints needs --seen-figures."))
    }
    var plan = OutputPlan(arguments)
    plan.read(arguments.positionals + [arguments[PoseArguments.joints]].compactMap { $0 })
    plan.write(output, for: TrainCommand.output.description.spelling, .unsigned)
    try plan.check()
    let sequences = try ActionArguments.sequences(arguments.positionals, environment)
    let dataset: ActionDataset
    do throws(ActionDatasetError) {
      dataset = try ActionDataset(sequences, labels: arguments[ActionArguments.labels])
    } catch { throw .failure(subject: arguments.positionals[0], sentence: "\(error)") }
    var training = ActionTraining(usesFigures: arguments.contains(figures))
    training.options = steps.options(arguments, sampleCount: arguments[samples])
    training.threadCount = arguments[TrainCommand.threads]
    var watch = ActionTrainingWatch(environment)
    if let count = arguments[seenFigures] {
      let pool = TrainingArguments.pool(arguments, environment)
      let detector = try PoseArguments.detector(arguments)
      do throws(PoseDetectorError) {
        training.seenFigures = try SeenFigures(
          countOfEach: count, detector: detector, pool: pool
        ) { watch.isGoingOn("films of figures", $0, of: $1) }
      } catch { throw .failure(subject: name, sentence: "\(error)") }
    }
    if let signal = watch.signal {
      watch.close()
      throw .interrupted(signal: signal)
    }
    var measured: (plain: ActionAccuracy, noisy: ActionAccuracy)?
    let bytes: [UInt8]
    do throws(ActionTrainingError) {
      if foldCount > 0 {
        let found = try training.crossValidate(on: dataset, foldCount: foldCount) {
          watch.isGoingOn("part \($0 + 1) of \(foldCount)", $1)
        }
        measured = found
        if !isJSON {
          watch.close()
          for (title, accuracy) in [("left out", found.plain), ("with noise", found.noisy)] {
            environment.note(ActionArguments.text(title, accuracy))
          }
        }
      }
      bytes = try training.train(
        on: dataset, temperature: measured?.noisy.bestTemperature ?? 1,
        storage: arguments[TrainCommand.storage] ?? .float16,
        provenance: arguments.all(TrainCommand.provenance)
      ) { watch.isGoingOn("all", $0) }
    } catch {
      watch.close()
      if let signal = watch.signal { throw .interrupted(signal: signal) }
      throw .failure(subject: name, sentence: "\(error)")
    }
    watch.close()
    try OutputFile.write(bytes, to: output)
    environment.note("wrote \(quoted(output)), \(NumberText.grouped(bytes.count)) bytes")
    if isJSON {
      var result: JSONObject = JSONObject([
        JSONObject.Member(key: "output", value: .string(output)),
        JSONObject.Member(key: "byteCount", value: JSONValue(bytes.count)),
        JSONObject.Member(key: "sequenceCount", value: JSONValue(dataset.sequences.count)),
      ])
      if let measured {
        result["leftOut"] = ActionArguments.json(measured.plain)
        result["leftOutWithNoise"] = ActionArguments.json(measured.noisy)
      }
      try environment.print(
        String(decoding: JSONWriter.write(.object(result), layout: .pretty), as: UTF8.self))
    }
    return .success
  }
}

/// The line of progress, and interruptions.
struct ActionTrainingWatch {
  private let interruption: () -> Int32?
  private let environment: Environment
  private var line: ProgressLine
  private var loss = 0.0
  private var total = 0.0
  /// The signal that stopped the training; nil where none did.
  private(set) var signal: Int32?

  init(_ environment: Environment) {
    self.environment = environment
    interruption = environment.watchInterruptions()
    line = ProgressLine(environment, intervalWithoutTerminal: 10)
  }

  /// Shows a step; false where the training is to stop.
  mutating func isGoingOn(_ title: String, _ progress: TrainingProgress) -> Bool {
    if progress.step == 1 { (loss, total) = (0, 0) }
    loss = 0.99 * loss + 0.01 * Double(progress.loss.total)
    total = 0.99 * total + 0.01
    let now = environment.seconds()
    if line.isDue(at: now) || progress.step == progress.stepCount {
      line.show(
        "\(title)  step \(progress.step)/\(progress.stepCount)  loss "
          + NumberText.fixed(loss / total, decimals: 4), at: now)
    }
    signal = interruption()
    return signal == nil
  }

  /// Shows how many of some things are done; false where the training is to stop.
  mutating func isGoingOn(_ title: String, _ count: Int, of total: Int) -> Bool {
    let now = environment.seconds()
    if line.isDue(at: now) || count == total { line.show("\(title)  \(count)/\(total)", at: now) }
    signal = interruption()
    return signal == nil
  }

  /// Ends the line.
  mutating func close() { line.close() }
}

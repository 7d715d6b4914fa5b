internal import DiceCommandLine
internal import DiceFiles
internal import DiceParallel
internal import DiceReports
internal import DiceTraining
internal import DiceVisionTraining
internal import DiceWeights

/// A training run from its pictures to the weight file.
struct TrainingRun {
  /// The longest side of pictures that a second-stage classifier learns from.
  private static let maximumSecondStageSide = 1280
  /// The seconds between two lines of progress where no terminal shows them.
  private static let progressInterval = 10.0

  private var plan: TrainingPlan
  /// How many pictures each source has.
  private var pictureCounts: [Int] = []
  private let environment: Environment
  private var progressLine: ProgressLine
  private var averages = TrainingAverages()
  private var divergence = DivergenceWatch()
  private var validation: TrainingTable.Validation?
  private let startTime: Double

  /// A run that has not begun.
  init(_ plan: TrainingPlan, _ environment: Environment) {
    self.plan = plan
    self.environment = environment
    progressLine = ProgressLine(environment, intervalWithoutTerminal: Self.progressInterval)
    startTime = environment.seconds()
  }

  /// Reads the pictures, trains, and writes the weights.
  ///
  /// - Returns: what there is to say of the result, for programs.
  /// - Throws: `ToolError.interrupted` after the checkpoint has been written, `.file`, `.failure`.
  consuming func run() throws(ToolError) -> JSONValue {
    plan = try plan.namingLabels()
    let initialWeights = try initialWeights()
    try plan.check()
    return plan.kind.isSecondStage
      ? try run(CropClassificationTask.self, initialWeights)
      : try run(DetectionTask.self, initialWeights)
  }

  /// The weights to begin with, whose credits the new ones keep; nil for random ones.
  private mutating func initialWeights() throws(ToolError) -> WeightFile? {
    guard let path = plan.initialWeights else { return nil }
    let file = try WeightSource.load(path, environment)
    plan.provenance += file.description.provenance.filter {
      $0.key == "credit" && !plan.provenance.contains($0)
    }
    do throws(WeightFileError) {
      return try file.relabelled(for: plan.network) ?? file
    } catch { throw .failure(subject: path, sentence: "\(error)") }
  }

  private mutating func run<Task: GridTask>(
    _: Task.Type, _ initialWeights: WeightFile?
  ) throws(ToolError) -> JSONValue {
    let sets = try loadPictures()
    pictureCounts = sets.map { $0.count }
    plan = plan.counting(pictures: pictureCounts.reduce(0, +))
    let trainer: Trainer<Task>
    do throws(VisionTrainingError) {
      trainer = try Trainer(
        plan.network, sources: zip(sets, plan.sources).map { ($0, $1.weight) },
        names: plan.sources.map { quoted($0.annotations) },
        options: plan.options, samples: plan.samples, initialWeights: initialWeights,
        threadCount: plan.threadCount)
    } catch {
      throw .failure(subject: TrainCommand.name, sentence: "\(error)")
    }
    var notes: [Double] = []
    if plan.isContinued { notes = try checkpoint.resume(trainer) }
    let best = try train(trainer, pending: TrainingLog.Pending(notes: notes))
    let bytes: [UInt8]
    if let best, best.step != trainer.step, FileSystem.exists(at: plan.output) {
      validation = best
      do throws(FileError) {
        bytes = try FileSystem.readFile(
          at: plan.output, byteLimit: WeightFormat.maximumFileByteCount)
      } catch { throw .file(error) }
      environment.note("\(quoted(plan.output)) holds the weights of step \(best.step), the best")
    } else {
      bytes = try writeWeights(trainer)
      environment.note("wrote \(quoted(plan.output)), \(NumberText.grouped(bytes.count)) bytes")
    }
    return result(trainer, bytes)
  }

  /// Writes the weights as they are now.
  @discardableResult
  private func writeWeights<Task>(_ trainer: Trainer<Task>) throws(ToolError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(WeightFileError) {
      bytes = try trainer.export(
        storage: plan.storage,
        provenance: plan.facts(pictureCounts: pictureCounts, step: trainer.step))
    } catch {
      throw .failure(subject: plan.output, sentence: "\(error)")
    }
    try OutputFile.write(bytes, to: plan.output)
    return bytes
  }

  private var checkpoint: TrainingCheckpointFile {
    TrainingCheckpointFile(path: plan.checkpoint, environment: environment)
  }

  // MARK: - Parts

  private func loadPictures() throws(ToolError) -> [[TrainingPicture]] {
    let labels = plan.labels.list
    let makesCrops = plan.kind.isSecondStage
    // Samples enlarge pictures by less than twice, so that more pixels would not be seen; crops show
    // them at any scale.
    let maximumSide = makesCrops ? Self.maximumSecondStageSide : 2 * plan.inputSize
    let proposer = makesCrops ? try DieProposer(weights: plan.detector, environment) : nil
    let pool = WorkerPool(threadCount: plan.threadCount ?? WorkerPool.processorCount)
    var sets: [[TrainingPicture]] = []
    for source in plan.sources {
      do throws(TrainingSourceError) {
        sets.append(
          try source.load(
            labels: labels, maximumSide: maximumSide, isReducible: makesCrops, pool: pool,
            proposing: { (image) in proposer?.proposals(in: image) ?? [] }))
      } catch {
        if case .file(let error) = error { throw .file(error) }
        var sentence = "\(error)"
        if case .unknownLabel = error, plan.labels == .dice {
          sentence += " --labels names others than those of dice."
        }
        throw .failure(subject: TrainCommand.name, sentence: sentence)
      }
      let pictures = sets[sets.count - 1]
      var outside = OutsideBoxes()
      for picture in pictures { outside.add(picture) }
      if let note = outside.note {
        environment.note("\(printable(source.annotations)): \(note)")
      }
      environment.note(
        "\(printable(source.annotations)): "
          + NumberText.count(pictures.count, "picture", "pictures") + ", "
          + count(of: pictures.reduce(0) { $0 + $1.truths.count }))
    }
    if plan.labels != .dice {
      environment.note("labels: \(labels.map { printable($0) }.joined(separator: ", "))")
    }
    return sets
  }

  /// So many dice, or objects of other kinds.
  private func count(of objects: Int) -> String {
    plan.labels == .dice
      ? NumberText.count(objects, "die", "dice")
      : NumberText.count(objects, "object", "objects")
  }

  /// Learns until the run ends.
  ///
  /// - Returns: with `patience`, the best measurement, whose weights are written; else nil.
  private mutating func train<Task>(
    _ trainer: Trainer<Task>, pending: TrainingLog.Pending
  ) throws(ToolError) -> TrainingTable.Validation? {
    let interruption = environment.watchInterruptions()
    var time = environment.seconds()
    var log = try TrainingLog(
      path: plan.log, interval: plan.logInterval, batchSize: plan.options.batchSize,
      resumingAfter: trainer.step, pending: pending)
    var monitor = try TrainingMonitor(plan, resumingAfter: trainer.step, environment)
    try monitor.writePage(isRunning: !trainer.isFinished, at: time)
    while !trainer.isFinished, !monitor.isExhausted {
      let progress: TrainingProgress
      do throws(TrainingError) {
        progress = try trainer.advance()
      } catch {
        progressLine.clear()
        throw .failure(subject: TrainCommand.name, sentence: "\(error)")
      }
      let now = environment.seconds()
      let elapsed = now - time
      averages.add(progress, seconds: elapsed)
      time = now
      do throws(ToolError) {
        let hasNewLine = try log.add(progress, seconds: elapsed)
        if let warning = divergence.warning(after: progress) {
          progressLine.clear()
          environment.note(warning)
        }
        if progressLine.isDue(at: now) || trainer.isFinished {
          progressLine.show(
            environment.isErrorTerminal
              ? averages.bar(
                progress, batchSize: plan.options.batchSize, columns: progressLine.columns,
                isUnicode: environment.isUnicode, style: environment.style(on: .error))
              : averages.text(progress, batchSize: plan.options.batchSize), at: now)
        }
        let signal = interruption()
        if signal != nil || trainer.isFinished
          || trainer.step.isMultiple(of: plan.checkpointInterval)
        {
          try checkpoint.write(trainer, notes: log.pending.notes)
        }
        if monitor.isDue(trainer), signal == nil {
          progressLine.clear()
          let validation = try monitor.measure(trainer)
          self.validation = validation
          environment.note(
            "step \(validation.step): \(validation.rightCount) of "
              + "\(NumberText.count(validation.dieCount, "validation die", "validation dice")) "
              + "right, \(validation.exactPhotoCount) of "
              + "\(NumberText.count(validation.photoCount, "photo", "photos")) exactly")
          if monitor.isBest(validation) { try writeWeights(trainer) }
          if monitor.isExhausted, !trainer.isFinished {
            environment.note(
              "stopped after step \(trainer.step) of \(trainer.options.stepCount): "
                + "\(NumberText.count(plan.patience ?? 0, "measurement", "measurements")) without a "
                + "better one")
            try checkpoint.write(trainer, notes: log.pending.notes)
          }
          // The time of measuring is no time of learning.
          time = environment.seconds()
        }
        let goesOn = !trainer.isFinished && !monitor.isExhausted && signal == nil
        if hasNewLine || !goesOn { try monitor.writePage(isRunning: goesOn, at: now) }
        if let signal {
          progressLine.clear()
          throw checkpoint.stop(trainer, by: signal)
        }
      } catch {
        progressLine.clear()
        throw error
      }
    }
    progressLine.close()
    return monitor.best
  }

  /// What there is to say of the result; losses and overlap are those of the last steps of this call.
  private func result<Task>(_ trainer: Trainer<Task>, _ bytes: [UInt8]) -> JSONValue {
    func rounded(_ value: Double?) -> JSONValue {
      value.map { .number(NumberText.rounded($0, decimals: 5)) } ?? .null
    }
    let means = averages.means
    var members = JSONObject([
      JSONObject.Member(key: "output", value: .string(plan.output)),
      JSONObject.Member(key: "byteCount", value: JSONValue(bytes.count)),
      JSONObject.Member(key: "network", value: .string(plan.kind.rawValue)),
      JSONObject.Member(key: "labels", value: .array(plan.labels.list.map { .string($0) })),
      JSONObject.Member(key: "stepCount", value: JSONValue(trainer.step)),
      JSONObject.Member(key: "sampleCount", value: JSONValue(plan.options.sampleCount)),
      JSONObject.Member(key: "boxLoss", value: rounded(means?[0])),
      JSONObject.Member(key: "objectnessLoss", value: rounded(means?[1])),
      JSONObject.Member(key: "classificationLoss", value: rounded(means?[2])),
      JSONObject.Member(key: "overlap", value: rounded(means?[3])),
      JSONObject.Member(
        key: "seconds",
        value: .number(NumberText.rounded(environment.seconds() - startTime, decimals: 1))),
    ])
    if let file = try? WeightFile(bytes: bytes) {
      members["checksum"] = .string(NumberText.hexadecimal(file.checksum))
    }
    if let validation { members["validation"] = validation.json }
    return .object(members)
  }
}

/// Losses and speed as averages over the last steps, the latest ones counting most.
struct TrainingAverages {
  /// What is left of a step's share with each further step.
  static let decay = 0.97

  private var sums = [Double](repeating: 0, count: 5)
  private var total = 0.0

  /// Takes up a step.
  mutating func add(_ progress: TrainingProgress, seconds: Double) {
    for (index, value) in (progress.parts.map { Double($0) } + [seconds]).enumerated() {
      sums[index] = sums[index] * Self.decay + value * (1 - Self.decay)
    }
    total = total * Self.decay + (1 - Self.decay)
  }

  /// The means of the box, objectness and value losses, the overlap and the seconds of a step; nil
  /// before the first one.
  var means: [Double]? { total > 0 ? sums.map { $0 / total } : nil }

  /// The run so far as a bar that fits a terminal.
  func bar(
    _ progress: TrainingProgress, batchSize: Int, columns: Int, isUnicode: Bool, style: TextStyle
  ) -> String {
    let means = means ?? sums
    let speed = means[4] > 0 ? Double(batchSize) / means[4] : 0
    return ProgressBar.text(
      title: "train", done: progress.step, total: progress.stepCount,
      secondsLeft: means[4] * Double(progress.stepCount - progress.step),
      detail: "loss \(NumberText.fixed(means[0] + means[1] + means[2], decimals: 3))  "
        + "overlap \(NumberText.fixed(means[3], decimals: 3))  "
        + "\(NumberText.fixed(speed, decimals: 1)) images/s",
      columns: columns, isUnicode: isUnicode, style: style)
  }

  /// A line about the run so far.
  func text(_ progress: TrainingProgress, batchSize: Int) -> String {
    let means = means ?? sums
    func number(_ value: Double) -> String { NumberText.fixed(value, decimals: 3) }
    let share = Double(progress.step) / Double(max(1, progress.stepCount))
    let speed = means[4] > 0 ? Double(batchSize) / means[4] : 0
    let left = means[4] * Double(progress.stepCount - progress.step)
    return "step \(progress.step)/\(progress.stepCount) "
      + "\(NumberText.fixed((share * 100).rounded(.down), decimals: 0)) %"
      + "  loss \(number(means[0] + means[1] + means[2])) = box \(number(means[0]))"
      + " + objectness \(number(means[1])) + value \(number(means[2]))"
      + "  overlap \(number(means[3]))"
      + "  \(NumberText.fixed(speed, decimals: 1)) images/s"
      + "  \(NumberText.duration(seconds: left)) left"
  }
}

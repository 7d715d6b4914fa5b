internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceReports
internal import DiceTraining
internal import DiceVisionTraining
internal import DiceWeights

/// Everything that a training run is told.
struct TrainingPlan: Hashable, Sendable {
  /// The sets of pictures.
  var sources: [TrainingSource]
  /// The network to train.
  var kind: StandardNetwork
  /// What a detector is to find.
  var labels = TrainingLabels.dice
  /// The width and height of the network's input.
  var inputSize: Int
  /// The weight file to begin with, or the name of one of the library's; nil for random weights.
  var initialWeights: String?
  /// The weight file of the detector whose proposals a second-stage classifier learns from; nil for
  /// the library's.
  var detector: String?
  /// How the network learns.
  var options: TrainingOptions
  /// How samples are made.
  var samples: SampleOptions
  /// The threads; nil for one on each processor.
  var threadCount: Int?
  /// The weight file to write.
  var output: String
  /// How the weights are stored.
  var storage: WeightStorage
  /// What the user wants to be known of the weights' origin.
  var provenance: [ProvenanceEntry]
  /// The table of the run; nil for none.
  var log: String?
  /// The steps of a line of the table.
  var logInterval: Int
  /// The page of the run; nil for none.
  var page: String?
  /// The annotation files of the pictures to measure on while training.
  var validation: [String] = []
  /// The steps from one measurement to the next.
  var validationInterval: Int
  /// How often each picture is seen in the mean; nil where the number of samples is given.
  var epochs: Double?
  /// After how many measurements without better ones the run ends; nil for a run to its end.
  var patience: Int?
  /// The file with the state of the run.
  var checkpoint: String
  /// The steps from one checkpoint to the next.
  var checkpointInterval: Int
  /// Whether to begin anew.
  var restarts: Bool
  /// Whether files that others made are replaced.
  var isForced = false

  /// The network, with its input of the given size.
  var network: NetworkDescription {
    kind.description(labels: labels.list, inputSide: inputSize)
  }

  /// The user's facts, and behind them how the weights were made.
  ///
  /// - Parameters:
  ///   - pictureCounts: how many pictures each source has.
  ///   - step: the step after which the weights were taken; nil for the last one.
  func facts(pictureCounts: [Int], step: Int? = nil) -> [ProvenanceEntry] {
    var entries = provenance
    func add(_ key: String, _ value: String) {
      if !entries.contains(where: { $0.key == key }) {
        entries.append(ProvenanceEntry(key: key, value: value))
      }
    }
    let part = step.map { $0 == options.stepCount ? "" : "\($0) of " } ?? ""
    add(
      "training",
      "\(Tool.nameAndVersion): \(part)\(options.stepCount) steps of \(options.batchSize) samples of "
        + "\(samples.size) x \(samples.size) pixels, learning rate "
        + "\(options.learningRate), seed \(options.seed), augmentation "
        + (samples.augmentation == .none
          ? "none" : samples.augmentation == .unmirrored ? "unmirrored" : "standard"))
    let lines = zip(sources, pictureCounts).map { source, count in
      "\(printable(setName(source))): \(NumberText.count(count, "picture", "pictures")), weight "
        + "\(NumberText.short(Double("\(source.weight)") ?? Double(source.weight))), boxes "
        + NumberText.short(Double("\(source.boxWeight)") ?? Double(source.boxWeight))
    }
    add("pictures", lines.joined(separator: "\n"))
    return entries
  }

  /// The file and the folder it is in: what lies above is nobody's business.
  private func setName(_ source: TrainingSource) -> String {
    EvaluateCommand.setNames(for: [source.annotations])[0]
  }

  /// Checks before hours of work what can be checked: the options, the facts and the files to
  /// write.
  ///
  /// - Throws: `ToolError.file`, or `.failure` with the broken rule.
  func check() throws(ToolError) {
    var description = network
    description.provenance += facts(pictureCounts: sources.map { _ in 0 })
    do throws(WeightFileError) {
      _ = try description.validated()
    } catch {
      throw .failure(subject: output, sentence: "\(error)")
    }
    try checkFiles()
    if let page { try PageFile.prepare(page) }
  }

  /// Whether there is a run to go on with.
  var isContinued: Bool { !restarts && FileSystem.exists(at: checkpoint) }

  /// The table of the run where none is asked for: beside its page.
  static func log(besidePage page: String) -> String {
    Paths.removingExtension(of: PageFile.path(page)) + ".csv"
  }

  /// Refuses to replace what is read, and what is not of this run.
  private func checkFiles() throws(ToolError) {
    var files = OutputPlan(isForced: isForced)
    files.read(sources.map(\.annotations) + validation)
    files.read(initialWeights, detector)
    if isForced {
      for source in sources {
        let set = try? LabelledSet.read(
          source.annotations, images: source.images, labels: [], part: .training)
        files.read(set.map { set in set.images.map { set.path(of: $0) } } ?? [])
      }
    }
    // Weights take long to make: others than those of this run are not replaced.
    let isOwn = restarts || isContinued
    files.write(
      output, for: TrainCommand.output.description.spelling,
      isOwn ? .beginning(WeightFormat.magic) : .unsigned)
    files.write(
      checkpoint, for: TrainCommand.checkpoint.description.spelling,
      isContinued ? .continued : .beginning(TrainingCheckpoint.magic))
    let isBesidePage = page.map { !PageFile.isFile($0) && log == Self.log(besidePage: $0) } ?? false
    files.write(
      log, for: TrainCommand.log.description.spelling, .table(TrainingLog.header),
      makesFolder: isBesidePage)
    if !validation.isEmpty {
      files.write(
        validationLog, for: TrainCommand.validation.description.spelling,
        .table(TrainingTable.Validation.header), makesFolder: isBesidePage)
    }
    files.writePage(page, for: TrainCommand.page.description.spelling)
    try files.check()
  }

  /// The table of measurements on validation pictures, beside the table of the run or the weights.
  var validationLog: String {
    Paths.removingExtension(of: log ?? output) + ".validation.csv"
  }

  /// The plan for so many pictures in all, which a number of epochs counts in.
  func counting(pictures count: Int) -> TrainingPlan {
    guard let epochs else { return self }
    var plan = self
    plan.options.sampleCount = max(1, min(1_000_000_000, Int(epochs * Double(count))))
    return plan
  }

  /// The plan with the labels that its annotations have, where it takes all of them.
  ///
  /// Where some of them name kinds of dice, `3` is `d6-3`, as in evaluation.
  ///
  /// - Throws: `ToolError.file`, or `.failure` for annotations that break a rule or have no label.
  func namingLabels() throws(ToolError) -> TrainingPlan {
    guard labels == .all else { return self }
    var found: Set<String> = []
    for source in sources {
      let set = try LabelledSet.read(
        source.annotations, images: source.images, labels: nil, part: .training)
      for image in set.images { found.formUnion(image.objects.map(\.label)) }
    }
    found.remove(LabelledSet.unreadableLabel)
    guard !found.isEmpty else {
      throw .failure(subject: TrainCommand.name, sentence: "The annotations have no label.")
    }
    if KindAccuracy.kinds(of: found.sorted()) != nil {
      for value in StandardNetwork.labels where found.remove(value) != nil {
        found.insert("d6-" + value)
      }
    }
    var plan = self
    plan.labels = .listed(found.sorted())
    return plan
  }

  /// How the run learns, in a sentence.
  var summary: String {
    let names = EvaluateCommand.setNames(for: sources.map { $0.annotations })
    return "\(NumberText.grouped(options.sampleCount)) samples of \(samples.size) x "
      + "\(samples.size) pixels in steps of \(options.batchSize), learning rate "
      + "\(options.learningRate), seed \(options.seed); from \(names.joined(separator: ", "))."
  }
}

internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceFinders
internal import DiceReports
internal import DiceTraining
internal import DiceVisionKit
internal import DiceVisionTraining
internal import DiceWeights

/// What is written beside a training run: measurements on pictures that are not learned from, and a page
/// with its curves.
struct TrainingMonitor {
  /// The least seconds between two pages.
  private static let pageInterval = 10.0

  private let plan: TrainingPlan
  private let environment: Environment
  private let sets: [LabelledSet]
  private var lastPageTime: Double?
  /// The best measurement so far, where the run ends by it.
  private(set) var best: TrainingTable.Validation?
  /// How many measurements came after it.
  private var countSinceBest = 0

  /// Reads what there is to measure on, and begins the table of measurements or goes on with it.
  ///
  /// - Parameter step: the steps already done; measurements of later steps are dropped.
  /// - Throws: `ToolError.file`, or `.failure` for annotations that break a rule.
  init(
    _ plan: TrainingPlan, resumingAfter step: Int, _ environment: Environment
  ) throws(ToolError) {
    self.plan = plan
    self.environment = environment
    var sets: [LabelledSet] = []
    for (path, name) in zip(plan.validation, EvaluateCommand.setNames(for: plan.validation)) {
      sets.append(
        try LabelledSet(
          name: name, annotations: path, images: nil, labels: plan.labels.list))
    }
    self.sets = sets
    if sets.isEmpty { return }
    var text = TrainingTable.Validation.header + "\n"
    do throws(FileError) {
      if step > 0, FileSystem.exists(at: plan.validationLog) {
        let bytes = try FileSystem.readFile(
          at: plan.validationLog, byteLimit: TrainingLog.byteLimit)
        text += TrainingLog.rows(of: bytes, upTo: step, columnCount: 10)
        for validation in TrainingTable.validations(of: [UInt8](text.utf8)) { note(validation) }
      }
      try FileSystem.writeFile([UInt8](text.utf8), to: plan.validationLog)
    } catch { throw .file(error) }
  }

  /// Whether there were as many measurements without a better one as the run has patience for.
  var isExhausted: Bool { plan.patience.map { countSinceBest >= $0 } ?? false }

  /// Whether a measurement is the best one, where the run ends by it.
  func isBest(_ validation: TrainingTable.Validation) -> Bool { best?.step == validation.step }

  /// Compares a measurement with the best one.
  private mutating func note(_ validation: TrainingTable.Validation) {
    guard plan.patience != nil else { return }
    if best.map({ validation.isBetter(than: $0) }) ?? true {
      best = validation
      countSinceBest = 0
    } else {
      countSinceBest += 1
    }
  }

  /// Whether it is time to measure.
  func isDue<Task>(_ trainer: Trainer<Task>) -> Bool {
    !sets.isEmpty
      && (trainer.isFinished || trainer.step.isMultiple(of: plan.validationInterval))
  }

  /// Measures the weights as they would be exported now, and adds a line to the table.
  mutating func measure<Task>(
    _ trainer: Trainer<Task>
  ) throws(ToolError) -> TrainingTable.Validation {
    let weights: [UInt8]
    do throws(WeightFileError) {
      weights = try trainer.export(storage: plan.storage)
    } catch { throw .failure(subject: plan.output, sentence: "\(error)") }
    var options = FinderOptions(threadCount: plan.threadCount)
    if plan.kind.isSecondStage {
      options.weights = plan.detector
      options.secondStageBytes = weights
    } else {
      options.weightBytes = weights
      options.secondStage = .none
    }
    let finder = try environment.makeFinder(options)
    let network = finder.network
    let request = FinderRequest(
      orientation: nil, regionOfInterest: nil, confidence: EvaluateCommand.lowestConfidence,
      intersectionOverUnion: network.intersectionOverUnion)
    // The detector has the threads, so that pictures come one by one.
    var runner = EvaluationRunner(
      finder: finder, request: request, work: OrderedWork(partCount: 1, threadCount: 1),
      environment: environment, pictureCount: sets.reduce(0) { $0 + $1.pictures.count },
      title: "measure")
    var found: [EvaluationSet] = []
    for set in sets { found.append(try runner.evaluate(set)) }
    runner.finish()
    let result = EvaluationReport(
      evaluating: found, classNames: network.labels, confidenceThreshold: network.confidence
    ).overall
    let validation = TrainingTable.Validation(
      step: trainer.step, dieCount: result.readings.dieCount,
      rightCount: result.readings.rightCount, photoCount: result.readings.photos.count,
      exactPhotoCount: result.readings.photosReadExactlyRight.count,
      missedCount: result.readings.missedCount, confusedCount: result.readings.confusedCount,
      falsePositiveCount: result.readings.falsePositiveCount,
      at50: result.averagePrecision.at50 ?? 0,
      at50To95: result.averagePrecision.at50To95 ?? 0)
    do throws(FileError) {
      try FileSystem.append([UInt8]("\(validation.line)\n".utf8), toFileAt: plan.validationLog)
    } catch { throw .file(error) }
    note(validation)
    return validation
  }

  /// Writes the page, unless one was written a moment ago and the run goes on.
  ///
  /// - Parameters:
  ///   - isRunning: whether the run goes on.
  ///   - time: the time now.
  mutating func writePage(isRunning: Bool, at time: Double) throws(ToolError) {
    guard let destination = plan.page else { return }
    if isRunning, let lastPageTime, time - lastPageTime < Self.pageInterval { return }
    lastPageTime = time
    var table = TrainingTable()
    do throws(FileError) {
      if let log = plan.log {
        table.rows = TrainingTable.rows(
          of: try FileSystem.readFile(at: log, byteLimit: TrainingLog.byteLimit))
      }
      if !sets.isEmpty {
        table.validations = TrainingTable.validations(
          of: try FileSystem.readFile(at: plan.validationLog, byteLimit: TrainingLog.byteLimit))
      }
    } catch { throw .file(error) }
    let page = TrainingPage(
      name: "\(plan.kind.rawValue) \(Paths.lastComponent(of: plan.output))",
      summary: plan.summary, stepCount: plan.options.stepCount, table: table,
      isRunning: isRunning, validationNames: sets.map { $0.name })
    try PageFile.write(page.file(madeBy: Tool.nameAndVersion), to: destination)
  }
}

extension TrainingTable.Validation {
  /// Whether more pictures are exactly right; of as many, more dice; of as many, the average precision
  /// is higher, to the decimals of the table.
  func isBetter(than other: TrainingTable.Validation) -> Bool {
    if exactPhotoCount != other.exactPhotoCount { return exactPhotoCount > other.exactPhotoCount }
    if rightCount != other.rightCount { return rightCount > other.rightCount }
    return NumberText.rounded(at50, decimals: 5) > NumberText.rounded(other.at50, decimals: 5)
  }
}

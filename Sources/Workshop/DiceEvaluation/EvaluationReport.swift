/// A named set of pictures to evaluate.
public struct EvaluationSet: Hashable, Sendable {
  /// The set's name.
  public var name: String
  /// Its pictures.
  public var images: [EvaluatedImage]

  /// A set.
  public init(name: String, images: [EvaluatedImage]) {
    self.name = name
    self.images = images
  }
}

/// How well a detector does on one set or several, for people and for programs.
public struct EvaluationReport: Hashable, Sendable {
  /// One set's result.
  public struct SetResult: Hashable, Sendable {
    /// The set's name.
    public var name: String
    /// How precise the boxes are over all confidences.
    public var averagePrecision: AveragePrecision
    /// How well dice are read at the threshold.
    public var readings: ReadingAccuracy
    /// What other thresholds would give.
    public var thresholds: ThresholdSweep
    /// How well dice of each size are read at the threshold.
    public var sizes: SizeAccuracy
    /// How well dice of each kind are read at the threshold; nil where no class tells a kind.
    public var kinds: KindAccuracy?
    /// Every picture's readings, down to the least confidence.
    public var images: [ImageReadings]
  }

  /// The classes' names; for dice the values.
  public var classNames: [String]
  /// The lowest confidence of a reading.
  public var confidenceThreshold: Double
  /// How many detections of a class count in a picture, for average precision.
  public var detectionLimit: Int
  /// The sets' results, in their order.
  public var sets: [SetResult]
  /// The result of all pictures as one set; with one set, that one's.
  public var overall: SetResult

  /// Evaluates every set, and all of them together.
  ///
  /// Average precision of several sets together means something where their boxes enclose the same.
  ///
  /// - Parameters:
  ///   - sets: the sets; none is allowed.
  ///   - classNames: the classes' names, in the order of their indices.
  ///   - confidenceThreshold: the lowest confidence that is shown as a reading.
  ///   - detectionLimit: how many detections of a class count in a picture, for average precision.
  /// - Precondition: every class index is in `0..<classNames.count`.
  public init(
    evaluating sets: [EvaluationSet], classNames: [String], confidenceThreshold: Double,
    detectionLimit: Int = 100
  ) {
    func evaluate(_ name: String, _ images: [EvaluatedImage]) -> SetResult {
      SetResult(
        name: name,
        averagePrecision: AveragePrecision(
          measuring: images, classCount: classNames.count, detectionLimit: detectionLimit),
        readings: ReadingAccuracy(
          measuring: images, classCount: classNames.count,
          confidenceThreshold: confidenceThreshold),
        thresholds: ThresholdSweep(measuring: images),
        sizes: SizeAccuracy(measuring: images, confidenceThreshold: confidenceThreshold),
        kinds: KindAccuracy(
          measuring: images, classNames: classNames, confidenceThreshold: confidenceThreshold),
        images: images.map { ImageReadings($0) })
    }
    self.classNames = classNames
    self.confidenceThreshold = confidenceThreshold
    self.detectionLimit = detectionLimit
    self.sets = sets.map { evaluate($0.name, $0.images) }
    if let only = self.sets.first, self.sets.count == 1 {
      overall = only
    } else {
      overall = evaluate("all", sets.flatMap { $0.images })
    }
  }
}

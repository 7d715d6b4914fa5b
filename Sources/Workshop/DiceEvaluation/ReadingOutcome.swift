/// What became of a die, of a reading, or of both together.
public struct ReadingOutcome: Hashable, Sendable {
  /// How it went.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A die was read as what it is.
    case right
    /// A die was read as another value.
    case confused
    /// A die has no reading.
    case missed
    /// A reading belongs to no die.
    case falsePositive
  }

  /// How it went.
  public var kind: Kind
  /// The die; nil for a false positive.
  public var truth: GroundTruthObject?
  /// The reading; nil for a missed die.
  public var reading: DetectedObject?
  /// For a missed die the surest detection below the threshold whose centre lies in its box, with any
  /// value; nil where there is none, and for the other kinds.
  public var doubtfulReading: DetectedObject?

  /// An outcome with the given parts.
  public init(
    kind: Kind, truth: GroundTruthObject? = nil, reading: DetectedObject? = nil,
    doubtfulReading: DetectedObject? = nil
  ) {
    self.kind = kind
    self.truth = truth
    self.reading = reading
    self.doubtfulReading = doubtfulReading
  }

  /// The confidence of the reading, or else of the doubtful one, or else 0.
  public var confidence: Double { (reading ?? doubtfulReading)?.confidence ?? 0 }
}

extension EvaluatedImage {
  /// What a user is shown at a threshold: of the `readings`, or of the `detections` where there are
  /// none, those with at least that confidence.
  func shownReadings(confidenceThreshold: Double) -> [DetectedObject] {
    (readings ?? detections).filter { $0.confidence >= confidenceThreshold }
  }

  /// What became of each reading at a threshold, in their order, and then of each missed die.
  ///
  /// The rules are those of ``ReadingAccuracy``.
  public func outcomes(confidenceThreshold: Double) -> [ReadingOutcome] {
    let shown = shownReadings(confidenceThreshold: confidenceThreshold)
    let match = ReadingMatch(readings: shown, dice: groundTruth)
    var isMissed = [Bool](repeating: true, count: groundTruth.count)
    var outcomes: [ReadingOutcome] = []
    outcomes.reserveCapacity(shown.count + groundTruth.count)
    for (index, reading) in shown.enumerated() {
      let die = match.rightDie[index] ?? match.confusedDie[index]
      if let die { isMissed[die] = false }
      let kind: ReadingOutcome.Kind =
        die == nil ? .falsePositive : match.rightDie[index] == nil ? .confused : .right
      outcomes.append(
        ReadingOutcome(kind: kind, truth: die.map { groundTruth[$0] }, reading: reading))
    }
    for (index, die) in groundTruth.enumerated() where isMissed[index] {
      outcomes.append(
        ReadingOutcome(
          kind: .missed, truth: die,
          doubtfulReading: doubtfulReading(of: die, below: confidenceThreshold)))
    }
    return outcomes
  }

  private func doubtfulReading(
    of die: GroundTruthObject, below threshold: Double
  ) -> DetectedObject? {
    var best: DetectedObject?
    for reading in readings ?? detections {
      guard reading.confidence < threshold, reading.boundingBox.isProper,
        reading.confidence > best?.confidence ?? -.infinity,
        die.boundingBox.contains(reading.boundingBox.center)
      else { continue }
      best = reading
    }
    return best
  }
}

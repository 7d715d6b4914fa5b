/// What other confidence thresholds would give: how many dice are missed, how many readings are
/// false, and how many photos are read exactly right.
public struct ThresholdSweep: Hashable, Sendable {
  /// What one threshold gives.
  public struct Row: Hashable, Sendable {
    /// The lowest confidence that is shown.
    public var threshold: Double
    /// How many dice are read right.
    public var rightCount: Int
    /// How many dice are read as another value.
    public var confusedCount: Int
    /// How many dice have no reading.
    public var missedCount: Int
    /// How many readings belong to no die.
    public var falsePositiveCount: Int
    /// How many photos are read exactly right.
    public var exactPhotoCount: Int

    /// False positives and wrong values together.
    public var wrongCount: Int { confusedCount + falsePositiveCount }
  }

  /// The rows, as their thresholds were given.
  public var rows: [Row]
  /// How many photos there are.
  public var photoCount: Int
  /// How many dice there are.
  public var dieCount: Int

  /// The thresholds 0.02, 0.04, … 0.98.
  public static let standardThresholds = (1...49).map { Double($0) / 50 }

  /// Measures every threshold.
  ///
  /// The rows' numbers are those of ``ReadingAccuracy`` at their thresholds.
  ///
  /// - Parameters:
  ///   - images: the photos, with detections down to the lowest threshold.
  ///   - thresholds: what to try.
  /// - Complexity: that of as many `ReadingAccuracy` as there are thresholds.
  public init(
    measuring images: [EvaluatedImage], thresholds: [Double] = standardThresholds
  ) {
    photoCount = images.count
    dieCount = images.reduce(0) { $0 + $1.groundTruth.count }
    rows = []
    rows.reserveCapacity(thresholds.count)
    for threshold in thresholds {
      var row = Row(
        threshold: threshold, rightCount: 0, confusedCount: 0, missedCount: 0,
        falsePositiveCount: 0,
        exactPhotoCount: 0)
      for image in images {
        var isExact = true
        for outcome in image.outcomes(confidenceThreshold: threshold) {
          switch outcome.kind {
          case .right: row.rightCount += 1
          case .confused: row.confusedCount += 1
          case .missed: row.missedCount += 1
          case .falsePositive: row.falsePositiveCount += 1
          }
          if outcome.kind != .right { isExact = false }
        }
        if isExact { row.exactPhotoCount += 1 }
      }
      rows.append(row)
    }
  }
}

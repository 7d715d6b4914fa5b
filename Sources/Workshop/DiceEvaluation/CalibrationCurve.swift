/// How often readings of a confidence are right: a reliability diagram's data.
///
/// The range 0…1 is divided into equal bins; a bin has its lower bound and not its upper one, but
/// the last has both. Confidences outside the range count in the nearest bin, NaN nowhere.
public struct CalibrationCurve: Hashable, Sendable {
  /// One bin.
  public struct Bin: Hashable, Sendable {
    /// Where the bin begins.
    public var lowerBound: Double
    /// Where the next one begins.
    public var upperBound: Double
    /// How many readings are in it.
    public var count = 0
    /// How many of these are right.
    public var rightCount = 0
    /// The sum of their confidences.
    public var confidenceSum = 0.0

    /// The mean confidence; nil without readings.
    public var meanConfidence: Double? { count > 0 ? confidenceSum / Double(count) : nil }
    /// The share that is right.
    public var right: Proportion { Proportion(rightCount, of: count) }
  }

  /// The bins from 0 to 1.
  public private(set) var bins: [Bin]

  /// A curve without readings.
  ///
  /// - Precondition: at least one bin.
  public init(binCount: Int = 10) {
    precondition(binCount >= 1, "a calibration curve has at least one bin")
    bins = (0..<binCount).map {
      Bin(
        lowerBound: Double($0) / Double(binCount), upperBound: Double($0 + 1) / Double(binCount))
    }
  }

  /// Counts one reading.
  public mutating func add(confidence: Double, isRight: Bool) {
    if confidence.isNaN { return }
    let clamped = min(max(confidence, 0), 1)
    // The product can round to the other side of a bound, so the bounds themselves decide.
    var index = min(Int(clamped * Double(bins.count)), bins.count - 1)
    if clamped < bins[index].lowerBound { index -= 1 }
    if clamped >= bins[index].upperBound, index + 1 < bins.count { index += 1 }
    bins[index].count += 1
    bins[index].confidenceSum += clamped
    if isRight { bins[index].rightCount += 1 }
  }

  /// The mean distance of confidence and share that is right, each bin weighted by its readings; nil
  /// without readings.
  ///
  /// Source: M. P. Naeini et al., Obtaining Well Calibrated Probabilities Using Bayesian Binning, 2015.
  public var expectedError: Double? {
    let count = bins.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    return bins.reduce(0) { $0 + ($1.confidenceSum - Double($1.rightCount)).magnitude }
      / Double(count)
  }
}

public import DiceGeometry
internal import DiceNumerics

extension RollTracker {
  /// What a tracker takes for a die, for rest and for a roll.
  ///
  /// Lengths and speeds are in *sizes*: the size of a die is `√(width · height)` of its box. The
  /// defaults suit a hand-held phone at 10 to 60 frames a second.
  public struct Configuration: Hashable, Sendable {
    /// How long a die has to lie still before it counts as at rest, 50 ms...3 s.
    ///
    /// Raising it reports later, and makes a die that rests on an edge for a moment less likely to
    /// be reported.
    public var minimumStillDuration: Duration = .milliseconds(240)
    /// In how many frames a die has to be seen still, 2...24.
    ///
    /// It rules at low frame rates, the duration at high ones.
    public var minimumStillObservations = 3
    /// The speed below which a die is still, in sizes a second, 0.05...2.
    ///
    /// It is the slope of a line through the observations of at least ``minimumStillDuration``, less
    /// the speed that the dice have in common.
    public var stillSpeed = 0.3
    /// How far a die at rest has to be displaced to count as moved, in sizes, 0.05...1.
    ///
    /// It must exceed the detector's jitter several times. Together with ``stillSpeed`` it makes a
    /// hysteresis: starting takes more than staying.
    public var moveDistance = 0.2
    /// The speed from which a die counts as thrown, in sizes a second, 0.5...50.
    ///
    /// Raising it ignores faster hands, and misses more throws of which only the end is seen.
    public var throwSpeed = 2.0
    /// Whether a roll needs motion first; without, whatever comes to rest is reported.
    public var requiresMotion = true
    /// The number of dice in every roll, 1...64; nil for any number.
    ///
    /// A roll then ends only when exactly so many dice lie still.
    public var expectedDiceCount: Int? = nil
    /// The part of the picture that counts, in pixels; nil for all of it.
    ///
    /// Observations whose centre lies outside are left out. Finite and of positive area.
    public var region: BoundingBox? = nil
    /// Observations below this confidence are left out, 0...1.
    public var minimumConfidence: Float = 0
    /// Observations below this confidence, 0...1, go to dice that are followed already, and make no new ones.
    ///
    /// Above ``minimumConfidence`` it makes a hysteresis: what the detector is hardly sure of does not come and
    /// go, and holds no roll up.
    public var minimumEntryConfidence: Float = 0.3
    /// How many observations make a die, 1...30.
    ///
    /// Raising it keeps more false boxes out, and delays a die's entry.
    public var confirmationObservations = 3
    /// How long a die at rest may be unseen before it has left, 50 ms...10 s.
    ///
    /// A moving die has left after three sevenths of it.
    public var lostDuration: Duration = .milliseconds(700)
    /// How much a box may overlap a die's box without being taken for a second box of the same die:
    /// intersection over union, 0.1...1.
    public var duplicateOverlap = 0.5
    /// By what factor a die's size may change from one observation to the next, and the sizes of dice that are thrown
    /// together may differ, 1.1...5.
    public var maximumSizeRatio = 2.0
    /// How far the best value's evidence must exceed the second best's, in nats, 0.1...50.
    ///
    /// One clear reading is worth some 3.5. In addition three of four readings must agree.
    public var valueMargin = 3.0
    /// How long a still die may lack a value, 100 ms...30 s.
    ///
    /// Then the likeliest value is taken if three of four readings give it a tenth or more; else the die is
    /// called unsettled.
    public var unsettledDuration: Duration = .milliseconds(600)
    /// A given camera motion counts from this confidence on, 0...1; one of confidence 0 never counts.
    public var minimumCameraConfidence: Float = 0.3
    /// How far the camera moves between two `cameraMoved` events, in pixels, 1...100,000.
    public var cameraMoveDistance = 40.0
    /// How many dice are followed, 1...64.
    ///
    /// Of more observations in a frame, those of the lowest confidence are left out.
    public var maximumDiceCount = 64

    /// The defaults.
    public init() {}
  }

  /// Why a configuration cannot be used.
  public enum ConfigurationError: Error, Hashable, Sendable {
    /// A number is not in its range (a NaN is in none).
    case valueOutOfRange(name: String, value: Double, range: ClosedRange<Double>)
    /// A duration is not in its range.
    case durationOutOfRange(name: String, value: Duration, range: ClosedRange<Duration>)
    /// The region is not finite or has no area.
    case regionEmpty(BoundingBox)
    /// More dice are expected than are followed.
    case expectedMoreThanMaximum(expected: Int, maximum: Int)
  }
}

extension RollTracker.ConfigurationError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .valueOutOfRange(let name, let value, let range):
      "\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound)."
    case .durationOutOfRange(let name, let value, let range):
      "\(name) is \(Self.text(value)); it must be from \(Self.text(range.lowerBound)) to "
        + "\(Self.text(range.upperBound))."
    case .regionEmpty(let region):
      "The region (x \(region.x), y \(region.y), width \(region.width), height \(region.height)) "
        + "must be finite and have an area."
    case .expectedMoreThanMaximum(let expected, let maximum):
      "expectedDiceCount is \(expected), but only \(maximum) dice are followed."
    }
  }

  private static func text(_ duration: Duration) -> String {
    "\(Double(nanoseconds(duration)) / 1_000_000) ms"
  }
}

extension RollTracker.Configuration {
  /// Checks every range.
  ///
  /// - Throws: ``RollTracker/ConfigurationError`` for the first value, in the order of declaration,
  ///   that cannot be used.
  public func validate() throws(RollTracker.ConfigurationError) {
    try check("minimumStillDuration", minimumStillDuration, .milliseconds(50), .seconds(3))
    try check("minimumStillObservations", Double(minimumStillObservations), 2, 24)
    try check("stillSpeed", stillSpeed, 0.05, 2)
    try check("moveDistance", moveDistance, 0.05, 1)
    try check("throwSpeed", throwSpeed, 0.5, 50)
    if let expectedDiceCount {
      try check("expectedDiceCount", Double(expectedDiceCount), 1, 64)
    }
    if let region {
      guard region.isProper, !region.isEmpty else { throw .regionEmpty(region) }
    }
    try check("minimumConfidence", Double(minimumConfidence), 0, 1)
    try check("minimumEntryConfidence", Double(minimumEntryConfidence), 0, 1)
    try check("confirmationObservations", Double(confirmationObservations), 1, 30)
    try check("lostDuration", lostDuration, .milliseconds(50), .seconds(10))
    try check("duplicateOverlap", duplicateOverlap, 0.1, 1)
    try check("maximumSizeRatio", maximumSizeRatio, 1.1, 5)
    try check("valueMargin", valueMargin, 0.1, 50)
    try check("unsettledDuration", unsettledDuration, .milliseconds(100), .seconds(30))
    try check("minimumCameraConfidence", Double(minimumCameraConfidence), 0, 1)
    try check("cameraMoveDistance", cameraMoveDistance, 1, 100_000)
    try check("maximumDiceCount", Double(maximumDiceCount), 1, 64)
    if let expectedDiceCount, expectedDiceCount > maximumDiceCount {
      throw .expectedMoreThanMaximum(expected: expectedDiceCount, maximum: maximumDiceCount)
    }
  }

  private func check(
    _ name: String, _ value: Double, _ low: Double, _ high: Double
  ) throws(RollTracker.ConfigurationError) {
    guard value >= low, value <= high else {
      throw .valueOutOfRange(name: name, value: value, range: low...high)
    }
  }

  private func check(
    _ name: String, _ value: Duration, _ low: Duration, _ high: Duration
  ) throws(RollTracker.ConfigurationError) {
    guard value >= low, value <= high else {
      throw .durationOutOfRange(name: name, value: value, range: low...high)
    }
  }
}

internal import DiceDetection

/// The thresholds of one call, checked.
struct CheckedThresholds {
  let intersectionOverUnion: Double
  let confidence: Float

  /// Asks a provider.
  init(
    _ provider: some ThresholdProvider, default defaults: Thresholds
  ) throws(DetectorError) {
    intersectionOverUnion = try Self.check(
      provider.featureValue(for: ThresholdName.iouThreshold) ?? defaults.iouThreshold,
      ThresholdName.iouThreshold)
    confidence = Float(
      try Self.check(
        provider.featureValue(for: ThresholdName.confidenceThreshold)
          ?? defaults.confidenceThreshold, ThresholdName.confidenceThreshold))
  }

  static func check(_ value: Double, _ name: String) throws(DetectorError) -> Double {
    // NaN is in no range.
    guard value >= 0, value <= 1 else { throw .invalidThreshold(name: name, value: value) }
    return value
  }
}

extension Thresholds {
  /// The thresholds of a weight file, as the decimal numbers that its single precision stands for.
  init(_ stored: RecommendedThresholds) {
    self.init(
      iouThreshold: Double(decimalOf: stored.overlap),
      confidenceThreshold: Double(decimalOf: stored.confidence))
  }
}

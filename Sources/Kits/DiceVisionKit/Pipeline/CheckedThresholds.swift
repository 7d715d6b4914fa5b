internal import DiceDetection

/// The thresholds of one call, checked.
struct CheckedThresholds {
  let intersectionOverUnion: Double
  let confidence: Float

  /// Asks a provider.
  init(
    _ provider: some ThresholdProvider, default defaults: RecommendedThresholds
  ) throws(DetectorError) {
    // Boxes are compared in double precision, with the decimal number that was meant.
    intersectionOverUnion = Double(
      decimalOf: try Self.check(
        provider.featureValue(for: ThresholdName.iouThreshold) ?? defaults.overlap,
        ThresholdName.iouThreshold))
    confidence = try Self.check(
      provider.featureValue(for: ThresholdName.confidenceThreshold) ?? defaults.confidence,
      ThresholdName.confidenceThreshold)
  }

  static func check(_ value: Float, _ name: String) throws(DetectorError) -> Float {
    // NaN is in no range.
    guard value >= 0, value <= 1 else { throw .invalidThreshold(name: name, value: value) }
    return value
  }
}

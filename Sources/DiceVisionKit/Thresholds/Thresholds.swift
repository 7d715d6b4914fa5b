/// A pair of thresholds of one's own.
///
/// A call that gives none works with those of the weights (``DiceDetector/defaultThresholds``),
/// which were chosen for their confidences. The pairs that have names here, ``standard`` and
/// ``dice``, know nothing of weights: they are what other programs use.
public struct Thresholds: ThresholdProvider, Hashable, Sendable {
  /// The overlap (intersection over union) up to which two boxes live side by side, 0...1.
  public var iouThreshold: Double
  /// The least confidence of a die, 0...1.
  public var confidenceThreshold: Double

  /// A pair of thresholds, which is checked where it is used.
  public init(iouThreshold: Double = 0.45, confidenceThreshold: Double = 0.25) {
    self.iouThreshold = iouThreshold
    self.confidenceThreshold = confidenceThreshold
  }

  /// The usual thresholds of object detectors, of Create ML's among them: 0.45 and 0.25.
  public static let standard = Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.25)
  /// The thresholds of Apple's dice sample: 0.3 and 0.2.
  ///
  /// For whoever comes from there. The lower overlap joins dice that touch sooner; the confidence
  /// was chosen for other networks.
  public static let dice = Thresholds(iouThreshold: 0.3, confidenceThreshold: 0.2)

  /// One of the two thresholds, nil for other names.
  public func featureValue(for name: String) -> Double? {
    if ThresholdName.isIoUThreshold(name) { return iouThreshold }
    if ThresholdName.isConfidenceThreshold(name) { return confidenceThreshold }
    return nil
  }
}

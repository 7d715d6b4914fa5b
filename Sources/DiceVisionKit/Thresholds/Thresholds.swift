/// A pair of thresholds.
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

  /// The usual thresholds of object detectors: 0.45 and 0.25.
  public static let standard = Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.25)
  /// Thresholds for dice on a table: 0.3 and 0.2.
  ///
  /// Top faces seldom cover each other, so boxes that overlap by 0.3 are most likely the same die, and
  /// a lower confidence finds more dice in poor light.
  public static let dice = Thresholds(iouThreshold: 0.3, confidenceThreshold: 0.2)

  /// One of the two thresholds, nil for other names.
  public func featureValue(for name: String) -> Double? {
    if ThresholdName.isIoUThreshold(name) { return iouThreshold }
    if ThresholdName.isConfidenceThreshold(name) { return confidenceThreshold }
    return nil
  }
}

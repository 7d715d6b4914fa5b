/// The two thresholds of a call; what is nil follows the weights.
///
/// ```swift
/// let sure = try detector.detect(in: image, thresholds: .with(confidenceThreshold: 0.6))
/// ```
///
/// Numbers are of single precision, as confidences are, so that the two can be compared.
public struct Thresholds: ThresholdProvider, Hashable, Sendable {
  /// The overlap (intersection over union) up to which two boxes live side by side, 0...1; nil
  /// takes that of the weights.
  public var iouThreshold: Float?
  /// The least confidence of a die, 0...1; nil takes that of the weights.
  public var confidenceThreshold: Float?

  /// Thresholds, which are checked where they are used; those that are left out follow the weights.
  public init(iouThreshold: Float? = nil, confidenceThreshold: Float? = nil) {
    self.iouThreshold = iouThreshold
    self.confidenceThreshold = confidenceThreshold
  }

  /// One of the two thresholds, nil for other names.
  public func featureValue(for name: String) -> Float? {
    if ThresholdName.isIoUThreshold(name) { return iouThreshold }
    if ThresholdName.isConfidenceThreshold(name) { return confidenceThreshold }
    return nil
  }
}

#if !hasFeature(Embedded)
  extension Thresholds: Codable {}
#endif

// What has a name can stand in an argument with a leading dot.
extension ThresholdProvider where Self == Thresholds {
  /// The thresholds of Apple's dice sample: 0.3 and 0.2.
  ///
  /// For whoever comes from there. The lower overlap joins dice that touch sooner; the confidence
  /// was chosen for other networks.
  public static var dice: Thresholds { Thresholds(iouThreshold: 0.3, confidenceThreshold: 0.2) }

  /// The usual thresholds of object detectors, of Create ML's among them: 0.45 and 0.25.
  ///
  /// They know nothing of the library's weights, whose own are ``DiceDetector/defaultThresholds``.
  public static var createML: Thresholds {
    Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.25)
  }

  /// Thresholds of your own; those that are left out follow the weights.
  public static func with(
    iouThreshold: Float? = nil, confidenceThreshold: Float? = nil
  ) -> Thresholds {
    Thresholds(iouThreshold: iouThreshold, confidenceThreshold: confidenceThreshold)
  }
}

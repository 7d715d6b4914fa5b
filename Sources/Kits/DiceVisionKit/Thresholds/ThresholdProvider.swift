/// Gives a detector its thresholds by name, as Core ML's `MLFeatureProvider` does.
///
/// A provider is asked during every call of a detector, on the caller's thread, for each of the
/// names of ``ThresholdName`` once. So thresholds may change from frame to frame.
///
/// ```swift
/// struct Strict: ThresholdProvider {
///   func featureValue(for name: String) -> Float? {
///     name == ThresholdName.confidenceThreshold ? 0.6 : nil
///   }
/// }
/// ```
public protocol ThresholdProvider {
  /// The names that have a value; others may be left out.
  var featureNames: [String] { get }

  /// The value of a threshold, or nil to take the weight file's.
  ///
  /// From 0 to 1; anything else, NaN included, makes the call of the detector throw
  /// ``DetectorError/invalidThreshold(name:value:)``.
  func featureValue(for name: String) -> Float?
}

extension ThresholdProvider {
  /// Those of the two thresholds that have a value now.
  public var featureNames: [String] {
    var names: [String] = []
    for name in [ThresholdName.iouThreshold, ThresholdName.confidenceThreshold]
    where featureValue(for: name) != nil {
      names.append(name)
    }
    return names
  }
}

/// The names of the thresholds, as object detectors of Create ML have them.
public enum ThresholdName {
  /// The overlap (intersection over union) up to which two boxes live side by side.
  ///
  /// Raising it keeps more boxes that lie close together, and reports some dice twice.
  public static let iouThreshold = "iouThreshold"
  /// The least confidence of a die.
  ///
  /// Raising it drops doubtful dice: fewer false ones, more that are missed.
  public static let confidenceThreshold = "confidenceThreshold"

  /// Whether a name is that of the overlap threshold.
  static func isIoUThreshold(_ name: String) -> Bool {
    // Bytes are compared, which needs no Unicode tables.
    name.utf8.elementsEqual(iouThreshold.utf8)
  }

  /// Whether a name is that of the confidence threshold.
  static func isConfidenceThreshold(_ name: String) -> Bool {
    name.utf8.elementsEqual(confidenceThreshold.utf8)
  }
}

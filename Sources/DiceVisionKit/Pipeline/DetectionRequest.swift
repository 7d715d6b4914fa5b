/// What a call wants to know about a frame.
struct DetectionRequest {
  var orientation: ImageOrientation?
  var regionOfInterest: NormalizedRect?
  /// Whether the cancellation of the current task ends the call.
  var endsWithTask = false
  /// The time that was spent before the frame was there.
  var imageDecoding = Duration.zero

  func checkCancellation() throws(DetectorError) {
    #if !hasFeature(Embedded)
      if endsWithTask, Task.isCancelled { throw .cancelled }
    #endif
  }
}

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
  init(_ stored: DefaultThresholds) {
    self.init(
      iouThreshold: Self.decimal(stored.intersectionOverUnion),
      confidenceThreshold: Self.decimal(stored.confidence))
  }

  /// The multiple of 1e-6 that rounds to a number, or the number itself where there is none: 0.45 for
  /// the `Float` nearest to it.
  private static func decimal(_ value: Float) -> Double {
    let decimal = (Double(value) * 1e6).rounded() / 1e6
    return Float(decimal) == value ? decimal : Double(value)
  }
}

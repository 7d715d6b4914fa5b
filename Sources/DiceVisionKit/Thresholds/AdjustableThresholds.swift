internal import Synchronization

/// Thresholds that are changed while a detector works, by sliders for example.
///
/// Any thread may read and write at any time. A change counts from the next frame on; a frame that
/// is asking at that moment takes the old or the new value of each.
public final class AdjustableThresholds: ThresholdProvider, Sendable {
  private let iouBits: Atomic<UInt64>
  private let confidenceBits: Atomic<UInt64>

  /// Thresholds that begin with the given values; ``DiceDetector/defaultThresholds`` are a good
  /// beginning.
  public init(_ thresholds: Thresholds = .standard) {
    iouBits = Atomic(thresholds.iouThreshold.bitPattern)
    confidenceBits = Atomic(thresholds.confidenceThreshold.bitPattern)
  }

  /// The overlap (intersection over union) up to which two boxes live side by side, 0...1.
  public var iouThreshold: Double {
    get { Double(bitPattern: iouBits.load(ordering: .relaxed)) }
    set { iouBits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// The least confidence of a die, 0...1.
  public var confidenceThreshold: Double {
    get { Double(bitPattern: confidenceBits.load(ordering: .relaxed)) }
    set { confidenceBits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// One of the two thresholds, nil for other names.
  public func featureValue(for name: String) -> Double? {
    if ThresholdName.isIoUThreshold(name) { return iouThreshold }
    if ThresholdName.isConfidenceThreshold(name) { return confidenceThreshold }
    return nil
  }
}

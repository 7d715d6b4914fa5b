internal import Synchronization

/// Thresholds that are changed while a detector works, by sliders for example.
///
/// Any thread may read and write at any time. A change counts from the next frame on; a frame that
/// is asking at that moment takes the old or the new value of each.
public final class AdjustableThresholds: ThresholdProvider, Sendable {
  private let iou: Atomic<UInt64>
  private let confidence: Atomic<UInt64>

  /// Thresholds that begin with the given values; those of the weights unless told.
  public init(_ thresholds: Thresholds = Thresholds()) {
    iou = Atomic(Self.bits(thresholds.iouThreshold))
    confidence = Atomic(Self.bits(thresholds.confidenceThreshold))
  }

  /// The overlap (intersection over union) up to which two boxes live side by side, 0...1; nil
  /// takes that of the weights.
  public var iouThreshold: Float? {
    get { Self.value(iou.load(ordering: .relaxed)) }
    set { iou.store(Self.bits(newValue), ordering: .relaxed) }
  }

  /// The least confidence of a die, 0...1; nil takes that of the weights.
  public var confidenceThreshold: Float? {
    get { Self.value(confidence.load(ordering: .relaxed)) }
    set { confidence.store(Self.bits(newValue), ordering: .relaxed) }
  }

  /// One of the two thresholds, nil for other names.
  public func featureValue(for name: String) -> Float? {
    if ThresholdName.isIoUThreshold(name) { return iouThreshold }
    if ThresholdName.isConfidenceThreshold(name) { return confidenceThreshold }
    return nil
  }

  /// A number in the lower half; all ones for nil.
  private static func bits(_ value: Float?) -> UInt64 {
    value.map { UInt64($0.bitPattern) } ?? .max
  }

  private static func value(_ bits: UInt64) -> Float? {
    bits == .max ? nil : Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }
}

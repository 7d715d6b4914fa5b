internal import DiceNumerics

/// Why a tracker of poses cannot be made, or cannot take a frame: the broken rule.
public enum PoseTrackerError: Error, Hashable, Sendable {
  /// A frame is later than the one before; `PoseTracker.reset()` begins anew.
  case timeNotIncreasing(Duration, previous: Duration)
  /// A number of the configuration is in its range (a NaN is in none).
  case valueOutOfRange(name: String, value: Double, range: ClosedRange<Double>)
  /// A duration of the configuration is in its range.
  case durationOutOfRange(name: String, value: Duration, range: ClosedRange<Duration>)
}

extension PoseTrackerError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .timeNotIncreasing(let time, let previous):
      "The frame's time is \(time); it must be after that of the frame before, \(previous)."
    case .valueOutOfRange(let name, let value, let range):
      "\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound)."
    case .durationOutOfRange(let name, let value, let range):
      "\(name) is \(value.inSeconds) s; it must be from \(range.lowerBound.inSeconds) s to "
        + "\(range.upperBound.inSeconds) s."
    }
  }
}

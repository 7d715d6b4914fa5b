public import DiceFields
public import DicePoses
public import DiceRegistration
public import DiceTrajectories

/// Why a session cannot be made, or cannot take a frame: the broken rule.
public enum ThrowSessionError: Error, Hashable, Sendable {
  /// A number of the configuration or of the rules is in its range (a NaN is in none).
  case valueOutOfRange(name: String, value: Double, range: ClosedRange<Double>)
  /// All frames are as large as the first one; `ThrowSession.reset()` begins anew.
  case frameSizeChanged(width: Int, height: Int, previousWidth: Int, previousHeight: Int)
  /// A frame is later than the one before.
  case timeNotIncreasing(Duration, previous: Duration)
  /// Flights cannot be looked for.
  case trajectories(TrajectoryError)
  /// The field cannot be looked for, or its corners or size are none.
  case field(FieldError)
  /// The camera's movement cannot be measured.
  case registration(ImageRegistrationError)
  /// People cannot be followed.
  case poses(PoseTrackerError)
  /// The type of a throw cannot be told.
  case actions(ActionClassifierError)
}

extension ThrowSessionError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .valueOutOfRange(let name, let value, let range):
      "\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound)."
    case .frameSizeChanged(let width, let height, let previousWidth, let previousHeight):
      "The frame is \(width) by \(height) pixels; those before were \(previousWidth) by "
        + "\(previousHeight)."
    case .timeNotIncreasing(let time, let previous):
      "The frame's time is \(time); it must be after that of the frame before, \(previous)."
    case .trajectories(let error): "\(error)"
    case .field(let error): "\(error)"
    case .registration(let error): "\(error)"
    case .poses(let error): "\(error)"
    case .actions(let error): "\(error)"
    }
  }
}

/// Why a frame cannot be looked at: the broken rule.
public enum TrajectoryError: Error, Hashable, Sendable {
  /// A side of the frame is shorter than `TrajectoryDetector.minimumSide` or longer than
  /// `TrajectoryDetector.maximumSide`.
  case frameSizeOutOfRange(width: Int, height: Int)
  /// The upright frame is not as large as those before; `reset()` starts anew.
  case frameSizeChanged(width: Int, height: Int, previousWidth: Int, previousHeight: Int)
  /// The frame is not later than the one before.
  case timeNotIncreasing(Duration, previous: Duration)
  /// The least number of points is not in `TrajectoryDetector.Options.lengthRange`.
  case trajectoryLengthOutOfRange(Int)
  /// The number of frames without evidence is not in `TrajectoryDetector.Options.patienceRange`.
  case framesWithoutEvidenceOutOfRange(Int)
  /// The radii are not numbers, or the smallest is above the largest.
  case radiiOutOfRange(minimum: Double, maximum: Double)
  /// The region of interest has no area, or is not in the picture.
  case regionOfInterestOutOfRange
}

extension TrajectoryError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .frameSizeOutOfRange(let width, let height):
      "The frame is \(width) by \(height) pixels; each side must be from "
        + "\(TrajectoryDetector.minimumSide) to \(TrajectoryDetector.maximumSide)."
    case .frameSizeChanged(let width, let height, let previousWidth, let previousHeight):
      "The frame is \(width) by \(height) pixels; those before were \(previousWidth) by "
        + "\(previousHeight)."
    case .timeNotIncreasing(let time, let previous):
      "The frame's time is \(time); it must be after that of the frame before, \(previous)."
    case .trajectoryLengthOutOfRange(let length):
      "The trajectory length is \(length) points; it must be from "
        + "\(TrajectoryDetector.Options.lengthRange.lowerBound) to "
        + "\(TrajectoryDetector.Options.lengthRange.upperBound)."
    case .framesWithoutEvidenceOutOfRange(let count):
      "A trajectory ends after \(count) frames; it must be from "
        + "\(TrajectoryDetector.Options.patienceRange.lowerBound) to "
        + "\(TrajectoryDetector.Options.patienceRange.upperBound)."
    case .radiiOutOfRange(let minimum, let maximum):
      "The radii are from \(minimum) to \(maximum); they must be numbers from 0 on, the first not above "
        + "the second."
    case .regionOfInterestOutOfRange:
      "The region of interest must have an area in the picture, which is 0 to 1 on both axes."
    }
  }
}

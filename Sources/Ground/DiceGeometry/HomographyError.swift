/// Why a ``Homography`` or a ``CameraPose`` cannot be found: the broken rule.
public enum HomographyError: Error, Hashable, Sendable {
  /// There are fewer correspondences than are needed.
  case tooFewCorrespondences(found: Int, required: Int)
  /// A correspondence holds a NaN, an infinity or a weight that is not positive.
  case correspondenceNotUsable(index: Int)
  /// All points but one lie on a line, or coincide, on one side of the map; or what they say cannot be
  /// seen by a camera.
  case degenerate
  /// The distance that counts as agreement is not positive or not finite.
  case thresholdOutOfRange(Double)
  /// No map that four correspondences determine has four or more in agreement.
  case noConsensus
  /// The focal length is not positive or not finite.
  case focalLengthOutOfRange(Double)
}

extension HomographyError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .tooFewCorrespondences(let found, let required):
      "There are \(found) correspondences; at least \(required) are required."
    case .correspondenceNotUsable(let index):
      "Correspondence \(index) holds a number that is not finite, or a weight that is not positive."
    case .degenerate:
      "The points do not determine a map: too many of them lie on a line or coincide."
    case .thresholdOutOfRange(let threshold):
      "The threshold is \(threshold); it must be positive and finite."
    case .noConsensus:
      "No map has four correspondences in agreement."
    case .focalLengthOutOfRange(let length):
      "The focal length is \(length) pixels; it must be positive and finite."
    }
  }
}

/// Why corners and a size make no field of play.
public enum PlayingFieldError: Error, Hashable, Sendable {
  /// There are not four corners.
  case wrongCornerCount(Int)
  /// A corner is not a number or too far out; its place in the order.
  case cornerOutOfRange(index: Int)
  /// A side's real length is out of its range.
  case sizeOutOfRange(width: Double, height: Double)
  /// The corners make no convex quadrilateral in their order.
  case notConvex
  /// The corners go the other way round.
  case notClockwise
}

extension PlayingFieldError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .wrongCornerCount(let count): "A field has four corners; there are \(count)."
    case .cornerOutOfRange(let index):
      "Corner \(index + 1) must be a number, and at most \(PlayingField.reach) pixels from the origin."
    case .sizeOutOfRange(let width, let height):
      "The size is \(width) by \(height) cm; each must be from \(PlayingField.lengths.lowerBound) to "
        + "\(PlayingField.lengths.upperBound)."
    case .notConvex:
      "The corners must follow each other around a quadrilateral without a dent."
    case .notClockwise: "The corners must go clockwise as one sees the picture."
    }
  }
}

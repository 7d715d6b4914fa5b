/// Why numbers are no tally, no probabilities or no test: the case is the broken rule.
public enum DiceStatisticsError: Error, Hashable, Sendable {
  /// A die has 2 to 100 faces.
  case faceCount(found: Int)
  /// A value is 1 up to the number of faces.
  case value(found: Int, faceCount: Int)
  /// A count is not negative; `face` counts from 1.
  case negativeCount(found: Int, face: Int)
  /// All counts together are at most ``DiceTally/rollLimit``.
  case tooManyRolls
  /// Of `rollCount` values in a row, the runs are from 1 to as many.
  case runCount(found: Int, rollCount: Int)
  /// Probabilities, matrices and tallies that are compared have a face for each other's.
  case facesDiffer(found: Int, required: Int)
  /// A probability is from 0 to 1; `face` counts from 1.
  case probability(found: Double, face: Int)
  /// Probabilities add up to 1, within a millionth.
  case probabilitySum(found: Double)
  /// A reader reads each face right more often than wrong; `face` counts from 1.
  case readerOftenWrong(face: Int)
  /// A test needs a roll.
  case noRolls
  /// A level and a power are between 0 and 1, and the power is above the level.
  case share(found: Double)
  /// A bias is above 0 and leaves the face's probability at most 1.
  case bias(found: Double)
}

extension DiceStatisticsError: CustomStringConvertible {
  /// The broken rule as a sentence.
  public var description: String {
    switch self {
    case .faceCount(let found): "A die has 2 to 100 faces, not \(found)."
    case .value(let found, let faceCount):
      "A value is a whole number from 1 to \(faceCount), not \(found)."
    case .negativeCount(let found, let face):
      "A count is not negative, and that of face \(face) is \(found)."
    case .tooManyRolls: "A tally has at most \(DiceTally.rollLimit) rolls."
    case .runCount(let found, let rollCount):
      "\(rollCount) rolls have no \(found) runs."
    case .facesDiffer(let found, let required):
      "There must be a number for each of \(required) faces, not \(found)."
    case .probability(let found, let face):
      "A probability is from 0 to 1, and that of face \(face) is \(found)."
    case .probabilitySum(let found): "Probabilities add up to 1, not to \(found)."
    case .readerOftenWrong(let face):
      "A reader must read each face right more often than wrong, and does not so face \(face)."
    case .noRolls: "There is no roll to test."
    case .share(let found):
      "A level and a power are between 0 and 1, the power above the level; one is \(found)."
    case .bias(let found): "A bias is above 0 and leaves a probability at most 1, unlike \(found)."
    }
  }
}

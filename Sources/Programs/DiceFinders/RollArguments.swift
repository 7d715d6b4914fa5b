package import DiceCommandLine
package import DiceRolls

/// The options of commands that follow dice to the end of a roll.
package enum RollArguments {
  package static let every = ValueOption.integer(
    "every", "N", in: 1...1000, "Looks for dice only in every Nth frame.", default: "1")
  package static let dice = ValueOption.integer(
    "dice", "N", in: 1...64, "How many dice a roll has; other numbers are no roll.",
    default: "any number")
  package static let laid = Switch(
    "laid", "Dice that appear without being thrown are also rolls.")
}

extension FoundDie {
  /// The die as a tracker takes it.
  package var observation: RollTracker.Observation {
    guard let alternatives else {
      return RollTracker.Observation(
        boundingBox: boundingBox, confidence: Float(confidence), kind: namedKind ?? .d6,
        value: value)
    }
    return RollTracker.Observation(
      boundingBox: boundingBox, confidence: Float(confidence), values: alternatives)
  }
}

internal import DiceRolls
internal import DiceStatistics

/// A roll as it is counted.
struct CountedRoll: Hashable, Sendable {
  /// A die of it.
  struct Die: Hashable, Sendable {
    var kind = DieKind.d6
    /// What was read; nil where nothing was.
    var value: Int?
    /// How it looks.
    var appearance: DieAppearance
  }

  /// The dice that were thrown.
  var dice: [Die]
}

/// The rolls of all inputs.
struct CountedRolls {
  /// The most rolls of a call.
  static let rollLimit = 1_000_000
  /// The most dice of a roll, as for `--dice`.
  static let dieLimit = 64

  /// The rolls in their order.
  private(set) var rolls: [CountedRoll] = []
  /// How many rolls or pictures had no dice, or more than ``dieLimit``.
  private(set) var uncountableCount = 0
  /// Whether more rolls came than ``rollLimit``; they are not counted.
  private(set) var isFull = false

  /// Counts a roll.
  ///
  /// - Returns: its place, for ``replace(_:at:)``; nil where it is not counted.
  @discardableResult
  mutating func add(_ roll: CountedRoll) -> Int? {
    guard (1...Self.dieLimit).contains(roll.dice.count) else {
      uncountableCount += 1
      return nil
    }
    guard rolls.count < Self.rollLimit else {
      isFull = true
      return nil
    }
    rolls.append(roll)
    return rolls.count - 1
  }

  /// Corrects a roll.
  mutating func replace(_ roll: CountedRoll, at place: Int) {
    guard rolls.indices.contains(place), (1...Self.dieLimit).contains(roll.dice.count) else {
      return
    }
    rolls[place] = roll
  }
}

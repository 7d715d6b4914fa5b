internal import DiceStatistics

/// What a call asks about the dice.
struct TallyQuestion {
  var faceCount: Int
  /// The probabilities to compare with.
  var expected: FaceProbabilities
  /// How dice are misread; nil for a reader that makes no errors.
  var reader: ReadingMatrix?
  /// What the matrix comes from, for people.
  var readerName: String
  /// How many dice a roll has; nil for any number.
  var dieCount: Int?
  var bias: Double
  var power: Double
  /// The share of false alarms over all tests of a call.
  var level: Double
}

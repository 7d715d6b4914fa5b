internal import DiceRolls
internal import DiceStatistics

/// What a call asks about the dice.
struct TallyQuestion {
  /// Which dice count; nil for all, of which only the values are known.
  var kind: DieKind?
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

  /// The place of a value among the faces, from 1; nil where no face has it.
  func face(of value: Int) -> Int? {
    guard let kind else { return (1...faceCount).contains(value) ? value : nil }
    return kind.values.firstIndex(of: value).map { $0 + 1 }
  }

  /// The value of a face by its place.
  func value(ofFace place: Int) -> Int { kind?.values[place - 1] ?? place }

  /// What is printed on a face: "0" where it counts as 10.
  func name(ofFace place: Int) -> String {
    let value = value(ofFace: place)
    return kind?.face(for: value) ?? "\(value)"
  }
}

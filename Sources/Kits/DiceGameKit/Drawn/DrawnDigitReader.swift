internal import DiceNumerics

/// Reads a group of strokes as a digit or as none, from its picture and from the pen's way.
package struct DrawnDigitReader: Sendable {
  private let classifier: DigitClassifier
  private let ways: PenWayClassifier
  private let orNone: DigitOrNoneClassifier

  /// What the logarithms of probabilities are multiplied with, so that a confidence is the share of
  /// readings that are right; found on writers whose digits were not learnt from.
  package static let sharpness = 1.7
  /// The weight of the way in the mean of logarithms of way and picture; likewise.
  private static let wayWeight = 0.75

  package init(
    classifier: DigitClassifier, ways: PenWayClassifier, orNone: DigitOrNoneClassifier
  ) {
    self.classifier = classifier
    self.ways = ways
    self.orNone = orNone
  }

  /// The probabilities of the ten digits and, at last, of none; they sum to 1.
  ///
  /// Whether it is a digit, the way and the picture say, each with a network that knows none; which
  /// one, the weighted geometric mean of way and picture. The picture is left out where the way shows no digit.
  ///
  /// - Parameter pictureVote: how much the picture counts in saying that it is none, 0...1.
  package func probabilities(
    of group: InkGroup, pictureVote: Double
  ) throws(DigitClassifierError) -> [Float] {
    let way = try ways.probabilities(of: group)
    var none = way[10]
    if none > 0.995 { return way }
    let bitmap = DigitBitmap(group)
    let picture = try classifier.classify(bitmap).probabilities
    var values = (0..<10).map { digit in
      let (one, other) = (max(Double(way[digit]), 1e-9), max(Double(picture[digit]), 1e-9))
      return exponential(
        Self.sharpness
          * (Self.wayWeight * naturalLogarithm(one)
            + (1 - Self.wayWeight) * naturalLogarithm(other)))
    }
    let other = Double(try orNone.probabilities(of: bitmap)[10])
    let share = exponential(pictureVote * naturalLogarithm(max(1e-9, 1 - other)))
    none = 1 - (1 - none) * Float(share)
    let sum = values.reduce(0, +)
    for digit in 0..<10 { values[digit] *= Double(1 - none) / sum }
    return values.map { Float($0) } + [none]
  }
}

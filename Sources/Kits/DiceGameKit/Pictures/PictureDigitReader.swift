internal import DiceNumerics

/// Reads the picture of a digit with two networks: one that knows what is none, one that knows digits.
package struct PictureDigitReader: Sendable {
  private let classifier: DigitClassifier
  private let orNone: DigitOrNoneClassifier

  /// What the logarithms of both networks' probabilities are multiplied with.
  package static let sharpness = 1.3

  package init(classifier: DigitClassifier, orNone: DigitOrNoneClassifier) {
    self.classifier = classifier
    self.orNone = orNone
  }

  /// The probabilities of the ten digits and, at last, of none, by the smaller network alone.
  package func quickProbabilities(
    of bitmap: DigitBitmap
  ) throws(DigitClassifierError) -> [Float] {
    try orNone.probabilities(of: bitmap)
  }

  /// The probabilities of the ten digits and, at last, of none; they sum to 1.
  ///
  /// Whether it is a digit, the smaller network says; which one, the geometric mean of both.
  package func probabilities(of bitmap: DigitBitmap) throws(DigitClassifierError) -> [Float] {
    let first = try orNone.probabilities(of: bitmap)
    let second = try classifier.classify(bitmap).probabilities
    var values = (0..<10).map { digit in
      let (one, other) = (max(Double(first[digit]), 1e-9), max(Double(second[digit]), 1e-9))
      return exponential(
        Self.sharpness * 0.5 * (naturalLogarithm(one) + naturalLogarithm(other)))
    }
    let sum = values.reduce(0, +)
    for digit in 0..<10 { values[digit] *= Double(1 - first[10]) / sum }
    return values.map { Float($0) } + [first[10]]
  }
}

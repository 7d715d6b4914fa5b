internal import DiceFiles

/// What a classifier says of one digit.
public struct DigitPrediction: Hashable, Sendable {
  /// The most likely digit, 0...9; the smaller one of equally likely ones.
  public let digit: Int
  /// How likely it is, 0...1.
  public let confidence: Float
  /// How likely each digit is, by digit: ten numbers that sum to 1.
  public let probabilities: [Float]

  /// A prediction from the probabilities of the ten digits.
  ///
  /// - Precondition: there are ten numbers.
  public init(probabilities: [Float]) {
    precondition(probabilities.count == 10, "there is one probability for each digit")
    var best = 0
    for digit in 1..<10 where probabilities[digit] > probabilities[best] { best = digit }
    digit = best
    confidence = probabilities[best]
    self.probabilities = probabilities
  }
}

extension DigitPrediction: CustomStringConvertible {
  /// "4, 99.8 %".
  public var description: String {
    "\(digit), \(NumberText.fixed(Double(confidence) * 100, decimals: 1)) %"
  }
}

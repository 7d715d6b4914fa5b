/// Turns what networks and a search say of a digit into how often such digits are right.
///
/// The odds that it is right are a number of times those that were said. That number was found on
/// writers whose digits no network had learnt from.
struct Calibration: Sendable {
  /// How many times the odds are what was said.
  var factor: Float

  /// For drawings.
  static let drawings = Calibration(factor: 12)

  /// How often something is right that a share was said of, 0...1.
  func confidence(of share: Float) -> Float {
    let odds = factor * min(max(0, share), 1)
    return odds / (odds + 1 - min(max(0, share), 1))
  }

  /// The probabilities of the ten digits after a search.
  ///
  /// - Parameters:
  ///   - probabilities: of the ten digits, as networks say.
  ///   - value: the digit that was chosen.
  ///   - certainty: how likely the search found the right groups, 0...1.
  /// - Returns: the same with the chosen digit's confidence in its place; the others share what is
  ///   left in the proportions that they had.
  func probabilities(_ probabilities: [Float], value: Int, certainty: Double) -> [Float] {
    Self.probabilities(
      probabilities, value: value,
      confidence: confidence(of: probabilities[value] * Float(certainty)))
  }

  /// The probabilities of the ten digits with a confidence in the chosen one's place; the others share
  /// what is left in the proportions that they had.
  static func probabilities(_ probabilities: [Float], value: Int, confidence: Float) -> [Float] {
    let said = probabilities[value]
    let factor = said < 1 ? (1 - confidence) / (1 - said) : 0
    var result = probabilities.map { min(1, $0 * factor) }
    result[value] = confidence
    return result
  }
}

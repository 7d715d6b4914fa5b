internal import DiceMath

/// Turns what networks and a search say of a digit into how often such digits are right.
///
/// The odds that it is right are a number of times those that were said. That number was found on
/// writers whose digits no network had learnt from.
struct Calibration: Sendable {
  /// How many times the odds are what was said.
  var factor: Float
  /// The power that the odds of a search's certainty are taken to; nil where the certainty is a factor
  /// of what was said.
  var certaintyPower: Double?
  /// How many times the odds are what they would be without a cut through ink.
  var cutFactor: Double = 1

  /// For drawings.
  static let drawings = Calibration(factor: 12)
  /// For pictures.
  static let pictures = Calibration(
    factor: 3.3, certaintyPower: 0.11, cutFactor: 0.45)

  /// How often something is right that a share was said of, 0...1.
  func confidence(of share: Float) -> Float {
    let odds = factor * min(max(0, share), 1)
    return odds / (odds + 1 - min(max(0, share), 1))
  }

  private func confidence(of said: Float, certainty: Double, cutCount: Int) -> Float {
    guard let certaintyPower else { return confidence(of: said * Float(certainty)) }
    func odds(_ share: Double) -> Double {
      let share = min(max(1e-4, share), 1 - 1e-4)
      return share / (1 - share)
    }
    var found =
      Double(factor) * odds(Double(said))
      * exponential(certaintyPower * naturalLogarithm(odds(certainty)))
    for _ in 0..<cutCount { found *= cutFactor }
    return Float(found / (1 + found))
  }

  /// The probabilities of the ten digits after a search.
  ///
  /// - Parameters:
  ///   - probabilities: of the ten digits, as networks say.
  ///   - value: the digit that was chosen.
  ///   - certainty: how likely the search found the right groups, 0...1.
  ///   - cutCount: at how many sides the digit was cut from others.
  /// - Returns: the same with the chosen digit's confidence in its place; the others share what is
  ///   left in the proportions that they had.
  func probabilities(
    _ probabilities: [Float], value: Int, certainty: Double, cutCount: Int = 0
  ) -> [Float] {
    let said = probabilities[value]
    let found = confidence(of: said, certainty: certainty, cutCount: cutCount)
    let factor = said < 1 ? (1 - found) / (1 - said) : 0
    var result = probabilities.map { min(1, $0 * factor) }
    result[value] = found
    return result
  }
}

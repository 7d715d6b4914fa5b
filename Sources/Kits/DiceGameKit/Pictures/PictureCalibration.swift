internal import DiceNumerics

/// How often digits in pictures are right that networks and a search say something of.
///
/// ```
/// ln odds = bias + digit · ln odds(p) - none · ln odds(q) + search · ln odds(s)
/// ```
///
/// `p` is the probability of the digit where it is one, `q` that of none, `s` how likely the search
/// found the right groups. The four numbers were found by logistic regression on whole numbers, which
/// are right where all of their digits are, of writers whose digits no network had learnt from.
struct PictureCalibration: Sendable {
  var bias = -1.05
  var digit = 0.72
  var none = 0.23
  var search = 0.325

  /// The logarithm of a probability's odds; probabilities are taken as at least 0.0001 from 0 and 1.
  static func logOdds(_ probability: Double) -> Double {
    let share = min(max(1e-4, probability), 1 - 1e-4)
    return naturalLogarithm(share / (1 - share))
  }

  /// How often such a digit is right, 0...1.
  ///
  /// - Parameters:
  ///   - said: the probability that it is this digit, and one at all.
  ///   - none: the probability that it is none.
  ///   - certainty: how likely the search found the right groups.
  func confidence(of said: Float, none: Float, certainty: Double) -> Float {
    let share = Double(said) / max(1e-6, 1 - Double(none))
    let sum =
      bias + digit * Self.logOdds(share) - self.none * Self.logOdds(Double(none))
      + search * Self.logOdds(certainty)
    return Float(1 / (1 + exponential(-sum)))
  }
}

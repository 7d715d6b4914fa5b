internal import DiceNumerics

/// How the numbers of classes become scores.
public enum ScoreActivation: Int, CaseIterable, Hashable, Sendable {
  /// They are scores.
  case none = 0
  /// `1 / (1 + exp(-x))`, each for itself.
  case sigmoid = 1
  /// `exp(x)` over the sum of all.
  case softmax = 2

  /// The likeliest of some classes and its score.
  ///
  /// Of equal scores the first one counts. A NaN among the numbers gives nil; so do no numbers.
  ///
  /// - Parameters:
  ///   - ignored: So many classes at the beginning are never the likeliest: a background, of which a
  ///     softmax takes account all the same.
  func best(
    _ numbers: [Float], from start: Int, count: Int, ignoring ignored: Int = 0
  ) -> (index: Int, score: Float)? {
    var best = -1
    var greatest = -Float.infinity
    var top = -Float.infinity
    for index in 0..<count {
      let number = numbers[start + index]
      if number.isNaN { return nil }
      top = max(top, number)
      if index >= ignored, number > greatest || best < 0 {
        greatest = number
        best = index
      }
    }
    guard best >= 0 else { return nil }
    switch self {
    case .none: return (best - ignored, greatest)
    case .sigmoid: return (best - ignored, HeadFunctions.sigmoid(greatest))
    case .softmax:
      guard top.isFinite, greatest.isFinite else { return nil }
      var sum = 0.0
      for index in 0..<count {
        sum += HeadFunctions.exponential(Double(numbers[start + index]) - Double(top))
      }
      let score = HeadFunctions.exponential(Double(greatest) - Double(top)) / sum
      return (best - ignored, Float(score))
    }
  }
}

/// Functions of heads, in double precision.
package enum HeadFunctions {
  /// `exp(x)`, with `x` limited to what has a finite result above 0; NaN for NaN.
  static func exponential(_ x: Double) -> Double {
    DiceNumerics.exponential(x < -700 ? -700 : x > 700 ? 700 : x)
  }

  /// `1 / (1 + exp(-x))`.
  package static func sigmoid(_ x: Float) -> Float { Float(sigmoid(Double(x))) }

  /// `1 / (1 + exp(-x))`.
  static func sigmoid(_ x: Double) -> Double { 1 / (1 + exponential(-x)) }

  /// The hyperbolic tangent: `2 sigmoid(2 x) - 1`.
  static func hyperbolicTangent(_ x: Double) -> Double { 2 * sigmoid(2 * x) - 1 }

  /// `x` to a power; 0 where `x` is not a normal number above 0.
  static func power(_ x: Double, _ exponent: Double) -> Double {
    x.isNormal && x > 0 ? exponential(exponent * naturalLogarithm(x)) : 0
  }
}

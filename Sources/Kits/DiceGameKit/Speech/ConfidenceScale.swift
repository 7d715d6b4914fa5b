internal import DiceNumerics

/// Makes the share that a search gives a number the share of such numbers that are right.
///
/// `confidence = 1 / (1 + e^-(slope ln(p / (1 - p)) + offset))`, fitted on voices that the network has
/// not learnt from: it is surer of itself than it should be.
///
/// Source: Platt, Probabilistic Outputs for Support Vector Machines, 1999.
package struct ConfidenceScale: Hashable, Sendable {
  /// What the logarithm of the odds is multiplied with, 0.05...20.
  package var slope: Float
  /// What is added to it, -20...20.
  package var offset: Float

  /// Numbers outside their ranges are brought into them; without any, confidence is the probability.
  package init(slope: Float = 1, offset: Float = 0) {
    self.slope = min(max(slope, 0.05), 20)
    self.offset = min(max(offset, -20), 20)
  }

  /// The logarithm of a probability's odds, as far as it counts.
  package static func logOdds(_ probability: Float) -> Float {
    let p = min(max(probability, 1e-6), 1 - 1e-6)
    return logarithm2(p / (1 - p)) * 0.6931472
  }

  /// The confidence of a probability.
  package func confidence(_ probability: Float) -> Float {
    guard probability > 0 else { return 0 }
    return 1 / (1 + exponential(-(slope * Self.logOdds(probability) + offset)))
  }

  /// Findings with confidences for probabilities: the first by its own, the others as they divided the
  /// rest.
  package func applied(to findings: [NumberSearch.Finding]) -> [NumberSearch.Finding] {
    guard let best = findings.first, self != ConfidenceScale() else { return findings }
    let confidence = confidence(best.probability)
    let share = (1 - confidence) / max(1 - best.probability, 1e-6)
    var result = findings
    for index in result.indices {
      result[index].probability =
        index == 0 ? confidence : min(confidence, result[index].probability * share)
    }
    return result
  }
}

internal import DiceNumerics

/// How well the sounds that were heard are those of words, to tell numbers from others that are like them.
///
/// The words' evidence is
///
///     ln Σ_paths Π_t p[t, path[t]] − Σ_t ln max_c p[t, c]
///
/// over all paths in time that become their sounds when repeated ones are made one and nothing is left out. It
/// is about 0 where no other sounds are as likely, and the less the likelier others are.
package struct SoundMatch: Sendable {
  /// Evidence below this is no less likely.
  package static let leastEvidence: Float = -20
  /// How many numbers, the likeliest ones, are weighed.
  package static let findingLimit = 5

  /// For each step, the probability of each class of `SpokenSound` as a share of the likeliest one's.
  private let shares: [Float]

  /// - Parameter probabilities: for each step one for each class of `SpokenSound`.
  /// - Precondition: the number of probabilities is a multiple of the classes.
  package init(probabilities: [Float]) {
    let classCount = SpokenSound.count
    precondition(probabilities.count.isMultiple(of: classCount), "a probability for each class")
    var shares = probabilities
    for step in 0..<probabilities.count / classCount {
      let range = step * classCount..<(step + 1) * classCount
      let greatest = max(probabilities[range].max() ?? 0, .leastNormalMagnitude)
      for index in range { shares[index] /= greatest }
    }
    self.shares = shares
  }

  /// Findings whose probabilities are multiplied with `e^evidence`, in their new order.
  ///
  /// What speaks against any number keeps its share, and so that all sums up to 1 again, all are divided by
  /// their sum. Findings behind the first ``findingLimit`` are among what speaks against any other.
  package func weighed(_ findings: [NumberSearch.Finding]) -> [NumberSearch.Finding] {
    var result = Array(findings.prefix(Self.findingLimit))
    var sum = max(0, 1 - result.reduce(0) { $0 + $1.probability })
    for index in result.indices {
      result[index].probability *= exponential(evidence(of: result[index].words))
      sum += result[index].probability
    }
    guard sum > 0 else { return result }
    for index in result.indices { result[index].probability /= sum }
    result.sort {
      $0.probability != $1.probability ? $0.probability > $1.probability : $0.value < $1.value
    }
    return result
  }

  /// The evidence of words, at least ``leastEvidence``.
  package func evidence(of words: [SpokenWord]) -> Float {
    let (classCount, sounds) = (SpokenSound.count, words.flatMap { SpokenSound.sounds(of: $0) })
    // Sounds with nothing around each.
    let count = 2 * sounds.count + 1
    func label(_ state: Int) -> Int { state & 1 == 0 ? SpokenSound.blank : sounds[state >> 1] }
    var (now, logarithm) = ([Float](repeating: 0, count: count), 0.0)
    for step in 0..<shares.count / classCount {
      var greatest: Float = 0
      for state in stride(from: count - 1, through: 0, by: -1) {
        var sum = step == 0 ? (state < 2 ? 1 : 0) : now[state]
        if step > 0, state >= 1 { sum += now[state - 1] }
        if step > 0, state >= 3, state & 1 == 1, label(state) != label(state - 2) {
          sum += now[state - 2]
        }
        now[state] = sum * shares[step * classCount + label(state)]
        greatest = max(greatest, now[state])
      }
      guard greatest > 0 else { return Self.leastEvidence }
      logarithm += naturalLogarithm(Double(greatest))
      for state in now.indices { now[state] /= greatest }
    }
    let end = now[count - 1] + (count > 1 ? now[count - 2] : 0)
    guard end > 0 else { return Self.leastEvidence }
    return max(Self.leastEvidence, Float(logarithm + naturalLogarithm(Double(end))))
  }
}

internal import DiceNumerics

extension DiceTally {
  /// What a runs test found.
  public struct RunsTest: Hashable, Sendable {
    /// How many runs of equal values there were.
    public let runCount: Int
    /// How many there are in the mean of all orders of these values.
    public let expectedRunCount: Double
    /// The difference in standard deviations: below 0 where equal values follow each other too often.
    public let standardScore: Double
    /// How often independent rolls give a difference as great, by the normal approximation.
    public let pValue: Double
  }

  /// Tests whether a roll depends on the one before, by the number of runs of equal values.
  ///
  /// Of all orders of counts `nᵢ` with `n` in all, the number of runs has
  ///
  ///     mean     1 + (n² − Σ nᵢ²) / n
  ///     variance (Σ nᵢ² (Σ nᵢ² + n (n + 1)) − 2 n Σ nᵢ³ − n³) / (n² (n − 1))
  ///
  /// It says nothing about how likely the faces are. A reader's errors do not disturb it if they do not
  /// depend on the roll before.
  ///
  /// - Returns: nil for values without an order, for fewer than 20 rolls, and where all orders have as many
  ///   runs.
  ///
  /// Source: A. M. Mood, *Annals of Mathematical Statistics* 11 (1940).
  public func runsTest() -> RunsTest? {
    let n = Double(rollCount)
    guard let runCount, n >= 20 else { return nil }
    let (expected, variance) = Self.runMoments(counts)
    guard variance > 1e-9 else { return nil }
    let score = (Double(runCount) - expected) / variance.squareRoot()
    return RunsTest(
      runCount: runCount, expectedRunCount: expected, standardScore: score,
      pValue: normalTails(score))
  }

  /// The mean and the variance of the number of runs over all orders of the values.
  static func runMoments(_ counts: [Int]) -> (mean: Double, variance: Double) {
    let n = Double(counts.reduce(0, +))
    // Shares instead of counts, so that nothing overflows.
    let shares = counts.map { Double($0) / n }
    let squares: Double = shares.reduce(0) { $0 + $1 * $1 }
    let cubes: Double = shares.reduce(0) { $0 + $1 * $1 * $1 }
    let inner: Double = squares * (n * squares + n + 1) - 2 * n * cubes - 1
    return (1 + n * (1 - squares), n / (n - 1) * inner)
  }
}

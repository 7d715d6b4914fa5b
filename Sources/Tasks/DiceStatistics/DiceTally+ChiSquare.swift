extension DiceTally {
  /// What a chi-square test found.
  public struct ChiSquareTest: Hashable, Sendable {
    /// How far counts and expectation are apart: `X²`, infinite where an impossible face came up.
    public let statistic: Double
    /// The faces that can come up, less one.
    public let degreesOfFreedom: Int
    /// How often a die of the expected probabilities gives an `X²` as great or greater.
    public let pValue: Double
    /// The least of the expected counts.
    ///
    /// Below 5 the p-value is rough: use
    /// ``DiceTally/exactTest(against:reader:seed:)``.
    public let leastExpectedCount: Double
  }

  /// Pearson's chi-square test of the counts.
  ///
  /// `X² = Σ (count − n q)² / (n q)`, with `q` the expected probabilities. With a reader's matrix `q = p M`,
  /// and the uncertainty `V` of the matrix comes in (``ReadingMatrix``):
  ///
  ///     X² = dᵀ ((diag(q) − q qᵀ) / n + V)⁻¹ d,   d = counts / n − q
  ///
  /// which is Pearson's where `V` is 0. Faces whose `q` is 0 are left out.
  ///
  /// - Parameters:
  ///   - expected: the probabilities to compare with; nil for those of a fair die.
  ///   - reader: how values were read; nil for a reader that makes no errors.
  /// - Throws: `DiceStatisticsError.noRolls`, `.facesDiffer`.
  ///
  /// Source: K. Pearson, *Philosophical Magazine* 50 (1900).
  public func chiSquareTest(
    against expected: FaceProbabilities? = nil, reader: ReadingMatrix? = nil
  ) throws(DiceStatisticsError) -> ChiSquareTest {
    let question = try Question(self, expected, reader)
    let n = Double(question.rollCount)
    let q = question.readings
    let used = q.indices.filter { q[$0] > 0 }
    let degreesOfFreedom = max(1, used.count - 1)
    let least = used.reduce(Double.infinity) { min($0, n * q[$1]) }
    if q.indices.contains(where: { q[$0] == 0 && counts[$0] > 0 }) {
      return ChiSquareTest(
        statistic: .infinity, degreesOfFreedom: degreesOfFreedom, pValue: 0,
        leastExpectedCount: least)
    }
    var statistic = 0.0
    if reader == nil {
      for face in used {
        let difference = Double(counts[face]) - n * q[face]
        statistic += difference * difference / (n * q[face])
      }
    } else {
      let difference = q.indices.map { Double(counts[$0]) / n - q[$0] }
      statistic = LinearSystem.distance(difference, question.covariance(rollCount: n))
    }
    return ChiSquareTest(
      statistic: statistic, degreesOfFreedom: degreesOfFreedom,
      pValue: ChiSquare.tail(statistic, degreesOfFreedom: degreesOfFreedom),
      leastExpectedCount: least)
  }

  /// What a test asks: counts, and what is expected of them.
  struct Question {
    let rollCount: Int
    /// `p`.
    let probabilities: [Double]
    /// `q`.
    let readings: [Double]
    /// `V`; nil for a reader without errors.
    let uncertainty: [[Double]]?
    let reader: ReadingMatrix?

    init(
      _ tally: DiceTally, _ expected: FaceProbabilities?, _ reader: ReadingMatrix?
    ) throws(DiceStatisticsError) {
      guard tally.rollCount > 0 else { throw .noRolls }
      try self.init(
        rollCount: tally.rollCount, expected ?? .even(faceCount: tally.faceCount), reader,
        faceCount: tally.faceCount)
    }

    init(
      rollCount: Int, _ expected: FaceProbabilities, _ reader: ReadingMatrix?, faceCount: Int
    ) throws(DiceStatisticsError) {
      guard expected.faceCount == faceCount else {
        throw .facesDiffer(found: expected.faceCount, required: faceCount)
      }
      if let reader, reader.faceCount != faceCount {
        throw .facesDiffer(found: reader.faceCount, required: faceCount)
      }
      self.init(known: expected.shares, reader, rollCount: rollCount)
    }

    /// For probabilities that have a face for each of the reader's.
    init(known probabilities: [Double], _ reader: ReadingMatrix?, rollCount: Int = 1) {
      self.rollCount = rollCount
      self.reader = reader
      self.probabilities = probabilities
      readings = reader?.product(probabilities) ?? probabilities
      uncertainty = reader?.covariance(of: probabilities)
    }

    /// The covariance of the shares of so many readings.
    func covariance(rollCount n: Double) -> [[Double]] {
      readings.indices.map { one in
        readings.indices.map { other in
          let sampling = (one == other ? readings[one] : 0) - readings[one] * readings[other]
          return sampling / n + (uncertainty?[one][other] ?? 0)
        }
      }
    }
  }
}

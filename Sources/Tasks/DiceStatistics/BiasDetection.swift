internal import DiceNumerics

/// How many rolls it takes to see a bias, and which bias so many rolls can show.
///
/// A bias of `δ` makes one face likelier by `δ`; the others lose in proportion to what they have. With `Σ₀` the
/// covariance of the shares that are read of a die without the bias, `Σ₁` that with it, each with the uncertainty
/// of the reader's matrix (``ReadingMatrix``), and `Δ` the change of what is read, `X²` has
///
///     λ = Δᵀ Σ₀⁻¹ Δ,  B = Σ₀⁻¹ Σ₁
///     mean m = tr(B) + λ,  variance v = 2 tr(B²) + 4 Δᵀ Σ₀⁻¹ Σ₁ Σ₀⁻¹ Δ
///
/// A multiple of a noncentral chi-square variable with the same degrees of freedom, mean and variance stands
/// for it; of a central one where there is none. The face with the least `λ` counts.
///
/// From 5 expected rolls of each face on, powers of six-sided dice are within 1.5 points of simulated ones, and
/// those of twenty-sided dice within 6; from 30 on all are within 2.
///
/// Source: J. Cohen, *Statistical Power Analysis for the Behavioral Sciences*, chapter 7, for `λ`; P. B.
/// Patnaik, *Biometrika* 36 (1949), for fitting two moments.
public struct BiasDetection: Hashable, Sendable {
  /// How often a die of the expected probabilities is called biased.
  public let level: Double
  /// The statistic from which on it is.
  public let criticalValue: Double
  private let question: DiceTally.Question
  private let degreesOfFreedom: Int
  private let shifts: [Shift]

  /// What a face's bias changes, for each point of it.
  private struct Shift {
    var face: Int
    /// In the probabilities.
    var probabilities: [Double]
    /// In the readings.
    var change: [Double]
  }

  /// A test.
  ///
  /// - Parameters:
  ///   - expected: the probabilities of the die without a bias; nil for those of a fair one of six faces.
  ///   - reader: how values are read; nil for a reader that makes no errors.
  ///   - level: how often a die of these probabilities may be called biased, between 0 and 1.
  /// - Throws: `DiceStatisticsError.share`, `.facesDiffer`, and `.bias` for a die that always shows one face.
  public init(
    expected: FaceProbabilities? = nil, reader: ReadingMatrix? = nil, level: Double = 0.05
  ) throws(DiceStatisticsError) {
    guard level > 0, level < 1 else { throw .share(found: level) }
    let expected = expected ?? .even(faceCount: 6)
    question = try DiceTally.Question(
      rollCount: 1, expected, reader, faceCount: expected.faceCount)
    self.level = level
    let used = question.readings.count { $0 > 0 }
    guard used > 1 else { throw .bias(found: 0) }
    degreesOfFreedom = used - 1
    criticalValue = ChiSquare.criticalValue(level, degreesOfFreedom: degreesOfFreedom)
    shifts = expected.shares.indices.compactMap { face in
      guard expected.shares[face] > 0, let shift = expected.shift(to: face) else { return nil }
      return Shift(
        face: face, probabilities: shift, change: reader?.product(shift) ?? shift)
    }
  }

  /// How likely so many rolls show a bias.
  ///
  /// - Throws: `DiceStatisticsError.noRolls`, `.bias`.
  public func power(bias: Double, rollCount: Int) throws(DiceStatisticsError) -> Double {
    guard rollCount > 0 else { throw .noRolls }
    return try power(bias, faces(bias), rollCount)
  }

  /// The number of rolls that show a bias with a power.
  ///
  /// - Parameters:
  ///   - bias: by how much a face is likelier than expected: 0.05 for 5 points.
  ///   - power: how likely it is to be seen, above the level and below 1.
  /// - Returns: nil where no number does: the reader's errors are not known well enough.
  /// - Throws: `DiceStatisticsError.bias`, `.share`.
  public func rollsNeeded(
    bias: Double, power: Double = 0.8
  ) throws(DiceStatisticsError) -> Int? {
    let faces = try self.faces(bias)
    try check(power)
    var high = 1
    while self.power(bias, faces, high) < power {
      guard high < DiceTally.rollLimit else { return nil }
      high *= 2
    }
    var low = high / 2
    while high - low > 1 {
      let middle = (low + high) / 2
      if self.power(bias, faces, middle) < power { low = middle } else { high = middle }
    }
    return high
  }

  /// The least bias that so many rolls show with a power, to a billionth; nil where they show none.
  ///
  /// - Throws: `DiceStatisticsError.noRolls`, `.share`.
  public func leastBias(
    rollCount: Int, power: Double = 0.8
  ) throws(DiceStatisticsError) -> Double? {
    guard rollCount > 0 else { throw .noRolls }
    try check(power)
    var low = 0.0
    var high = shifts.reduce(0) { max($0, 1 - question.probabilities[$1.face]) }
    guard try self.power(bias: high, rollCount: rollCount) >= power else { return nil }
    while high - low > 1e-9 {
      let middle = (low + high) / 2
      if try self.power(bias: middle, rollCount: rollCount) < power {
        low = middle
      } else {
        high = middle
      }
    }
    return high
  }

  /// The faces that can have a bias.
  private func faces(_ bias: Double) throws(DiceStatisticsError) -> [Shift] {
    let faces =
      bias > 0 ? shifts.filter { question.probabilities[$0.face] + bias <= 1 + 1e-12 } : []
    guard !faces.isEmpty else { throw .bias(found: bias) }
    return faces
  }

  private func check(_ power: Double) throws(DiceStatisticsError) {
    guard power > level, power < 1 else { throw .share(found: power) }
  }

  private func power(_ bias: Double, _ faces: [Shift], _ rollCount: Int) -> Double {
    let n = Double(rollCount)
    // Faces that nobody expects are no part of the test.
    let used = question.readings.indices.filter { question.readings[$0] > 0 }
    func part(_ matrix: [[Double]]) -> [[Double]] {
      used.dropLast().map { row in used.dropLast().map { matrix[row][$0] } }
    }
    let before = part(question.covariance(rollCount: n))
    let changes = faces.map { shift in used.dropLast().map { bias * shift.change[$0] } }
    guard let pulls = LinearSystem.solve(before, changes) else { return 1 }
    func product(_ one: [Double], _ other: [Double]) -> Double {
      zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let distances = zip(changes, pulls).map(product)
    let worst = distances.indices.min { distances[$0] < distances[$1] }!
    let distance = distances[worst]
    // The same die with the bias.
    let loaded = DiceTally.Question(
      known: zip(question.probabilities, faces[worst].probabilities).map {
        max(0, $0 + bias * $1)
      }, question.reader)
    let after = part(loaded.covariance(rollCount: n))
    guard let ratio = LinearSystem.solve(before, after) else { return 1 }
    var (trace, square) = (0.0, 0.0)
    for row in ratio.indices {
      trace += ratio[row][row]
      for column in ratio.indices { square += ratio[row][column] * ratio[column][row] }
    }
    let spread = product(pulls[worst], after.map { product($0, pulls[worst]) })
    let k = Double(degreesOfFreedom)
    let mean: Double = trace + distance
    let variance: Double = 2 * square + 4 * spread
    guard variance > 0 else { return mean > criticalValue ? 1 : 0 }
    // scale · χ²(k, λ) has the mean scale (k + λ) and the variance 2 scale² (k + 2 λ).
    let discriminant: Double = mean * mean - k * variance / 2
    let scale = (mean - max(0, discriminant).squareRoot()) / k
    let noncentrality = discriminant > 0 ? mean / scale - k : 0
    // Beyond that it is normal, and a scale of 0 is no number to divide by.
    guard noncentrality < 1000 else {
      let score = (criticalValue - mean) / variance.squareRoot()
      return score > 0 ? normalTails(score) / 2 : 1 - normalTails(score) / 2
    }
    return ChiSquare.tail(
      criticalValue / scale, degreesOfFreedom: degreesOfFreedom,
      noncentrality: max(0, noncentrality))
  }
}

extension BiasDetection {
  /// Whether two tests ask the same.
  public static func == (one: Self, other: Self) -> Bool {
    one.level == other.level && one.question.probabilities == other.question.probabilities
      && one.question.reader == other.question.reader
  }

  /// Adds what makes a test to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(level)
    hasher.combine(question.probabilities)
    hasher.combine(question.reader)
  }
}

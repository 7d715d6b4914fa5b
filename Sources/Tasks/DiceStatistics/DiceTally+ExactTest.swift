internal import DiceNumerics

extension DiceTally {
  /// What an exact test found.
  public struct ExactTest: Hashable, Sendable {
    /// How a p-value came about.
    public enum Method: Hashable, Sendable {
      /// All possible counts were gone through, so many.
      case enumerated(outcomeCount: Int)
      /// So many tests were simulated. The exact p-value lies in the interval with 99 % confidence.
      case simulated(testCount: Int, interval: ClosedRange<Double>)
      /// There are so many rolls that the chi-square test stands in.
      case approximated
    }

    /// How often a die of the expected probabilities gives counts as unlikely as these, or less likely.
    public let pValue: Double
    /// How it came about.
    public let method: Method
  }

  /// The most outcomes that are gone through.
  private static let outcomeLimit = 1_000_000
  /// The most rolls in all simulated tests together.
  private static let simulationLimit = 10_000_000
  /// Above so many rolls the chi-square test stands in.
  private static let simulatedRollLimit = 50_000

  /// The exact multinomial test of the counts.
  ///
  /// The p-value is the sum of `P(x)` over all counts `x` of as many rolls with `P(x) ≤ P(counts)`, where
  /// `P(x) = n! Π qᵢ^xᵢ / xᵢ!`. Probabilities that differ by less than 1e-7 of themselves count as equal.
  ///
  /// - Up to a million outcomes are enumerated: 38 rolls of a six-sided die. A reader's matrix then counts as
  ///   exact, and only where its uncertainty is below a hundredth of the variance.
  /// - Up to 50,000 rolls are simulated 1,000 to 20,000 times. With a reader's matrix, each simulated test
  ///   also simulates the measuring of that matrix. The p-value is `(hits + 1) / (tests + 1)`, the interval
  ///   Wilson's.
  /// - Beyond that ``chiSquareTest(against:reader:)`` answers.
  ///
  /// - Parameters:
  ///   - expected: the probabilities to compare with; nil for those of a fair die.
  ///   - reader: how values were read; nil for a reader that makes no errors.
  ///   - seed: that of the simulation; equal seeds give equal results.
  /// - Throws: `DiceStatisticsError.noRolls`, `.facesDiffer`.
  public func exactTest(
    against expected: FaceProbabilities? = nil, reader: ReadingMatrix? = nil, seed: UInt64 = 1
  ) throws(DiceStatisticsError) -> ExactTest {
    let question = try Question(self, expected, reader)
    let q = question.readings
    if q.indices.contains(where: { q[$0] == 0 && counts[$0] > 0 }) {
      return ExactTest(pValue: 0, method: .enumerated(outcomeCount: 0))
    }
    let used = q.indices.filter { q[$0] > 0 }
    let found = used.map { counts[$0] }
    let n = question.rollCount
    if let count = Self.outcomeCount(rollCount: n, faceCount: used.count), question.isCertain {
      var enumeration = Enumeration(LogProbability(used.map { q[$0] }, rollCount: n), n)
      return ExactTest(
        pValue: enumeration.pValue(of: found), method: .enumerated(outcomeCount: count))
    }
    guard n <= Self.simulatedRollLimit else {
      let test = try chiSquareTest(against: expected, reader: reader)
      return ExactTest(pValue: test.pValue, method: .approximated)
    }
    return Self.simulated(found, used, question, seed: seed)
  }

  /// How many counts of so many rolls there are, `(n + k − 1 choose k − 1)`; nil above the limit.
  private static func outcomeCount(rollCount: Int, faceCount: Int) -> Int? {
    var result = 1
    for step in 1..<max(1, faceCount) {
      // A limit on both factors keeps the product far from overflow.
      guard rollCount <= outcomeLimit, result <= outcomeLimit else { return nil }
      result = result * (rollCount + step) / step
    }
    return result <= outcomeLimit ? result : nil
  }

  private static func simulated(
    _ found: [Int], _ used: [Int], _ question: Question, seed: UInt64
  ) -> ExactTest {
    let n = question.rollCount
    let measured = question.reader.map { $0.weights.map { Int($0.rounded()) } }
    // A matrix of more dice than that is as good as certain.
    let matrix = measured.flatMap { $0.reduce(0, +) <= 200_000 ? $0 : nil }
    let cost = n + (matrix?.reduce(0, +) ?? 0)
    let testCount = min(20_000, max(1_000, simulationLimit / cost))
    let probability = LogProbability(used.map { question.readings[$0] }, rollCount: n)
    let limit = probability.value(of: found) + LogProbability.tolerance
    var generator = SplitMix64(seed: seed)
    var rolls = Sampler(used.map { question.readings[$0] })
    let rows = question.reader?.shares.map { Sampler($0) } ?? []
    var hits = 0
    for _ in 0..<testCount {
      if let matrix {
        // The die is of the expected probabilities, and the true matrix is one that would have been
        // measured as likely.
        var q = [Double](repeating: 0, count: question.readings.count)
        for (face, row) in rows.enumerated() {
          let weight = question.probabilities[face] / Double(matrix[face])
          for (reading, count) in row.counts(of: matrix[face], &generator).enumerated() {
            q[reading] += weight * Double(count)
          }
        }
        rolls = Sampler(used.map { q[$0] })
      }
      if probability.value(of: rolls.counts(of: n, &generator)) <= limit { hits += 1 }
    }
    let share = Double(hits) / Double(testCount)
    return ExactTest(
      pValue: Double(hits + 1) / Double(testCount + 1),
      method: .simulated(
        testCount: testCount,
        interval: WilsonInterval.interval(
          share: share, count: Double(testCount), z: ChiSquare.normalQuantile(tails: 0.01))))
  }
}

extension DiceTally.Question {
  /// Whether the uncertainty of the matrix is small beside that of the rolls.
  fileprivate var isCertain: Bool {
    guard let uncertainty else { return true }
    let n = Double(rollCount)
    return readings.indices.allSatisfy {
      uncertainty[$0][$0] * n <= 0.01 * readings[$0] * (1 - readings[$0])
    }
  }
}

/// `ln P(x)` of counts, but for the sum of rolls that all have in common.
private struct LogProbability {
  /// How much logarithms of equal probabilities may differ.
  static let tolerance = 1e-7

  let logShares: [Double]
  /// `ln x!`.
  let logFactorials: [Double]

  init(_ shares: [Double], rollCount: Int) {
    logShares = shares.map { naturalLogarithm($0) }
    var sum = 0.0
    var factorials = [0.0]
    factorials.reserveCapacity(rollCount + 1)
    for number in 1...max(1, rollCount) {
      sum += naturalLogarithm(Double(number))
      factorials.append(sum)
    }
    logFactorials = factorials
  }

  func value(of counts: [Int]) -> Double {
    var sum = logFactorials[counts.reduce(0, +)]
    for (face, count) in counts.enumerated() { sum += term(face, count) }
    return sum
  }

  @inline(__always)
  func term(_ face: Int, _ count: Int) -> Double {
    Double(count) * logShares[face] - logFactorials[count]
  }
}

/// Goes through all counts of so many rolls.
private struct Enumeration {
  private let probability: LogProbability
  private let rollCount: Int
  private var limit = 0.0
  private var sum = 0.0

  init(_ probability: LogProbability, _ rollCount: Int) {
    self.probability = probability
    self.rollCount = rollCount
  }

  mutating func pValue(of counts: [Int]) -> Double {
    limit = probability.value(of: counts) + LogProbability.tolerance
    sum = 0
    visit(face: 0, rest: rollCount, logarithm: probability.logFactorials[rollCount])
    return min(1, sum)
  }

  private mutating func visit(face: Int, rest: Int, logarithm: Double) {
    if face == probability.logShares.count - 1 {
      let all = logarithm + probability.term(face, rest)
      if all <= limit { sum += exponential(all) }
      return
    }
    for count in 0...rest {
      visit(
        face: face + 1, rest: rest - count, logarithm: logarithm + probability.term(face, count))
    }
  }
}

/// Draws faces.
private struct Sampler {
  private var bounds: [UInt64] = []

  init(_ shares: [Double]) {
    let sum = shares.reduce(0, +)
    var reached = 0.0
    for share in shares.dropLast() {
      reached += share / sum
      bounds.append(UInt64(min(max(reached, 0), 1) * 0x1p63))
    }
  }

  func counts(of rollCount: Int, _ generator: inout SplitMix64) -> [Int] {
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    for _ in 0..<rollCount {
      let number = generator.next() >> 1
      var face = 0
      for bound in bounds where number >= bound { face += 1 }
      counts[face] += 1
    }
    return counts
  }
}

import DiceStatistics
import TestSupport
import Testing

/// Simulated dice: how often tests say what they promise.
@Suite struct SimulatedDiceTests {
  private static let dieCount = 1000

  /// Draws values by their probabilities.
  private struct Die {
    var bounds: [Double] = []

    init(_ shares: [Double]) {
      var sum = 0.0
      for share in shares.dropLast() {
        sum += share
        bounds.append(sum)
      }
    }

    func roll(_ generator: inout SeededGenerator) -> Int {
      let number = Double(generator.next() >> 11) * 0x1p-53
      var value = 1
      for bound in bounds where number >= bound { value += 1 }
      return value
    }

    func tally(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
      var counts = [Int](repeating: 0, count: bounds.count + 1)
      for _ in 0..<count { counts[roll(&generator) - 1] += 1 }
      return counts
    }
  }

  private static let fair = [Double](repeating: 1.0 / 6, count: 6)

  /// Whether so many of 1000 are within 3.3 standard deviations of a share: once in a thousand not.
  private func isNear(_ count: Int, _ share: Double, beside slack: Double = 0) -> Bool {
    let n = Double(Self.dieCount)
    return (Double(count) / n - share).magnitude
      <= slack + 3.3 * (share * (1 - share) / n).squareRoot()
  }

  private func rejections(
    _ shares: [Double], rolls: Int, reader: ReadingMatrix? = nil, level: Double = 0.05, seed: UInt64
  ) throws -> Int {
    var generator = SeededGenerator(seed: seed)
    let die = Die(shares)
    var count = 0
    for _ in 0..<Self.dieCount {
      let tally = try DiceTally(counts: die.tally(rolls, &generator))
      if try tally.chiSquareTest(reader: reader).pValue < level { count += 1 }
    }
    return count
  }

  @Test func falseAlarmsAreAtTheLevel() throws {
    for (level, rolls) in [(0.05, 60), (0.05, 600), (0.01, 300)] {
      let count = try rejections(Self.fair, rolls: rolls, level: level, seed: 101)
      #expect(isNear(count, level), "seed 101, \(rolls) rolls, level \(level): \(count)")
    }
  }

  @Test func exactTestsNeverExceedTheirLevel() throws {
    var generator = SeededGenerator(seed: 102)
    let die = Die(Self.fair)
    var count = 0
    for _ in 0..<Self.dieCount {
      if try DiceTally(counts: die.tally(9, &generator)).exactTest().pValue < 0.05 { count += 1 }
    }
    #expect(count > 10 && Double(count) / 1000 < 0.05 + 3.3 * 0.0069, "seed 102: \(count)")
  }

  @Test func simulatedPValuesHoldTheExactOne() throws {
    let counts = [9, 3, 2, 8, 10, 6]
    let exact = try DiceTally(counts: counts).exactTest()
    // As many outcomes again with a seventh face that hardly comes up are too many.
    let expected = try FaceProbabilities(Self.fair.map { $0 * (1 - 1e-7) } + [1e-7])
    let simulated = try DiceTally(counts: counts + [0]).exactTest(against: expected, seed: 5)
    guard case .simulated(let tests, let interval) = simulated.method else {
      Issue.record("\(simulated.method)")
      return
    }
    #expect(
      tests == 20_000 && interval.contains(exact.pValue) && interval.contains(simulated.pValue))
    try expectEqual(
      DiceTally(counts: counts + [0]).exactTest(against: expected, seed: 5), simulated)
  }

  @Test func powerIsAsComputed() throws {
    let detection = try BiasDetection()
    for (bias, rolls) in [(0.15, 60), (0.05, 600), (0.08, 400), (0.03, 1000)] {
      var shares = [Double](repeating: (1 - 1.0 / 6 - bias) / 5, count: 6)
      shares[5] = 1.0 / 6 + bias
      let count = try rejections(shares, rolls: rolls, seed: 103)
      let power = try detection.power(bias: bias, rollCount: rolls)
      #expect(
        isNear(count, power, beside: 0.015), "seed 103, \(bias), \(rolls): \(count), \(power)")
    }
  }

  /// A reader that errs as the bundled matrix says.
  private static let errors = ReadingMatrix.validationPhotos.counts.map { row in
    row.map { Double($0) / Double(row.reduce(0, +)) }
  }

  @Test func aReadersErrorsAreNotTakenForTheDies() throws {
    // A bad reader: each six is read as five once in eight times.
    var matrix = Self.errors
    matrix[5] = [0, 0, 0, 0, 0.12, 0.88]
    let read = (0..<6).map { value in (0..<6).reduce(0.0) { $0 + matrix[$1][value] / 6 } }
    let blind = try rejections(read, rolls: 2000, seed: 104)
    #expect(blind > 500, "seed 104: \(blind)")
    // The matrix is measured anew for each die, from 600 dice, so that its own uncertainty counts.
    var generator = SeededGenerator(seed: 105)
    let (die, rows) = (Die(read), matrix.map { Die($0) })
    var alarms = 0
    for _ in 0..<Self.dieCount {
      let reader = try ReadingMatrix(counts: rows.map { $0.tally(100, &generator) })
      let tally = try DiceTally(counts: die.tally(2000, &generator))
      if try tally.chiSquareTest(reader: reader).pValue < 0.05 { alarms += 1 }
    }
    #expect(isNear(alarms, 0.05, beside: 0.02), "seed 105: \(alarms)")
  }

  @Test func errorsThatAReaderDoesNotMakeRaiseFewAlarms() throws {
    for rolls in [300, 3000] {
      let count = try rejections(
        Self.fair, rolls: rolls, reader: .validationPhotos, seed: 108)
      #expect(count < 90, "seed 108, \(rolls) rolls: \(count)")
    }
  }

  @Test func intervalsHoldTheTruth() throws {
    var generator = SeededGenerator(seed: 106)
    let truth = [0.1, 0.15, 0.15, 0.15, 0.2, 0.25]
    let read = (0..<6).map { value in
      (0..<6).reduce(0.0) { $0 + truth[$1] * Self.errors[$1][value] }
    }
    let (die, rows) = (Die(read), Self.errors.map { Die($0) })
    var plain = 0
    var corrected = 0
    for _ in 0..<Self.dieCount {
      let reader = try ReadingMatrix(counts: rows.map { $0.tally(100, &generator) })
      let tally = try DiceTally(counts: die.tally(1000, &generator))
      for (estimate, share) in zip(try tally.faceEstimates(reader: reader), truth)
      where estimate.interval.contains(share) { corrected += 1 }
      for (estimate, share) in zip(try tally.faceEstimates(), truth)
      where estimate.interval.contains(share) { plain += 1 }
    }
    // 6000 intervals, of which those of a die depend on each other.
    #expect((0.935...0.975).contains(Double(corrected) / 6000), "seed 106: \(corrected)")
    #expect(plain < corrected, "seed 106: \(plain)")
  }

  @Test func runsShowDependence() throws {
    var generator = SeededGenerator(seed: 107)
    let die = Die(Self.fair)
    var alarms = 0
    var found = 0
    for _ in 0..<Self.dieCount {
      let values = (0..<200).map { _ in die.roll(&generator) }
      if try DiceTally(values: values).runsTest()!.pValue < 0.05 { alarms += 1 }
      // A die that lies as it lay in one of seven rolls.
      var sticky = [values[0]]
      for value in values.dropFirst() {
        sticky.append(generator.uniform(0...1) < 1.0 / 7 ? sticky.last! : value)
      }
      let test = try DiceTally(values: sticky).runsTest()!
      if test.pValue < 0.05, test.standardScore < 0 { found += 1 }
    }
    #expect(isNear(alarms, 0.05, beside: 0.01), "seed 107: \(alarms)")
    #expect(found > 950, "seed 107: \(found)")
  }
}

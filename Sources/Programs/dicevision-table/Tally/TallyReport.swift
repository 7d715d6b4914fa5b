internal import DiceRolls
internal import DiceStatistics

/// What was counted, and what it says.
struct TallyReport {
  /// A die, or dice that look alike, or all of them.
  struct Part {
    /// The dice of each roll in it; nil for all dice of all rolls.
    var dieCount: Int?
    /// Their looks; nil for all.
    var appearance: DieAppearance?
    var tally: DiceTally
    /// How many dice had no value.
    var unreadCount = 0
    var results: Results?
  }

  /// What tests found in a part.
  struct Results {
    var estimates: [DiceTally.FaceEstimate]
    var chiSquare: DiceTally.ChiSquareTest
    var exact: DiceTally.ExactTest
    var runs: DiceTally.RunsTest?
    /// The least bias that so many rolls show.
    var leastBias: Double?

    /// The p-value that decides: that of chi-square where all faces are expected five times or more.
    var pValue: Double { isChiSquareSound ? chiSquare.pValue : exact.pValue }
    var isChiSquareSound: Bool { chiSquare.leastExpectedCount >= 5 }
  }

  let question: TallyQuestion
  /// All dice, and then each die where there are several; never empty.
  private(set) var parts: [Part] = []
  /// The rolls that were counted.
  private(set) var rollCount = 0
  /// Rolls without dice, with too many, or with another number of dice than asked for.
  private(set) var leftOutCount: Int
  /// How many dice each roll of the parts by die has, and how many such rolls there are; nil where dice
  /// are not told apart.
  private(set) var groupedRolls: (dieCount: Int, rollCount: Int)?
  /// How many values there were that no face has.
  private(set) var foreignCount = 0
  /// How many dice of other kinds there were.
  private(set) var otherKinds: [DieKind: Int] = [:]
  /// Whether colours tell dice apart, or sizes alone.
  let hasColors: Bool
  /// The number of rolls for some biases, the one asked for among them; nil for never.
  private(set) var needed: [(bias: Double, rollCount: Int?)] = []
  /// The test of each die.
  private(set) var detection: BiasDetection
  /// The level of each test: that of the call, divided among the dice.
  private(set) var level: Double

  /// Counts, and tests.
  ///
  /// - Throws: `DiceStatisticsError` for a question that breaks a rule.
  init(
    _ input: CountedRolls, _ question: TallyQuestion, hasColors: Bool
  ) throws(DiceStatisticsError) {
    self.question = question
    detection = try BiasDetection(
      expected: question.expected, reader: question.reader, level: question.level)
    self.hasColors = hasColors
    leftOutCount = input.uncountableCount
    level = question.level
    let ofKind = dice(of: input.rolls)
    let rolls = ofKind.filter {
      question.dieCount == nil || $0.dice.count == question.dieCount
    }
    leftOutCount += ofKind.count - rolls.count
    rollCount = rolls.count
    var all = Part(tally: try DiceTally(faceCount: question.faceCount))
    // Values of several dice have no order.
    let isSingle = rolls.allSatisfy { $0.dice.count == 1 }
    if !isSingle { all.tally = try DiceTally(counts: all.tally.counts) }
    for roll in rolls {
      for die in roll.dice { try count(die, in: &all) }
    }
    parts = [all]
    if !isSingle { try tellApart(rolls) }
    // One test of all dice, or one of each.
    let testCount = max(1, parts.count - 1)
    level = question.level / Double(testCount)
    if testCount > 1 {
      detection = try BiasDetection(
        expected: question.expected, reader: question.reader, level: level)
    }
    for index in parts.indices { parts[index].results = try results(of: parts[index].tally) }
    var biases = Set([0.1, 0.05, 0.03, 0.02, 0.01])
    biases.insert(question.bias)
    for bias in biases.sorted(by: >) {
      do throws(DiceStatisticsError) {
        needed.append((bias, try detection.rollsNeeded(bias: bias, power: question.power)))
      } catch {
        // No face can have so great a bias; only the one asked for must be possible.
        if bias == question.bias { throw error }
      }
    }
  }

  /// The rolls with the dice of the kind that is asked for, without those that have none.
  private mutating func dice(of rolls: [CountedRoll]) -> [CountedRoll] {
    guard let kind = question.kind else { return rolls }
    var result: [CountedRoll] = []
    for var roll in rolls {
      for die in roll.dice where die.kind != kind { otherKinds[die.kind, default: 0] += 1 }
      roll.dice.removeAll { $0.kind != kind }
      if !roll.dice.isEmpty { result.append(roll) }
    }
    return result
  }

  private mutating func count(
    _ die: CountedRoll.Die, in part: inout Part
  ) throws(DiceStatisticsError) {
    guard let value = die.value else {
      part.unreadCount += 1
      return
    }
    guard let face = question.face(of: value) else {
      if part.appearance == nil { foreignCount += 1 }
      return
    }
    try part.tally.add(face)
  }

  /// Adds a part for each die of the rolls with the commonest number of dice, where they look different.
  private mutating func tellApart(_ rolls: [CountedRoll]) throws(DiceStatisticsError) {
    var frequencies: [Int: Int] = [:]
    for roll in rolls { frequencies[roll.dice.count, default: 0] += 1 }
    guard
      let common = frequencies.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key,
      common > 1
    else { return }
    let same = rolls.filter { $0.dice.count == common }
    let found = DieGroups(
      same.map { roll in
        roll.dice.map {
          hasColors
            ? $0.appearance
            : DieAppearance(color: SIMD3(repeating: 0.5), size: $0.appearance.size)
        }
      })
    guard found.groups.count > 1 else { return }
    groupedRolls = (common, same.count)
    var groups: [Part] = []
    for group in found.groups {
      var tally = try DiceTally(faceCount: question.faceCount)
      if group.dieCount > 1 { tally = try DiceTally(counts: tally.counts) }
      groups.append(Part(dieCount: group.dieCount, appearance: group.appearance, tally: tally))
    }
    for (roll, members) in zip(same, found.members) {
      for (die, member) in zip(roll.dice, members) { try count(die, in: &groups[member]) }
    }
    parts += groups
  }

  /// What tests find; nil for a tally without rolls.
  private func results(of tally: DiceTally) throws(DiceStatisticsError) -> Results? {
    guard tally.rollCount > 0 else { return nil }
    let (expected, reader) = (question.expected, question.reader)
    return Results(
      estimates: try tally.faceEstimates(reader: reader),
      chiSquare: try tally.chiSquareTest(against: expected, reader: reader),
      exact: try tally.exactTest(against: expected, reader: reader),
      runs: tally.runsTest(),
      leastBias: try detection.leastBias(rollCount: tally.rollCount, power: question.power))
  }
}

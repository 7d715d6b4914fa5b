internal import DiceFiles
internal import DiceStatistics

extension TallyReport {
  /// What the tests say, in a word for programs.
  enum Verdict: String {
    case noRolls, noBiasSeen, hint, bias
  }

  /// Below this share of its level a p-value is more than a hint.
  private static let clearShare = 0.02

  func verdict(on part: Part) -> Verdict {
    guard let results = part.results else { return .noRolls }
    if results.pValue >= level { return .noBiasSeen }
    return results.pValue < level * Self.clearShare ? .bias : .hint
  }

  /// What the tests say, in sentences that promise no more than they found.
  func sentences(on part: Part) -> [String] {
    guard let results = part.results else { return ["Nothing was counted."] }
    var sentences: [String] = []
    switch verdict(on: part) {
    case .noRolls: break
    case .noBiasSeen:
      sentences.append("These rolls show no bias.")
      let count = NumberText.grouped(part.tally.rollCount)
      if let least = results.leastBias {
        sentences.append(
          "That does not prove that there is none: \(count) rolls show a bias of "
            + "\(Self.points(least)) with \(NumberText.percent(question.power)) probability, and a smaller "
            + "one less often.")
      } else {
        sentences.append(
          "That says little: so few rolls show no bias of any size with "
            + "\(NumberText.percent(question.power)) probability.")
      }
    case .hint:
      sentences.append(
        "Without a bias, \(Self.frequency(results.pValue)) gives counts as uneven as these. That is a hint "
          + "and no proof: roll as many again, and test those alone.")
      sentences.append(mostDifferent(results))
    case .bias:
      sentences.append(
        "Without a bias, \(Self.frequency(results.pValue)) gives counts as uneven as these.")
      sentences.append(mostDifferent(results))
      sentences.append(
        "The test does not say why: the die, the way it is thrown, or dice that are read or missed in "
          + "another way than the reader's matrix says.")
    }
    if let runs = results.runs, runs.pValue < level {
      sentences.append(
        runs.standardScore < 0
          ? "Equal values follow each other too often: a die that was hardly thrown, or a roll that was "
            + "counted twice."
          : "Values change too often for rolls that do not depend on each other.")
    }
    return sentences
  }

  /// The face whose count is furthest from what is expected to be read, in standard deviations.
  private func mostDifferent(_ results: Results) -> String {
    let expected = question.expected.shares
    let found = zip(results.estimates, expected).max { one, other in
      func distance(_ pair: (DiceTally.FaceEstimate, Double)) -> Double {
        (pair.0.share - pair.1).magnitude / max(pair.1 * (1 - pair.1), 1e-12).squareRoot()
      }
      return distance(one) < distance(other)
    }
    guard let (estimate, share) = found else { return "" }
    return
      "Face \(question.name(ofFace: estimate.value)) differs most: \(Self.percent(estimate.share)) instead of "
      + "\(Self.percent(share))."
  }

  // MARK: - Numbers

  /// "1 in 40 tests", to two digits.
  private static func frequency(_ pValue: Double) -> String {
    guard pValue >= 1e-6 else { return "fewer than 1 in 1,000,000 tests" }
    var unit = 1.0
    while 1 / pValue >= 100 * unit { unit *= 10 }
    return "1 in \(NumberText.grouped(Int((1 / pValue / unit).rounded() * unit))) tests"
  }

  /// "4.2 points".
  static func points(_ bias: Double) -> String {
    let points = NumberText.short(NumberText.rounded(bias * 100, decimals: 1))
    return "\(points) \(points == "1" ? "point" : "points")"
  }

  static func percent(_ share: Double) -> String {
    "\(NumberText.fixed(share * 100, decimals: 1)) %"
  }

  /// A p-value with two digits that count.
  static func text(ofPValue value: Double) -> String {
    if value >= 0.095 { return NumberText.fixed(value, decimals: 2) }
    if value >= 0.0095 { return NumberText.fixed(value, decimals: 3) }
    if value >= 0.00095 { return NumberText.fixed(value, decimals: 4) }
    return value >= 0.000095 ? NumberText.fixed(value, decimals: 5) : "below 0.0001"
  }

  /// What a part is called: "all dice", "the red die, about 42 pixels".
  func name(of part: Part) -> String {
    guard let dieCount = part.dieCount, let appearance = part.appearance else {
      return parts.count > 1 ? "all dice" : "the dice"
    }
    let size = "about \(NumberText.fixed(appearance.size, decimals: 0)) pixels"
    let color = hasColors ? DieColor.name(appearance.color) + " " : ""
    return dieCount == 1
      ? "the \(color)die of \(size)" : "\(dieCount) \(color)dice of \(size), which look alike"
  }

  /// What was counted and what was not, in sentences.
  var countSentences: [String] {
    var sentences = [
      "\(NumberText.grouped(parts[0].tally.rollCount)) values of "
        + "\(NumberText.grouped(rollCount)) \(rollCount == 1 ? "roll" : "rolls")."
    ]
    if leftOutCount > 0 {
      sentences.append(
        "\(NumberText.grouped(leftOutCount)) rolls or pictures without dice, or with another number of "
          + "dice, are left out.")
    }
    if parts[0].unreadCount > 0 {
      sentences.append(
        "\(NumberText.grouped(parts[0].unreadCount)) dice without a value are left out.")
    }
    if foreignCount > 0 {
      sentences.append(
        "\(NumberText.count(foreignCount, "value", "values")) that no face has "
          + "\(foreignCount == 1 ? "is" : "are") left out.")
    }
    if let otherKindsSentence { sentences.append(otherKindsSentence) }
    if let groupedRolls {
      sentences.append(
        "Dice are told apart by \(hasColors ? "colour and size" : "size"), in the "
          + "\(NumberText.grouped(groupedRolls.rollCount)) rolls of \(groupedRolls.dieCount) dice.")
    }
    if parts.count > 2 {
      sentences.append(
        "Each of \(parts.count - 1) parts is tested at a level of \(Self.percent(level)), so that false "
          + "alarms stay at \(Self.percent(question.level)) together.")
    }
    sentences.append(question.readerName)
    return sentences
  }

  /// What is left out since it is of another kind; nil where nothing is.
  var otherKindsSentence: String? {
    guard let first = otherKinds.keys.min() else { return nil }
    let names = otherKinds.keys.sorted().map {
      "\(NumberText.grouped(otherKinds[$0] ?? 0)) \($0.rawValue)"
    }
    return "Dice of other kinds are left out: \(names.joined(separator: ", ")). "
      + "--kinds \(first.rawValue) counts a \(first.rawValue)."
  }

  /// How the exact p-value came about.
  static func text(of method: DiceTally.ExactTest.Method) -> String {
    switch method {
    case .enumerated(let count):
      "enumerated, \(NumberText.grouped(count)) \(count == 1 ? "outcome" : "outcomes")"
    case .simulated(let count, let interval):
      "simulated, \(NumberText.grouped(count)) tests, \(text(ofPValue: interval.lowerBound)) to "
        + text(ofPValue: interval.upperBound)
    case .approximated: "so many rolls that it is that of chi-square"
    }
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceThrowTraining
internal import ThrowArguments

extension ActionArguments {
  /// What was measured, for people: the share, its interval, and what was told of each label.
  static func text(_ title: String, _ accuracy: ActionAccuracy) -> String {
    let interval = accuracy.interval
    var text =
      "\(title): \(NumberText.count(accuracy.readings.count, "sequence", "sequences")), balanced accuracy "
      + "\(NumberText.fixed(accuracy.balancedAccuracy, decimals: 4)) "
      + "(\(NumberText.fixed(interval.lowerBound, decimals: 3)) to "
      + "\(NumberText.fixed(interval.upperBound, decimals: 3)))\n"
    for (truth, row) in accuracy.confusions.enumerated() {
      let answers = zip(accuracy.labels, row).filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
      let hidden = accuracy.readings.count { $0.truth == truth && $0.answer == nil }
      let parts = answers + (hidden > 0 ? ["no trunk seen \(hidden)"] : [])
      let told = printable(parts.joined(separator: ", "))
      if !parts.isEmpty { text += "  \(printable(accuracy.labels[truth])): \(told)\n" }
    }
    return text
  }

  /// What was measured, for programs.
  static func json(_ accuracy: ActionAccuracy) -> JSONValue {
    let interval = accuracy.interval
    func number(_ value: Double) -> JSONValue { .number(NumberText.rounded(value, decimals: 5)) }
    return [
      "count": JSONValue(accuracy.readings.count), "share": number(accuracy.share),
      "balancedAccuracy": number(accuracy.balancedAccuracy),
      "interval": .array([number(interval.lowerBound), number(interval.upperBound)]),
      "labels": .array(accuracy.labels.map { .string($0) }),
      "confusions": .array(
        accuracy.confusions.map { row in .array(row.map { JSONValue($0) }) }),
      "mistakes": .array(
        accuracy.readings.filter { $0.answer != $0.truth }.map { .string($0.id) }),
    ]
  }
}

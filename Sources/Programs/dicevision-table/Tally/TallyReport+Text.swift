internal import DiceCommandLine
internal import DiceFiles
internal import DiceStatistics

extension TallyReport {
  /// The report for people.
  func text(_ style: TextStyle) -> String {
    var text = countSentences.joined(separator: "\n") + "\n"
    for part in parts {
      text += "\n" + style.bold(name(of: part)) + "\n"
      if let results = part.results {
        text += table(results)
        text += Self.tests(results)
      }
      text += sentences(on: part).map { "  \($0)\n" }.joined()
    }
    text += "\nRolls of a die that show a bias with \(NumberText.percent(question.power)) "
    text += "probability:\n"
    for (bias, count) in needed {
      let words = count.map { NumberText.grouped($0) } ?? "never: the reader's errors hide it"
      text += "  \(Self.points(bias)): \(words)\n"
    }
    return text
  }

  private func table(_ results: Results) -> String {
    var rows = [["face", "count", "share", "95 % interval", "expected"]]
    for (estimate, share) in zip(results.estimates, question.expected.shares) {
      rows.append([
        question.name(ofFace: estimate.value), NumberText.grouped(estimate.count),
        Self.percent(estimate.share), Self.interval(estimate), Self.percent(share),
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      "  "
        + zip(row, widths).map { cell, width in
          String(repeating: " ", count: width - cell.count) + cell
        }.joined(separator: "  ") + "\n"
    }.joined()
  }

  /// "14.1 to 18.7 %".
  static func interval(_ estimate: DiceTally.FaceEstimate) -> String {
    "\(NumberText.fixed(estimate.interval.lowerBound * 100, decimals: 1)) to "
      + percent(estimate.interval.upperBound)
  }

  private static func tests(_ results: Results) -> String {
    let chi = results.chiSquare
    var text = "  chi-square \(NumberText.fixed(chi.statistic, decimals: 2)), "
    text += "\(chi.degreesOfFreedom) degrees of freedom, p = \(self.text(ofPValue: chi.pValue))"
    text += results.isChiSquareSound ? "\n" : ", rough for so few rolls\n"
    text += "  exact p = \(self.text(ofPValue: results.exact.pValue)) "
    text += "(\(self.text(of: results.exact.method)))\n"
    if let runs = results.runs {
      text += "  \(NumberText.grouped(runs.runCount)) runs, "
      text += "\(NumberText.fixed(runs.expectedRunCount, decimals: 1)) expected, "
      text += "p = \(self.text(ofPValue: runs.pValue))\n"
    }
    return text
  }
}

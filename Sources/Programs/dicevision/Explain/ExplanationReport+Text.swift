internal import DiceCommandLine
internal import DiceFiles
internal import DiceVisionKit

extension ExplanationReport {
  /// The explanation in a few lines.
  func text(_ style: TextStyle) -> String {
    let values = explanation.result.values
    var text = printable(name, limit: .max) + ": "
    text +=
      values.isEmpty
      ? "no dice\n"
      : values.map { style.value($0, "\($0)") }.joined(separator: " ")
        + ", sum \(style.bold("\(explanation.result.sum)"))\n"
    text += "\n\(style.bold("Passes"))\n"
    for (index, pass) in explanation.passes.enumerated() {
      text += "  \(index + 1)  \(pass.round == 0 ? "first" : "tile"): \(Self.words(pass))\n"
    }
    text += "\n\(style.bold("Proposals"))\n  \(proposalSummary)\n"
    if explanation.hasSecondStage {
      text += "\n\(style.bold("Second stage"))\n"
      var rows = [["#", "detector", "second stage", "fused", "rescored", "what became of it"]]
      for (index, reading) in explanation.classifications.enumerated() {
        let detector = explanation.proposals[reading.proposalIndex].scores
        rows.append([
          "\(index + 1)", Self.short(detector), Self.short(reading.scores),
          Self.short(reading.fused),
          reading.rescoring.map { NumberText.percent(Double($0.confidence)) } ?? "",
          Self.words(reading.fate),
        ])
      }
      text += Self.aligned(rows)
    } else {
      let shown = explanation.proposals.enumerated().filter {
        $0.element.fate != .belowThreshold && $0.element.fate != .replacedByTiles
      }
      var rows = [["#", "detector", "what became of it"]]
      for (index, proposal) in shown {
        rows.append(["\(index + 1)", Self.short(proposal.scores), Self.words(proposal.fate)])
      }
      text += Self.aligned(rows)
    }
    return text
  }

  private static func aligned(_ rows: [[String]]) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    var text = ""
    for row in rows {
      var line = "  "
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        let isLast = column == row.count - 1
        line += isLast ? cell : gap + cell + "  "
      }
      text += line + "\n"
    }
    return text
  }
}

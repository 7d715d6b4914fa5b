import DiceGameKit
import Foundation
import TestSupport
import Testing

/// A row of the table in Docs/DiceMath.md.
struct TransitionRow: Hashable, CustomStringConvertible {
  let phase: String
  let event: String
  let condition: String
  let next: String
  let shows: [String]

  var key: String { "\(phase) | \(event) | \(condition)" }
  var description: String { key }

  /// The table's rows, in order.
  static let all: [TransitionRow] = {
    let url = Fixtures.folder.deletingLastPathComponent().appending(path: "Docs/DiceMath.md")
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    var isInTable = false
    var rows: [TransitionRow] = []
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("| phase | event | when |") {
        isInTable = true
        continue
      }
      guard isInTable, !line.hasPrefix("|---") else { continue }
      guard line.hasPrefix("|") else { break }
      let cells = line.dropFirst().dropLast().components(separatedBy: "|").map {
        $0.replacingOccurrences(of: "`", with: "").trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 5 else { continue }
      rows.append(
        TransitionRow(
          phase: cells[0], event: cells[1], condition: cells[2], next: cells[3],
          shows: cells[4].isEmpty ? [] : cells[4].components(separatedBy: ", ")))
    }
    return rows
  }()
}

/// The name of an output or an event: that of its case.
func caseName(_ value: Any) -> String {
  String("\(value)".prefix { $0 != "(" })
}

/// Every row of the table of transitions, and nothing besides.
@Suite struct TransitionTableTests {
  @Test func theTableHasARowForEachScenarioAndNoOther() {
    let rows = TransitionRow.all.map(\.key)
    #expect(rows.count == Set(rows).count)
    #expect(Set(rows) == Set(TransitionScenario.all.keys))
    #expect(rows.count > 60)
  }

  @Test func everyPhaseHasARowForEachEvent() {
    for phase in DiceMathGame.Phase.allCases {
      for event in [
        "rollEnded", "rollRevised", "operationChosen", "answerChanged", "diceCleared", "time",
        "undo", "restart",
      ] {
        #expect(
          TransitionRow.all.contains { $0.phase == phase.rawValue && $0.event == event },
          "\(phase) \(event)")
      }
    }
  }

  @Test(arguments: TransitionRow.all)
  func isPlayed(_ row: TransitionRow) throws {
    let scenario = try #require(TransitionScenario.all[row.key])
    var game = try scenario.game()
    #expect(game.phase.rawValue == row.phase)
    #expect(caseName(scenario.event) == row.event)
    let before = game
    let outputs = game.handle(scenario.event, at: scenario.time)
    #expect(game.phase.rawValue == row.next)
    #expect(outputs.map(caseName) == row.shows, "\(outputs)")
    if row.event == "undo", !row.shows.isEmpty {
      #expect(before.canUndo)
    } else if row.shows.isEmpty {
      // Only the clock may have gone on.
      #expect(game.players == before.players)
      #expect(game.questions == before.questions)
      #expect(game.wrongAnswers == before.wrongAnswers)
      #expect(game.log == before.log)
      #expect(game.canUndo == before.canUndo)
    }
    // The same from a saved game, unless an unfinished answer was lost with it.
    if before.pendingAnswer == nil {
      var restored = try JSONDecoder().decode(
        DiceMathGame.self, from: try JSONEncoder().encode(before))
      #expect(restored == before)
      #expect(restored.handle(scenario.event, at: scenario.time) == outputs)
      #expect(restored == game)
    }
  }
}

import DiceGameKit
import Foundation
import TestSupport
import Testing

/// Every row of the table of transitions, and nothing besides.
@Suite struct TransitionTableTests {
  private static let rows = DocumentedTransition.all(in: "DiceMath.md", input: "event")

  @Test func theTableHasARowForEachScenarioAndNoOther() {
    let rows = Self.rows.map(\.key)
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
          Self.rows.contains { $0.phase == phase.rawValue && $0.input == event },
          "\(phase) \(event)")
      }
    }
  }

  @Test(arguments: rows)
  func isPlayed(_ row: DocumentedTransition) throws {
    let scenario = try #require(TransitionScenario.all[row.key])
    var game = try scenario.game()
    #expect(game.phase.rawValue == row.phase)
    #expect(caseName(scenario.event) == row.input)
    let before = game
    let outputs = game.handle(scenario.event, at: scenario.time)
    #expect(game.phase.rawValue == row.next)
    #expect(outputs.map(caseName) == row.shows, "\(outputs)")
    if row.input == "undo", !row.shows.isEmpty {
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

import DiceGameKit
import Foundation
import TestSupport
import Testing

/// Every row of the table of transitions, and nothing besides.
@Suite struct TransitionTableTests {
  private static let rows = DocumentedTransition.all(in: "DiceMath.md", input: "event")

  @Test func theTableHasARowForEachScenarioAndNoOther() {
    let rows = Self.rows.map(\.key)
    expectEqual(rows.count, Set(rows).count)
    expectEqual(Set(rows), Set(TransitionScenario.all.keys))
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
    expectEqual(game.phase.rawValue, row.phase)
    expectEqual(caseName(scenario.event), row.input)
    let before = game
    let outputs = game.handle(scenario.event, at: scenario.time)
    expectEqual(game.phase.rawValue, row.next)
    expectEqual(outputs.map(caseName), row.shows, "\(outputs)")
    if row.input == "undo", !row.shows.isEmpty {
      #expect(before.canUndo)
    } else if row.shows.isEmpty {
      // Only the clock may have gone on.
      expectEqual(game.players, before.players)
      expectEqual(game.questions, before.questions)
      expectEqual(game.wrongAnswers, before.wrongAnswers)
      expectEqual(game.log, before.log)
      expectEqual(game.canUndo, before.canUndo)
    }
    // The same from a saved game, unless an unfinished answer was lost with it.
    if before.pendingAnswer == nil {
      var restored = try JSONDecoder().decode(
        DiceMathGame.self, from: try JSONEncoder().encode(before))
      expectEqual(restored, before)
      expectEqual(restored.handle(scenario.event, at: scenario.time), outputs)
      expectEqual(restored, game)
    }
  }
}

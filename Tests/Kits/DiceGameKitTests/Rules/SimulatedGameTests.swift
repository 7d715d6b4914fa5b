import DiceGameKit
import Foundation
import TestSupport
import Testing

/// A thousand games between players who choose by chance, and err.
@Suite struct SimulatedGameTests {
  /// What may be seen of a game that cannot be.
  private func fault(in game: DiceMathGame, _ board: BoardRules) -> String? {
    let sections = game.players.map(\.section)
    if !sections.allSatisfy({ board.sections.contains($0) }) { return "a pawn beside the board" }
    let winners = game.players.indices.filter { sections[$0] == board.target }
    if winners != (game.winner.map { [$0] } ?? []) { return "winners \(winners)" }
    if (game.phase == .won) != (game.winner != nil) { return "won by nobody" }
    if (game.phase == .answering) != !game.questions.isEmpty { return "nothing to answer" }
    if !game.players.indices.contains(game.turn) { return "nobody's turn" }
    if game.phase == .answering, game.wrongAnswers.count >= game.rules.attempts ?? .max {
      return "too many attempts"
    }
    if game.log.entries.reduce(0, { $0 + ($1.isRight ? 1 : 0) }) < (game.winner == nil ? 0 : 1) {
      return "won without a right answer"
    }
    return nil
  }

  private func randomEvent(
    _ game: DiceMathGame, _ random: inout SeededGenerator
  ) -> DiceMathGame.Event {
    let dice = (0..<2).map { _ in Int.random(in: 1...6, using: &random) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0: return .undo
    case 1: return .diceCleared
    case 2: return .rollRevised(dice)
    case 3: return .rollEnded(dice + [3])
    case 4: return .time
    case 5: return .operationChosen(Bool.random(using: &random) ? .sum : .difference)
    case 6: return .answerChanged(nil)
    case 7: return .answerChanged(PlayerAnswer(1, openness: .lastDigit))
    default: break
    }
    guard let question = game.questions.randomElement(using: &random) else {
      return .rollEnded(dice)
    }
    let errs = Int.random(in: 0..<5, using: &random) == 0
    return .answerChanged(
      PlayerAnswer(
        errs ? Int.random(in: 0...12, using: &random) : question.answer,
        openness: Bool.random(using: &random) ? .closed : .lastDigit))
  }

  @Test(arguments: [2, 4])
  func aThousandGamesEndWithAWinner(playerCount: Int) throws {
    let board = BoardRules.standard
    let rules = try DiceMathGame.Rules(
      .board(board), players: (1...playerCount).map { "Player \($0)" })
    var random = SeededGenerator(seed: 2019)
    var wins = [Int](repeating: 0, count: playerCount)
    var (rollCount, eventCount, restoredCount) = (0, 0, 0)
    for _ in 0..<1000 {
      var game = DiceMathGame(rules)
      var time = Duration.zero
      var remaining = 20_000
      while game.winner == nil, remaining > 0 {
        remaining -= 1
        eventCount += 1
        time += .milliseconds(Int.random(in: 0...1500, using: &random))
        let event = randomEvent(game, &random)
        if eventCount % 97 == 0, game.pendingAnswer == nil {
          // A game that is saved and restored goes on as if nothing had been.
          var restored = try JSONDecoder().decode(
            DiceMathGame.self, from: try JSONEncoder().encode(game))
          expectEqual(restored, game)
          var other = game
          expectEqual(restored.handle(event, at: time), other.handle(event, at: time))
          expectEqual(restored, other)
          restoredCount += 1
        }
        if case .asked = game.handle(event, at: time).last { rollCount += 1 }
        if let fault = fault(in: game, board) {
          Issue.record("\(fault) after \(event)")
          return
        }
      }
      let winner = try #require(game.winner)
      wins[winner] += 1
    }
    let winCount: Int = wins.reduce(0, +)
    expectEqual(winCount, 1000)
    #expect(restoredCount > 100)
    // Nobody is shut out.
    #expect(wins.allSatisfy { $0 > 1000 / playerCount / 2 })
    let rates = wins.map { "\(Double($0) / 10) %" }.joined(separator: ", ")
    print(
      "1000 games of \(playerCount) by chance: won by \(rates) in the order of their turns;",
      "\(rollCount / 1000) rolls a game, \(restoredCount) games restored")
  }
}

import DiceGameKit
import Foundation
import TestSupport
import Testing

@Suite struct DiceMathGameTests {
  private func board(
    attempts: Int? = 3, hiddenAnswer: Int? = nil
  ) throws -> DiceMathGame {
    DiceMathGame(
      try DiceMathGame.Rules(
        .board(.standard), players: ["Ann", "Ben"], attempts: attempts,
        hiddenAnswer: hiddenAnswer))
  }

  private func restored(_ game: DiceMathGame) throws -> DiceMathGame {
    try JSONDecoder().decode(DiceMathGame.self, from: JSONEncoder().encode(game))
  }

  /// The game of the session: 5 and 2 added, 6 and 1 added, then each subtracts, and the hidden
  /// answer wins.
  @Test func theSessionsGame() throws {
    var game = try board(hiddenAnswer: 44)
    func play(_ values: [Int], _ number: Int, at seconds: Int) -> [DiceMathGame.Output] {
      _ = game.handle(.rollEnded(values), at: .seconds(seconds))
      return game.handle(.answerChanged(PlayerAnswer(number)), at: .seconds(seconds + 1))
    }
    expectEqual(
      play([5, 2], 7, at: 0).last, .moved(player: 0, from: 1, over: [2, 3, 4, 5, 6, 7, 8]))
    expectEqual(
      play([6, 1], 7, at: 10).last, .moved(player: 1, from: 1, over: [2, 3, 4, 5, 6, 7, 8]))
    expectEqual(play([5, 3], 2, at: 20).last, .moved(player: 0, from: 8, over: [9, 1]))
    expectEqual(play([6, 1], 5, at: 30).last, .moved(player: 1, from: 8, over: [9, 1, 2, 3, 4]))
    expectEqual(game.phase, .answered, "going past the target does not win")
    expectEqual(play([2, 2], 44, at: 40).last, .won(player: 0))
    expectEqual(game.winner, 0)
    expectEqual(game.players.map(\.section), [9, 4])
    expectEqual(game.log.entries.count, 5)
    expectEqual(game.log.tally(player: 0, .sum).askedCount, 2)
    expectEqual(game.log.tally(player: 0, .difference).firstTimeCount, 1)
    expectEqual(game.log.tally(player: 1, .difference).duration, .seconds(1))
  }

  @Test func withoutOptionThereIsNoHiddenAnswer() throws {
    for number in 0...1000 where number != 10 && number != 2 {
      var game = try board()
      game.handle(.rollEnded([6, 4]), at: .zero)
      let outputs = game.handle(.answerChanged(PlayerAnswer(number)), at: .zero)
      expectEqual(outputs.first, .wrong(number, attemptsLeft: 2))
    }
  }

  @Test func aChosenOperationIsTheOnlyOneThatCounts() throws {
    var game = try board()
    game.handle(.rollEnded([6, 4]), at: .zero)
    expectEqual(game.questions.map(\.answer), [10, 2])
    game.handle(.operationChosen(.sum), at: .zero)
    expectEqual(game.questions.map(\.answer), [10])
    let outputs = game.handle(.answerChanged(PlayerAnswer(2)), at: .zero)
    expectEqual(outputs, [.wrong(2, attemptsLeft: 2), .hint(.greaterThan(2))])
  }

  @Test func streaksAndLevelsCountFirstAttempts() throws {
    var game = DiceMathGame(
      try DiceMathGame.Rules(
        .practice(level: .adding, advancesAfter: 2), players: ["Ann"], attempts: nil))
    func answer(_ numbers: Int...) {
      game.handle(.rollEnded([6, 4]), at: .zero)
      for number in numbers {
        game.handle(.answerChanged(PlayerAnswer(number)), at: .zero)
      }
    }
    answer(10)
    expectEqual(game.players[0].streak, 1)
    answer(1, 2, 3, 4, 5, 10)
    expectEqual(game.players[0].streak, 0)
    expectEqual(game.players[0].longestStreak, 1)
    expectEqual(game.players[0].level, .adding)
    answer(10)
    answer(10)
    expectEqual(game.players[0].level, .subtracting)
    expectEqual(game.players[0].rightCount, 4)
    expectEqual(game.log.tally(player: 0, .sum).firstTimeCount, 3)
    expectEqual(game.log.entries[1].wrongAnswers, [1, 2, 3, 4, 5])
  }

  @Test func withAnyNumberOfAttemptsTheWrongOnesKeptAreBounded() throws {
    var game = try board(attempts: nil)
    game.handle(.rollEnded([6, 4]), at: .zero)
    for number in 100..<400 {
      game.handle(.answerChanged(PlayerAnswer(number)), at: .zero)
    }
    expectEqual(game.wrongAnswers.count, 100)
    expectEqual(game.wrongAnswers.last, 399)
    try expectEqual(restored(game), game)
  }

  @Test func answersAtTheBoundsOfInt() throws {
    var game = try board()
    game.handle(.rollEnded([6, 4]), at: .zero)
    expectEqual(
      game.handle(.answerChanged(PlayerAnswer(.min)), at: .zero),
      [.wrong(.min, attemptsLeft: 2), .hint(.greaterThan(.min))])
    expectEqual(
      game.handle(.answerChanged(PlayerAnswer(.max, openness: .lastDigit)), at: .zero).first,
      .wrong(.max, attemptsLeft: 1))
  }

  @Test func timeDoesNotGoBack() throws {
    var game = try board()
    game.handle(.rollEnded([6, 4]), at: .seconds(100))
    game.handle(.answerChanged(PlayerAnswer(1, openness: .lastDigit)), at: .seconds(1))
    #expect(game.handle(.time, at: .seconds(100)).isEmpty)
    expectEqual(game.handle(.time, at: .seconds(101)).first, .wrong(1, attemptsLeft: 2))
    game.handle(.answerChanged(PlayerAnswer(10)), at: .seconds(3))
    expectEqual(game.log.entries[0].duration, .seconds(1))
  }

  @Test func undoTakesBackStepByStep() throws {
    var game = try board()
    var states = [game]
    let events: [DiceMathGame.Event] = [
      .rollEnded([6, 4]), .answerChanged(PlayerAnswer(3)), .answerChanged(PlayerAnswer(10)),
      .diceCleared, .rollEnded([5, 2]), .operationChosen(.sum),
      .answerChanged(PlayerAnswer(7)), .restart,
    ]
    for event in events {
      game.handle(event, at: .zero)
      states.append(game)
    }
    for state in states.dropLast().reversed() {
      expectEqual(game.handle(.undo, at: .zero), [.undone])
      expectEqual(game, state)
    }
    #expect(game.handle(.undo, at: .zero).isEmpty)
  }

  @Test func whatCanBeUndoneIsBounded() throws {
    var game = try board()
    for _ in 0..<300 {
      game.handle(.rollEnded([6, 4]), at: .zero)
      game.handle(.rollRevised([6]), at: .zero)
    }
    var count = 0
    while game.canUndo {
      game.handle(.undo, at: .zero)
      count += 1
    }
    expectEqual(count, DiceMathGame.undoLimit)
  }

  @Test func rulesThatMakeNoSenseAreRefused() {
    typealias Rules = DiceMathGame.Rules
    let play = DiceMathGame.Play.board(.standard)
    let cases: [(DiceMathRulesError, () throws -> Rules)] = [
      (.playerCount(found: 0, required: 1...8), { try Rules(play, players: []) }),
      (
        .playerCount(found: 9, required: 1...8),
        { try Rules(play, players: (0..<9).map { "\($0)" }) }
      ),
      (.playerName(player: 1, limit: 200), { try Rules(play, players: ["A", ""]) }),
      (.repeatedName("A"), { try Rules(play, players: ["A", "A"]) }),
      (
        .attempts(found: 0, required: 1...100), { try Rules(play, players: ["A"], attempts: 0) }
      ),
      (
        .advancesAfter(found: 0, required: 1...1000),
        { try Rules(.practice(level: .adding, advancesAfter: 0), players: ["A"]) }
      ),
      (
        .pause(found: .seconds(61), limit: .seconds(60)),
        { try Rules(play, players: ["A"], pause: .seconds(61)) }
      ),
      (
        .hiddenAnswer(found: -1, required: 0...999_999),
        { try Rules(play, players: ["A"], hiddenAnswer: -1) }
      ),
    ]
    for (error, make) in cases { #expect(throws: error) { try make() } }
    expectEqual(Set(cases.map { "\($0.0)" }).count, cases.count)
  }

  @Test func savedGamesThatCannotHaveBeenPlayedAreRefused() throws {
    var game = try board()
    game.handle(.rollEnded([6, 4]), at: .seconds(1))
    game.handle(.answerChanged(PlayerAnswer(3)), at: .seconds(2))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(game), as: UTF8.self)
    // The current position comes before the rules, and after the history.
    for (good, bad) in [
      (#""phase":"answering""#, #""phase":"won""#),
      (#""phase":"answering""#, #""phase":"waitingForRoll""#),
      (#""section":1"#, #""section":10"#), (#""section":1"#, #""section":9"#),
      (#""turn":0"#, #""turn":2"#), (#""turn":0"#, #""turn":-1"#),
      (#""entryCount":0"#, #""entryCount":4000000000"#),
      (#""name":"Ann""#, #""name":"Eve""#), (#""streak":0"#, #""streak":5"#),
      (#""longestStreak":0"#, #""longestStreak":-1"#),
      (#""wrongAnswers":[3]"#, #""wrongAnswers":[3,3,3,3]"#),
      (#""values":[6,4]"#, #""values":[6,7]"#),
      (#""operation":"sum""#, #""operation":"product""#),
      (#""operation":"sum""#, #""operation":"difference""#),
      (#""questionTime":[0,"#, #""questionTime":[-1,"#),
      (#""attempts":3"#, #""attempts":-3"#),
    ] {
      let broken = text.replacingOccurrences(of: good, with: bad)
      #expect(broken != text, "\(good) is not in \(text)")
      #expect(throws: DecodingError.self, "\(bad)") {
        try JSONDecoder().decode(DiceMathGame.self, from: Data(broken.utf8))
      }
    }
  }

  /// Whatever is changed in a saved game, what is accepted can be played on.
  @Test func damagedSavedGamesAreRefusedOrPlayable() throws {
    var random = SeededGenerator(seed: 228)
    var game = try board()
    for values in [[6, 4], [3, 2], [1, 1]] {
      game.handle(.rollEnded(values), at: .seconds(3))
      game.handle(.answerChanged(PlayerAnswer(1)), at: .seconds(4))
      game.handle(.answerChanged(PlayerAnswer(values[0] + values[1])), at: .seconds(4))
    }
    let bytes = [UInt8](try JSONEncoder().encode(game))
    let digits = [UInt8]("0123456789-".utf8)
    let places = bytes.indices.filter { digits.contains(bytes[$0]) }
    var acceptedCount = 0
    for _ in 0..<1000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        if let place = places.randomElement(using: &random),
          let digit = digits.randomElement(using: &random)
        {
          damaged[place] = digit
        }
      }
      guard var restored = try? JSONDecoder().decode(DiceMathGame.self, from: Data(damaged))
      else { continue }
      acceptedCount += 1
      while restored.canUndo { restored.handle(.undo, at: .zero) }
      restored.handle(.rollEnded([2, 2]), at: .zero)
      restored.handle(.answerChanged(PlayerAnswer(4)), at: .zero)
      restored.handle(.diceCleared, at: .zero)
    }
    #expect(acceptedCount > 0)
    #expect(acceptedCount < 1000)
  }

  @Test func theLogKeepsTheLatestAndCountsAll() throws {
    var log = PracticeLog()
    let question = try ArithmeticQuestion(.sum, of: [1, 2])
    for index in 0..<1500 {
      log.add(
        PracticeLog.Entry(
          player: 0, question: question, wrongAnswers: index % 3 == 0 ? [4] : [],
          isRight: true, duration: .seconds(2)))
    }
    expectEqual(log.entries.count, PracticeLog.entryLimit)
    expectEqual(log.tally(player: 0, .sum).askedCount, 1500)
    expectEqual(log.tally(player: 0, .sum).firstTimeCount, 1000)
    expectEqual(log.tally(player: 0, .sum).duration, .seconds(3000))
    expectEqual(log.tally(player: 1, .sum).askedCount, 0)
    let data = try JSONEncoder().encode(log)
    try expectEqual(JSONDecoder().decode(PracticeLog.self, from: data), log)
  }

  @Test func theLogTakesDurationsOfAnyLength() throws {
    var log = PracticeLog()
    let question = try ArithmeticQuestion(.sum, of: [1, 2])
    for duration in [Duration.seconds(Int64.max) * 18, .seconds(Int64.max) * 18, .seconds(-1)] {
      log.add(
        PracticeLog.Entry(
          player: 0, question: question, wrongAnswers: [], isRight: true, duration: duration))
    }
    expectEqual(log.entries[2].duration, .zero)
    expectEqual(log.tally(player: 0, .sum).duration, log.entries[0].duration)
    let data = try JSONEncoder().encode(log)
    try expectEqual(JSONDecoder().decode(PracticeLog.self, from: data), log)
  }
}

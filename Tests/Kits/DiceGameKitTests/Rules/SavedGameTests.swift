import DiceGameKit
import Foundation
import TestSupport
import Testing

/// Games that are kept as a text.
@Suite struct SavedGameTests {
  private func saved(_ game: DiceMathGame) -> String {
    String(decoding: game.savedText, as: UTF8.self)
  }

  private func restored(_ text: String) throws(SavedGameError) -> DiceMathGame {
    try DiceMathGame(savedText: Array(text.utf8))
  }

  /// A game in its third turn, with a wrong answer, a choice and something in the log.
  private func played() throws -> DiceMathGame {
    var game = DiceMathGame(
      try DiceMathGame.Rules(.board(.standard), players: ["Ann", "B\"é\n"]))
    let events: [DiceMathGame.Event] = [
      .rollEnded([3, 2]), .answerChanged(PlayerAnswer(4)), .answerChanged(PlayerAnswer(5)),
      .diceCleared, .rollEnded([6, 4]), .answerChanged(PlayerAnswer(2)), .rollEnded([5, 5]),
      .operationChosen(.difference), .answerChanged(PlayerAnswer(1)),
    ]
    for (second, event) in events.enumerated() { game.handle(event, at: .seconds(second)) }
    #expect(game.phase == .answering && game.wrongAnswers == [1])
    return game
  }

  @Test func theTextOfANewGameIsAsDocumented() throws {
    let rules = try DiceMathGame.Rules(
      .practice(level: .adding, advancesAfter: 5), players: ["Ann"], attempts: nil)
    #expect(
      saved(DiceMathGame(rules)) == """
        {"kind":"dice math game","version":1,"rules":{"practice":{"level":2,"advancesAfter":5},\
        "players":["Ann"],"attempts":null,"givesHints":true,"allowsRerolls":false,\
        "pause":1000000,"acceptsAtOnce":false,"hiddenAnswer":null},"time":0,\
        "log":{"entries":[],"totals":[]},"position":{"phase":"waitingForRoll","turn":0,\
        "players":[[1,2,0,0,0,0]],"values":[],"asks":[],"choice":null,"wrong":[],"askedAt":0,\
        "entries":0},"history":[]}
        """)
  }

  @Test(arguments: [true, false])
  func aRestoredGameGoesOnAsTheOtherDoes(isPractice: Bool) throws {
    let rules = try DiceMathGame.Rules(
      isPractice ? .practice(level: .counting, advancesAfter: 3) : .board(.standard),
      players: ["Ann", "Ben"])
    var random = SeededGenerator(seed: 228)
    var game = DiceMathGame(rules)
    var (time, restoredCount) = (Duration.zero, 0)
    for step in 0..<600 {
      time += .milliseconds(Int.random(in: 0...1500, using: &random))
      let event: DiceMathGame.Event =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .undo
        case 1: game.phase == .won ? .restart : .diceCleared
        case 2: .answerChanged(PlayerAnswer(Int.random(in: 0...12, using: &random)))
        default:
          game.questions.first.map { .answerChanged(PlayerAnswer($0.answer)) }
            ?? .rollEnded((0..<2).map { _ in Int.random(in: 1...6, using: &random) })
        }
      if step % 20 == 0 {
        var other = try DiceMathGame(savedText: game.savedText)
        expectEqual(other, game)
        var same = game
        expectEqual(other.handle(event, at: time), same.handle(event, at: time))
        expectEqual(other, same)
        restoredCount += 1
      }
      game.handle(event, at: time)
    }
    expectEqual(restoredCount, 30)
    expectEqual(game.time, time)
    #expect(!game.log.entries.isEmpty)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(1 << 33)])
  func gamesWithTimesThatNoClockHasAreKept(_ time: Duration) throws {
    var game = try played()
    let last = game.time
    game.handle(.time, at: time)
    game.handle(.answerChanged(PlayerAnswer(0)), at: time)
    #expect(game.phase != .answering)
    game.handle(.diceCleared, at: .seconds(60))
    let copy = try restored(saved(game))
    expectEqual(copy, game)
    expectEqual(copy.time, (time > last ? .seconds(1 << 32) : .seconds(60)))
    let bytes = try JSONEncoder().encode(game)
    try expectEqual(JSONDecoder().decode(DiceMathGame.self, from: bytes), game)
  }

  @Test func aBoardOfOtherRulesIsKept() throws {
    let board = try BoardRules(
      sectionCount: 12, start: 2, target: 7, moves: [.sum, .product], overshoot: .bouncesBack,
      sides: 8)
    let game = DiceMathGame(
      try DiceMathGame.Rules(
        .board(board), players: ["Ann"], attempts: nil, givesHints: false, allowsRerolls: true,
        pause: .milliseconds(1500), acceptsAtOnce: true, hiddenAnswer: 42))
    try expectEqual(restored(saved(game)), game)
  }

  @Test func everyShorterTextIsRefused() throws {
    let text = try played().savedText
    for count in text.indices {
      #expect(throws: SavedGameError.self) { try DiceMathGame(savedText: Array(text[..<count])) }
    }
  }

  @Test func damagedTextsAreRefusedOrPlayable() throws {
    let text = try played().savedText
    var random = SeededGenerator(seed: 9)
    var refusedCount = 0
    for index in text.indices {
      var damaged = text
      damaged[index] =
        [0x30, 0x39, 0x2D, UInt8.random(in: 0...255, using: &random)]
        .randomElement(using: &random) ?? 0
      guard var game = try? DiceMathGame(savedText: damaged) else {
        refusedCount += 1
        continue
      }
      game.handle(.answerChanged(PlayerAnswer(3)), at: .seconds(100))
      game.handle(.undo, at: .seconds(101))
      game.handle(.rollEnded([1, 2]), at: .seconds(102))
      #expect(game.savedText.count > 0)
    }
    #expect(refusedCount > text.count / 2)
  }

  @Test(arguments: [
    ("dice math game", "another game", SavedGameError.notASavedGame),
    ("\"version\":1", "\"version\":2", .version(found: 2, required: 1)),
    ("\"version\":1", "\"version\":1.5", .member("version")),
    ("\"log\":", "\"lag\":", .member("log")),
    ("\"history\":[", "\"history\":[7,", .member("phase")),
    ("\"turn\":0", "\"turn\":\"0\"", .member("turn")),
    ("\"choice\":\"difference\"", "\"choice\":\"quotient\"", .member("choice")),
    ("\"overshoot\":\"goesRound\"", "\"overshoot\":0", .member("overshoot")),
    ("\"pause\":1000000", "\"pause\":1e300", .member("pause")),
    ("\"attempts\":3", "\"attempts\":0", .rules(.attempts(found: 0, required: 1...100))),
    ("\"sections\":9", "\"sections\":2", .board(.sectionCount(found: 2, required: 3...99))),
    ("\"values\":[5,5]", "\"values\":[5,5,5]", .question(.diceCount(found: 3, required: 2...2))),
    ("\"values\":[5,5]", "\"values\":[-5,5]", .question(.value(found: -5, required: 0...1000))),
  ])
  func brokenRulesHaveNames(old: String, new: String, error: SavedGameError) throws {
    let text = saved(try played())
    let parts = text.split(separator: old, omittingEmptySubsequences: false)
    #expect(parts.count >= 2, "\(old) is not in the text.")
    #expect(throws: error) { try restored(parts.joined(separator: new)) }
    #expect(!error.description.isEmpty)
  }

  @Test(arguments: [
    // Two winners, a pawn beside the board, time before now, a level that is none.
    ("[[6,2,", "[[9,2,"), ("[[6,2,", "[[0,2,"), ("\"time\":8000000", "\"time\":7"),
    ("[[6,2,", "[[6,9,"), (",0,0,1],[3,2,", ",0,-1,1],[3,2,"),
    ("\"time\":8000000", "\"time\":9007199254740991"),
    ("\"turn\":0", "\"turn\":2"), ("\"turn\":0", "\"turn\":-1"),
    ("\"wrong\":[1]", "\"wrong\":[1,1,1]"), ("\"totals\":[[0", "\"totals\":[[3"),
    ("\"entries\":[[0", "\"entries\":[[2"),
  ])
  func whatCannotHaveBeenPlayedIsRefused(old: String, new: String) throws {
    let text = saved(try played())
    let parts = text.split(separator: old, omittingEmptySubsequences: false)
    #expect(parts.count >= 2, "\(old) is not in the text.")
    #expect(throws: SavedGameError.self) { try restored(parts.joined(separator: new)) }
  }

  @Test func otherTextsAreRefused() {
    #expect(throws: SavedGameError.notJSON(line: 1, column: 1)) { try restored("") }
    #expect(throws: SavedGameError.notASavedGame) { try restored("[]") }
    #expect(throws: SavedGameError.notJSON(line: 1, column: 9)) {
      try restored(String(repeating: "[", count: 100_000))
    }
    let limit = DiceMathGame.savedTextLimit
    #expect(throws: SavedGameError.tooLarge(byteCount: limit + 1, limit: limit)) {
      try DiceMathGame(savedText: [UInt8](repeating: 0x20, count: limit + 1))
    }
  }
}

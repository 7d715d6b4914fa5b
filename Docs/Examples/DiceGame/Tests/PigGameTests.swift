import Testing

@testable import DiceGame

struct PigGameTests {
  @Test func addsThrowsUntilSomebodyHolds() {
    var game = PigGame(names: ["Ada", "Ben"], target: 100)
    #expect(game.takeThrow([4]) == .added(4))
    #expect(game.takeThrow([3, 5]) == .added(8))
    #expect(game.turnPoints == 12)
    #expect(game.player.score == 0)
    #expect(game.hold() == .banked(12))
    #expect(game.players.map { $0.score } == [12, 0])
    #expect(game.player.name == "Ben")
    #expect(game.turnPoints == 0)
  }

  @Test func oneTakesTheTurnsPointsAndPassesTheDice() {
    var game = PigGame(names: ["Ada", "Ben"], target: 100)
    _ = game.takeThrow([6, 6])
    #expect(game.takeThrow([1, 6]) == .lostTurn(points: 12))
    #expect(game.player.name == "Ben")
    #expect(game.players[0].score == 0)
  }

  @Test func nothingButOnesTakesTheScoreToo() {
    var game = PigGame(names: ["Ada"], target: 100)
    _ = game.takeThrow([5, 5])
    _ = game.hold()
    _ = game.takeThrow([4, 2])
    #expect(game.takeThrow([1, 1]) == .lostEverything(points: 16))
    #expect(game.players[0].score == 0)
  }

  @Test func singleOneTakesOnlyTheTurn() {
    var game = PigGame(names: ["Ada"], target: 100)
    _ = game.takeThrow([5])
    _ = game.hold()
    #expect(game.takeThrow([1]) == .lostTurn(points: 0))
    #expect(game.players[0].score == 5)
  }

  @Test func holdingAtTheTargetWins() {
    var game = PigGame(names: ["Ada", "Ben"], target: 10)
    _ = game.takeThrow([4, 6])
    #expect(game.holdingWins)
    #expect(!game.isOver)
    #expect(game.hold() == .won(score: 10))
    #expect(game.isOver)
    #expect(game.player.name == "Ada")
  }
}

struct MatchTests {
  private func match(
    _ players: [(name: String, kind: Player)], target: Int = 100, seed: UInt64 = 1
  ) -> Match {
    Match(players: players, target: target, dice: VirtualDice(seed: seed))
  }

  @Test func playsAnEveningFromEvents() {
    var match = match(
      [("Ada", .person(holdsAt: nil)), ("Ben", .person(holdsAt: nil))], target: 20)
    #expect(match.begin() == ["Pig to 20: Ada, Ben.", "Ada, throw the dice!"])
    #expect(match.take(.held) == ["Ada has to throw at least once."])
    #expect(
      match.take(.thrown([6, 5])) == [
        "[6] [5]", "Ada throws 11: 11 in this turn, 0 safe.", "Throw again, or hold.",
      ])
    #expect(
      match.take(.held) == ["Ada holds and keeps 11.", "Ada 11, Ben 0", "Ben, throw the dice!"])
    #expect(
      match.take(.thrown([1, 5])) == [
        "[1] [5]", "A one! Ben loses the 0 points of the turn.", "Ada, throw the dice!",
      ])
    _ = match.take(.thrown([4, 5]))
    #expect(match.take(.held) == ["Ada 20, Ben 0", "Ada wins with 20!"])
    #expect(match.game.isOver)
    #expect(match.take(.thrown([6])) == [])
  }

  @Test func holdsByItselfAtTheLimitAndWhenThatWins() {
    var match = match(
      [("Ada", .person(holdsAt: 10)), ("Ben", .person(holdsAt: 10))], target: 16)
    _ = match.take(.thrown([6]))
    #expect(match.game.player.name == "Ada")
    _ = match.take(.thrown([5]))
    #expect(match.game.player.name == "Ben")
    #expect(match.game.players[0].score == 11)
    _ = match.take(.thrown([1]))
    #expect(match.take(.thrown([5])).last == "Ada wins with 16!")
  }

  @Test func computerPlaysItsTurnsAndPassesTheDiceBack() {
    var match = match([("Ada", .person(holdsAt: 1)), ("Computer", .computer(holdsAt: 20))])
    var lines = match.begin()
    var throwCount = 0
    while !match.game.isOver, throwCount < 500 {
      #expect(match.game.player.name == "Ada")
      lines += match.take(.thrown([2]))
      throwCount += 1
    }
    #expect(match.game.isOver)
    #expect(lines.contains { $0.hasPrefix("Computer throws") })
    #expect(lines.last == "\(match.game.player.name) wins with \(match.game.player.score)!")
  }

  @Test func sameSeedGivesTheSameGame() {
    var first = VirtualDice(seed: 5)
    var second = VirtualDice(seed: 5)
    let throwsOfFirst = (0..<50).map { _ in first.roll(count: 2) }
    #expect(throwsOfFirst == (0..<50).map { _ in second.roll(count: 2) })
    #expect(Set(throwsOfFirst.joined()) == Set(1...6))
  }

  @Test func drawsEveryFaceWithAsManyPips() {
    for value in 1...6 {
      let pips = TextStyle.drawn.dice([value]).joined().count { $0 == "●" }
      #expect(pips == value)
    }
  }
}

struct OptionsTests {
  @Test func readsACall() throws {
    let options = try Options(["--players", "Cleo,Dan", "--hold-at", "25", "--computer", "-"])
    #expect(options.names == ["Cleo", "Dan"])
    #expect(options.holdsAt == 25)
    #expect(options.films == ["-"])
    #expect(options.players.count == 3)
  }

  @Test(arguments: [
    ["--target", "0"], ["--target"], ["--players", ""], ["--dice", "seven"], ["--loud"],
  ])
  func refusesAWrongCall(arguments: [String]) {
    #expect(throws: Options.Mistake.self) { try Options(arguments) }
  }
}

import DiceGameKit

// The names and meanings of members are in Docs/Demo/README.md.

extension GameSession {
  /// Where a game stands.
  func json(_ game: DiceMathGame) -> JSON {
    let outlooks = game.outlooks
    let isBoard = !outlooks.isEmpty
    var advancesAfter: Int?
    if case .practice(_, let count) = game.rules.play { advancesAfter = count }
    return .object([
      ("play", .string(isBoard ? "board" : "practice")), ("time", .number(seconds(game.time))),
      ("advancesAfter", .integer(advancesAfter)),
      ("phase", .string(game.phase.rawValue)), ("turn", .integer(game.turn)),
      ("winner", .integer(game.winner)), ("canUndo", .bool(game.canUndo)),
      ("values", .integers(game.values)),
      ("questions", .array(game.questions.map { json($0) })),
      ("wrongAnswers", .integers(game.wrongAnswers)),
      ("pending", .integer(game.pendingAnswer?.number)),
      (
        "players",
        .array(
          game.players.enumerated().map { index, player in
            let asked = game.log.tallies.filter { $0.player == index }
            return .object([
              ("name", .string(player.name)), ("section", .integer(player.section)),
              ("distance", isBoard ? .integer(outlooks[index].distance) : .null),
              ("level", isBoard ? .null : .integer(player.level.rawValue)),
              ("streak", .integer(player.streak)),
              ("longestStreak", .integer(player.longestStreak)),
              ("right", .integer(player.rightCount)),
              ("asked", .integer(asked.reduce(0) { $0 + $1.askedCount })),
              ("firstTime", .integer(asked.reduce(0) { $0 + $1.firstTimeCount })),
            ])
          })
      ),
    ])
  }

  /// The totals by player and kind of question, and the questions, the latest first.
  func json(_ log: PracticeLog) -> JSON {
    .object([
      (
        "totals",
        .array(
          log.tallies.map { total in
            .object([
              ("player", .integer(total.player)), ("operation", .string(total.operation.rawValue)),
              ("asked", .integer(total.askedCount)), ("right", .integer(total.rightCount)),
              ("firstTime", .integer(total.firstTimeCount)),
              ("seconds", .number(seconds(total.duration))),
            ])
          })
      ),
      (
        "entries",
        .array(
          log.entries.reversed().map { entry in
            .object([
              ("player", .integer(entry.player)), ("question", json(entry.question)),
              ("answer", .integer(entry.question.answer)),
              ("wrongAnswers", .integers(entry.wrongAnswers)), ("isRight", .bool(entry.isRight)),
              ("seconds", .number(seconds(entry.duration))),
            ])
          })
      ),
    ])
  }

  private func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// What to show.
  func json(_ output: DiceMathGame.Output) -> JSON {
    switch output {
    case .turn(let player): kind("turn", [("player", .integer(player))])
    case .rollRefused(let refusal): json(refusal)
    case .asked(let questions): kind("asked", [("questions", .array(questions.map { json($0) }))])
    case .heard(let answer): kind("heard", [("number", .integer(answer?.number))])
    case .wrong(let number, let left):
      kind("wrong", [("number", .integer(number)), ("attemptsLeft", .integer(left))])
    case .hint(let hint): kind("hint", [("hint", json(hint))])
    case .right(let number, let question):
      kind("right", [("number", .integer(number)), ("question", json(question))])
    case .revealed(let questions):
      kind(
        "revealed",
        [
          (
            "questions",
            .array(
              questions.map {
                .object([("question", json($0)), ("answer", .integer($0.answer))])
              })
          )
        ])
    case .moved(let player, let origin, let way):
      kind(
        "moved",
        [("player", .integer(player)), ("from", .integer(origin)), ("over", .integers(way))])
    case .level(let player, let level):
      kind("level", [("player", .integer(player)), ("level", .integer(level.rawValue))])
    case .won(let player): kind("won", [("player", .integer(player))])
    case .undone: kind("undone", [])
    case .restarted: kind("restarted", [])
    }
  }

  /// What a drawing says.
  func json(_ reading: NumberReading) -> JSON {
    .object([
      ("text", .string(reading.text)), ("number", .integer(reading.number)),
      ("rejected", .array(reading.rejected.map { .integers($0) })),
    ])
  }

  /// What was heard.
  func json(_ event: SpokenNumberRecognizer.Event) -> JSON {
    switch event {
    case .speechBegan: kind("speechBegan", [])
    case .heard(let number):
      kind(
        "heard",
        [
          ("number", .integer(number.value)), ("confidence", .number(Double(number.confidence))),
          ("words", .array(number.words.map { .string($0.text) })),
        ])
    case .rejected: kind("rejected", [])
    }
  }

  private func json(_ question: ArithmeticQuestion) -> JSON {
    .object([
      ("operation", .string(question.operation.rawValue)), ("values", .integers(question.values)),
      ("text", .string(question.description)),
    ])
  }

  private func json(_ refusal: DiceMathGame.RollRefusal) -> JSON {
    switch refusal {
    case .diceCount(let found, let required):
      kind(
        "rollRefused",
        [
          ("reason", .string("diceCount")), ("found", .integer(found)),
          ("required", .integer(required.lowerBound)),
        ])
    case .value(let found, let required):
      kind(
        "rollRefused",
        [
          ("reason", .string("value")), ("found", .integer(found)),
          ("required", .integer(required.upperBound)),
        ])
    case .answerTooLarge: kind("rollRefused", [("reason", .string("answerTooLarge"))])
    case .alreadyRolled: kind("rollRefused", [("reason", .string("alreadyRolled"))])
    }
  }

  private func json(_ hint: ArithmeticHint) -> JSON {
    let (name, numbers): (String, [Int]) =
      switch hint {
      case .greaterThan(let number): ("greaterThan", [number])
      case .lessThan(let number): ("lessThan", [number])
      case .pointAtEach: ("pointAtEach", [])
      case .countOn(let start, let distance): ("countOn", [start, distance])
      case .countUp(let start, let end): ("countUp", [start, end])
      case .groups(let count, let size): ("groups", [count, size])
      case .between(let least, let most): ("between", [least, most])
      case .answer(let answer): ("answer", [answer])
      }
    return .object([("name", .string(name)), ("numbers", .integers(numbers))])
  }

  private func kind(_ name: String, _ members: [(name: String, value: JSON)]) -> JSON {
    .object([("kind", .string(name))] + members)
  }
}

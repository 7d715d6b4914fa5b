internal import DiceFiles

/// Takes a saved game apart; every member that is used is checked here, what they mean together by
/// the rules, the log and the game.
struct SavedGameReader {
  private let value: JSONValue

  init(_ value: JSONValue) {
    self.value = value
  }

  func game() throws(SavedGameError) -> DiceMathGame {
    guard let kind = value["kind"]?.string, kind.utf8.elementsEqual(DiceMathGame.savedTextKind.utf8)
    else { throw .notASavedGame }
    let version = try integer(value, "version")
    guard version == DiceMathGame.savedTextVersion else {
      throw .version(found: version, required: DiceMathGame.savedTextVersion)
    }
    let rules = try rules(try member(value, "rules"))
    let log = try log(try member(value, "log"))
    let position = try position(try member(value, "position"), rules)
    var history: [DiceMathGame.Position] = []
    for saved in try array(value, "history") { history.append(try self.position(saved, rules)) }
    let time = try duration(value, "time")
    do throws(DiceMathGame.SavedFault) {
      return try DiceMathGame(
        rules: rules, log: log, position: position, history: history, time: time)
    } catch { throw .impossible(error.rawValue) }
  }

  // MARK: - Rules

  private func rules(_ saved: JSONValue) throws(SavedGameError) -> DiceMathGame.Rules {
    let play: DiceMathGame.Play
    if let practice = saved["practice"] {
      play = .practice(
        level: try level(try integer(practice, "level")),
        advancesAfter: try optionalInteger(practice, "advancesAfter"))
    } else {
      play = .board(try board(try member(saved, "board")))
    }
    var players: [String] = []
    for name in try array(saved, "players") {
      guard let name = name.string else { throw .member("players") }
      players.append(name)
    }
    let (attempts, hiddenAnswer) = (
      try optionalInteger(saved, "attempts"), try optionalInteger(saved, "hiddenAnswer")
    )
    let (givesHints, allowsRerolls, acceptsAtOnce) = (
      try bool(saved, "givesHints"), try bool(saved, "allowsRerolls"),
      try bool(saved, "acceptsAtOnce")
    )
    let pause = try duration(saved, "pause")
    do throws(DiceMathRulesError) {
      return try DiceMathGame.Rules(
        play, players: players, attempts: attempts, givesHints: givesHints,
        allowsRerolls: allowsRerolls, pause: pause, acceptsAtOnce: acceptsAtOnce,
        hiddenAnswer: hiddenAnswer)
    } catch { throw .rules(error) }
  }

  private func board(_ saved: JSONValue) throws(SavedGameError) -> BoardRules {
    var moves: [ArithmeticOperation] = []
    for move in try array(saved, "moves") { moves.append(try operation(move, "moves")) }
    let name = try member(saved, "overshoot")
    guard let overshoot = one(of: BoardRules.Overshoot.allCases, name) else {
      throw .member("overshoot")
    }
    let numbers = [
      try integer(saved, "sections"), try integer(saved, "start"), try integer(saved, "target"),
      try integer(saved, "sides"),
    ]
    do throws(BoardRulesError) {
      return try BoardRules(
        sectionCount: numbers[0], start: numbers[1], target: numbers[2], moves: moves,
        overshoot: overshoot, sides: numbers[3])
    } catch { throw .board(error) }
  }

  // MARK: - Where the game stands

  private func position(
    _ saved: JSONValue, _ rules: DiceMathGame.Rules
  ) throws(SavedGameError) -> DiceMathGame.Position {
    var position = DiceMathGame.Position(beginning: rules)
    let name = try member(saved, "phase")
    guard let phase = one(of: DiceMathGame.Phase.allCases, name) else { throw .member("phase") }
    position.phase = phase
    position.turn = try integer(saved, "turn")
    let players = try array(saved, "players")
    guard players.count == position.players.count else { throw .member("players") }
    for (index, player) in players.enumerated() {
      let numbers = try integers(player, "players")
      guard numbers.count == 6 else { throw .member("players") }
      position.players[index].section = numbers[0]
      position.players[index].level = try level(numbers[1])
      position.players[index].questionCount = numbers[2]
      position.players[index].streak = numbers[3]
      position.players[index].longestStreak = numbers[4]
      position.players[index].rightCount = numbers[5]
    }
    let values = try integers(try member(saved, "values"), "values")
    for ask in try array(saved, "asks") {
      position.questions.append(try question(try operation(ask, "asks"), values))
    }
    let choice = try member(saved, "choice")
    if choice.kind != .null { position.choice = try operation(choice, "choice") }
    position.wrongAnswers = try integers(try member(saved, "wrong"), "wrong")
    position.questionTime = try duration(saved, "askedAt")
    position.entryCount = try integer(saved, "entries")
    return position
  }

  private func log(_ saved: JSONValue) throws(SavedGameError) -> PracticeLog {
    var entries: [PracticeLog.Entry] = []
    for entry in try array(saved, "entries") {
      guard let parts = entry.array, parts.count == 6, let player = parts[0].integer,
        let isRight = parts[4].bool
      else { throw .member("entries") }
      let question = try question(
        try operation(parts[1], "entries"), try integers(parts[2], "entries"))
      entries.append(
        PracticeLog.Entry(
          player: player, question: question, wrongAnswers: try integers(parts[3], "entries"),
          isRight: isRight, duration: try duration(parts[5], named: "entries")))
    }
    var tallies: [PracticeLog.Tally] = []
    for total in try array(saved, "totals") {
      guard let parts = total.array, parts.count == 6, let player = parts[0].integer,
        let asked = parts[2].integer, let right = parts[3].integer, let first = parts[4].integer
      else { throw .member("totals") }
      var tally = PracticeLog.Tally(player: player, operation: try operation(parts[1], "totals"))
      tally.askedCount = asked
      tally.rightCount = right
      tally.firstTimeCount = first
      tally.duration = try duration(parts[5], named: "totals")
      tallies.append(tally)
    }
    do throws(PracticeLog.Fault) {
      return try PracticeLog(entries: entries, tallies: tallies)
    } catch { throw .impossible(error.rawValue) }
  }

  private func question(
    _ operation: ArithmeticOperation, _ values: [Int]
  ) throws(SavedGameError) -> ArithmeticQuestion {
    do throws(ArithmeticQuestionError) {
      return try ArithmeticQuestion(operation, of: values)
    } catch { throw .question(error) }
  }
}

// MARK: - Members

extension SavedGameReader {
  private func member(_ saved: JSONValue, _ key: String) throws(SavedGameError) -> JSONValue {
    guard let value = saved[key] else { throw .member(key) }
    return value
  }

  private func array(_ saved: JSONValue, _ key: String) throws(SavedGameError) -> [JSONValue] {
    guard let array = saved[key]?.array else { throw .member(key) }
    return array
  }

  private func bool(_ saved: JSONValue, _ key: String) throws(SavedGameError) -> Bool {
    guard let bool = saved[key]?.bool else { throw .member(key) }
    return bool
  }

  private func integer(_ saved: JSONValue, _ key: String) throws(SavedGameError) -> Int {
    guard let integer = saved[key]?.integer else { throw .member(key) }
    return integer
  }

  /// A whole number, or nil for null.
  private func optionalInteger(
    _ saved: JSONValue, _ key: String
  ) throws(SavedGameError) -> Int? {
    if saved[key]?.kind == .null { return nil }
    return try integer(saved, key)
  }

  private func integers(_ saved: JSONValue, _ key: String) throws(SavedGameError) -> [Int] {
    guard let values = saved.array else { throw .member(key) }
    var integers: [Int] = []
    for value in values {
      guard let integer = value.integer else { throw .member(key) }
      integers.append(integer)
    }
    return integers
  }

  private func duration(_ saved: JSONValue, _ key: String) throws(SavedGameError) -> Duration {
    try duration(try member(saved, key), named: key)
  }

  /// A duration, which is saved in microseconds.
  private func duration(
    _ saved: JSONValue, named key: String
  ) throws(SavedGameError) -> Duration {
    guard let number = saved.number, number.magnitude < 0x1p53, let whole = Int64(exactly: number)
    else { throw .member(key) }
    return .microseconds(whole)
  }

  private func level(_ number: Int) throws(SavedGameError) -> PracticeLevel {
    guard let level = PracticeLevel(rawValue: number) else { throw .member("level") }
    return level
  }

  private func operation(
    _ saved: JSONValue, _ key: String
  ) throws(SavedGameError) -> ArithmeticOperation {
    guard let operation = one(of: ArithmeticOperation.allCases, saved) else { throw .member(key) }
    return operation
  }

  /// The case of a name, compared byte by byte: comparing strings asks for Unicode's tables.
  private func one<Name: RawRepresentable<String>>(of names: [Name], _ saved: JSONValue) -> Name? {
    guard let text = saved.string else { return nil }
    return names.first { $0.rawValue.utf8.elementsEqual(text.utf8) }
  }
}

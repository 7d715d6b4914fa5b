#if !hasFeature(Embedded)
  extension DiceMathGame: Codable {
    private enum CodingKeys: String, CodingKey { case rules, log, position, history, time }

    /// Reads a saved game, and refuses one that cannot have been played.
    ///
    /// An answer that was not judged yet is not saved.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      do {
        try self.init(
          rules: try container.decode(Rules.self, forKey: .rules),
          log: try container.decode(PracticeLog.self, forKey: .log),
          position: try container.decode(Position.self, forKey: .position),
          history: try container.decode([Position].self, forKey: .history),
          time: try container.decode(Duration.self, forKey: .time))
      } catch let fault as SavedFault {
        throw DecodingError.dataCorruptedError(
          forKey: .position, in: container, debugDescription: fault.rawValue)
      }
    }

    /// Writes the game.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(rules, forKey: .rules)
      try container.encode(log, forKey: .log)
      try container.encode(position, forKey: .position)
      try container.encode(history, forKey: .history)
      try container.encode(time, forKey: .time)
    }
  }
#endif

extension DiceMathGame {
  /// What makes a saved game one that cannot have been played.
  enum SavedFault: String, Error {
    case time = "The time is not one, or too much can be undone."
    case log = "The log has a player too many."
    case position = "The game cannot stand like this under its rules."
  }

  /// A game that was saved.
  ///
  /// - Throws: why it cannot have been played.
  init(
    rules: Rules, log: PracticeLog, position: Position, history: [Position], time: Duration
  ) throws(SavedFault) {
    guard time >= .zero, time <= Self.timeLimit, history.count <= Self.undoLimit else {
      throw .time
    }
    guard log.entries.allSatisfy({ rules.players.indices.contains($0.player) }) else {
      throw .log
    }
    var entryCount = (history.first ?? position).entryCount
    for position in history + [position] {
      // A step adds one entry at most.
      guard
        position.canStand(under: rules, until: time),
        (0...1).contains(position.entryCount - entryCount)
      else { throw .position }
      entryCount = position.entryCount
    }
    self.rules = rules
    self.log = log
    self.position = position
    self.history = history
    self.time = time
    judge = AnswerJudge(expected: [])
    beginJudging()
  }

  /// Longer than anybody plays.
  static let timeLimit = Duration.seconds(Int64(1) << 32)
}

extension DiceMathGame.Position {
  /// Whether a game can stand like this under its rules.
  func canStand(under rules: DiceMathGame.Rules, until time: Duration) -> Bool {
    // Half of what 32 bits hold, so that counting goes on.
    let limit = 1 << 30
    guard
      players.count == rules.players.count,
      zip(players, rules.players).allSatisfy({ $0.name.utf8.elementsEqual($1.utf8) }),
      players.indices.contains(turn),
      (0..<limit).contains(entryCount), questionTime >= .zero, questionTime <= time,
      wrongAnswers.count <= rules.attempts ?? DiceMathGame.wrongAnswerLimit,
      phase != .answering || wrongAnswers.count < rules.attempts ?? Int.max,
      players.allSatisfy({ player in
        (0..<limit).contains(player.questionCount) && (0..<limit).contains(player.rightCount)
          && player.streak >= 0 && player.streak <= player.longestStreak
          && player.longestStreak <= player.rightCount
      })
    else { return false }
    let values = questions.first?.values ?? []
    guard questions.allSatisfy({ $0.values == values }) else { return false }
    if let choice, !questions.contains(where: { $0.operation == choice }) { return false }
    switch phase {
    case .waitingForRoll:
      guard questions.isEmpty, wrongAnswers.isEmpty else { return false }
    case .answering, .answered, .won:
      guard !questions.isEmpty else { return false }
    }
    switch rules.play {
    case .practice:
      return phase != .won && questions.count <= 1
        && players.allSatisfy { $0.section == 1 }
    case .board(let board):
      guard players.allSatisfy({ board.sections.contains($0.section) }) else { return false }
      let winners = players.indices.filter { players[$0].section == board.target }
      guard winners == (phase == .won ? [turn] : []) else { return false }
      return questions.isEmpty
        || questions == board.legalMoves(of: values, from: board.start).map { $0.question }
    }
  }
}

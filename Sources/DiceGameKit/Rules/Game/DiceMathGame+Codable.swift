#if !hasFeature(Embedded)
  extension DiceMathGame: Codable {
    private enum CodingKeys: String, CodingKey { case rules, log, position, history, time }

    /// Reads a saved game, and refuses one that cannot have been played.
    ///
    /// An answer that was not judged yet is not saved.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      rules = try container.decode(Rules.self, forKey: .rules)
      log = try container.decode(PracticeLog.self, forKey: .log)
      position = try container.decode(Position.self, forKey: .position)
      history = try container.decode([Position].self, forKey: .history)
      time = try container.decode(Duration.self, forKey: .time)
      judge = AnswerJudge(expected: [])
      guard time >= .zero, time <= Self.timeLimit, history.count <= Self.undoLimit else {
        throw DecodingError.dataCorruptedError(
          forKey: .time, in: container,
          debugDescription: "The time is not one, or too much can be undone.")
      }
      guard log.entries.allSatisfy({ rules.players.indices.contains($0.player) }) else {
        throw DecodingError.dataCorruptedError(
          forKey: .log, in: container, debugDescription: "The log has a player too many.")
      }
      let positions = history + [position]
      var entryCount = positions[0].entryCount
      for position in positions {
        // A step adds one entry at most.
        guard
          position.canStand(under: rules, until: time),
          (0...1).contains(position.entryCount - entryCount)
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .position, in: container,
            debugDescription: "The game cannot stand like this under its rules.")
        }
        entryCount = position.entryCount
      }
      beginJudging()
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

    /// Longer than anybody plays.
    private static let timeLimit = Duration.seconds(1 << 32)
  }
#endif

extension DiceMathGame.Position {
  /// Whether a game can stand like this under its rules.
  func canStand(under rules: DiceMathGame.Rules, until time: Duration) -> Bool {
    let limit = 1 << 31
    guard
      players.map({ $0.name }) == rules.players, players.indices.contains(turn),
      (0..<limit).contains(entryCount), questionTime >= .zero, questionTime <= time,
      wrongAnswers.count <= rules.attempts ?? DiceMathGame.wrongAnswerLimit,
      phase != .answering || wrongAnswers.count < rules.attempts ?? Int.max,
      players.allSatisfy({ player in
        (0..<limit).contains(player.questionCount) && (0..<limit).contains(player.rightCount)
          && (0...player.longestStreak).contains(player.streak)
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

extension DiceMathGame {
  /// What is played.
  public enum Play: Hashable, Sendable {
    /// Questions about rolls; after so many answers in a row at the first attempt, the next level
    /// comes, or never with nil.
    case practice(level: PracticeLevel, advancesAfter: Int?)
    /// A race on a board.
    case board(BoardRules)
  }

  /// What is played, by whom, and how patiently.
  public struct Rules: Hashable, Sendable {
    /// How many may play.
    public static let playerCounts = 1...8
    /// The longest name, in UTF-8.
    public static let nameByteLimit = 200
    /// The longest pause.
    public static let pauseLimit = Duration.seconds(pauseLimitInSeconds)
    fileprivate static let pauseLimitInSeconds = 60

    /// What is played.
    public let play: Play
    /// The players' names, in the order of their turns.
    public let players: [String]
    /// How many answers a player may give to a roll, after which the right one is shown and the turn
    /// is over; nil for any number.
    public let attempts: Int?
    /// Whether wrong answers are followed by hints.
    public let givesHints: Bool
    /// Whether another roll replaces one that waits for its answer; otherwise the first counts.
    public let allowsRerolls: Bool
    /// How long an answer has to stay as it is before it counts as given.
    public let pause: Duration
    /// Whether a right answer counts at once, although it may still change.
    public let acceptsAtOnce: Bool
    /// A number that is right whatever was rolled, and on a board takes the pawn to the target; nil
    /// for none.
    public let hiddenAnswer: Int?

    /// The rules of a game.
    ///
    /// - Throws: what makes no sense about them.
    public init(
      _ play: Play, players: [String], attempts: Int? = 3, givesHints: Bool = true,
      allowsRerolls: Bool = false, pause: Duration = .seconds(1), acceptsAtOnce: Bool = false,
      hiddenAnswer: Int? = nil
    ) throws(DiceMathRulesError) {
      guard Self.playerCounts.contains(players.count) else {
        throw .playerCount(found: players.count, required: Self.playerCounts)
      }
      for (index, name) in players.enumerated() {
        guard !name.isEmpty, name.utf8.count <= Self.nameByteLimit else {
          throw .playerName(player: index, limit: Self.nameByteLimit)
        }
        guard !players[..<index].contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
          throw .repeatedName(name)
        }
      }
      if let attempts, !(1...100).contains(attempts) {
        throw .attempts(found: attempts, required: 1...100)
      }
      if case .practice(_, let count?) = play, !(1...1000).contains(count) {
        throw .advancesAfter(found: count, required: 1...1000)
      }
      guard pause >= .zero, pause <= Self.pauseLimit else {
        throw .pause(found: pause, limit: Self.pauseLimit)
      }
      let answers = 0...ArithmeticQuestion.answerLimit
      if let hiddenAnswer, !answers.contains(hiddenAnswer) {
        throw .hiddenAnswer(found: hiddenAnswer, required: answers)
      }
      self.play = play
      self.players = players
      self.attempts = attempts
      self.givesHints = givesHints
      self.allowsRerolls = allowsRerolls
      self.pause = pause
      self.acceptsAtOnce = acceptsAtOnce
      self.hiddenAnswer = hiddenAnswer
    }
  }
}

/// Why the rules of a game make no sense.
public enum DiceMathRulesError: Error, Hashable, Sendable {
  /// Nobody plays, or too many.
  case playerCount(found: Int, required: ClosedRange<Int>)
  /// A player has no name or too long a one; the player, from 0.
  case playerName(player: Int, limit: Int)
  /// Two players have the same name.
  case repeatedName(String)
  /// Players have no attempt, or too many.
  case attempts(found: Int, required: ClosedRange<Int>)
  /// The next level comes after no answers, or after too many.
  case advancesAfter(found: Int, required: ClosedRange<Int>)
  /// The pause is negative or too long.
  case pause(found: Duration, limit: Duration)
  /// The hidden answer is one that no question has room for.
  case hiddenAnswer(found: Int, required: ClosedRange<Int>)
}

extension DiceMathRulesError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .playerCount(let found, let required):
      "There are \(found) players; \(required.lowerBound) to \(required.upperBound) may play."
    case .playerName(let player, let limit):
      "The name of player \(player + 1) is empty or longer than \(limit) bytes."
    case .repeatedName(let name): "Two players have the name \(name)."
    case .attempts(let found, let required):
      "A player has \(found) attempts; \(required.lowerBound) to \(required.upperBound) are possible."
    case .advancesAfter(let found, let required):
      "The next level comes after \(found) answers; \(required.lowerBound) to \(required.upperBound) are possible."
    case .pause:
      "The pause is negative or longer than \(DiceMathGame.Rules.pauseLimitInSeconds) s."
    case .hiddenAnswer(let found, let required):
      "The hidden answer is \(found); it may be \(required.lowerBound) to \(required.upperBound)."
    }
  }
}

#if !hasFeature(Embedded)
  extension DiceMathGame.Play: Codable {}

  extension DiceMathGame.Rules: Codable {
    /// Reads rules, and refuses those that make no sense.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      do {
        try self.init(
          try container.decode(DiceMathGame.Play.self, forKey: .play),
          players: try container.decode([String].self, forKey: .players),
          attempts: try container.decodeIfPresent(Int.self, forKey: .attempts),
          givesHints: try container.decode(Bool.self, forKey: .givesHints),
          allowsRerolls: try container.decode(Bool.self, forKey: .allowsRerolls),
          pause: try container.decode(Duration.self, forKey: .pause),
          acceptsAtOnce: try container.decode(Bool.self, forKey: .acceptsAtOnce),
          hiddenAnswer: try container.decodeIfPresent(Int.self, forKey: .hiddenAnswer))
      } catch let error as DiceMathRulesError {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: container.codingPath, debugDescription: "\(error)"))
      }
    }
  }
#endif

/// A game with real dice and sums, as a state machine.
///
/// A program tells it what happens, and shows what it answers:
///
/// ```swift
/// let rules = try DiceMathGame.Rules(.board(.standard), players: ["Ann", "Ben"])
/// var game = DiceMathGame(rules)
/// game.handle(.rollEnded([6, 2]), at: .seconds(5))
/// // [.asked([6 + 2, 6 − 2])]
/// game.handle(.answerChanged(PlayerAnswer(8)), at: .seconds(9))
/// // [.right(8, 6 + 2), .moved(player: 0, …), .won(player: 0)]
/// ```
///
/// Every transition is a row of the table in Docs/DiceMath.md. The machine has no clock and nothing
/// random: equal events give equal games. Events that have no meaning in a phase change nothing and
/// show nothing. It is a value: a copy is a saved game, and `Codable` writes it.
public struct DiceMathGame: Hashable, Sendable {
  /// Where the game stands.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The player whose turn it is has to roll.
    case waitingForRoll
    /// The player has to answer.
    case answering
    /// The turn is over; the dice still lie there.
    case answered
    /// Somebody has won.
    case won
  }

  /// How many steps can be undone.
  public static let undoLimit = 100
  /// As many attempts as rules may give.
  static let wrongAnswerLimit = 100

  /// The rules.
  public let rules: Rules
  /// What was asked and answered.
  public internal(set) var log = PracticeLog()
  var position: Position
  var history: [Position] = []
  var judge: AnswerJudge
  /// When the latest event was, from which the clock of a restored game goes on.
  public internal(set) var time = Duration.zero

  /// A game that begins, with the first player's roll.
  public init(_ rules: Rules) {
    self.rules = rules
    position = Position(beginning: rules)
    judge = AnswerJudge(expected: [])
    beginJudging()
  }

  /// Where the game stands.
  public var phase: Phase { position.phase }
  /// The players, in the order of their turns.
  public var players: [Player] { position.players }
  /// Whose turn it is, from 0.
  public var turn: Int { position.turn }
  /// What the player may answer now, in the order of the rules; empty unless a question is open.
  public var questions: [ArithmeticQuestion] {
    position.phase == .answering ? position.openQuestions : []
  }
  /// The dice that the questions are about, or were in this turn.
  public var values: [Int] { position.questions.first?.values ?? [] }
  /// The wrong answers of this turn, the latest hundred of them.
  public var wrongAnswers: [Int] { position.wrongAnswers }
  /// The answer that waits for its verdict.
  public var pendingAnswer: PlayerAnswer? { judge.pending }
  /// Who has won, from 0.
  public var winner: Int? { position.phase == .won ? position.turn : nil }
  /// Whether there is something to undo.
  public var canUndo: Bool { !history.isEmpty }

  /// What each player can win with, in the order of the players; empty without a board.
  public var outlooks: [BoardOutlook] {
    guard case .board(let board) = rules.play else { return [] }
    return players.map { board.outlook(from: $0.section) }
  }
}

extension DiceMathGame {
  /// A player.
  public struct Player: Hashable, Sendable {
    /// The name.
    public let name: String
    /// Where the pawn stands; 1 without a board.
    public internal(set) var section: Int
    /// What is asked in a practice.
    public internal(set) var level: PracticeLevel
    /// How many questions were asked since the level was reached.
    public internal(set) var questionCount = 0
    /// How many of the latest questions were answered at the first attempt, one after the other.
    public internal(set) var streak = 0
    /// The longest such streak.
    public internal(set) var longestStreak = 0
    /// How many questions were answered.
    public internal(set) var rightCount = 0

    /// Whether two players are the same in all; names are compared byte by byte.
    public static func == (one: Player, other: Player) -> Bool {
      one.name.utf8.elementsEqual(other.name.utf8) && one.section == other.section
        && one.level == other.level && one.questionCount == other.questionCount
        && one.streak == other.streak && one.longestStreak == other.longestStreak
        && one.rightCount == other.rightCount
    }
  }

  /// What can be undone: all that an event may change, but for the log and the time.
  struct Position: Hashable, Sendable {
    var phase = Phase.waitingForRoll
    var players: [Player]
    var turn = 0
    /// The questions of the roll.
    var questions: [ArithmeticQuestion] = []
    /// Which of them the player has chosen.
    var choice: ArithmeticOperation?
    var wrongAnswers: [Int] = []
    var questionTime = Duration.zero
    /// How many entries of the log there were.
    var entryCount = 0

    init(beginning rules: Rules) {
      var (section, level) = (1, PracticeLevel.adding)
      switch rules.play {
      case .board(let board): section = board.start
      case .practice(let first, _): level = first
      }
      players = rules.players.map { Player(name: $0, section: section, level: level) }
    }

    var openQuestions: [ArithmeticQuestion] {
      choice.map { choice in questions.filter { $0.operation == choice } } ?? questions
    }
  }
}

#if !hasFeature(Embedded)
  extension DiceMathGame.Phase: Codable {}
  extension DiceMathGame.Player: Codable {}
  extension DiceMathGame.Position: Codable {}
#endif

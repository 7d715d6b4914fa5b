/// The game of Pig, for any number of players and of dice.
///
/// Whoever's turn it is throws as often as they dare. The sum of the dice goes to the points of the
/// turn; a one takes them all away and ends the turn; all dice ones, two at least, take the player's
/// whole score too. Holding moves the turn's points to the score and passes the dice. The first to
/// hold with the target reached has won.
struct PigGame: Hashable, Sendable {
  /// Someone who plays.
  struct Player: Hashable, Sendable {
    var name: String
    var score = 0
  }

  /// What a throw did.
  enum Outcome: Hashable, Sendable {
    /// Points were added to the turn's.
    case added(Int)
    /// A one: the turn's points are lost, and the dice go on.
    case lostTurn(points: Int)
    /// Nothing but ones: the score is lost as well.
    case lostEverything(points: Int)
  }

  /// What holding did.
  enum Holding: Hashable, Sendable {
    /// The points are safe, and the dice go on.
    case banked(Int)
    /// The points are safe and reach the target.
    case won(score: Int)
  }

  let target: Int
  private(set) var players: [Player]
  /// Whose turn it is, counted from 0; who has won, once somebody has.
  private(set) var current = 0
  /// The points that a one would take away.
  private(set) var turnPoints = 0
  /// How often the dice were thrown in this turn.
  private(set) var throwCount = 0
  private(set) var isOver = false

  var player: Player { players[current] }

  /// A game before its first throw.
  ///
  /// - Precondition: there is a player, and the target is positive.
  init(names: [String], target: Int) {
    precondition(!names.isEmpty && target > 0, "a game has players and a target")
    self.target = target
    players = names.map { Player(name: $0) }
  }

  /// Whether holding now would win.
  var holdingWins: Bool { player.score + turnPoints >= target }

  /// Counts a throw of whoever's turn it is.
  ///
  /// - Precondition: the game is not over, and at least one die was thrown.
  mutating func takeThrow(_ values: [Int]) -> Outcome {
    precondition(!isOver && !values.isEmpty, "a throw has dice, and the game goes on")
    throwCount += 1
    guard values.contains(1) else {
      let points = values.reduce(0, +)
      turnPoints += points
      return .added(points)
    }
    let lost = turnPoints
    defer { pass() }
    if values.count >= 2, values.allSatisfy({ $0 == 1 }) {
      let score = players[current].score
      players[current].score = 0
      return .lostEverything(points: lost + score)
    }
    return .lostTurn(points: lost)
  }

  /// Moves the turn's points to the score and passes the dice, or ends the game.
  ///
  /// - Precondition: the game is not over.
  mutating func hold() -> Holding {
    precondition(!isOver, "the game goes on")
    let points = turnPoints
    players[current].score += points
    if player.score >= target {
      isOver = true
      return .won(score: player.score)
    }
    pass()
    return .banked(points)
  }

  private mutating func pass() {
    current = (current + 1) % players.count
    turnPoints = 0
    throwCount = 0
  }
}

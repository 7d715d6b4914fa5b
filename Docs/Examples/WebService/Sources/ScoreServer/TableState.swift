import DiceGameKit

/// What a client gets; a part of the service's own contract, so it is spelled out here.
struct TableState: Codable, Hashable {
  struct Player: Codable, Hashable {
    var name: String
    /// On the board; nil in a practice.
    var section: Int?
    /// In a practice; nil on the board.
    var level: Int?
    var right: Int
    var streak: Int
  }

  var table: String
  var phase: String
  /// Whose turn it is, from 0.
  var turn: Int
  var players: [Player]
  var values: [Int]
  /// What may be answered now, such as "6 + 2".
  var questions: [String]
  var winner: String?
  /// What came of the request, a sentence each.
  var told: [String]
}

extension TableState {
  init(_ table: Table) {
    self.init(table.name, table.told)
  }

  init(_ name: String, _ told: Table.Told) {
    let game = told.game
    var isPractice = false
    if case .practice = game.rules.play { isPractice = true }
    table = name
    phase = game.phase.rawValue
    turn = game.turn
    players = game.players.map {
      Player(
        name: $0.name, section: isPractice ? nil : $0.section,
        level: isPractice ? $0.level.rawValue : nil, right: $0.rightCount, streak: $0.streak)
    }
    values = game.values
    questions = game.questions.map(\.description)
    winner = game.winner.map { game.players[$0].name }
    self.told = told.outputs.map { Self.sentence($0, game) }
  }

  private static func sentence(_ output: DiceMathGame.Output, _ game: DiceMathGame) -> String {
    func name(_ player: Int) -> String { game.players[player].name }
    switch output {
    case .turn(let player): return "It is \(name(player))'s turn."
    case .rollRefused(let refusal): return refusal.description
    case .asked(let questions):
      return "How much is \(questions.map(\.description).joined(separator: ", or "))?"
    case .heard: return "The answer may still change."
    case .wrong(let number, let left):
      return "Not \(number)." + (left.map { " Attempts left: \($0)." } ?? "")
    case .hint(let hint): return hint.description
    case .right(let number, let question): return "Right: \(question) = \(number)."
    case .revealed(let questions):
      return questions.map { "\($0) = \($0.answer)" }.joined(separator: ", ") + "."
    case .moved(let player, let origin, let way):
      return "\(name(player)) moves from \(origin) to \(way.last ?? origin)."
    case .level(let player, let level): return "\(name(player)) reaches level \(level.rawValue)."
    case .won(let player): return "\(name(player)) wins."
    case .undone: return "The latest step was taken back."
    case .restarted: return "A new game begins."
    }
  }
}

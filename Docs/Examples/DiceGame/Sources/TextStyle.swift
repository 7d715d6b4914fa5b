/// How dice and scores look on the screen.
enum TextStyle: Hashable, Sendable {
  /// A line each, for pipes and tests.
  case plain
  /// Drawn dice and bars, for a terminal.
  case drawn

  /// The dice of a throw.
  func dice(_ values: [Int]) -> [String] {
    switch self {
    case .plain:
      return ["[" + values.map(String.init).joined(separator: "] [") + "]"]
    case .drawn:
      let rows = values.map(Self.face)
      return (0..<5).map { row in rows.map { $0[row] }.joined(separator: " ") }
    }
  }

  /// The scores of all players.
  func scores(of game: PigGame) -> [String] {
    switch self {
    case .plain:
      return [game.players.map { "\($0.name) \($0.score)" }.joined(separator: ", ")]
    case .drawn:
      let longest = game.players.map { $0.name.count }.max() ?? 0
      return game.players.map { player in
        let filled = min(20, player.score * 20 / game.target)
        let name = player.name + String(repeating: " ", count: longest - player.name.count)
        let bar =
          String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
        return "  \(name) \(bar) \(player.score)"
      }
    }
  }

  /// Five rows that show a die.
  private static func face(_ value: Int) -> [String] {
    let (none, left, middle, right, both) = ("     ", "●    ", "  ●  ", "    ●", "●   ●")
    let pips =
      switch value {
      case 1: [none, middle, none]
      case 2: [left, none, right]
      case 3: [left, middle, right]
      case 4: [both, none, both]
      case 5: [both, middle, both]
      case 6: [both, both, both]
      default: [none, "  ?  ", none]
      }
    return ["╭───────╮"] + pips.map { "│ \($0) │" } + ["╰───────╯"]
  }
}

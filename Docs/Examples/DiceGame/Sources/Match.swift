/// What happens at the table, from wherever it comes.
enum TableEvent: Hashable, Sendable {
  /// Dice were thrown and came to rest.
  case thrown([Int])
  /// Whoever's turn it is holds.
  case held
  /// A word to the players, about a die that leans for instance.
  case notice(String)
  /// Nothing more will happen.
  case ended
}

/// Who decides when to hold.
enum Player: Hashable, Sendable {
  /// A person, who says so; with a number, who always holds at so many points.
  case person(holdsAt: Int?)
  /// The computer, with dice of its own, which holds at so many points.
  case computer(holdsAt: Int)
}

/// Dice without a camera: the computer's own, and practice throws.
struct VirtualDice: Sendable {
  private var state: UInt64

  /// Dice whose throws follow from a seed.
  init(seed: UInt64) {
    state = seed
  }

  /// The next throw.
  mutating func roll(count: Int) -> [Int] {
    (0..<count).map { _ in Int.random(in: 1...6, using: &self) }
  }
}

extension VirtualDice: RandomNumberGenerator {
  /// The next number of SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A game under way: takes what happens at the table, and says what the players are to read.
///
/// It knows nothing of cameras, terminals and clocks, so that tests play it in a moment.
struct Match: Sendable {
  private(set) var game: PigGame
  private let kinds: [Player]
  private var dice: VirtualDice
  private let style: TextStyle
  /// How many dice the computer throws: as many as the people threw last.
  private var diceCount: Int

  /// A match before its first throw.
  init(
    players: [(name: String, kind: Player)], target: Int, dice: VirtualDice, diceCount: Int = 1,
    style: TextStyle = .plain
  ) {
    game = PigGame(names: players.map { $0.name }, target: target)
    kinds = players.map { $0.kind }
    self.dice = dice
    self.diceCount = diceCount
    self.style = style
  }

  /// The first lines, and the computer's turn where it begins.
  mutating func begin() -> [String] {
    let names = game.players.map { $0.name }.joined(separator: ", ")
    return ["Pig to \(game.target): \(names)."] + playComputer() + announce()
  }

  /// What a person should be told before the next throw.
  private func announce() -> [String] {
    game.isOver ? [] : ["\(game.player.name), throw the dice!"]
  }

  /// Takes in what happened, and returns the lines to show.
  mutating func take(_ event: TableEvent) -> [String] {
    guard !game.isOver else { return [] }
    switch event {
    case .notice(let sentence):
      return [sentence]
    case .ended:
      return ["The dice are put away. " + standings()]
    case .held:
      guard game.throwCount > 0 else { return ["\(game.player.name) has to throw at least once."] }
      return hold() + playComputer() + announce()
    case .thrown(let values):
      diceCount = values.count
      let before = game.current
      var lines = count(values)
      if game.current == before, case .person(let limit?) = kinds[before],
        game.turnPoints >= limit || game.holdingWins
      {
        lines += hold()
      }
      if game.current != before || game.throwCount == 0 {
        lines += playComputer() + announce()
      } else if !game.isOver {
        lines.append("Throw again, or hold.")
      }
      return lines
    }
  }

  // MARK: - Moves

  private mutating func count(_ values: [Int]) -> [String] {
    let player = game.player
    let outcome = game.takeThrow(values)
    var lines = style.dice(values)
    switch outcome {
    case .added(let points):
      lines.append(
        "\(player.name) throws \(points): \(game.turnPoints) in this turn, \(player.score) safe.")
    case .lostTurn(let points):
      lines.append("A one! \(player.name) loses the \(points) points of the turn.")
    case .lostEverything(let points):
      lines.append("Nothing but ones! \(player.name) loses all \(points) points.")
    }
    return lines
  }

  private mutating func hold() -> [String] {
    let player = game.player
    switch game.hold() {
    case .banked(let points):
      return ["\(player.name) holds and keeps \(points)."] + style.scores(of: game)
    case .won(let score):
      return style.scores(of: game) + ["\(player.name) wins with \(score)!"]
    }
  }

  /// Lets the computer play until a person has the dice or the game is over.
  private mutating func playComputer() -> [String] {
    var lines: [String] = []
    while !game.isOver, case .computer(let limit) = kinds[game.current] {
      let turn = game.current
      lines += count(dice.roll(count: diceCount))
      if game.current == turn, game.throwCount > 0,
        game.turnPoints >= limit || game.holdingWins
      {
        lines += hold()
      }
    }
    return lines
  }

  private func standings() -> String {
    game.players.map { "\($0.name) has \($0.score)" }.joined(separator: ", ") + "."
  }
}

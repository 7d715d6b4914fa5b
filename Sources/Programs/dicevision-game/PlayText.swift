internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameKit

/// What a game says, in sentences.
struct PlayText {
  let style: TextStyle
  /// Whether signs beyond ASCII may be written.
  let isUnicode: Bool

  /// The sentences of an output; empty where there is nothing to say.
  func lines(_ output: DiceMathGame.Output, _ game: DiceMathGame) -> [String] {
    switch output {
    case .turn(let player): ["", "\(name(player, game)): roll the dice."]
    case .rollRefused(let refusal): ["\(refusal)"]
    case .asked(let questions):
      [
        "\(name(game.turn, game)) has \(values(game.values)). " + asked(questions)
      ]
    case .heard: []
    case .wrong(let number, let left):
      ["\(number) is wrong." + (left.map { " " + attempts($0) } ?? "")]
    case .hint(let hint): ["\(hint)"]
    case .right(let number, let question):
      number == question.answer
        ? [style.bold("Right:") + " \(solved(question))."]
        : [style.bold("Right:") + " \(number) always is."]
    case .revealed(let questions):
      ["It was " + questions.map(solved).joined(separator: ", or ") + "."]
    case .moved(let player, let from, let way):
      ["\(name(player, game)) moves from \(from) to \(way.last ?? from)."]
    case .level(let player, let level):
      ["\(name(player, game)) has reached level \(level.rawValue), \(level)."]
    case .won(let player): [style.bold("\(game.players[player].name) has won.")]
    case .undone: ["The last step is taken back."]
    case .restarted: ["A new game."]
    }
  }

  /// Who can win with what, a line for each player.
  func outlook(_ game: DiceMathGame) -> [String] {
    zip(game.players, game.outlooks).map { player, outlook in
      let ways = outlook.winningMoves.map { signs("\($0.question)") }
      let steps = NumberText.count(outlook.distance, "step", "steps")
      return "\(style.bold(player.name)): \(steps) to go, "
        + "\(outlook.winningRollCount) of \(outlook.rollCount) rolls win"
        + (ways.isEmpty ? "." : ": \(ways.joined(separator: ", ")).")
    }
  }

  /// How each player did, a line each.
  func summary(_ game: DiceMathGame) -> [String] {
    game.players.indices.map { index in
      var (asked, first, right) = (0, 0, 0)
      for operation in ArithmeticOperation.allCases {
        let tally = game.log.tally(player: index, operation)
        asked += tally.askedCount
        first += tally.firstTimeCount
        right += tally.rightCount
      }
      return "\(style.bold(game.players[index].name)): \(right) of "
        + "\(NumberText.count(asked, "question", "questions")) answered, "
        + "\(first) at the first attempt, \(game.players[index].longestStreak) in a row at best."
    }
  }

  /// What has to be answered now.
  func asked(_ questions: [ArithmeticQuestion]) -> String {
    if questions.count == 1, questions[0].operation == .count { return "How many dice are there?" }
    return "How much is "
      + questions.map { style.bold(signs("\($0)")) }.joined(separator: ", or ") + "?"
  }

  private func name(_ player: Int, _ game: DiceMathGame) -> String {
    style.bold(game.players[player].name)
  }

  private func values(_ values: [Int]) -> String {
    values.map { style.value($0, "\($0)") }.joined(separator: " ")
  }

  private func attempts(_ count: Int) -> String {
    switch count {
    case 0: "No attempt is left."
    case 1: "One attempt is left."
    default: "\(count) attempts are left."
    }
  }

  private func solved(_ question: ArithmeticQuestion) -> String {
    question.operation == .count
      ? "there " + (question.answer == 1 ? "is one die" : "are \(question.answer) dice")
      : signs("\(question) = \(question.answer)")
  }

  /// With signs that the terminal has.
  private func signs(_ text: String) -> String {
    isUnicode ? text : String(text.map { $0 == "−" ? "-" : $0 == "×" ? "x" : $0 })
  }
}

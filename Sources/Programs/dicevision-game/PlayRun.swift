internal import DiceCommandLine
internal import DiceDrawing
internal import DiceFiles
internal import DiceGameKit

/// A game at a terminal, from its first roll to its end.
struct PlayRun {
  private var game: DiceMathGame
  /// Nil where dice are typed.
  private var dice: PlayDice?
  private let answers: LineInput
  private let environment: Environment
  private let text: PlayText
  private let board: BoardText?
  /// Where the board is drawn; nil for nowhere.
  private let picture: String?
  private let startTime: Double

  init(
    _ rules: DiceMathGame.Rules, dice: PlayDice?, answers: LineInput, picture: String? = nil,
    _ environment: Environment
  ) {
    game = DiceMathGame(rules)
    self.dice = dice
    self.answers = answers
    self.picture = picture
    self.environment = environment
    text = PlayText(
      style: environment.style(on: .output), isUnicode: environment.isUnicode)
    if case .board(let board) = rules.play {
      self.board = BoardText(board, marks: BoardText.marks(of: rules.players))
    } else {
      board = nil
    }
    startTime = environment.seconds()
  }

  /// Plays until somebody has won, or there are no more dice or answers.
  mutating func play() throws(ToolError) -> CallStatus {
    try showBoard()
    try say(text.lines(.turn(player: 0), game).filter { !$0.isEmpty })
    if dice == nil { try say(["Type what they show, such as 5 2, or ? for help."]) }
    while game.phase != .won {
      if dice != nil, game.phase != .answering {
        guard let event = try dice?.next() else { break }
        switch event {
        case .rollEnded(let values): try handle(.rollEnded(values))
        case .rollRevised(let values): try handle(.rollRevised(values))
        case .cleared: try handle(.diceCleared)
        }
        continue
      }
      guard let line = try nextLine() else { break }
      guard try obey(PlayLine(line)) else { break }
    }
    if game.phase != .won { environment.note("the game is not over.") }
    try say([""] + text.summary(game))
    return .success
  }

  private func nextLine() throws(ToolError) -> String? {
    if environment.isOutputTerminal { try environment.print("> ") }
    return try answers.next()
  }

  /// Does what a line says.
  ///
  /// - Returns: false at the end.
  private mutating func obey(_ line: PlayLine) throws(ToolError) -> Bool {
    switch line {
    case .nothing: break
    case .number(let number):
      if game.phase == .answering {
        try handle(.answerChanged(PlayerAnswer(number)))
        // Typed dice leave no table that could be cleared.
        if dice == nil { try handle(.diceCleared) }
      } else {
        // A roll of a single die.
        try handle(.rollEnded([number]))
      }
    case .dice(let values):
      if dice == nil {
        try handle(.rollEnded(values))
      } else {
        try say(["The dice are seen. If they were read wrongly: dice 5 2"])
      }
    case .revised(let values): try handle(.rollRevised(values))
    case .operation(let operation):
      if !game.questions.contains(where: { $0.operation == operation }) {
        try say(["That is not asked."])
      } else if game.questions.count == 1 {
        try say([text.asked(game.questions)])
      } else {
        try handle(.operationChosen(operation))
      }
    case .undo:
      if !game.canUndo { try say(["There is nothing to take back."]) }
      if dice == nil, game.phase == .waitingForRoll {
        // The turn has passed by itself: what counts is the answer before it.
        var earlier = game
        earlier.handle(.undo, at: .zero)
        if earlier.phase == .answered { game = earlier }
      }
      try handle(.undo)
    case .restart: try handle(.restart)
    case .clear: try handle(.diceCleared)
    case .board:
      try showBoard()
      try sayWhatIsNext()
    case .outlook: try say(text.outlook(game))
    case .help: try say(PlayLine.helpLines)
    case .quit: return false
    case .unknown(let line): try say(["\(quoted(line)) is not understood; ? lists what is."])
    }
    return true
  }

  private mutating func handle(_ event: DiceMathGame.Event) throws(ToolError) {
    let time = Duration.seconds(max(environment.seconds() - startTime, 0))
    for output in game.handle(event, at: time) {
      try say(text.lines(output, game))
      switch output {
      case .moved: try showBoard()
      case .undone:
        try showBoard()
        try sayWhatIsNext()
      case .restarted: try showBoard()
      default: break
      }
    }
  }

  private func sayWhatIsNext() throws(ToolError) {
    switch game.phase {
    case .waitingForRoll: try say(text.lines(.turn(player: game.turn), game))
    case .answering: try say(text.lines(.asked(game.questions), game))
    case .answered, .won: break
    }
  }

  private func showBoard() throws(ToolError) {
    if let board { try say(board.lines(game.players)) }
    guard let picture, let drawing = BoardDrawing(game) else { return }
    let places = game.players.map { "\($0.name) on \($0.section)" }
    try OutputFile.write(
      Signature.added(to: drawing.svg(title: places.joined(separator: ", "))), to: picture)
  }

  private func say(_ lines: [String]) throws(ToolError) {
    try environment.print(lines.map { "\($0)\n" }.joined())
  }
}

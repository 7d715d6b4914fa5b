internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGameKit
internal import DiceVisionKit

/// `dicevision play`: a game for children with dice, sums and a board.
enum PlayCommand {
  static let name = "play"
  static let players = ValueOption<[String]>(
    "players", "NAMES", "The players, in the order of their turns, with commas between them.",
    default: "Player 1,Player 2",
    requirement: "one to eight different names with commas between them"
  ) { text in
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard (try? rules(.board(.standard), names)) != nil else { return nil }
    return names
  }
  static let practice = ValueOption<PracticeLevel>.choice(
    "practice", PracticeLevel.allCases.map { ("\($0)", $0) },
    "Asks about rolls without a board, from this level on; after five answers in a row at the first "
      + "attempt comes the next level.")
  static let sections = ValueOption.integer(
    "sections", "N", in: 3...30, "How many sections the board has; the last is the target.",
    default: "9")
  static let overshoot = ValueOption<BoardRules.Overshoot>.choice(
    "overshoot", [("round", .goesRound), ("stay", .staysPut), ("back", .bouncesBack)],
    "What happens after a move that is too large: it goes past the target and round, it leaves the pawn where "
      + "it is, or it turns back at the target.", default: "round")
  static let attempts = ValueOption.integer(
    "attempts", "N", in: 1...100,
    "How many answers a roll may be given; then the right one is told.", default: "3")
  static let hiddenAnswer = ValueOption.integer(
    "hidden-answer", "N", in: 0...ArithmeticQuestion.answerLimit,
    "A number that is always right, and takes the pawn to the target.", default: "none")
  static let rerolls = Switch(
    "rerolls", "Another roll replaces one that was not answered; otherwise the first counts.")
  static let rendered = ValueOption.integer(
    "rendered", "SEED", in: 0...1_000_000_000,
    "Throws two dice in rendered films, which dicevision-workshop draws, and reads them; SEED is the first throw's seed."
  )
  static let answers = ValueOption.text(
    "answers", "FILE", "Where answers are typed, line by line.",
    default: "standard input, or the terminal if the film comes from there")
  static let board = ValueOption.text(
    "board", "OUT.svg",
    "Writes the board as seen from above, a drawing that is written again whenever a pawn moves.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Plays a game with sums and a board, with dice of a film or camera, or typed ones.",
      discussion: [
        .paragraph(
          "Players roll two dice, answer with their sum or their difference, and move so far round a "
            + "board. Who lands exactly on the last section wins. Without INPUT and without "
            + "--rendered, dice are typed.")
      ],
      argument: CommandDescription.Argument(
        name: "INPUT",
        summary: "A film as for `track`, a folder of numbered pictures, or `-` for standard input. "
          + "Other films and cameras come through ffmpeg.",
        counts: 0...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "The game",
          options: [
            players.description, practice.description, sections.description,
            overshoot.description, attempts.description, hiddenAnswer.description,
            rerolls.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Dice and answers",
          options: [
            rendered.description, answers.description, RollArguments.dice.description,
            RollArguments.laid.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Results", options: [board.description, OutputPlan.force.description]),
        CommandDescription.OptionGroup(
          title: "Frames",
          options: [
            FilmArguments.frameRate.description, RollArguments.every.description,
            PictureArguments.orientation.description, PictureArguments.region.description,
          ]),
        CommandDescription.OptionGroup(title: "Detections", options: DetectorArguments.thresholds),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "What can be typed",
          blocks: [
            .list(PlayLine.helpLines),
            .paragraph(
              "A film waits while a question is open: what happens in it meanwhile is seen "
                + "afterwards. At the end, or if there are no more dice or answers, a line for "
                + "each player says how many questions were answered."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) play --players Ann,Ben", meaning: "Dice and answers are typed."),
        CommandDescription.Example(
          call: "\(Tool.name) play --rendered 1 --practice mixed --players Ann",
          meaning: "Practice with rendered throws."),
        CommandDescription.Example(
          call: "ffmpeg -loglevel error -f v4l2 -i /dev/video0 -pix_fmt yuv420p "
            + "-f yuv4mpegpipe - | \(Tool.name) play --tiling none -",
          meaning: "Real dice before a camera, answers at the terminal."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let rules = try rules(arguments)
    let path = arguments.positionals.first
    if path != nil, arguments.contains(rendered) {
      throw .usage(.conflict(sentence: "--rendered takes no film."))
    }
    if let destination = arguments[board] {
      if arguments.contains(practice) {
        throw .usage(.conflict(sentence: "--practice has no board."))
      }
      var plan = OutputPlan(arguments)
      if let path, path != "-" { plan.read(path) }
      plan.read(arguments[answers])
      plan.write(destination, for: "--board", .signed)
      try plan.check()
    }
    let dice = try dice(path, rules, arguments, environment)
    let read: () throws(FileError) -> [UInt8]?
    do throws(FileError) {
      if let file = arguments[answers] ?? (path == "-" ? "/dev/tty" : nil) {
        let chunks = ByteChunks(try ByteSource(readingFileAt: file))
        read = { () throws(FileError) in try chunks.next() }
      } else {
        read = try environment.openStandardInput()
      }
    } catch { throw .file(error) }
    var run = PlayRun(
      rules, dice: dice, answers: LineInput(read), picture: arguments[board], environment)
    return try run.play()
  }

  private static func rules(
    _ arguments: ParsedArguments
  ) throws(ToolError) -> DiceMathGame.Rules {
    let play: DiceMathGame.Play
    if let level = arguments[practice] {
      if arguments.contains(sections) || arguments.contains(overshoot) {
        throw .usage(.conflict(sentence: "--practice has no board."))
      }
      play = .practice(level: level, advancesAfter: 5)
    } else {
      do throws(BoardRulesError) {
        play = .board(
          try BoardRules(
            sectionCount: arguments[sections] ?? 9, overshoot: arguments[overshoot] ?? .goesRound))
      } catch { throw .usage(.conflict(sentence: "\(error)")) }
    }
    do throws(DiceMathRulesError) {
      return try DiceMathGame.Rules(
        play, players: arguments[players] ?? ["Player 1", "Player 2"],
        attempts: arguments[attempts] ?? 3, allowsRerolls: arguments.contains(rerolls),
        hiddenAnswer: arguments[hiddenAnswer])
    } catch { throw .usage(.conflict(sentence: "\(error)")) }
  }

  private static func rules(
    _ play: DiceMathGame.Play, _ players: [String]
  ) throws(DiceMathRulesError) -> DiceMathGame.Rules {
    try DiceMathGame.Rules(play, players: players)
  }

  /// The dice that are to be seen; nil where they are typed.
  private static func dice(
    _ path: String?, _ rules: DiceMathGame.Rules, _ arguments: ParsedArguments,
    _ environment: Environment
  ) throws(ToolError) -> PlayDice? {
    guard path != nil || arguments.contains(rendered) else { return nil }
    var configuration = RollFollower.Configuration(
      detectionInterval: arguments[RollArguments.every] ?? 1)
    configuration.tracker.expectedDiceCount = arguments[RollArguments.dice]
    configuration.tracker.requiresMotion = !arguments.contains(RollArguments.laid)
    let film = try path.map { (path) throws(ToolError) in
      try FrameInput(
        path, frameRate: arguments[FilmArguments.frameRate] ?? .standard, command: name,
        pictureAdvice: PictureArguments.diceAdvice, environment)
    }
    let finder = try environment.makeFinder(
      DetectorArguments.finderOptions(
        arguments, besides: OrderedWork(partCount: 1, threadCount: 1)))
    let request = FinderRequest(
      orientation: arguments[PictureArguments.orientation],
      regionOfInterest: arguments[PictureArguments.region],
      confidence: arguments[DetectorArguments.confidence] ?? finder.network.confidence,
      intersectionOverUnion: arguments[DetectorArguments.overlap]
        ?? finder.network.intersectionOverUnion)
    if let film { return try PlayDice(film, configuration, finder, request, environment) }
    return try PlayDice(
      seed: UInt64(arguments[rendered] ?? 1), diceCount: 2...2, configuration, finder, request,
      environment)
  }
}

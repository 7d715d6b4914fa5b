internal import DiceFiles

/// The tool as a whole: its commands and how a call is carried out.
enum Tool {
  /// The name of the executable.
  static let name = "dicevision"
  /// The version of the tool and the library.
  static let version = "0.1.0"
  /// Both, as pages and manuals say who made them.
  static let nameAndVersion = "\(name) \(version)"

  /// What the tool is for.
  static let summary =
    "Finds the dice in pictures and reads the value on top of each, and trains, measures and packs "
    + "the networks that do it."

  /// A command with what it does.
  struct Command: Sendable {
    /// What people and the parser know about it.
    let description: CommandDescription
    /// Carries out a call.
    let run: @Sendable (ParsedArguments, Environment) throws(ToolError) -> CallStatus
  }

  /// All commands in the order of the help.
  static var commands: [Command] {
    [
      DetectCommand.command, TrackCommand.command, FieldCommand.command,
      TrajectoriesCommand.command, PoseCommand.command, ThrowsCommand.command,
      SessionCommand.command, NumbersCommand.command, ListenCommand.command, PlayCommand.command,
      ExplainCommand.command, InspectCommand.command,
      EvaluateCommand.command, TrainCommand.command, RelabelCommand.command,
      TrainDigitsCommand.command, EvaluateDigitsCommand.command, TrainPenWaysCommand.command,
      TrainDigitOrNoneCommand.command, EvaluateNumbersCommand.command,
      TrainSpeechCommand.command, EvaluateSpeechCommand.command, TrainActionsCommand.command,
      EvaluateActionsCommand.command, TrainFlightsCommand.command, TrainPosesCommand.command,
      TrainPeopleCommand.command, EvaluatePosesCommand.command, ConvertAnnotationsCommand.command,
      RenderCommand.command,
      BundleCommand.command, ExportCommand.command, ImportCommand.command, RunCommand.command,
      CompletionsCommand.command, HelpCommand.command,
    ]
  }

  /// The names of all commands, in the order of the help.
  static let commandNames = [
    "detect", "track", "field", "trajectories", "pose", "throws", "session", "numbers", "listen",
    "play", "explain", "inspect", "evaluate", "train", "relabel", "train-digits", "evaluate-digits",
    "train-pen-ways", "train-digit-or-none", "evaluate-numbers", "train-speech", "evaluate-speech",
    "train-actions", "evaluate-actions", "train-flights", "train-poses", "train-people",
    "evaluate-poses",
    "convert-annotations", "render", "bundle", "export", "import", "run",
    "completions", "help",
  ]

  /// The exit statuses in short, for the help of a command.
  static let exitStatuses =
    "0: everything was done. 1: some input could not be read or processed, or a result not written. "
    + "2: the command line is wrong. 130, 143: interrupted."

  /// What holds for every command.
  static let sections = [
    HelpSection(
      title: "Exit status",
      blocks: [
        .list([
          "0: everything was done. Also where the reader of the output stopped early, as `head` "
            + "does.",
          "1: some input could not be read or processed, or a result could not be written; "
            + "standard error names each file and the rule it broke. What could be done was done.",
          "2: the command line is wrong; nothing was done.",
          "130, 143: interrupted by SIGINT (control-C) or SIGTERM.",
        ])
      ]),
    HelpSection(
      title: "What is replaced",
      blocks: [
        .list([
          "What a call reads is never replaced, whatever name or link leads to it.",
          "A file that is there already is replaced where a call of the same kind made it: the file "
            + "itself says so. Other files are replaced with --force only.",
          "Annotations, and weights that are not of the run at hand, count as others' files: hands "
            + "may have been at them, or they took long.",
          "All that is checked before the work begins.",
        ])
      ]),
  ]

  /// Calls to begin with.
  static let examples = [
    CommandDescription.Example(
      call: "\(name) detect roll.jpg", meaning: "Prints the values of the dice and their sum."),
    CommandDescription.Example(
      call: "\(name) detect --format json --annotate marked photos",
      meaning: "A line of JSON for each picture of a folder, and copies with the dice marked."),
  ]

  /// Carries out a call.
  ///
  /// - Parameters:
  ///   - arguments: the command line without the executable's name.
  ///   - environment: what the call reads and writes.
  /// - Returns: the exit status; every error has been reported.
  static func run(_ arguments: [String], _ environment: Environment) -> CallStatus {
    var environment = environment
    environment.colors = colorChoice(in: arguments)
    do throws(ToolError) {
      return try carryOut(arguments, environment)
    } catch {
      environment.report(error)
      if case .usage = error {
        let command = arguments.first.flatMap { name in
          commands.first { $0.description.name == name }
        }
        let words = [name] + (command.map { [$0.description.name] } ?? []) + ["--help"]
        environment.writeError([UInt8]("Try '\(words.joined(separator: " "))'.\n".utf8))
      }
      return error.exitStatus
    }
  }

  /// What a call says of colours, also where the rest of it is wrong.
  private static func colorChoice(in arguments: [String]) -> ColorChoice {
    let spelling = CommandDescription.color.description.spelling
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { break }
      if argument == spelling, index + 1 < arguments.count {
        return ColorChoice(rawValue: arguments[index + 1]) ?? .auto
      }
      if argument.hasPrefix("\(spelling)=") {
        return ColorChoice(rawValue: String(argument.dropFirst(spelling.count + 1))) ?? .auto
      }
    }
    return .auto
  }

  /// Carries out a call whose errors the caller reports.
  static func carryOut(
    _ arguments: [String], _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    guard let first = arguments.first else { throw .usage(.missingCommand) }
    switch first {
    case "--version":
      try environment.print("\(name) \(version)\n")
      return .success
    case "--help", "-h":
      try environment.print(
        HelpText.styled(
          HelpText.overview(of: commands.map { $0.description }),
          environment.style(on: .output)))
      return .success
    default: break
    }
    guard let command = commands.first(where: { $0.description.name == first }) else {
      throw .usage(unknownCommand(first))
    }
    let parsed: ParsedArguments
    do throws(UsageError) {
      parsed = try ArgumentParser.parse(Array(arguments.dropFirst()), for: command.description)
    } catch {
      throw .usage(error)
    }
    var environment = environment
    environment.colors = parsed[CommandDescription.color] ?? environment.colors
    if parsed.contains(CommandDescription.help) {
      try environment.print(
        HelpText.styled(
          HelpText.text(for: command.description), environment.style(on: .output)))
      return .success
    }
    try checkKnownWords(parsed, command.description)
    return try command.run(parsed, environment)
  }

  /// Refuses what is no file but nearly a word that an option knows, such as `--weights standrad`.
  private static func checkKnownWords(
    _ arguments: ParsedArguments, _ command: CommandDescription
  ) throws(ToolError) {
    for option in command.options where !option.knownWords.isEmpty {
      for value in arguments.values[option.name] ?? []
      where !option.knownWords.contains(value) && !value.utf8.contains(UInt8(ascii: "/"))
        && !value.utf8.contains(UInt8(ascii: ".")) && !FileSystem.exists(at: value)
      {
        if let name = WeightSource.Name(rawValue: value) {
          throw .usage(
            .invalidValue(
              option: option.spelling, found: value,
              required: NumberText.alternatives(option.knownWords + ["a file"]),
              suggestion: name.option(in: command)))
        }
        guard let near = Suggestion.nearest(to: value, among: option.knownWords) else { continue }
        throw .usage(
          .invalidValue(
            option: option.spelling, found: value,
            required: NumberText.alternatives(option.knownWords + ["a file"]), suggestion: near))
      }
    }
  }

  /// The error for a first argument that is no command: a picture is for `detect`.
  static func unknownCommand(_ found: String) -> UsageError {
    let known = commands.map { $0.description.name } + ["--help", "--version"]
    var suggestion = ForeignWord.command(for: found) ?? Suggestion.nearest(to: found, among: known)
    if suggestion == nil, FolderPictures.isPicture(found) {
      suggestion = "\(name) detect \(printable(found))"
    }
    return .unknownCommand(found: found, suggestion: suggestion)
  }
}

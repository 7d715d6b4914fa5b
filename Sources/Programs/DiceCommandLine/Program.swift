internal import DiceFiles

/// One program of the tool: its commands, and how it carries out a call.
///
/// Every program takes every command: it hands over what a sister program does.
package struct Program: Sendable {
  /// The name of the executable.
  package let name: String
  /// Its commands in the order of the help.
  package let commands: [Tool.Command]
  /// Commands that the help lists with a sister program, and that this one has, too.
  package let borrowed: [Tool.Command]
  /// The weights of the library that are part of it.
  package let weights: [BundledWeights]

  /// A program.
  package init(
    name: String, commands: [Tool.Command], borrowed: [Tool.Command] = [],
    weights: [BundledWeights] = []
  ) {
    self.name = name
    self.commands = commands
    self.borrowed = borrowed
    self.weights = weights
  }

  private var allCommands: [Tool.Command] { commands + borrowed }

  /// Carries out a call.
  ///
  /// - Parameters:
  ///   - arguments: the command line without the executable's name.
  ///   - environment: what the call reads and writes.
  /// - Returns: the exit status; every error has been reported.
  package func run(_ arguments: [String], _ environment: Environment) -> CallStatus {
    var environment = environment
    environment.program = self
    environment.colors = Self.colorChoice(in: arguments)
    do throws(ToolError) {
      do throws(ToolError) { return try carryOut(arguments, environment) } catch {
        guard case .elsewhere(let subject, let program) = error else { throw error }
        return try handOver(arguments, to: program, for: subject, environment)
      }
    } catch {
      environment.report(error)
      if case .usage = error {
        let words = [Tool.name] + helpWords(for: arguments) + ["--help"]
        environment.writeError([UInt8]("Try '\(words.joined(separator: " "))'.\n".utf8))
      }
      return error.exitStatus
    }
  }

  /// The words before `--help` that lead to the help of a call's command.
  private func helpWords(for arguments: [String]) -> [String] {
    switch command(for: arguments) {
    case .command(let command, _): [command.description.name]
    case .kind(let group): [group]
    case .none: []
    }
  }

  /// What a call says of colours, also if the rest of it is wrong.
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

  // MARK: - Commands

  /// What the first words of a call name.
  enum Named {
    /// A command, and the arguments behind its name.
    case command(Tool.Command, [String])
    /// The first word of commands whose second word says what they are for, such as `train`.
    case kind(of: String)
    /// Nothing that this program has.
    case none
  }

  /// The command that a call begins with.
  func command(for arguments: [String]) -> Named {
    guard let first = arguments.first else { return .none }
    let rest = Array(arguments.dropFirst())
    if let command = command(named: first) { return .command(command, rest) }
    guard !kinds(of: first).isEmpty else { return .none }
    if let second = rest.first, let command = command(named: "\(first) \(second)") {
      return .command(command, Array(rest.dropFirst()))
    }
    return .kind(of: first)
  }

  private func command(named name: String) -> Tool.Command? {
    allCommands.first { $0.description.name == name }
  }

  /// The commands of two words whose first word is this one.
  func kinds(of word: String) -> [Tool.Command] {
    allCommands.filter { $0.description.name.hasPrefix("\(word) ") }
  }

  /// Carries out a call whose errors the caller reports.
  package func carryOut(
    _ arguments: [String], _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    guard let first = arguments.first else { throw .usage(.missingCommand) }
    switch first {
    case "--version":
      try environment.print("\(name) \(Tool.version)\n")
      return .success
    case "--help", "-h":
      try environment.printHelp(HelpText.overview())
      return .success
    case Completion.option:
      return try complete(Array(arguments.dropFirst()), environment)
    default: break
    }
    switch command(for: arguments) {
    case .command(let command, let rest): return try carryOut(command, rest, environment)
    case .kind(let group):
      return try tellKinds(of: group, Array(arguments.dropFirst()), environment)
    case .none:
      guard let sister = CommandTable.program(of: first), sister != name else {
        throw .usage(unknownCommand(first))
      }
      return try handOver(arguments, to: sister, for: first, environment)
    }
  }

  private func carryOut(
    _ command: Tool.Command, _ arguments: [String], _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let parsed: ParsedArguments
    do throws(UsageError) {
      parsed = try ArgumentParser.parse(arguments, for: command.description)
    } catch {
      throw .usage(error)
    }
    var environment = environment
    environment.colors = parsed[CommandDescription.color] ?? environment.colors
    if parsed.contains(CommandDescription.help) {
      try environment.printHelp(HelpText.text(for: command.description))
      return .success
    }
    try Self.checkKnownWords(parsed, command.description)
    return try command.run(parsed, environment)
  }

  /// Answers a call that has the first word of commands of two words, and no second one that is known.
  private func tellKinds(
    of group: String, _ arguments: [String], _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let kinds = kinds(of: group).map(\.description)
    let names = kinds.map { String($0.name.dropFirst(group.count + 1)) }
    guard let found = arguments.first else {
      throw .usage(
        .missingArgument(name: "a kind: \(NumberText.alternatives(names))", command: group))
    }
    if found == "--help" || found == "-h" {
      try environment.printHelp(HelpText.kinds(of: group, kinds))
      return .success
    }
    throw .usage(
      .unknownCommand(
        found: "\(group) \(found)",
        suggestion: "\(group) \(Suggestion.nearest(to: found, among: names) ?? names[0])"))
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
  private func unknownCommand(_ found: String) -> UsageError {
    let known = CommandTable.names + ["--help", "--version"]
    var suggestion = ForeignWord.command(for: found) ?? Suggestion.nearest(to: found, among: known)
    if suggestion == nil, FolderPictures.isPicture(found) {
      suggestion = "\(Tool.name) detect \(printable(found))"
    }
    return .unknownCommand(found: found, suggestion: suggestion)
  }

  // MARK: - Sisters

  /// Has a sister program carry out a call.
  ///
  /// - Parameter subject: what the sister is needed for.
  /// - Throws: `ToolError.failure` if it is not there.
  package func handOver(
    _ arguments: [String], to sister: String, for subject: String, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    if let status = environment.handOver(sister, arguments) { return status }
    throw Self.missing(sister, for: subject)
  }

  /// The error if a sister program is not there.
  package static func missing(_ sister: String, for subject: String) -> ToolError {
    .failure(
      subject: subject,
      sentence: "This needs \(sister), which is not there. "
        + "`swift build -c release --product \(sister)` builds it.")
  }
}

/// `dicevision help`: the help of a command, of the tool, and the reference of everything.
enum HelpCommand {
  static let markdown = Switch(
    "markdown", "Prints the reference of all commands as a Markdown document.", isHidden: true)

  static let manual = Switch(
    "man", "Prints the reference of all commands as a manual page, for `man`.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: "help", summary: "Prints the help of a command, or of the tool.",
      argument: CommandDescription.Argument(
        name: "COMMAND", summary: "The command to explain; without it, all are listed.",
        counts: 0...1, completion: .words(Tool.commandNames)),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output", options: [manual.description, markdown.description])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) help detect", meaning: "Explains every option of detect."),
        CommandDescription.Example(
          call: "\(Tool.name) help --man > \(Tool.name).1", meaning: "Writes the manual page."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let descriptions = Tool.commands.map { $0.description }
    if arguments.contains(markdown) {
      try environment.print(HelpMarkdown.document(of: descriptions))
      return .success
    }
    if arguments.contains(manual) {
      try environment.print(HelpManual.document(of: descriptions))
      return .success
    }
    let style = environment.style(on: .output)
    guard let name = arguments.positionals.first else {
      try environment.print(HelpText.styled(HelpText.overview(of: descriptions), style))
      return .success
    }
    guard let description = descriptions.first(where: { $0.name == name }) else {
      throw .usage(
        .unknownCommand(
          found: name,
          suggestion: Suggestion.nearest(to: name, among: descriptions.map { $0.name })))
    }
    try environment.print(HelpText.styled(HelpText.text(for: description), style))
    return .success
  }
}

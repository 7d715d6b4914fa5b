/// `dicevision help`: the help of a command, of the tool, and the reference of everything.
enum HelpCommand {
  static let markdown = Switch(
    "markdown", "Prints the reference of all commands as a Markdown document.", isHidden: true)

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: "help", summary: "Prints the help of a command, or of the tool.",
      argument: CommandDescription.Argument(
        name: "COMMAND", summary: "The command to explain; without it, all are listed.",
        counts: 0...1),
      groups: [CommandDescription.OptionGroup(title: "Output", options: [markdown.description])],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) help detect", meaning: "Explains every option of detect.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let descriptions = Tool.commands.map { $0.description }
    if arguments.contains(markdown) {
      try environment.print(HelpMarkdown.document(of: descriptions))
      return .success
    }
    guard let name = arguments.positionals.first else {
      try environment.print(HelpText.overview(of: descriptions))
      return .success
    }
    guard let description = descriptions.first(where: { $0.name == name }) else {
      throw .usage(
        .unknownCommand(
          found: name,
          suggestion: Suggestion.nearest(to: name, among: descriptions.map { $0.name })))
    }
    try environment.print(HelpText.text(for: description))
    return .success
  }
}

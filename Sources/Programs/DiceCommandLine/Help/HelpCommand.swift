/// `dicevision help`: the help of a command or of the tool.
package enum HelpCommand {
  /// The command.
  package static let command = Tool.Command(
    description: CommandDescription(
      name: "help", summary: CommandTable.summary(of: "help"),
      argument: CommandDescription.Argument(
        name: "COMMAND", summary: "The command to explain; without it, all are listed.",
        counts: 0...2, completion: .words(CommandTable.names)),
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) help detect", meaning: "Explains every option of detect."),
        CommandDescription.Example(
          call: "\(Tool.name) help train dice", meaning: "Explains how to train a detector."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    // `--help` behind a command is the same, in whichever program has it.
    try environment.program.carryOut(arguments.positionals + ["--help"], environment)
  }
}

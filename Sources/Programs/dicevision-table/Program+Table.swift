internal import DiceCommandLine

extension Program {
  /// Watches a table, tells others of it, and counts.
  static let table = Program(
    name: "dicevision-table",
    commands: [LiveCommand.command, TallyCommand.command],
    borrowed: [CompletionsCommand.command, HelpCommand.command])
}

internal import DiceCommandLine

extension Program {
  /// Watches a table, and tells others of it.
  static let table = Program(
    name: "dicevision-table",
    commands: [LiveCommand.command],
    borrowed: [CompletionsCommand.command, HelpCommand.command])
}

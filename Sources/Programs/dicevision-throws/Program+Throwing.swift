internal import DiceCommandLine

extension Program {
  /// Finds fields of play, people and throws.
  static let throwing = Program(
    name: "dicevision-throws",
    commands: [
      FieldCommand.command, TrajectoriesCommand.command, PoseCommand.command,
      ThrowsCommand.command, SessionCommand.command,
    ],
    borrowed: [CompletionsCommand.command, HelpCommand.command])
}

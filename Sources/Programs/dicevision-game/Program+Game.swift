internal import DiceCommandLine

extension Program {
  /// Reads and hears numbers, and plays.
  static let game = Program(
    name: "dicevision-game",
    commands: [NumbersCommand.command, ListenCommand.command, PlayCommand.command],
    borrowed: [CompletionsCommand.command, HelpCommand.command])
}

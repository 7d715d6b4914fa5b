internal import DiceCommandLine
internal import DiceFinders

extension Program {
  /// Reads dice.
  static let dice = Program(
    name: Tool.name,
    commands: [
      DetectCommand.command, TrackCommand.command, ExplainCommand.command, TeachCommand.command,
      InspectCommand.command, RunCommand.command, CompletionsCommand.command, HelpCommand.command,
    ],
    weights: BundledWeights.ofDice)
}

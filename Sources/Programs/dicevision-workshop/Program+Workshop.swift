internal import DiceCommandLine
internal import DiceFinders
internal import DiceGameWeights
internal import DiceThrowWeights

extension Program {
  /// Trains, measures, draws and converts.
  static let workshop = Program(
    name: CommandTable.workshop,
    commands: [
      TrainCommand.command, TrainDigitsCommand.command, TrainPenWaysCommand.command,
      TrainDigitOrNoneCommand.command, TrainSpeechCommand.command, TrainActionsCommand.command,
      TrainFlightsCommand.command, TrainPosesCommand.command, TrainPeopleCommand.command,
      EvaluateCommand.command, EvaluateDigitsCommand.command, EvaluateNumbersCommand.command,
      EvaluateSpeechCommand.command, EvaluateActionsCommand.command, EvaluatePosesCommand.command,
      EvaluateFacesCommand.command,
      RelabelCommand.command, ConvertAnnotationsCommand.command, RenderCommand.command,
      BundleCommand.command, QuantizeCommand.command, ExportCommand.command, ImportCommand.command,
    ],
    borrowed: [
      InspectCommand.command, RunCommand.command, CompletionsCommand.command, HelpCommand.command,
    ],
    weights: BundledWeights.ofDice + [
      BundledWeights(.digits) { GameWeights.digits },
      BundledWeights(.penWays) { GameWeights.penWays },
      BundledWeights(.digitOrNone) { GameWeights.digitOrNone },
      BundledWeights(.speech) { GameWeights.speech },
      BundledWeights(.actions) { ThrowWeights.actions },
      BundledWeights(.joints) { ThrowWeights.joints },
      BundledWeights(.people) { ThrowWeights.people },
    ])
}

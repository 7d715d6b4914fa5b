internal import DiceCommandLine

extension WeightSource.Name {
  /// The name of the constant that holds it in the library's source.
  package var constant: String {
    switch self {
    case .standard: "standardWeights"
    case .fast: "fastWeights"
    case .secondStage: "secondStageWeights"
    case .anyDice: "anyDiceWeights"
    case .anyDiceSecondStage: "anyDiceSecondStageWeights"
    case .anyDiceNumerals: "anyDiceNumeralWeights"
    case .anyDiceFaces: "anyDiceFaceWeights"
    case .digits: "digitWeights"
    case .actions: "actionWeights"
    case .penWays: "penWayWeights"
    case .digitOrNone: "digitOrNoneWeights"
    case .speech: "speechWeights"
    case .joints: "jointWeights"
    case .people: "personWeights"
    }
  }

  /// Whether they are those of a second stage, or of a reader of numerals, a network of the same kind.
  var isSecondStage: Bool {
    self == .secondStage || self == .anyDiceSecondStage || self == .anyDiceNumerals
  }
}

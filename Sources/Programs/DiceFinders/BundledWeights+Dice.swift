internal import AnyDice
package import DiceCommandLine
internal import DiceVisionKit

extension BundledWeights {
  /// The weights of the detectors of dice.
  package static let ofDice = [
    BundledWeights(.standard) { DiceDetector.bundledWeights(.standard) },
    BundledWeights(.fast) { DiceDetector.bundledWeights(.fast) },
    BundledWeights(.secondStage) { DiceDetector.bundledSecondStage },
    BundledWeights(.anyDice) { DetectorWeights.anyDice.detector },
    BundledWeights(.anyDiceSecondStage) { DetectorWeights.anyDice.secondStage ?? [] },
    BundledWeights(.anyDiceNumerals) { DetectorWeights.anyDice.numeralReader ?? [] },
    BundledWeights(.anyDiceFaces) { DetectorWeights.anyDice.faceNetwork ?? [] },
  ]
}

internal import DiceNumerics
public import DiceVisionKit

extension DetectorWeights {
  /// Weights that read dice of 4 to 20 sides with numerals, and dice of six sides with pips.
  ///
  /// Labels are kinds and faces, `d20-17`: ``DieObservation/kind`` and ``DieObservation/face`` tell
  /// them. Decoded at the first use and kept. They compare taught faces (``FaceSet``), too.
  ///
  /// ```swift
  /// var configuration = DiceDetector.Configuration()
  /// configuration.kinds = [.d20]
  /// let detector = try DiceDetector(.anyDice, configuration: configuration)
  /// ```
  public static let anyDice = DetectorWeights(
    detector: Base64.decode(anyDiceWeights),
    secondStage: Base64.decode(anyDiceSecondStageWeights),
    numeralReader: Base64.decode(anyDiceNumeralWeights),
    faceNetwork: Base64.decode(anyDiceFaceWeights))
}

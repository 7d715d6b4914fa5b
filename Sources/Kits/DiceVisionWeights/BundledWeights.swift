internal import DiceNumerics

/// The weights that come with the library, as text in its code.
///
/// There is no resource file that could get lost: a program that is moved takes its weights along.
public enum BundledWeights {
  /// The bytes of the weight file, decoded at the first use and kept.
  public static let standard: [UInt8] = Base64.decode(standardWeights)
  /// The bytes of the faster network's weight file.
  public static let fast: [UInt8] = Base64.decode(fastWeights)
  /// The bytes of the second stage's weight file.
  public static let secondStage: [UInt8] = Base64.decode(secondStageWeights)
}

internal import DiceFiles

/// The weights that come with `ThrowVisionKit`, as text in its code.
public enum ThrowWeights {
  /// The bytes of the weight file that tells types of throws, decoded at the first use and kept.
  public static let actions: [UInt8] = Base64.decode(actionWeights)
}

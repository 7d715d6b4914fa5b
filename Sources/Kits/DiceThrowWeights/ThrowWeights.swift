internal import DiceNumerics

/// The weights that come with `ThrowVisionKit`, as text in its code.
public enum ThrowWeights {
  /// The bytes of the weight file that tells types of throws, decoded at the first use and kept.
  public static let actions: [UInt8] = Base64.decode(actionWeights)
  /// The bytes of the weight file that finds a person's joints, decoded at the first use and kept.
  public static let joints: [UInt8] = Base64.decode(jointWeights)
  /// The bytes of the weight file that finds people, decoded at the first use and kept.
  public static let people: [UInt8] = Base64.decode(personWeights)
}

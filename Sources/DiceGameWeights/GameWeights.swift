internal import DiceFiles

/// The weights that come with `DiceGameKit`, as text in its code.
public enum GameWeights {
  /// The bytes of the weight file that reads digits, decoded at the first use and kept.
  public static let digits: [UInt8] = Base64.decode(digitWeights)
}

internal import DiceNumerics

/// The weights that come with `DiceGameKit`, as text in its code.
public enum GameWeights {
  /// The bytes of the weight file that reads digits, decoded at the first use and kept.
  public static let digits: [UInt8] = Base64.decode(digitWeights)
  /// The bytes of the weight file that reads the way of a pen, decoded at the first use and kept.
  public static let penWays: [UInt8] = Base64.decode(penWayWeights)
  /// The bytes of the weight file that reads pictures and knows what is no digit, decoded at the first
  /// use and kept.
  public static let digitOrNone: [UInt8] = Base64.decode(digitOrNoneWeights)
  /// The bytes of the weight file that hears words of numbers, decoded at the first use and kept.
  public static let speech: [UInt8] = Base64.decode(speechWeights)
}

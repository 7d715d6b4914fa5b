internal import DiceFiles

/// A number that somebody said.
public struct SpokenNumber: Hashable, Sendable {
  /// Another number that it may have been.
  public struct Alternative: Hashable, Sendable {
    /// The number.
    public let value: Int
    /// How likely it is, 0...1.
    public let confidence: Float
  }

  /// The number.
  public let value: Int
  /// How it was said.
  public let words: [SpokenWord]
  /// How likely it is that this number was said, 0...1.
  public let confidence: Float
  /// Other numbers, the likeliest first; no more than four, each with a confidence of 0.01 at least.
  public let alternatives: [Alternative]
  /// Whether the number was only chosen because it is among the answers that were expected.
  public let isHinted: Bool
  /// When the utterance began and ended, in seconds.
  public let seconds: ClosedRange<Double>
}

extension SpokenNumber: CustomStringConvertible {
  /// "24 (twenty four), 97.1 %".
  public var description: String {
    let said = words.map { $0.text }.joined(separator: " ")
    return "\(value) (\(said)), \(NumberText.fixed(Double(confidence) * 100, decimals: 1)) %"
  }
}

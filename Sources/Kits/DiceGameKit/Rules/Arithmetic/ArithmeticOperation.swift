/// What is asked about a roll.
public enum ArithmeticOperation: String, Hashable, Sendable, CaseIterable {
  /// How many dice there are.
  case count
  /// All values added.
  case sum
  /// The larger of two values less the smaller one.
  case difference
  /// All values multiplied.
  case product

  /// How many dice the question needs.
  public var diceCounts: ClosedRange<Int> {
    switch self {
    case .count: 1...ArithmeticQuestion.diceLimit
    case .sum, .product: 2...ArithmeticQuestion.diceLimit
    case .difference: 2...2
    }
  }
}

#if !hasFeature(Embedded)
  extension ArithmeticOperation: Codable {}
#endif

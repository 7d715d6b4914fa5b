/// How hard the questions of a practice are.
public enum PracticeLevel: Int, Hashable, Sendable, CaseIterable {
  /// How many dice there are.
  case counting = 1
  /// Sums.
  case adding
  /// Sums and differences in turn.
  case subtracting
  /// Products.
  case multiplying
  /// Sums, differences and products in turn.
  case mixed

  /// What is asked, roll after roll, again and again.
  public var operations: [ArithmeticOperation] {
    switch self {
    case .counting: [.count]
    case .adding: [.sum]
    case .subtracting: [.sum, .difference]
    case .multiplying: [.product]
    case .mixed: [.sum, .difference, .product]
    }
  }

  /// The level above; nil for the highest.
  public var next: PracticeLevel? { PracticeLevel(rawValue: rawValue + 1) }

  /// The question about a roll: the level's next operation that the roll has the dice for.
  ///
  /// - Parameters:
  ///   - values: what the dice show.
  ///   - number: how many rolls of this level there were before.
  /// - Throws: why the level has no question about these dice.
  public func question(
    about values: [Int], number: Int
  ) throws(ArithmeticQuestionError) -> ArithmeticQuestion {
    let operations = operations
    let first = Int(number.magnitude % UInt(operations.count))
    let turned = operations.indices.map { operations[(first + $0) % operations.count] }
    let fitting = turned.first { $0.diceCounts.contains(values.count) } ?? turned[0]
    return try ArithmeticQuestion(fitting, of: values)
  }
}

#if !hasFeature(Embedded)
  extension PracticeLevel: Codable {}
#endif

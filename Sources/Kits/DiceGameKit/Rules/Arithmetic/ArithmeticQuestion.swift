/// A question about the dice of a roll, with its answer.
///
/// ```swift
/// let question = try ArithmeticQuestion(.sum, of: [6, 4])
/// print(question, question.answer)  // 6 + 4 10
/// ```
public struct ArithmeticQuestion: Hashable, Sendable {
  /// The most dice that a question may have.
  public static let diceLimit = 64
  /// What a die may show.
  public static let valueLimits = 0...1000
  /// The greatest answer.
  public static let answerLimit = 999_999

  /// What is asked.
  public let operation: ArithmeticOperation
  /// What the dice show, in the order of the roll.
  public let values: [Int]
  /// The right answer, 0...999,999.
  public let answer: Int

  /// Asks about a roll.
  ///
  /// - Parameter values: what the dice show.
  /// - Throws: the rule that the roll breaks.
  public init(
    _ operation: ArithmeticOperation, of values: [Int]
  ) throws(ArithmeticQuestionError) {
    guard operation.diceCounts.contains(values.count) else {
      throw .diceCount(found: values.count, required: operation.diceCounts)
    }
    for value in values where !Self.valueLimits.contains(value) {
      throw .value(found: value, required: Self.valueLimits)
    }
    let answer: Int
    switch operation {
    case .count: answer = values.count
    case .sum: answer = values.reduce(0, +)
    case .difference: answer = abs(values[0] - values[1])
    case .product:
      // A zero makes the product zero, whatever the others are.
      if values.contains(0) {
        answer = 0
      } else {
        var product = 1
        for value in values {
          product *= value
          guard product <= Self.answerLimit else {
            throw .answerTooLarge(limit: Self.answerLimit)
          }
        }
        answer = product
      }
    }
    self.operation = operation
    self.values = values
    self.answer = answer
  }
}

extension ArithmeticQuestion: CustomStringConvertible {
  /// The question as it is written: `6 + 4`, `6 − 4`, `6 × 4`, or `how many dice`.
  public var description: String {
    switch operation {
    case .count: "how many dice"
    case .sum: joined(values, " + ")
    case .difference: joined(values.sorted(by: >), " − ")
    case .product: joined(values, " × ")
    }
  }

  private func joined(_ values: [Int], _ sign: String) -> String {
    values.map { String($0) }.joined(separator: sign)
  }
}

/// Why a roll cannot be asked about.
public enum ArithmeticQuestionError: Error, Hashable, Sendable {
  /// The question is not for so many dice.
  case diceCount(found: Int, required: ClosedRange<Int>)
  /// A die shows what is no value of a die.
  case value(found: Int, required: ClosedRange<Int>)
  /// The answer is greater than what is asked for.
  case answerTooLarge(limit: Int)
}

extension ArithmeticQuestionError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .diceCount(let found, let required):
      "The roll has \(found == 1 ? "one die" : "\(found) dice"); the question is for "
        + (required.count == 1
          ? "\(required.lowerBound)." : "\(required.lowerBound) to \(required.upperBound).")
    case .value(let found, let required):
      "A die shows \(found); values are \(required.lowerBound) to \(required.upperBound)."
    case .answerTooLarge(let limit): "The answer is greater than \(limit)."
    }
  }
}

#if !hasFeature(Embedded)
  extension ArithmeticQuestion: Codable {
    private enum CodingKeys: String, CodingKey { case operation, values }

    /// Reads a question; its answer is worked out anew.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let operation = try container.decode(ArithmeticOperation.self, forKey: .operation)
      let values = try container.decode([Int].self, forKey: .values)
      do { try self.init(operation, of: values) } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .values, in: container, debugDescription: "\(error)")
      }
    }

    /// Writes what is asked about which values.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(operation, forKey: .operation)
      try container.encode(values, forKey: .values)
    }
  }
#endif

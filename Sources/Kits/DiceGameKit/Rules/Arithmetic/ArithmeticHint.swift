/// A help towards an answer.
public enum ArithmeticHint: Hashable, Sendable {
  /// The answer is greater than this number.
  case greaterThan(Int)
  /// The answer is less than this number.
  case lessThan(Int)
  /// Point at one die after the other and count.
  case pointAtEach
  /// Begin at a number and count on so many.
  case countOn(from: Int, by: Int)
  /// Count how far it is from the smaller number to the larger.
  case countUp(from: Int, to: Int)
  /// So many groups of so many.
  case groups(count: Int, size: Int)
  /// The answer lies in this range.
  case between(Int, Int)
  /// The answer.
  case answer(Int)
}

extension ArithmeticQuestion {
  /// The hint after a wrong answer.
  ///
  /// The first says whether the answer is greater or less, the second says a way to it, the third
  /// gives the ten that it lies in, and from the fourth on it is the answer.
  ///
  /// - Parameters:
  ///   - given: the wrong answer.
  ///   - attempt: how many wrong answers there were, this one included, from 1.
  public func hint(after given: Int, attempt: Int) -> ArithmeticHint {
    switch attempt {
    case ...1: return given < answer ? .greaterThan(given) : .lessThan(given)
    case 2: return way
    case 3: return .between(answer / 10 * 10, answer / 10 * 10 + 9)
    default: return .answer(answer)
    }
  }

  /// A way to the answer.
  private var way: ArithmeticHint {
    let largest = values.max() ?? 0
    switch operation {
    case .count: return .pointAtEach
    case .sum: return .countOn(from: largest, by: answer - largest)
    case .difference: return .countUp(from: largest - answer, to: largest)
    case .product:
      let size = values[values.count - 1]
      let count = values.dropLast().reduce(1) { min($0 * $1, Self.answerLimit) }
      return .groups(count: count, size: size)
    }
  }
}

extension ArithmeticHint: CustomStringConvertible {
  /// The hint as a sentence.
  public var description: String {
    switch self {
    case .greaterThan(let number): "It is more than \(number)."
    case .lessThan(let number): "It is less than \(number)."
    case .pointAtEach: "Point at each die and count."
    case .countOn(let start, let distance): "Begin at \(start) and count on \(distance)."
    case .countUp(let start, let end): "Count how far it is from \(start) to \(end)."
    case .groups(let count, let size): "Think of \(count) times \(size) pips."
    case .between(let least, let most): "It is one of \(least) to \(most)."
    case .answer(let answer): "It is \(answer)."
    }
  }
}

#if !hasFeature(Embedded)
  extension ArithmeticHint: Codable {}
#endif

/// A digit of a drawing.
public struct DrawnDigit: Hashable, Sendable {
  /// The digit, 0...9.
  public let value: Int
  /// How likely it is, 0...1.
  public let confidence: Float
  /// How likely each digit is, by digit; what is left to 1 is that the strokes show none.
  public let probabilities: [Float]
  /// The indices of its strokes in the drawing, ascending.
  public let strokes: [Int]
  /// Those of its strokes that later ones replaced, written over them; ascending.
  public let replacedStrokes: [Int]

  /// The other digits, the most likely first.
  public var alternatives: [(value: Int, confidence: Float)] {
    probabilities.indices.filter { $0 != value }
      .map { (value: $0, confidence: probabilities[$0]) }
      .sorted { ($1.confidence, $0.value) < ($0.confidence, $1.value) }
  }
}

/// What a drawing says.
public struct NumberReading: Hashable, Sendable {
  /// A number: the digits of a row from left to right, or those of a column from top to bottom.
  public struct Line: Hashable, Sendable {
    /// The digits in reading order; one at least.
    public let digits: [DrawnDigit]
    /// The index of the stroke that is a minus sign in front of the digits; nil without one.
    public let minusStroke: Int?

    /// The digits as text, with a minus sign where there is one: "-24".
    public var text: String {
      (minusStroke == nil ? "" : "-") + digits.map { "\($0.value)" }.joined()
    }

    /// The number; nil where it has more than 18 digits, or is too large for an `Int` of 32 bits.
    public var number: Int? {
      guard digits.count <= 18 else { return nil }
      var magnitude: Int64 = 0
      for digit in digits { magnitude = magnitude * 10 + Int64(digit.value) }
      return Int(exactly: minusStroke == nil ? magnitude : -magnitude)
    }

    /// How likely all digits are right together: the product of their confidences.
    public var confidence: Float { digits.reduce(1) { $0 * $1.confidence } }
  }

  /// The numbers, from top to bottom.
  public let lines: [Line]
  /// Groups of strokes that show no digit, by the indices of their strokes.
  public let rejected: [[Int]]

  /// The digits of all lines.
  public var digits: [DrawnDigit] { lines.flatMap { $0.digits } }
  /// The lines as text, one below the other; empty where there is no digit.
  public var text: String { lines.map { $0.text }.joined(separator: "\n") }
  /// The number, where there is exactly one line and its number fits.
  public var number: Int? { lines.count == 1 ? lines[0].number : nil }

  /// What an empty drawing says.
  package static let nothing = NumberReading(lines: [], rejected: [])
}

/// Why a drawing cannot be read as numbers.
public enum NumberRecognizerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The drawing breaks a rule.
  case drawing(DrawingError)
  /// The networks cannot be used.
  case classifier(DigitClassifierError)

  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .drawing(let error): "\(error)"
    case .classifier(let error): "\(error)"
    }
  }
}

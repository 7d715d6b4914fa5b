/// What sequences of words are numbers, word by word: 0 to 216 as they are said, and digits one by one.
///
/// - "zero" to "nineteen", "twenty" to "ninety-nine", "hundred", "a" or "one hundred", "two hundred", each
///   with what is left, "and" before it or not, up to 216;
/// - one to six digits one by one, "oh" for zero: "two four" is 24, "one oh eight" 108;
/// - "one" or "two" before a number of 10 to 99, without the "hundred": "one twenty-four".
package struct NumberGrammar: Hashable, Sendable {
  /// The greatest number that is said with "hundred".
  package static let greatest = 216
  /// The most digits that are said one by one.
  package static let digitLimit = 6

  private enum State: Hashable {
    case start
    case article
    /// Digits one by one.
    case digits(count: Int)
    /// Tens, to which a unit may come.
    case tens
    /// Hundreds, to which the rest may come.
    case hundreds
    /// Hundreds and "and", to which the rest must come.
    case and
    /// Nothing may follow.
    case whole
    /// This is no number.
    case dead
  }

  private var state = State.start
  private var number = 0

  /// No word yet.
  package init() {}

  /// The number, where the words so far are one.
  package var value: Int? {
    switch state {
    case .digits, .tens, .hundreds, .whole: number
    case .start, .article, .and, .dead: nil
    }
  }

  /// Whether no more words make a number of these.
  package var isDead: Bool { state == .dead }

  /// Adds a word; nil is a word that is none of a number's.
  package mutating func append(_ word: SpokenWord?) {
    let (next, value) = word.map { following($0) } ?? (.dead, 0)
    state = next
    number = value
  }

  private func following(_ word: SpokenWord) -> (State, Int) {
    let dead = (State.dead, 0)
    switch (state, word) {
    case (.start, .a): return (.article, 0)
    case (.start, .and): return dead
    case (.start, .hundred), (.article, .hundred): return (.hundreds, 100)
    case (.digits(count: 1), .hundred):
      return number == 1 || number == 2 ? (.hundreds, number * 100) : dead
    case (.hundreds, .and): return (.and, number)
    case (_, .hundred), (_, .and), (_, .a): return dead
    default: break
    }
    let value = word.value ?? 0
    let isDigit = value < 10
    switch state {
    case .start:
      if isDigit { return (.digits(count: 1), value) }
      return value < 20 ? (.whole, value) : (.tens, value)
    case .digits(let count):
      if isDigit {
        return count < Self.digitLimit ? (.digits(count: count + 1), number * 10 + value) : dead
      }
      guard count == 1, number == 1 || number == 2, number * 100 + value <= Self.greatest else {
        return dead
      }
      return (value < 20 ? .whole : .tens, number * 100 + value)
    case .tens, .hundreds, .and:
      guard value > 0, number + value <= Self.greatest else { return dead }
      if state == .tens { return isDigit ? (.whole, number + value) : dead }
      return (value < 20 ? .whole : .tens, number + value)
    case .article, .whole, .dead: return dead
    }
  }

  /// The number that words say; nil where they say none.
  package static func value(of words: [SpokenWord]) -> Int? {
    var grammar = NumberGrammar()
    for word in words { grammar.append(word) }
    return grammar.value
  }
}

/// A number that a player has drawn, spoken or typed, perhaps not to its end.
public struct PlayerAnswer: Hashable, Sendable {
  /// What may still become of an answer.
  public enum Openness: String, Hashable, Sendable {
    /// It stays as it is.
    case closed
    /// The last digit may become another one and more digits may follow, as with digits that are
    /// drawn: the first stroke of a 4 reads 1.
    case lastDigit
    /// It may become any number, as with words: "hundred" goes on as "hundred and five".
    case anything
  }

  /// The number as it reads now.
  public var number: Int
  /// What may still become of it.
  public var openness: Openness

  /// An answer.
  public init(_ number: Int, openness: Openness = .closed) {
    self.number = number
    self.openness = openness
  }

  /// An answer, from an input that only knows whether it may still change.
  ///
  /// - Parameter mayStillChange: whether it may become any other number.
  public init(_ number: Int, mayStillChange: Bool) {
    self.init(number, openness: mayStillChange ? .anything : .closed)
  }

  /// Whether the number may still change.
  public var mayStillChange: Bool { openness != .closed }

  /// Whether the answer is a number already, or may still become it.
  ///
  /// - Complexity: O(digits of the numbers).
  public func canBecome(_ other: Int) -> Bool {
    if number == other { return true }
    switch openness {
    case .closed: return false
    case .anything: return true
    case .lastDigit:
      guard number >= 0, other >= 0 else { return false }
      // With as many digits, the two must agree in all but the last.
      let count = Self.digitCount(number)
      guard Self.digitCount(other) >= count else { return false }
      var theirs = other
      while Self.digitCount(theirs) > count { theirs /= 10 }
      return theirs / 10 == number / 10
    }
  }

  private static func digitCount(_ number: Int) -> Int {
    var (rest, count) = (number, 1)
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }
}

#if !hasFeature(Embedded)
  extension PlayerAnswer.Openness: Codable {}
  extension PlayerAnswer: Codable {}
#endif

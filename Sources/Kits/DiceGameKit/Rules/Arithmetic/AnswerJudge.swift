internal import DiceNumerics

/// Decides when an answer that is still being given is right or wrong.
///
/// An answer is judged
///
/// - as wrong, as soon as it can no longer become right;
/// - as what it is, as soon as it can no longer change, or when nothing has changed for ``pause``.
///
/// So the first stroke of a 4, which reads 1, is not wrong before the second one.
///
/// ```swift
/// var judge = AnswerJudge(expected: [24])
/// judge.update(with: PlayerAnswer(2, openness: .lastDigit), at: .seconds(1))  // nil: it may become 24
/// judge.update(with: PlayerAnswer(21, openness: .lastDigit), at: .seconds(2))  // nil: the 1 may become a 4
/// judge.update(with: PlayerAnswer(24, openness: .lastDigit), at: .seconds(3))  // nil: it may go on
/// judge.advance(to: .seconds(4))  // .right(24)
/// ```
public struct AnswerJudge: Hashable, Sendable {
  /// What an answer is.
  public enum Verdict: Hashable, Sendable {
    /// It is one of the expected numbers.
    case right(Int)
    /// It is none of them.
    case wrong(Int)
  }

  /// The right numbers.
  public let expected: [Int]
  /// How long an answer has to stay as it is before it counts as given; not negative.
  public let pause: Duration
  /// Whether a right number counts at once, although it may still change.
  ///
  /// It is quicker, and takes the first digit of 12 for the answer 1.
  public let acceptsAtOnce: Bool
  /// The answer that waits for its verdict.
  public private(set) var pending: PlayerAnswer?
  private var changeTime = Duration.zero

  /// A judge that waits for an answer.
  public init(expected: [Int], pause: Duration = .seconds(1), acceptsAtOnce: Bool = false) {
    self.expected = expected
    self.pause = max(pause, .zero)
    self.acceptsAtOnce = acceptsAtOnce
  }

  /// Looks at an answer that has begun, has changed or is at its end.
  ///
  /// Every call begins the pause anew: to be called when something was written or said, not for each
  /// frame.
  ///
  /// - Parameters:
  ///   - answer: the whole answer as it reads now; nil where nothing readable is left of it.
  ///   - time: the time of the change.
  /// - Returns: the verdict, after which the judge waits for another answer; nil before it.
  public mutating func update(with answer: PlayerAnswer?, at time: Duration) -> Verdict? {
    pending = answer
    changeTime = answer == nil ? .zero : time
    guard let answer else { return nil }
    guard expected.contains(where: { answer.canBecome($0) }) else { return finish(answer) }
    if !answer.mayStillChange || acceptsAtOnce && expected.contains(answer.number) {
      return finish(answer)
    }
    return pause == .zero ? finish(answer) : nil
  }

  /// Tells the time.
  ///
  /// - Returns: the verdict on an answer that has not changed for ``pause``.
  public mutating func advance(to time: Duration) -> Verdict? {
    // Times of any length have a difference in nanoseconds.
    guard let pending, time >= changeTime,
      nanoseconds(time) - nanoseconds(changeTime) >= nanoseconds(pause)
    else { return nil }
    return finish(pending)
  }

  private mutating func finish(_ answer: PlayerAnswer) -> Verdict {
    pending = nil
    changeTime = .zero
    return expected.contains(answer.number) ? .right(answer.number) : .wrong(answer.number)
  }
}

#if !hasFeature(Embedded)
  extension AnswerJudge.Verdict: Codable {}
  extension AnswerJudge: Codable {}
#endif

import DiceGameKit
import Foundation
import TestSupport
import Testing

@Suite struct ArithmeticQuestionTests {
  @Test func asksTheFourQuestions() throws {
    try expectEqual(ArithmeticQuestion(.count, of: [2, 5, 5]).answer, 3)
    try expectEqual(ArithmeticQuestion(.sum, of: [2, 5, 5]).answer, 12)
    try expectEqual(ArithmeticQuestion(.difference, of: [2, 5]).answer, 3)
    try expectEqual(ArithmeticQuestion(.product, of: [2, 5, 5]).answer, 50)
    expectEqual("\(try ArithmeticQuestion(.difference, of: [2, 5]))", "5 − 2")
    expectEqual("\(try ArithmeticQuestion(.product, of: [2, 5]))", "2 × 5")
  }

  @Test func refusesRollsThatCannotBeAskedAbout() {
    #expect(throws: ArithmeticQuestionError.diceCount(found: 3, required: 2...2)) {
      try ArithmeticQuestion(.difference, of: [1, 2, 3])
    }
    #expect(throws: ArithmeticQuestionError.diceCount(found: 0, required: 1...64)) {
      try ArithmeticQuestion(.count, of: [])
    }
    #expect(throws: ArithmeticQuestionError.value(found: -1, required: 0...1000)) {
      try ArithmeticQuestion(.sum, of: [4, -1])
    }
    #expect(throws: ArithmeticQuestionError.answerTooLarge(limit: 999_999)) {
      try ArithmeticQuestion(.product, of: [Int](repeating: 1000, count: 64))
    }
    // Every case says something of its own.
    let errors: [ArithmeticQuestionError] = [
      .diceCount(found: 3, required: 2...2), .diceCount(found: 1, required: 2...64),
      .value(found: -1, required: 0...1000), .answerTooLarge(limit: 999_999),
    ]
    expectEqual(Set(errors.map(\.description)).count, errors.count)
  }

  @Test func aZeroMakesAProductZeroWhateverComesBefore() throws {
    try expectEqual(ArithmeticQuestion(.product, of: [1000, 1000, 1000, 0]).answer, 0)
  }

  @Test func hintsAreTrueAndEndWithTheAnswer() throws {
    var count = 0
    for operation in ArithmeticOperation.allCases {
      for (first, second) in [(1, 1), (6, 4), (3, 6), (0, 5), (12, 20)] {
        let question = try ArithmeticQuestion(operation, of: [first, second])
        for given in [question.answer - 1, question.answer + 7] {
          for attempt in 1...5 {
            count += 1
            switch question.hint(after: given, attempt: attempt) {
            case .greaterThan(let number): #expect(question.answer > number)
            case .lessThan(let number): #expect(question.answer < number)
            case .pointAtEach: expectEqual(operation, .count)
            case .countOn(let start, let distance): expectEqual(start + distance, question.answer)
            case .countUp(let start, let end): expectEqual(end - start, question.answer)
            case .groups(let groups, let size): expectEqual(groups * size, question.answer)
            case .between(let least, let most):
              #expect((least...most).contains(question.answer))
            case .answer(let number):
              #expect(attempt >= 4)
              expectEqual(number, question.answer)
            }
          }
        }
      }
    }
    expectEqual(count, 200)
  }

  @Test func aSavedQuestionIsWorkedOutAnew() throws {
    let question = try ArithmeticQuestion(.product, of: [6, 4])
    let data = try JSONEncoder().encode(question)
    try expectEqual(JSONDecoder().decode(ArithmeticQuestion.self, from: data), question)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        ArithmeticQuestion.self, from: Data(#"{"operation":"sum","values":[1]}"#.utf8))
    }
  }

  @Test func levelsAskInTurnWhatTheDiceAllow() throws {
    let asked = try (0..<6).map {
      try PracticeLevel.mixed.question(about: [6, 4], number: $0).operation
    }
    expectEqual(asked, [.sum, .difference, .product, .sum, .difference, .product])
    // A difference needs two dice: with three the next of the level is asked.
    try expectEqual(PracticeLevel.mixed.question(about: [6, 4, 1], number: 1).operation, .product)
    #expect(throws: ArithmeticQuestionError.self) {
      try PracticeLevel.mixed.question(about: [6], number: 0)
    }
    try expectEqual(PracticeLevel.counting.question(about: [6], number: .min).answer, 1)
    expectEqual(PracticeLevel.allCases.last?.next, nil)
  }
}

@Suite struct PlayerAnswerTests {
  @Test func aDrawnNumberMayBecomeWhatSharesAllButItsLastDigit() {
    func mayBecome(_ number: Int, _ other: Int) -> Bool {
      PlayerAnswer(number, openness: .lastDigit).canBecome(other)
    }
    #expect(mayBecome(1, 4))  // the first stroke of a 4
    #expect(mayBecome(1, 24))  // the first stroke of a 2
    #expect(mayBecome(21, 24))
    #expect(mayBecome(21, 248))
    #expect(!mayBecome(31, 24))
    #expect(!mayBecome(24, 2))
    #expect(!mayBecome(241, 24))
    #expect(mayBecome(0, 7))
    #expect(!mayBecome(-1, 7))
    #expect(mayBecome(-1, -1))
    #expect(!mayBecome(.max, 7))
    #expect(mayBecome(7, .max))
    #expect(!mayBecome(.min, .max))
  }

  /// Against the definition: some digit in the last place, and any digits after it.
  @Test func agreesWithWritingItOut() {
    var count = 0
    for number in 0...130 {
      for other in 0...1300 {
        let (mine, theirs) = (String(number), String(other))
        let isPossible = theirs.count >= mine.count && theirs.hasPrefix(mine.dropLast())
        let answer = PlayerAnswer(number, openness: .lastDigit)
        if answer.canBecome(other) != isPossible { Issue.record("\(number) \(other)") }
        count += isPossible ? 1 : 0
      }
    }
    #expect(count > 1000)
  }

  @Test func closedAndOpenAnswers() {
    #expect(!PlayerAnswer(2).canBecome(24))
    #expect(PlayerAnswer(24).canBecome(24))
    #expect(PlayerAnswer(100, mayStillChange: true).canBecome(5))
    #expect(!PlayerAnswer(100, mayStillChange: false).mayStillChange)
  }
}

@Suite struct AnswerJudgeTests {
  @Test func theFirstStrokeOfAFourIsNotWrong() {
    var judge = AnswerJudge(expected: [4])
    expectEqual(judge.update(with: PlayerAnswer(1, openness: .lastDigit), at: .seconds(1)), nil)
    expectEqual(judge.advance(to: .milliseconds(1900)), nil)
    expectEqual(judge.update(with: PlayerAnswer(4, openness: .lastDigit), at: .seconds(2)), nil)
    expectEqual(judge.advance(to: .milliseconds(2999)), nil)
    expectEqual(judge.advance(to: .seconds(3)), .right(4))
    // It is judged once.
    expectEqual(judge.advance(to: .seconds(9)), nil)
  }

  @Test func isWrongAsSoonAsItCannotBecomeRightAndNotBefore() {
    var judge = AnswerJudge(expected: [24])
    for number in [2, 21, 24, 9] {
      expectEqual(
        judge.update(with: PlayerAnswer(number, openness: .lastDigit), at: .zero), nil,
        "\(number)")
    }
    for number in [31, 245] {
      expectEqual(
        judge.update(with: PlayerAnswer(number, openness: .lastDigit), at: .zero), .wrong(number))
    }
  }

  @Test func aPauseEndsAnAnswer() {
    var judge = AnswerJudge(expected: [24], pause: .milliseconds(500))
    expectEqual(judge.update(with: PlayerAnswer(2, openness: .lastDigit), at: .seconds(1)), nil)
    expectEqual(judge.advance(to: .milliseconds(1500)), .wrong(2))
    expectEqual(judge.update(with: PlayerAnswer(2, openness: .lastDigit), at: .seconds(5)), nil)
    expectEqual(judge.update(with: nil, at: .seconds(5)), nil)
    expectEqual(judge.advance(to: .seconds(9)), nil, "what was erased is not judged")
  }

  @Test func takesTimesOfAnyLength() {
    let (late, early) = (Duration.seconds(Int64.max) * 18, Duration.seconds(Int64.max) * -18)
    var judge = AnswerJudge(expected: [24])
    expectEqual(judge.update(with: PlayerAnswer(2, openness: .lastDigit), at: early), nil)
    expectEqual(judge.advance(to: late), .wrong(2))
  }

  @Test func mayTakeARightNumberAtOnce() {
    var judge = AnswerJudge(expected: [10, 2], acceptsAtOnce: true)
    expectEqual(judge.update(with: PlayerAnswer(1, openness: .lastDigit), at: .zero), nil)
    expectEqual(judge.update(with: PlayerAnswer(10, openness: .lastDigit), at: .zero), .right(10))
    expectEqual(judge.update(with: PlayerAnswer(2, openness: .anything), at: .zero), .right(2))
  }

  @Test func withoutAPauseEveryAnswerIsJudged() {
    var judge = AnswerJudge(expected: [24], pause: .zero)
    expectEqual(
      judge.update(with: PlayerAnswer(2, openness: .lastDigit), at: .zero), .wrong(2))
  }
}

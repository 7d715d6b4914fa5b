import TestSupport
import Testing

@testable import DiceGameKit

@Suite struct NumberSearchTests {
  @Test func everyWordIsReadAsItIsWritten() {
    for word in SpokenWord.allCases {
      expectEqual(word.text, "\(word)")
      expectEqual(SpokenWord(text: word.text), word)
    }
    expectEqual(SpokenWord(text: "score"), nil)
  }

  @Test func theGrammarKnowsNumbersAsTheyAreSaid() {
    let cases: [(String, Int?)] = [
      ("zero", 0), ("oh", 0), ("nineteen", 19), ("twenty", 20), ("twenty four", 24),
      ("two four", 24),
      ("one oh eight", 108), ("a hundred", 100), ("hundred", 100), ("hundred and one", 101),
      ("a hundred and eight", 108), ("one hundred twenty four", 124),
      ("two hundred and sixteen", 216),
      ("two hundred seventeen", nil), ("one twenty four", 124), ("two sixteen", 216),
      ("two seventeen", nil), ("three hundred", nil), ("three twenty", nil), ("one two three", 123),
      ("zero zero seven", 7), ("one two three four five six", 123_456),
      ("one two three four five six seven", nil), ("twenty ten", nil), ("twenty zero", nil),
      ("a", nil), ("and", nil), ("a four", nil), ("hundred and", nil), ("hundred zero", nil),
      ("ten four", nil), ("twenty four seven", nil), ("hundred hundred", nil), ("", nil),
    ]
    for (text, value) in cases {
      let words = text.split(separator: " ").map { SpokenWord(text: String($0))! }
      expectEqual(NumberGrammar.value(of: words), value, "\(text)")
    }
    var grammar = NumberGrammar()
    grammar.append(nil)
    #expect(grammar.isDead && grammar.value == nil)
  }

  @Test func everyNumberIsReachedInItsUsualWords() {
    let ones = SpokenWord.allCases.prefix(20)
    for number in 0...216 {
      var words: [SpokenWord] =
        number >= 100 ? [SpokenWord(rawValue: number / 100)!, .hundred] : []
      let rest = number % 100
      if rest >= 20 { words.append(SpokenWord(rawValue: 18 + rest / 10)!) }
      let last = rest >= 20 ? rest % 10 : rest
      if last > 0 || number == 0 { words.append(ones[last]) }
      expectEqual(NumberGrammar.value(of: words), number)
    }
  }

  @Test func wordsHaveTheirValues() {
    expectEqual(SpokenWord.allCases.count, 32)
    #expect(SpokenWord.ninety.value == 90 && SpokenWord.twenty.value == 20)
    #expect(
      SpokenWord.hundred.value == 100 && SpokenWord.oh.value == 0 && SpokenWord.and.value == nil)
    expectEqual(SpeechClass.labels.count, SpeechClass.count)
    for word in SpokenWord.allCases {
      expectEqual(SpeechClass.word(SpeechClass.index(of: word)), word)
      expectEqual(SpeechClass.labels[SpeechClass.index(of: word)], word.text)
    }
    #expect(
      SpeechClass.word(SpeechClass.blank) == nil && SpeechClass.word(SpeechClass.other) == nil)
  }

  /// Probabilities of steps, each given by a few classes.
  private func steps(_ steps: [[(SpokenWord?, Float)]]) -> [Float] {
    steps.flatMap { (step) in
      var row = [Float](repeating: 0, count: SpeechClass.count)
      for (word, probability) in step {
        row[word.map { SpeechClass.index(of: $0) } ?? SpeechClass.blank] += probability
      }
      return row
    }
  }

  @Test func pathsOfOneSequenceAddUp() {
    // "two", in one step or the other or both: 0.6 · 0.4 + 0.4 · 0.6 + 0.6 · 0.6; nothing: 0.16.
    let probabilities = steps([[(.two, 0.6), (nil, 0.4)], [(.two, 0.6), (nil, 0.4)]])
    let findings = NumberSearch().findings(in: probabilities)
    expectEqual(findings.map(\.value), [2])
    #expect(abs(findings[0].probability - 0.84) < 1e-6)
  }

  @Test func aBlankPartsTwoOfTheSame() {
    let one = NumberSearch().findings(in: steps([[(.two, 1)], [(.two, 1)]]))
    expectEqual(one.map(\.value), [2])
    let two = NumberSearch().findings(in: steps([[(.two, 1)], [(nil, 1)], [(.two, 1)]]))
    expectEqual(two.map(\.value), [22])
    expectEqual(two[0].words, [.two, .two])
  }

  @Test func waysToSayANumberAddUpAndOthersSpeakAgainstIt() {
    // "zero" or "oh" are both 0; "and" is no number.
    let findings = NumberSearch().findings(in: steps([[(.zero, 0.5), (.oh, 0.3), (.and, 0.2)]]))
    expectEqual(findings.map(\.value), [0])
    #expect(abs(findings[0].probability - 0.8) < 1e-6)
    expectEqual(findings[0].words, [.zero])
    expectEqual(NumberSearch().findings(in: []), [])
    var other = steps([[(nil, 0.1)]])
    other[SpeechClass.other] = 0.9
    expectEqual(NumberSearch().findings(in: other), [])
  }

  @Test func longSoundsDoNotUnderflow() {
    let quiet = [[(SpokenWord?, Float)]](repeating: [(nil, 0.5), (.five, 0.001)], count: 4_000)
    let findings = NumberSearch().findings(in: steps(quiet + [[(.seven, 0.5)]]))
    #expect(findings.allSatisfy { $0.probability.isFinite && $0.probability <= 1.0001 })
    #expect(!findings.isEmpty)
  }

  @Test func hintsAreReportedAsSuch() throws {
    let findings = [
      NumberSearch.Finding(value: 15, words: [.fifteen], probability: 0.5),
      NumberSearch.Finding(value: 50, words: [.fifty], probability: 0.3),
    ]
    func report(_ expected: Set<Int>, _ threshold: Float = 0.3) -> SpokenNumber? {
      SpokenNumberRecognizer.number(
        from: findings, expected: expected, threshold: threshold, seconds: 0...1)
    }
    let plain = try #require(report([]))
    #expect(plain.value == 15 && !plain.isHinted && plain.confidence == 0.5)
    expectEqual(plain.alternatives.map(\.value), [50])
    // 0.3 · 4 of 1 + 0.3 · 3.
    let hinted = try #require(report([50]))
    #expect(hinted.value == 50 && hinted.isHinted)
    #expect(abs(hinted.confidence - 1.2 / 1.9) < 1e-6)
    expectEqual(report([15])?.isHinted, false)
    expectEqual(report([], 0.6), nil)
    expectEqual(report([15], 0.6)?.isHinted, true)
    expectEqual("\(plain)", "15 (fifteen), 50.0 %")
  }

  @Test func lessConfidenceSufficesForSeveralWords() throws {
    func report(_ value: Int, _ words: [SpokenWord], _ probability: Float) -> SpokenNumber? {
      SpokenNumberRecognizer.number(
        from: [NumberSearch.Finding(value: value, words: words, probability: probability)],
        expected: [], threshold: 0.8, seconds: 0...1)
    }
    expectEqual(report(4, [.four], 0.8)?.value, 4)
    expectEqual(report(4, [.four], 0.79), nil)
    let least = 0.8 * SpokenNumberRecognizer.severalWordsShare
    #expect(least < 0.8)
    let number = try #require(report(24, [.twenty, .four], least))
    #expect(number.value == 24 && number.confidence == least && !number.isHinted)
    expectEqual(report(24, [.twenty, .four], least * 0.99), nil)
  }
}

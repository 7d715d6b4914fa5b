import DiceGameKit
import TestSupport
import Testing

@Suite struct NumberWordsTests {
  private static let numbers =
    Array(0...1_200) + Array(stride(from: 1_201, to: 1_000_000, by: 733))
    + [21_000, 21_021, 100_000, 101_001, 999_999]

  @Test(arguments: NumberWords.Language.allCases)
  func everyNumberIsReadFromItsWords(language: NumberWords.Language) throws {
    let words = NumberWords(language)
    for number in Self.numbers {
      let text = try #require(words.text(of: number))
      expectEqual(words.number(in: text), number, "\(text)")
      expectEqual(words.number(in: "¡" + text.uppercased() + "!"), number, "\(text)")
      expectEqual(words.number(in: "\(number)"), number)
    }
    expectEqual(words.text(of: -1), nil)
    expectEqual(words.text(of: 1_000_000), nil)
  }

  @Test func textsAreThoseOfTheLanguages() {
    let cases: [(Int, String, String, String)] = [
      (0, "zero", "null", "cero"), (1, "one", "eins", "uno"),
      (16, "sixteen", "sechzehn", "dieciséis"),
      (21, "twenty-one", "einundzwanzig", "veintiuno"),
      (31, "thirty-one", "einunddreißig", "treinta y uno"),
      (100, "one hundred", "einhundert", "cien"),
      (101, "one hundred one", "einhunderteins", "ciento uno"),
      (216, "two hundred sixteen", "zweihundertsechzehn", "doscientos dieciséis"),
      (1_000, "one thousand", "eintausend", "mil"),
      (
        21_500, "twenty-one thousand five hundred", "einundzwanzigtausendfünfhundert",
        "veintiún mil quinientos"
      ),
      (31_001, "thirty-one thousand one", "einunddreißigtausendeins", "treinta y un mil uno"),
    ]
    for (number, english, german, spanish) in cases {
      expectEqual(NumberWords(.english).text(of: number), english)
      expectEqual(NumberWords(.german).text(of: number), german)
      expectEqual(NumberWords(.spanish).text(of: number), spanish)
    }
  }

  @Test func englishTranscriptsAreRead() {
    let cases: [(String, Int?)] = [
      ("Twenty-four.", 24), ("it's twenty four!", 24), ("two four", 24), ("one oh eight", 108),
      ("a hundred and eight", 108), ("hundred", 100), ("2 hundred", 200), ("12,500", 12_500),
      ("three thousand and seven", 3_007), ("oh", 0), ("Oh dear", nil), ("oh, seven", 7),
      ("twenty, I mean thirty", nil), ("no idea", nil), ("", nil), ("twenty zero", nil),
      ("four, four", 44), ("fourty two", 42), ("hundred and", 100), ("the 24th", 24),
      ("0 4 2", 42), ("12345678", nil),
    ]
    for (text, number) in cases {
      expectEqual(NumberWords(.english).number(in: text), number, "\(text)")
    }
    let matches = NumberWords(.english).matches(in: "Twenty-four or a hundred and two?")
    expectEqual(matches.map(\.value), [24, 102])
    expectEqual(matches.map(\.words), [["twenty", "four"], ["a", "hundred", "and", "two"]])
  }

  @Test func germanTranscriptsAreRead() {
    let cases: [(String, Int?)] = [
      ("Vierundzwanzig.", 24), ("vier und zwanzig", 24), ("zwo vier", 24),
      ("Zweihundert sechzehn", 216),
      ("hundertacht", 108), ("fuenfunddreissig", 35), ("dreißig", 30), ("zwoelf", 12),
      ("ein Hund", nil),
      ("zweihundertundeins", 201), ("tausend", 1_000), ("es sind 24", 24), ("nun", nil),
      ("neun", 9),
      ("achtzig", 80), ("hundert", 100),
    ]
    for (text, number) in cases {
      expectEqual(NumberWords(.german).number(in: text), number, "\(text)")
    }
  }

  @Test func spanishTranscriptsAreRead() {
    let cases: [(String, Int?)] = [
      ("Veinticuatro.", 24), ("treinta y uno", 31), ("ciento ocho", 108), ("dos cuatro", 24),
      ("dieciseis", 16), ("cien", 100), ("doscientas una", 201), ("un perro", nil),
      ("mil dos", 1_002),
      ("son 24", 24), ("veintiun mil", 21_000),
    ]
    for (text, number) in cases {
      expectEqual(NumberWords(.spanish).number(in: text), number, "\(text)")
    }
  }

  @Test func tagsNameLanguages() {
    expectEqual(NumberWords.Language(tag: "en-US"), .english)
    expectEqual(NumberWords.Language(tag: "DE_at"), .german)
    expectEqual(NumberWords.Language(tag: "es"), .spanish)
    expectEqual(NumberWords.Language(tag: "fr"), nil)
    expectEqual(NumberWords.Language(tag: ""), nil)
  }

  @Test func anyTextGivesNumbersInRange() {
    var generator = SeededGenerator(seed: 5)
    let parts = [
      "two", "hundred", "and", "ein", "und", "hundert", "zwanzig", "cien", "y", "mil", "9",
      "999999",
      ",", ".", "-", "'", "\u{301}", "\u{308}", "ß", "\u{1F3B2}", "oh", "a", "thousand", " ", " ",
      " ",
    ]
    for language in NumberWords.Language.allCases {
      let words = NumberWords(language)
      for _ in 0..<2_000 {
        let text = (0..<12).map { _ in parts.randomElement(using: &generator)! }.joined()
        for match in words.matches(in: text) {
          #expect(NumberWords.range.contains(match.value) && !match.words.isEmpty, "\(text)")
        }
      }
      // Long texts cost no more than their beginning.
      let long = String(repeating: "hunderthundert", count: 100_000)
      #expect(words.matches(in: long).count <= NumberWords.textLimit)
      #expect(words.matches(in: String(repeating: "a hundred ", count: 100_000)).count < 1_000)
    }
  }
}

/// A word that numbers are said with, in English.
public enum SpokenWord: Int, CaseIterable, Hashable, Sendable {
  case zero = 0
  case one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen
  case fifteen, sixteen, seventeen, eighteen, nineteen
  case twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety
  case hundred, oh, and, a

  /// What the word stands for: 0...20, 30...90, 100; 0 for "oh", 1 for "a", nil for "and".
  public var value: Int? {
    switch self {
    case .hundred: 100
    case .oh: 0
    case .and: nil
    case .a: 1
    default: rawValue <= 20 ? rawValue : (rawValue - 18) * 10
    }
  }

  /// The word as it is written: "twenty".
  public var text: String { Self.texts[rawValue] }

  /// The word that is written so; nil for others.
  public init?(text: String) {
    let index = Self.texts.firstIndex { $0.utf8.elementsEqual(text.utf8) }
    guard let index else { return nil }
    self.init(rawValue: index)
  }

  /// The words as they are written, in the order of the cases.
  private static let texts = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    "hundred", "oh", "and", "a",
  ]
}

/// The classes of the network of spoken numbers: nothing, each ``SpokenWord``, any other word.
package enum SpeechClass {
  /// Between words, and the rest of a word that has been told.
  package static let blank = 0
  /// A word that is none of those of numbers.
  package static let other = SpokenWord.allCases.count + 1
  /// How many classes there are.
  package static let count = SpokenWord.allCases.count + 2
  /// Their names in a weight file.
  package static let labels = ["-"] + SpokenWord.allCases.map { $0.text } + ["*"]

  /// The class of a word.
  package static func index(of word: SpokenWord) -> Int { word.rawValue + 1 }

  /// The word of a class; nil for none and any other.
  package static func word(_ index: Int) -> SpokenWord? { SpokenWord(rawValue: index - 1) }
}

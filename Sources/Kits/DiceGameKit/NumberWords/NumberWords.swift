/// Numbers in words, and the numbers in what a recogniser of speech wrote down.
///
/// ```swift
/// let words = NumberWords(.english)
/// words.number(in: "it's twenty-four")   // 24
/// words.text(of: 108)                    // "one hundred eight"
/// ```
///
/// Read are numbers of 0...999,999: in words, in digits ("24"), digit by digit ("two four"), and mixed
/// ("2 hundred"); upper and lower case, hyphens and punctuation do not count. What stands around a
/// number is passed over. Texts need not be trusted: no more than ``textLimit`` bytes are looked at, and
/// time grows with their number.
public struct NumberWords: Hashable, Sendable {
  /// A language with its words.
  public enum Language: String, CaseIterable, Hashable, Sendable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"
    /// Spanish.
    case spanish = "es"

    /// The language of a tag such as "en", "en-US" or "de_AT"; nil for others.
    public init?(tag: String) {
      let head = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
      self.init(rawValue: String(decoding: head, as: UTF8.self).lowercased())
    }
  }

  /// A number that a text holds.
  public struct Match: Hashable, Sendable {
    /// The number, 0...999,999.
    public let value: Int
    /// The words it is made of, as they were read: lower case, without punctuation.
    public let words: [String]
  }

  /// The numbers that are read and written.
  public static let range = 0...999_999
  /// The most bytes of a text that are looked at.
  public static let textLimit = 4_096

  /// The language.
  public let language: Language

  /// Numbers in a language.
  public init(_ language: Language = .english) { self.language = language }

  /// A number in words: "one hundred eight", "einhundertacht", "ciento ocho"; nil outside ``range``.
  public func text(of number: Int) -> String? {
    guard Self.range.contains(number) else { return nil }
    switch language {
    case .english: return EnglishNumbers.text(of: number)
    case .german: return GermanNumbers.text(of: number)
    case .spanish: return SpanishNumbers.text(of: number)
    }
  }

  /// The number that a text holds: nil where there is none, or where there are several that differ.
  public func number(in text: String) -> Int? {
    let values = Set(matches(in: text).map(\.value))
    return values.count == 1 ? values.first : nil
  }

  /// All numbers that a text holds, in their order.
  ///
  /// Words that follow each other make the longest number that they can: "twenty four" is 24. Words
  /// that make none together are read digit by digit where all are digits ("two four" is 24), else they
  /// are several numbers. What may be an article ("ein", "una") or a sigh ("oh") is no number by itself,
  /// but "oh" where the text is nothing else.
  public func matches(in text: String) -> [Match] {
    let words = NumberTokens.words(of: text, limit: Self.textLimit)
    if words.count == 1, let word = words.first, word == "oh" || word == "o", language == .english {
      return [Match(value: 0, words: words)]
    }
    var matches: [Match] = []
    var start = 0
    while start < words.count {
      guard let (value, count) = number(from: words[start...]) else {
        start += 1
        continue
      }
      matches.append(Match(value: value, words: Array(words[start..<start + count])))
      start += count
    }
    return matches
  }

  /// The longest number at the beginning of some words.
  private func number(from words: ArraySlice<String>) -> (value: Int, count: Int)? {
    var reader = NumberReader(words: words)
    let grown: (value: Int, count: Int)?
    switch language {
    case .english: grown = EnglishNumbers.read(&reader)
    case .german: grown = GermanNumbers.read(&reader)
    case .spanish: grown = SpanishNumbers.read(&reader)
    }
    guard let digits = digits(from: words), digits.count > (grown?.count ?? 0) else { return grown }
    return digits
  }

  /// Two to six digits, said one by one.
  private func digits(from words: ArraySlice<String>) -> (value: Int, count: Int)? {
    var (value, count) = (0, 0)
    for word in words {
      guard count < 7, let digit = digit(word) else { break }
      value = value * 10 + digit
      count += 1
    }
    return (2...6).contains(count) ? (value, count) : nil
  }

  private func digit(_ word: String) -> Int? {
    if word.utf8.count == 1, let digit = Int(word), (0...9).contains(digit) { return digit }
    switch language {
    case .english: return EnglishNumbers.digit(word)
    case .german: return GermanNumbers.digit(word)
    case .spanish: return SpanishNumbers.digit(word)
    }
  }
}

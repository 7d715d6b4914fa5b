/// The words of a text.
enum NumberTokens {
  /// Lower case, parted at all that is neither letter nor digit; apostrophes vanish, and a comma or
  /// point between a digit and three others is a thousands mark.
  static func words(of text: String, limit: Int) -> [String] {
    var words: [String] = []
    var word = ""
    let scalars = Array(String(decoding: text.utf8.prefix(limit), as: UTF8.self).unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar.properties.isAlphabetic || isDigit(scalar) || scalar.properties.isDiacritic {
        if let last = word.unicodeScalars.last, isDigit(last) != isDigit(scalar) {
          append(&word, to: &words)
        }
        word.unicodeScalars.append(scalar)
      } else if scalar == "'" || scalar == "\u{2019}" || isThousandsMark(scalars, index) {
        continue
      } else {
        append(&word, to: &words)
      }
    }
    append(&word, to: &words)
    return words
  }

  private static func append(_ word: inout String, to words: inout [String]) {
    if !word.isEmpty { words.append(word.lowercased()) }
    word = ""
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isThousandsMark(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    guard scalars[index] == "," || scalars[index] == ".", index > 0, index + 3 < scalars.count,
      isDigit(scalars[index - 1])
    else { return false }
    let isFollowed = (1...3).allSatisfy { isDigit(scalars[index + $0]) }
    return isFollowed && (index + 4 >= scalars.count || !isDigit(scalars[index + 4]))
  }
}

/// Reads words one after the other.
struct NumberReader {
  private let words: ArraySlice<String>
  private(set) var count = 0

  init(words: ArraySlice<String>) { self.words = words }

  /// The next word; nil at the end.
  var next: String? { count < words.count ? words[words.startIndex + count] : nil }

  /// The word after the next.
  var afterNext: String? { count + 1 < words.count ? words[words.startIndex + count + 1] : nil }

  /// Goes on to the word after.
  mutating func advance() { count += 1 }

  /// Goes back to a place.
  mutating func goBack(to count: Int) { self.count = count }

  /// A number in digits of at most 999,999.
  mutating func digits() -> Int? {
    guard let next, next.utf8.count <= 6, next.utf8.allSatisfy({ (48...57).contains($0) }),
      let value = Int(next)
    else { return nil }
    advance()
    return value
  }
}

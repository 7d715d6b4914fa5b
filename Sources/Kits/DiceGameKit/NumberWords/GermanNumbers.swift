/// German: "zweihundertsechzehn", written together or apart, with ä, ö, ü and ß or without.
enum GermanNumbers {
  private static let small = [
    "null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
    "elf",
    "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
  ]
  private static let tens = [
    "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
  ]

  /// What a word may be made of, with what each part stands for; longer ones first.
  private static let parts: [(text: String, part: Part)] = {
    var parts: [(String, Part)] = [
      ("tausend", .thousand), ("hundert", .hundred), ("und", .and), ("ein", .small(1)),
      ("eine", .small(1)), ("einen", .small(1)), ("zwo", .small(2)),
    ]
    for (value, text) in small.enumerated() { parts.append((plain(text), .small(value))) }
    for (index, text) in tens.enumerated() {
      parts.append((plain(text), .tens((index + 2) * 10)))
    }
    parts.append(("dreizig", .tens(30)))
    return parts.sorted {
      $0.0.utf8.count != $1.0.utf8.count ? $0.0.utf8.count > $1.0.utf8.count : $0.0 < $1.0
    }
  }()

  private enum Part: Hashable {
    case small(Int)
    case tens(Int)
    case number(Int)
    case hundred, thousand, and
  }

  /// ä, ö, ü and ß as a, o, u and ss; "ae", "oe" and "ue" likewise.
  private static func plain(_ word: String) -> String {
    var result = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "ä": result += "a"
      case "ö": result += "o"
      case "ü": result += "u"
      case "ß": result += "ss"
      case "\u{308}": break
      case "e" where result.hasSuffix("u") && !result.hasSuffix("eu"),
        "e" where result.hasSuffix("zwo"):
        break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func text(of number: Int) -> String {
    number == 1 ? "eins" : joined(number) + ending(number)
  }

  /// "eins" at the end, "ein" before another part.
  private static func ending(_ number: Int) -> String {
    number > 100 && number % 100 == 1 ? "s" : ""
  }

  private static func joined(_ number: Int) -> String {
    switch number {
    case 1: return "ein"
    case ..<20: return small[number]
    case ..<100:
      let unit = number % 10
      return (unit == 0 ? "" : joined(unit) + "und") + tens[number / 10 - 2]
    default:
      let (unit, name) = number < 1_000 ? (100, "hundert") : (1_000, "tausend")
      let rest = number % unit
      return joined(number / unit) + name + (rest == 0 ? "" : joined(rest))
    }
  }

  static func digit(_ word: String) -> Int? {
    let word = plain(word)
    if word == "zwo" { return 2 }
    return small.firstIndex { plain($0) == word }.flatMap { $0 < 10 ? $0 : nil }
  }

  static func read(_ reader: inout NumberReader) -> (value: Int, count: Int)? {
    var best: (value: Int, count: Int)?
    var parts: [Part] = []
    let first = reader.next
    // No number has more parts than "neunhundertneunundneunzigtausendneunhundertneunundneunzig".
    while parts.count <= 12, let word = reader.next {
      if let value = reader.digits() {
        parts.append(.number(value))
      } else {
        guard let found = split(word) else { break }
        parts += found
        reader.advance()
      }
      if let value = value(of: parts[...]) { best = (value, reader.count) }
    }
    // By itself this is an article.
    if best?.count == 1, best?.value == 1, let first, ["ein", "eine", "einen"].contains(first) {
      return nil
    }
    return best
  }

  /// The parts of a word that is made of nothing else.
  private static func split(_ word: String) -> [Part]? {
    var rest = plain(word)[...]
    var found: [Part] = []
    while !rest.isEmpty {
      guard found.count <= 12, let (text, part) = parts.first(where: { rest.hasPrefix($0.text) })
      else { return nil }
      found.append(part)
      rest = rest.dropFirst(text.count)
    }
    return found
  }

  private static func value(of parts: ArraySlice<Part>) -> Int? {
    guard let place = parts.firstIndex(of: .thousand) else { return belowThousand(parts) }
    let head = parts[..<place]
    let tail = parts[(place + 1)...]
    let thousands = head.isEmpty ? 1 : belowThousand(head)
    guard let thousands, (1...999).contains(thousands) else { return nil }
    if tail.isEmpty { return thousands * 1_000 }
    let rest = belowThousand(tail.first == .and ? tail.dropFirst() : tail)
    guard let rest, (1...999).contains(rest) else { return nil }
    return thousands * 1_000 + rest
  }

  private static func belowThousand(_ parts: ArraySlice<Part>) -> Int? {
    guard let place = parts.firstIndex(of: .hundred) else { return belowHundred(parts) }
    let head = parts[..<place]
    let tail = parts[(place + 1)...]
    let hundreds = head.isEmpty ? 1 : belowHundred(head)
    guard let hundreds, (1...9).contains(hundreds) else { return nil }
    if tail.isEmpty { return hundreds * 100 }
    let rest = belowHundred(tail.first == .and ? tail.dropFirst() : tail)
    guard let rest, (1...99).contains(rest) else { return nil }
    return hundreds * 100 + rest
  }

  private static func belowHundred(_ parts: ArraySlice<Part>) -> Int? {
    switch (parts.count, parts.first) {
    case (1, .small(let value)), (1, .tens(let value)), (1, .number(let value)): return value
    case (3, .small(let unit)):
      guard (1...9).contains(unit), parts[parts.startIndex + 1] == .and,
        case .tens(let tens) = parts[parts.startIndex + 2]
      else { return nil }
      return tens + unit
    default: return nil
    }
  }
}

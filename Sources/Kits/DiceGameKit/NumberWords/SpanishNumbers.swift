/// Spanish: "doscientos dieciséis", "treinta y uno", with accents or without.
enum SpanishNumbers {
  private static let small = [
    "cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
    "once",
    "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve",
    "veinte", "veintiuno", "veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis",
    "veintisiete", "veintiocho", "veintinueve",
  ]
  private static let tens = [
    "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa",
  ]
  private static let hundreds = [
    "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos",
    "setecientos",
    "ochocientos", "novecientos",
  ]

  static func text(of number: Int) -> String {
    if number < 30 { return small[number] }
    if number < 100 {
      return tens[number / 10 - 3] + (number % 10 == 0 ? "" : " y " + small[number % 10])
    }
    if number == 100 { return "cien" }
    if number < 1_000 {
      let rest = number % 100
      return hundreds[number / 100 - 1] + (rest == 0 ? "" : " " + text(of: rest))
    }
    let (thousands, rest) = (number / 1_000, number % 1_000)
    let head = thousands == 1 ? "mil" : beforeNoun(thousands) + " mil"
    return head + (rest == 0 ? "" : " " + text(of: rest))
  }

  /// "veintiún", "treinta y un": 1 at the end is shortened before "mil".
  private static func beforeNoun(_ number: Int) -> String {
    let text = text(of: number)
    if number % 100 == 21 { return String(text.dropLast(9)) + "veintiún" }
    if number % 10 == 1, number % 100 != 11 { return String(text.dropLast()) }
    return text
  }

  /// á, é, í, ó and ú without their accents.
  private static func plain(_ word: String) -> String {
    var result = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "á": result += "a"
      case "é": result += "e"
      case "í": result += "i"
      case "ó": result += "o"
      case "ú": result += "u"
      case "\u{301}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let smallPlain = small.map(plain)

  private static func small(_ word: String) -> Int? {
    switch word {
    case "un", "una": 1
    case "veintiun", "veintiuna": 21
    default: smallPlain.firstIndex(of: word)
    }
  }

  static func digit(_ word: String) -> Int? {
    smallPlain.firstIndex(of: plain(word)).flatMap { $0 < 10 ? $0 : nil }
  }

  static func read(_ reader: inout NumberReader) -> (value: Int, count: Int)? {
    let first = reader.next
    var value: Int
    if first == "mil" {
      value = 1
    } else if let found = belowThousand(&reader) {
      value = found
    } else {
      return nil
    }
    if reader.next == "mil", (1...999).contains(value) {
      reader.advance()
      value *= 1_000
      let place = reader.count
      if let rest = belowThousand(&reader), (1...999).contains(rest) {
        value += rest
      } else {
        reader.goBack(to: place)
      }
    }
    // By itself this is an article.
    if reader.count == 1, first == "un" || first == "una" { return nil }
    return (value, reader.count)
  }

  private static func belowThousand(_ reader: inout NumberReader) -> Int? {
    if let value = reader.digits() { return value }
    guard let word = reader.next.map(plain) else { return nil }
    let masculine =
      word.hasSuffix("cientas") || word == "quinientas" ? word.dropLast(2) + "os" : word
    let hundred = word == "cien" ? 0 : hundreds.firstIndex(of: masculine)
    guard let hundred else { return belowHundred(&reader) }
    reader.advance()
    let place = reader.count
    if let rest = belowHundred(&reader), (1...99).contains(rest) {
      return (hundred + 1) * 100 + rest
    }
    reader.goBack(to: place)
    return (hundred + 1) * 100
  }

  private static func belowHundred(_ reader: inout NumberReader) -> Int? {
    guard let word = reader.next.map(plain) else { return nil }
    if let value = small(word) {
      reader.advance()
      return value
    }
    guard let index = tens.firstIndex(of: word) else { return nil }
    reader.advance()
    let place = reader.count
    if reader.next == "y" { reader.advance() }
    if let word = reader.next.map(plain), let unit = small(word), (1...9).contains(unit) {
      reader.advance()
      return (index + 3) * 10 + unit
    }
    reader.goBack(to: place)
    return (index + 3) * 10
  }
}

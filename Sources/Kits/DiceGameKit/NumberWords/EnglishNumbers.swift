/// English: "two hundred (and) sixteen", "a hundred", "one oh eight" digit by digit.
enum EnglishNumbers {
  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ]

  static func text(of number: Int) -> String {
    if number < 20 { return small[number] }
    if number < 100 {
      return tens[number / 10 - 2] + (number % 10 == 0 ? "" : "-" + small[number % 10])
    }
    let (unit, name) = number < 1_000 ? (100, "hundred") : (1_000, "thousand")
    let rest = number % unit
    return text(of: number / unit) + " " + name + (rest == 0 ? "" : " " + text(of: rest))
  }

  /// A digit's word; "oh", "o" and "nought" are 0.
  static func digit(_ word: String) -> Int? {
    if ["oh", "o", "nought"].contains(word) { return 0 }
    return small.firstIndex(of: word).flatMap { $0 < 10 ? $0 : nil }
  }

  static func read(_ reader: inout NumberReader) -> (value: Int, count: Int)? {
    guard var value = belowThousand(&reader) else { return nil }
    if reader.next == "thousand", (1...999).contains(value) {
      reader.advance()
      value *= 1_000
      let place = reader.count
      if reader.next == "and" { reader.advance() }
      if let rest = belowThousand(&reader), rest > 0, rest < 1_000 {
        value += rest
      } else {
        reader.goBack(to: place)
      }
    }
    return (value, reader.count)
  }

  private static func belowThousand(_ reader: inout NumberReader) -> Int? {
    var value: Int
    if (reader.next == "a" || reader.next == "an"),
      reader.afterNext == "hundred" || reader.afterNext == "thousand"
    {
      reader.advance()
      value = 1
    } else if reader.next == "hundred" {
      value = 1
    } else if let found = belowHundred(&reader) {
      value = found
    } else {
      return nil
    }
    guard reader.next == "hundred", (1...9).contains(value) else { return value }
    reader.advance()
    value *= 100
    let place = reader.count
    if reader.next == "and" { reader.advance() }
    if let rest = belowHundred(&reader), (1...99).contains(rest) { return value + rest }
    reader.goBack(to: place)
    return value
  }

  private static func belowHundred(_ reader: inout NumberReader) -> Int? {
    if let value = reader.digits() { return value }
    guard let word = reader.next else { return nil }
    if let value = word == "nought" ? 0 : small.firstIndex(of: word) {
      reader.advance()
      return value
    }
    let spelled = word == "fourty" ? "forty" : word
    guard let index = tens.firstIndex(of: spelled) else { return nil }
    reader.advance()
    if let word = reader.next, let unit = small.firstIndex(of: word), (1...9).contains(unit) {
      reader.advance()
      return (index + 2) * 10 + unit
    }
    return (index + 2) * 10
  }
}

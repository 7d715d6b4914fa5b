/// Numbers and words as text, and back.
package enum NumberText {
  /// A whole number in decimal digits, with a sign or without; nil for anything else.
  package static func integer(_ text: String) -> Int? {
    Int(text, radix: 10)
  }

  /// A finite decimal number, as `-0.5`, `3` and `1e-3`; nil for anything else: hexadecimal
  /// numbers, infinities and NaN included.
  package static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || ".eE+-".utf8.contains(byte)
    }
    guard isDecimal, let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// A number with this many decimals, ties away from 0; the number as Swift writes it where it is
  /// not finite or too great for that.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * Double(scale)).rounded(.toNearestOrAwayFromZero)
    guard scaled < 0x1p53 else { return "\(value)" }
    let digits = Int(scaled)
    let sign = value < 0 && digits > 0 ? "-" : ""
    if decimals == 0 { return "\(sign)\(digits)" }
    let fraction = "\(digits % scale)"
    let zeros = String(repeating: "0", count: decimals - fraction.utf8.count)
    return "\(sign)\(digits / scale).\(zeros)\(fraction)"
  }

  /// A share as a whole number of percent, such as `98 %`: never rounded up to 100, nor down to 0.
  package static func percent(_ share: Double) -> String {
    let whole = (share * 100).rounded(.toNearestOrAwayFromZero)
    let shown = share < 1 && whole >= 100 ? 99 : share > 0 && whole < 1 ? 1 : whole
    return "\(fixed(shown, decimals: 0)) %"
  }

  /// The number rounded to this many decimals, for JSON.
  package static func rounded(_ value: Double, decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let result = (value * scale).rounded(.toNearestOrAwayFromZero) / scale
    return result.isFinite ? result : value
  }

  /// The number with as few digits as it needs, whole numbers without a point.
  package static func short(_ value: Double) -> String {
    value.magnitude < 0x1p53 && value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  /// A whole number in groups of three digits: `1,234,567`.
  package static func grouped(_ value: Int) -> String {
    var digits = Array("\(value.magnitude)")
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (value < 0 ? "-" : "") + String(digits)
  }

  /// A time in whole seconds as people say it: `8 s`, `2 min 05 s`, `3 h 07 min`.
  package static func duration(seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    let whole = Int(seconds.rounded())
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(padded(whole % 60)) s" }
    return "\(whole / 3600) h \(padded(whole / 60 % 60)) min"
  }

  /// `a`, `a or b`, `a, b or c`.
  package static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The number as 16 hexadecimal digits.
  package static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// `1 die`, `2 dice`.
  package static func count(_ count: Int, _ one: String, _ several: String) -> String {
    "\(count) \(count == 1 ? one : several)"
  }
}

/// The text between quotes, harmless to a terminal.
package func quoted(_ text: String) -> String {
  "\"\(printable(text))\""
}

/// The text with control characters and bytes that are no UTF-8 replaced by U+FFFD, so that a hostile
/// name cannot steer a terminal; at most `limit` characters.
package func printable(_ text: String, limit: Int = 200) -> String {
  var result = ""
  for (index, scalar) in text.unicodeScalars.enumerated() {
    if index == limit { return result + "…" }
    let isControl =
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || FileName.isStandIn(scalar)
    result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
  }
  return result
}

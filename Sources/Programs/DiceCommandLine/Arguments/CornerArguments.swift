internal import DiceFiles
package import DiceGeometry

/// The values of options that tell a field of play.
package enum CornerArguments {
  /// What four corners are, in the words of all commands that take some.
  package static let requirement =
    "four corners as eight numbers from -100000 to 100000, such as 100,80,540,90,560,400,80,390"
  /// Four corners of a text; nil where it has none.
  package static func corners(_ text: String) -> Quadrilateral? {
    guard let numbers = numbers(text, count: 8) else { return nil }
    return Quadrilateral(
      corners: (0..<4).map { PixelPoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) })
  }

  /// Numbers with commas between them, each from -100,000 to 100,000; nil where a text has others.
  package static func numbers(_ text: String, count: Int) -> [Double]? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      NumberText.number(String($0))
    }
    let known = numbers.compactMap { $0 }
    guard numbers.count == count, known.count == count,
      known.allSatisfy({ (-100_000...100_000).contains($0) })
    else { return nil }
    return known
  }
}

/// The size of a field in centimetres, as it is written: `40x40cm`.
package struct FieldSize: Hashable, Sendable {
  package var width: Double
  package var height: Double

  /// Nil for a text that is no size.
  package init?(_ text: String) {
    let units: [(name: String, centimeters: Double)] = [
      ("cm", 1), ("mm", 0.1), ("in", 2.54), ("m", 100),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
    let numbers = text.dropLast(unit.name.count).split(
      separator: "x", omittingEmptySubsequences: false)
    guard numbers.count == 2, let width = NumberText.number(String(numbers[0])),
      let height = NumberText.number(String(numbers[1])),
      (0.1...100_000).contains(width), (0.1...100_000).contains(height)
    else { return nil }
    self.width = width * unit.centimeters
    self.height = height * unit.centimeters
  }
}

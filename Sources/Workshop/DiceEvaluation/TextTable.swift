internal import DiceFiles
/// Rows of text in aligned columns: the first to the left, the others to the right.
struct TextTable {
  private var rows: [[String]]

  init(header: [String]) {
    rows = [header]
  }

  /// Adds a row, which may be shorter than the header.
  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  /// The table with two spaces between columns, a line under the header and a line break after
  /// every row; no row ends with a space.
  var text: String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        let width = cell.unicodeScalars.count
        if column == widths.count { widths.append(width) }
        widths[column] = max(widths[column], width)
      }
    }
    var result = ""
    for (index, row) in rows.enumerated() {
      var line = ""
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.unicodeScalars.count)
        if column > 0 { line += "  " }
        line += column == 0 ? cell + gap : gap + cell
      }
      while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
      result += line + "\n"
      if index == 0 {
        let width = widths.reduce(0, +) + 2 * max(widths.count - 1, 0)
        result += String(repeating: "-", count: width) + "\n"
      }
    }
    return result
  }

  /// A number with this many decimals, ties away from 0; a dash for nil and numbers that are not
  /// finite.
  static func fixed(_ value: Double?, decimals: Int) -> String {
    guard let value, value.isFinite else { return "–" }
    return NumberText.fixed(value, decimals: decimals)
  }

  /// A share in percent with one decimal, without the sign.
  ///
  /// Never rounded up to 100.0 or down to 0.0: what is not all or nothing is shown as such.
  /// Average precision keeps some 10⁻¹⁶ below 1 by its definition, which counts as 1 here.
  static func percent(_ value: Double?) -> String {
    guard let value else { return "–" }
    let text = fixed(value * 100, decimals: 1)
    if text == "100.0", value < 1 - 1e-9 { return "99.9" }
    if text == "0.0", value > 0 { return "0.1" }
    return text
  }
}

/// Rows of cells, printed in columns as wide as their widest cell.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  private let columns: [Alignment]
  private let gap: Int
  private var rows: [[String]] = []

  /// - Parameter gap: The blanks between two columns.
  init(columns: [Alignment], gap: Int) {
    self.columns = columns
    self.gap = gap
  }

  /// - Precondition: `row` has a cell for each column.
  mutating func append(_ row: [String]) {
    precondition(row.count == columns.count, "a row has a cell for each column")
    rows.append(row)
  }

  /// The rows as text, without blanks at their ends.
  ///
  /// Widths count Unicode scalars.
  var lines: [String] {
    var widths = [Int](repeating: 0, count: columns.count)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], cell.unicodeScalars.count)
      }
    }
    return rows.map { (row) in line(row, widths) }
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var line = ""
    var blanks = 0
    for (column, cell) in row.enumerated() {
      let fill = widths[column] - cell.unicodeScalars.count
      if columns[column] == .right { blanks += fill }
      if !cell.isEmpty {
        line += String(repeating: " ", count: blanks) + cell
        blanks = 0
      }
      blanks += (columns[column] == .left ? fill : 0) + gap
    }
    return line
  }
}

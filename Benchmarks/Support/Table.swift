package import DiceFiles

/// Results of one kind: a row for each.
package struct Table {
  /// A value of a row.
  package enum Cell {
    case text(String)
    case count(Int)
    case number(Double, decimals: Int)
    case none
  }

  /// What a column is called: in JSON, and for people.
  package struct Column {
    package let key: String
    package let title: String

    package init(_ key: String, _ title: String) {
      self.key = key
      self.title = title
    }
  }

  /// What is measured.
  package let title: String
  package let columns: [Column]
  package private(set) var rows: [[Cell]] = []

  package init(_ title: String, _ columns: [Column]) {
    self.title = title
    self.columns = columns
  }

  package mutating func append(_ cells: Cell...) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// Columns side by side.
  package var text: String {
    let cells = [columns.map { $0.title }] + rows.map { row in row.map { $0.text } }
    let widths = columns.indices.map { column in
      cells.reduce(0) { max($0, $1[column].count) }
    }
    return cells.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        // Numbers end at the same place.
        let isText = rows.first.map { $0[column].isText } ?? true
        line += (column == 0 ? "" : "  ") + (isText ? cell + gap : gap + cell)
      }
      return line
    }.joined(separator: "\n")
  }

  /// A list of objects; cells without a value are left out.
  package var json: JSONValue {
    .array(
      rows.map { row in
        var members: [JSONObject.Member] = []
        for (column, cell) in zip(columns, row) {
          guard let value = cell.json else { continue }
          members.append(.init(key: column.key, value: value))
        }
        return .object(JSONObject(members))
      })
  }
}

extension Table.Cell {
  package var isText: Bool {
    if case .text = self { true } else { false }
  }

  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .count(let count): "\(count)"
    case .number(let value, let decimals): Decimals.text(value, decimals)
    case .none: ""
    }
  }

  fileprivate var json: JSONValue? {
    switch self {
    case .text(let text): .string(text)
    case .count(let count): JSONValue(count)
    case .number(let value, _): .number((value * 1e4).rounded() / 1e4)
    case .none: nil
    }
  }
}

/// Numbers with a fixed count of decimals.
package enum Decimals {
  package static func text(_ value: Double, _ decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let digits = Int((abs(value) * Double(scale)).rounded())
    let whole = "\(value < 0 && digits > 0 ? "-" : "")\(digits / scale)"
    guard decimals > 0 else { return whole }
    let rest = "\(digits % scale)"
    return whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
  }
}

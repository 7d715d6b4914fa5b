/// The one-to-one assignment of rows to columns at the least total cost.
///
/// A row may also stay without a column, at ``unmatchedCost``. Of several best assignments always
/// the same one is found. Memory is kept for the next call.
///
/// Source: the Hungarian method with potentials and shortest augmenting paths, R. Jonker and
/// A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
/// problems", Computing 38 (1987).
struct Assignment: Sendable {
  /// What a row without a column costs; a pair that costs as much or more is never made.
  static let unmatchedCost = 1.0
  private static let forbidden = 1e6

  /// The costs, row by row.
  var costs: [Double] = []
  /// The column of each row, −1 for none.
  private(set) var columns: [Int] = []

  private var rowPotentials: [Double] = []
  private var columnPotentials: [Double] = []
  private var rowsOfColumns: [Int] = []
  private var previous: [Int] = []
  private var distances: [Double] = []
  private var isReached: [Bool] = []

  /// Assigns `rowCount` rows to `columnCount` columns by ``costs``.
  ///
  /// - Precondition: ``costs`` holds `rowCount * columnCount` finite numbers that are not negative.
  /// - Complexity: O(rows² · (rows + columns)), less where most rows have a column of their own.
  mutating func solve(rowCount: Int, columnCount: Int) {
    precondition(costs.count == rowCount * columnCount, "one cost for each pair")
    // Behind the columns, every row has one of its own that stands for no column. Index 0 is free.
    let width = columnCount + rowCount
    Self.fill(&rowPotentials, rowCount + 1, 0)
    Self.fill(&columnPotentials, width + 1, 0)
    Self.fill(&rowsOfColumns, width + 1, 0)
    Self.fill(&previous, width + 1, 0)
    for row in 0..<rowCount {
      rowsOfColumns[0] = row + 1
      augment(columnCount: columnCount, width: width)
    }
    Self.fill(&columns, rowCount, -1)
    for column in 0..<columnCount where rowsOfColumns[column + 1] > 0 {
      let row = rowsOfColumns[column + 1] - 1
      if costs[row * columnCount + column] < Self.unmatchedCost { columns[row] = column }
    }
  }

  private mutating func augment(columnCount: Int, width: Int) {
    Self.fill(&distances, width + 1, .infinity)
    Self.fill(&isReached, width + 1, false)
    var column = 0
    repeat {
      isReached[column] = true
      let row = rowsOfColumns[column]
      var smallest = Double.infinity
      var next = 0
      for other in 1...width where !isReached[other] {
        let distance =
          cost(row - 1, other - 1, columnCount) - rowPotentials[row] - columnPotentials[other]
        if distance < distances[other] {
          distances[other] = distance
          previous[other] = column
        }
        if distances[other] < smallest {
          smallest = distances[other]
          next = other
        }
      }
      for other in 0...width {
        if isReached[other] {
          rowPotentials[rowsOfColumns[other]] += smallest
          columnPotentials[other] -= smallest
        } else {
          distances[other] -= smallest
        }
      }
      column = next
    } while rowsOfColumns[column] != 0
    while column != 0 {
      let before = previous[column]
      rowsOfColumns[column] = rowsOfColumns[before]
      column = before
    }
  }

  @inline(__always)
  private func cost(_ row: Int, _ column: Int, _ columnCount: Int) -> Double {
    if column < columnCount {
      let cost = costs[row * columnCount + column]
      return cost < Self.unmatchedCost ? cost : Self.forbidden
    }
    return column - columnCount == row ? Self.unmatchedCost : Self.forbidden
  }

  @inline(__always)
  private static func fill<Element>(_ array: inout [Element], _ count: Int, _ value: Element) {
    array.removeAll(keepingCapacity: true)
    array.reserveCapacity(count)
    for _ in 0..<count { array.append(value) }
  }
}

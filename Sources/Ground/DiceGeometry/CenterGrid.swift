/// Finds, among points that are added one by one, those near a place.
///
/// The points' bounds are cut into cells, each with a list of its points, the newest first. The grid
/// may return more points than are near but never misses one, whatever the rounding: a coordinate and
/// the ends of a range are brought to cells by one function, which is monotonic in floating point too.
struct CenterGrid: Sendable {
  /// The first point of each cell's list, or −1.
  private var heads: [Int32] = []
  /// For each point the one after it in its cell's list, or −1.
  private var links: [Int32] = []
  private var columns = CellAxis()
  private var rows = CellAxis()

  /// Columns and rows of cells.
  struct CellRange {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>

    var count: Int { columns.count * rows.count }
  }

  /// Removes all points and lays the cells.
  ///
  /// - Parameters:
  ///   - capacity: The most points that will be added.
  ///   - x: The smallest and the largest x that will be added.
  ///   - y: The smallest and the largest y that will be added.
  ///   - radiusX: The usual reach of a search along x, which a cell should have.
  ///   - radiusY: The usual reach of a search along y, which a cell should have.
  mutating func reset(
    capacity: Int, x: ClosedRange<Double>, y: ClosedRange<Double>, radiusX: Double, radiusY: Double
  ) {
    // A power of two of at least the root of the capacity, and less than four times as much.
    let bitCount = Int.bitWidth - capacity.leadingZeroBitCount
    let limit = 1 << (bitCount / 2 + 1)
    columns = CellAxis(x, cellSize: radiusX, limit: limit)
    rows = CellAxis(y, cellSize: radiusY, limit: limit)
    heads.removeAll(keepingCapacity: true)
    heads.reserveCapacity(limit * limit)
    heads.append(contentsOf: repeatElement(-1, count: columns.count * rows.count))
    links.removeAll(keepingCapacity: true)
    links.reserveCapacity(capacity)
  }

  /// Adds a point; points are numbered from 0 in the order in which they come.
  mutating func append(x: Double, y: Double) {
    let cell = rows.cell(y) * columns.count + columns.cell(x)
    links.append(heads[cell])
    heads[cell] = Int32(truncatingIfNeeded: links.count - 1)
  }

  /// Takes a number for something that no search shall find.
  mutating func skip() {
    links.append(-1)
  }

  /// The cells that hold every point with x and y in the ranges.
  func cells(x: ClosedRange<Double>, y: ClosedRange<Double>) -> CellRange {
    CellRange(
      columns: columns.cell(x.lowerBound)...columns.cell(x.upperBound),
      rows: rows.cell(y.lowerBound)...rows.cell(y.upperBound))
  }

  /// The newest point of a cell, or −1.
  @inline(__always)
  func newest(column: Int, row: Int) -> Int { Int(heads[row * columns.count + column]) }

  /// The point of the same cell that came before, or −1.
  @inline(__always)
  func older(than point: Int) -> Int { Int(links[point]) }
}

/// The division of an interval into cells of equal size.
private struct CellAxis: Sendable {
  var count = 1
  private var start = 0.0
  private var cellsPerUnit = 0.0

  init() {}

  init(_ bounds: ClosedRange<Double>, cellSize: Double, limit: Int) {
    let extent = bounds.upperBound - bounds.lowerBound
    // A quotient that is NaN (no extent, no reach) or below 1 gives one cell.
    let wanted = extent / cellSize
    guard wanted >= 1 else { return }
    let count = wanted < Double(limit) ? Int(wanted) : limit
    let cellsPerUnit = Double(count) / extent
    guard cellsPerUnit.isFinite else { return }
    self.count = count
    self.cellsPerUnit = cellsPerUnit
    start = bounds.lowerBound
  }

  /// The cell of a coordinate; those outside belong to the first or the last cell.
  @inline(__always)
  func cell(_ coordinate: Double) -> Int {
    let position = (coordinate - start) * cellsPerUnit
    return Int(min(max(position, 0), Double(count - 1)))
  }
}

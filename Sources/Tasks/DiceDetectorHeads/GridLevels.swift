/// The grids whose cells a head's places are, row by row, one grid after another.
///
/// Without strides there is one grid, the map's own rows and columns. With strides there is one for
/// each, of `ceil(input / stride)` rows and columns: lists that models join of several scales.
struct GridLevels: Hashable, Sendable {
  /// Pixels from one cell to the next, by level; empty for the map's own grid.
  var strides: [Float]

  /// The most levels of a head.
  static let limit = 16

  init(_ parameters: HeadParameters) throws(DetectorHeadError) {
    guard parameters.list("strides") != nil else {
      strides = []
      return
    }
    strides = try parameters.positive(
      "strides", counts: 1...Self.limit,
      required: "1 to \(Self.limit) finite numbers above 0, a stride in pixels for each scale")
  }

  init(strides: [Float]) { self.strides = strides }

  /// One grid of cells.
  struct Level {
    var rows: Int
    var columns: Int
    var rowStride: Double
    var columnStride: Double
  }

  /// How many grids there are.
  var count: Int { max(1, strides.count) }

  /// A grid for a map and an input.
  func level(_ index: Int, rows: Int, columns: Int, _ input: HeadInputSize) -> Level {
    if strides.isEmpty {
      return Level(
        rows: rows, columns: columns, rowStride: Double(input.height) / Double(max(1, rows)),
        columnStride: Double(input.width) / Double(max(1, columns)))
    }
    let stride = Double(strides[index])
    return Level(
      rows: Self.cells(input.height, stride), columns: Self.cells(input.width, stride),
      rowStride: stride, columnStride: stride)
  }

  /// The cells of all grids; `Int.max` where they are more, or more than 2⁴⁰.
  func placeCount(rows: Int, columns: Int, _ input: HeadInputSize) -> Int {
    var count = 0
    for index in 0..<self.count {
      let level = level(index, rows: rows, columns: columns, input)
      let (cells, isTooMany) = level.rows.multipliedReportingOverflow(by: level.columns)
      let (sum, isOver) = count.addingReportingOverflow(cells)
      // In 64 bits, which `Int` has not everywhere.
      if isTooMany || isOver || Int64(sum) > 1 << 40 { return .max }
      count = sum
    }
    return count
  }

  private static func cells(_ extent: Int, _ stride: Double) -> Int {
    let count = (Double(extent) / stride).rounded(.up)
    return count < 1e9 ? Int(count) : 1 << 30
  }

  /// Calls `body` for each cell with its place, its level and its row and column there.
  @inline(__always)
  func forEachCell(
    of values: HeadValues, _ input: HeadInputSize,
    _ body: (_ place: Int, _ level: Level, _ row: Int, _ column: Int) -> Void
  ) {
    guard
      placeCount(rows: values.rows, columns: values.columns, input) == values.placeCount
    else { return }
    var place = 0
    for index in 0..<count {
      let level = level(index, rows: values.rows, columns: values.columns, input)
      for row in 0..<level.rows {
        for column in 0..<level.columns {
          body(place, level, row, column)
          place += 1
        }
      }
    }
  }
}

/// Sums of the samples around each one of a row, in windows that reach a quarter of the plane's shorter side to each
/// direction and end at its borders.
struct Surroundings: Sendable {
  /// How many samples each window has.
  private(set) var counts: [Float]
  /// The sums of the samples.
  private(set) var values: [Float]
  /// The sums of their squares.
  private(set) var squares: [Float]

  private let width: Int
  private let height: Int
  private let reach: Int
  /// The columns of a window.
  private let columnCounts: [Float]
  /// The sums of each column in the rows of the windows: at most 257 squares of 255.
  private var columnValues: [Int32]
  private var columnSquares: [Int32]

  /// - Precondition: both sides are in 16...512.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    let reach = min(width, height) / 4
    self.reach = reach
    columnCounts = (0..<width).map { (column) in
      Float(min(column + reach, width - 1) - max(column - reach, 0) + 1)
    }
    counts = columnCounts
    values = counts
    squares = counts
    columnValues = [Int32](repeating: 0, count: width)
    columnSquares = columnValues
  }

  /// Moves to the next row of a plane, or to its first one.
  mutating func move(to row: Int, of plane: [UInt8]) {
    if row == 0 {
      for column in 0..<width {
        columnValues[column] = 0
        columnSquares[column] = 0
      }
      for other in 0..<reach { add(other, of: plane, 1) }
    }
    if row + reach < height { add(row + reach, of: plane, 1) }
    if row > reach { add(row - reach - 1, of: plane, -1) }
    let rows = Float(min(row + reach, height - 1) - max(row - reach, 0) + 1)
    Self.sumUp(columnValues, reach: reach, into: &values)
    Self.sumUp(columnSquares, reach: reach, into: &squares)
    for column in 0..<width { counts[column] = columnCounts[column] * rows }
  }

  /// The sums of the windows from those of their columns.
  private static func sumUp(_ columns: [Int32], reach: Int, into sums: inout [Float]) {
    var sum: Int64 = 0
    for column in 0..<reach { sum &+= Int64(columns[column]) }
    for column in columns.indices {
      if column + reach < columns.count { sum &+= Int64(columns[column + reach]) }
      if column > reach { sum &-= Int64(columns[column - reach - 1]) }
      sums[column] = Float(sum)
    }
  }

  /// Adds a row to the sums of the columns, or takes it away.
  private mutating func add(_ row: Int, of plane: [UInt8], _ sign: Int32) {
    let samples = plane[row * width..<(row + 1) * width]
    unsafe columnValues.withUnsafeMutableBufferPointer { (values) in
      unsafe columnSquares.withUnsafeMutableBufferPointer { (squares) in
        for (column, sample) in samples.enumerated() {
          let value = Int32(sample)
          unsafe values[column] &+= sign &* value
          unsafe squares[column] &+= sign &* (value &* value)
        }
      }
    }
  }
}

/// Small dense systems of linear equations.
enum LinearSystem {
  /// The solutions of `A x = b` for several right sides, by elimination with row exchange.
  ///
  /// - Parameters:
  ///   - matrix: `A`, row by row.
  ///   - columns: a right side each.
  /// - Returns: a solution for each right side; nil where a pivot is below 1e-14 of the greatest element.
  static func solve(_ matrix: [[Double]], _ columns: [[Double]]) -> [[Double]]? {
    let count = matrix.count
    var rows = matrix
    var sides = columns
    let greatest = matrix.reduce(0.0) { max($0, $1.reduce(0.0) { max($0, $1.magnitude) }) }
    for column in 0..<count {
      var best = column
      for row in column..<count where rows[row][column].magnitude > rows[best][column].magnitude {
        best = row
      }
      guard rows[best][column].magnitude > greatest * 1e-14 else { return nil }
      rows.swapAt(best, column)
      for side in sides.indices { sides[side].swapAt(best, column) }
      for row in column + 1..<max(count, column + 1) {
        let factor = rows[row][column] / rows[column][column]
        if factor == 0 { continue }
        for place in column..<count { rows[row][place] -= factor * rows[column][place] }
        for side in sides.indices { sides[side][row] -= factor * sides[side][column] }
      }
    }
    for side in sides.indices {
      for row in (0..<count).reversed() {
        var value = sides[side][row]
        for place in row + 1..<max(count, row + 1) {
          value -= rows[row][place] * sides[side][place]
        }
        sides[side][row] = value / rows[row][row]
      }
    }
    return sides
  }

  /// `dᵀ Σ⁻¹ d` with the last element left out; infinity where `Σ` is singular.
  ///
  /// For numbers that add up to 0 and their covariance it does not matter which element is left out.
  static func distance(_ difference: [Double], _ covariance: [[Double]]) -> Double {
    let short = Array(difference.dropLast())
    let matrix = covariance.dropLast().map { Array($0.dropLast()) }
    guard let solution = solve(matrix, [short])?[0] else { return .infinity }
    return zip(short, solution).reduce(0) { $0 + $1.0 * $1.1 }
  }
}

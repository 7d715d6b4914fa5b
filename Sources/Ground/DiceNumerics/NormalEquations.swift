/// The normal equations of a linear least-squares problem with up to eight unknowns.
///
/// Of all `x` they find the one with the least `Σ weight (row · x − value)²`: `A x = b` with
/// `A = Σ weight row rowᵀ` and `b = Σ weight value row`. Rows have eight elements; with fewer unknowns
/// the last ones are 0. Takes no memory of its own.
package struct NormalEquations: Hashable, Sendable {
  /// How many unknowns there are.
  package let unknownCount: Int
  /// The right side, `b`.
  package private(set) var right = SIMD8<Double>.zero

  private var row0 = SIMD8<Double>.zero
  private var row1 = SIMD8<Double>.zero
  private var row2 = SIMD8<Double>.zero
  private var row3 = SIMD8<Double>.zero
  private var row4 = SIMD8<Double>.zero
  private var row5 = SIMD8<Double>.zero
  private var row6 = SIMD8<Double>.zero
  private var row7 = SIMD8<Double>.zero

  /// No equations yet.
  ///
  /// - Precondition: `unknownCount` is in 1...8.
  package init(unknownCount: Int) {
    precondition((1...8).contains(unknownCount), "there are one to eight unknowns")
    self.unknownCount = unknownCount
  }

  /// Takes in the equation `row · x = value`.
  @inline(__always)
  package mutating func add(_ row: SIMD8<Double>, value: Double, weight: Double = 1) {
    let weighted = row * weight
    row0 += weighted * row[0]
    row1 += weighted * row[1]
    row2 += weighted * row[2]
    row3 += weighted * row[3]
    row4 += weighted * row[4]
    row5 += weighted * row[5]
    row6 += weighted * row[6]
    row7 += weighted * row[7]
    right += weighted * value
  }

  /// The solution, or nil where the equations do not determine it.
  ///
  /// The unknowns are scaled so that each diagonal element is 1, and eliminated in their order. A pivot
  /// below 1e-13 after that counts as none: the columns are then linearly dependent but for rounding.
  ///
  /// - Parameter damping: Is added to each diagonal element as a share of it (Levenberg and Marquardt).
  /// - Returns: the unknowns, and zeros behind them; nil as well where a number is not finite.
  package func solution(damping: Double = 0) -> SIMD8<Double>? {
    var matrix = self
    var scales = SIMD8<Double>(repeating: 1)
    for index in 0..<unknownCount {
      let diagonal = matrix[index][index]
      guard diagonal > 0, diagonal.isFinite else { return nil }
      scales[index] = 1 / diagonal.squareRoot()
    }
    var values = right * scales
    for index in 0..<unknownCount {
      matrix[index] *= scales * scales[index]
      matrix[index][index] = 1 + damping
    }
    for column in 0..<unknownCount {
      let pivot = matrix[column]
      guard pivot[column] > 1e-13 else { return nil }
      let value = values[column]
      for row in column + 1..<max(unknownCount, column + 1) {
        let factor = matrix[row][column] / pivot[column]
        matrix[row] -= pivot * factor
        values[row] -= value * factor
      }
    }
    var result = SIMD8<Double>.zero
    for row in (0..<unknownCount).reversed() {
      let known = (matrix[row] * result).sum()
      result[row] = (values[row] - known) / matrix[row][row]
    }
    result *= scales
    for index in 0..<unknownCount where !result[index].isFinite { return nil }
    return result
  }

  private subscript(row: Int) -> SIMD8<Double> {
    get {
      switch row {
      case 0: row0
      case 1: row1
      case 2: row2
      case 3: row3
      case 4: row4
      case 5: row5
      case 6: row6
      default: row7
      }
    }
    set {
      switch row {
      case 0: row0 = newValue
      case 1: row1 = newValue
      case 2: row2 = newValue
      case 3: row3 = newValue
      case 4: row4 = newValue
      case 5: row5 = newValue
      case 6: row6 = newValue
      default: row7 = newValue
      }
    }
  }
}

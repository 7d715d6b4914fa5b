internal import DiceGeometry
internal import DiceNumerics

/// Fits `y = a x² + b x + c` to the locations of a trajectory.
enum ParabolaFit {
  /// `a`, `b` and `c`, with the least squares of errors in y.
  ///
  /// Coefficients are kept small by a weight that counts only where all x are nearly the same.
  static func coefficients(of points: [Trajectory.Point]) -> SIMD3<Double> {
    var mean = SIMD2<Double>.zero
    for point in points { mean += SIMD2(point.location.x, point.location.y) }
    mean /= Double(max(points.count, 1))
    var equations = NormalEquations(unknownCount: 3)
    for point in points {
      let x = point.location.x - mean.x
      equations.add(SIMD8(x * x, x, 1, 0, 0, 0, 0, 0), value: point.location.y - mean.y)
    }
    equations.add(SIMD8(1, 0, 0, 0, 0, 0, 0, 0), value: 0, weight: 1e-9)
    equations.add(SIMD8(0, 1, 0, 0, 0, 0, 0, 0), value: 0, weight: 1e-7)
    guard let solution = equations.solution() else { return SIMD3(0, 0, mean.y) }
    let (a, b, c) = (solution[0], solution[1], solution[2])
    return SIMD3(a, b - 2 * a * mean.x, a * mean.x * mean.x - b * mean.x + c + mean.y)
  }
}

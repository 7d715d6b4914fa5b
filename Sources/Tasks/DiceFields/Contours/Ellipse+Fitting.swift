public import DiceGeometry
internal import DiceNumerics

extension Ellipse {
  /// How many points determine an ellipse.
  public static let leastPointCount = 5

  /// The ellipse whose equation fits points best, as OpenCV's `fitEllipse` finds it.
  ///
  /// The least squares of `a x² + b y² + c x y + d x + e y − 1`, of points counted from their mean, give
  /// the middle; those of `a u² + b v² + c u v − 1`, counted from the middle, axes and angle. Five points
  /// are fitted as ``init(directlyFitting:)`` does.
  ///
  /// Fast and near for points all around; points of a short arc, or far from any ellipse, may fit a
  /// hyperbola best, of which the magnitudes of the axes are taken. The other fit has no such cases.
  ///
  /// - Parameter points: At least five.
  /// - Throws: ``ShapeFittingError``: `tooFewPoints`, `pointNotFinite`, or `degenerate`.
  public init(fitting points: [PixelPoint]) throws(ShapeFittingError) {
    try Self.check(points)
    guard points.count > Self.leastPointCount else {
      try self.init(directlyFitting: points)
      return
    }
    guard let scale = PointScale(points) else { throw .degenerate }
    var equations = NormalEquations(unknownCount: 5)
    for point in points {
      let (x, y) = scale.scaled(point)
      equations.add(SIMD8(-x * x, -y * y, -x * y, x, y, 0, 0, 0), value: 1)
    }
    guard let conic = equations.solution() else { throw .degenerate }
    // Where both derivatives vanish.
    let determinant = 4 * conic[0] * conic[1] - conic[2] * conic[2]
    let x = (2 * conic[1] * conic[3] - conic[2] * conic[4]) / determinant
    let y = (2 * conic[0] * conic[4] - conic[2] * conic[3]) / determinant
    guard x.isFinite, y.isFinite else { throw .degenerate }
    equations = NormalEquations(unknownCount: 3)
    for point in points {
      let scaled = scale.scaled(point)
      let (u, v) = (scaled.x - x, scaled.y - y)
      equations.add(SIMD8(u * u, v * v, u * v, 0, 0, 0, 0, 0), value: 1)
    }
    guard let form = equations.solution() else { throw .degenerate }
    try self.init(x: x, y: y, a: form[0], b: form[2], c: form[1], scale: scale)
  }

  /// The ellipse whose equation fits points best among those of all ellipses, as OpenCV's
  /// `fitEllipseDirect` finds it.
  ///
  /// The least squares of `a x² + b x y + c y² + d x + e y + f` with `4 a c − b² = 1`: never a parabola or
  /// a hyperbola. Small for points of a short arc.
  ///
  /// - Parameter points: At least five.
  /// - Throws: ``ShapeFittingError``: `tooFewPoints`, `pointNotFinite`, or `degenerate`.
  ///
  /// Source: A. Fitzgibbon, M. Pilu and R. Fisher, Direct Least Square Fitting of Ellipses, 1999; the
  /// parts are those of R. Halíř and J. Flusser, Numerically Stable Direct Least Squares Fitting of
  /// Ellipses, 1998.
  public init(directlyFitting points: [PixelPoint]) throws(ShapeFittingError) {
    try Self.check(points)
    guard let scale = PointScale(points) else { throw .degenerate }
    // For given a, b and c the best d, e and f are linear in them: d, e, f = −T (a, b, c).
    var columns: (NormalEquations, NormalEquations, NormalEquations) = (
      NormalEquations(unknownCount: 3), NormalEquations(unknownCount: 3),
      NormalEquations(unknownCount: 3)
    )
    for point in points {
      let (x, y) = scale.scaled(point)
      let row = SIMD8(x, y, 1, 0, 0, 0, 0, 0)
      columns.0.add(row, value: -x * x)
      columns.1.add(row, value: -x * y)
      columns.2.add(row, value: -y * y)
    }
    guard let first = columns.0.solution(), let second = columns.1.solution(),
      let third = columns.2.solution()
    else { throw .degenerate }
    // The products of what is left of x², x y and y² then.
    var scatter = SymmetricMatrix3()
    for point in points {
      let (x, y) = scale.scaled(point)
      let rest = SIMD3(
        x * x + first[0] * x + first[1] * y + first[2],
        x * y + second[0] * x + second[1] * y + second[2],
        y * y + third[0] * x + third[1] * y + third[2])
      scatter.add(rest)
    }
    guard let form = Self.leastForm(scatter) else { throw .degenerate }
    let (a, b, c) = (form.x, form.y, form.z)
    let linear = first * a + second * b + third * c
    let (d, e, f) = (linear[0], linear[1], linear[2])
    let determinant = 4 * a * c - b * b
    let x = (b * e - 2 * c * d) / determinant
    let y = (b * d - 2 * a * e) / determinant
    // At the middle the equation has its extreme, by which it is divided.
    let depth = -(f + (d * x + e * y) / 2)
    guard depth.isFinite, depth != 0 else { throw .degenerate }
    try self.init(x: x, y: y, a: a / depth, b: b / depth, c: c / depth, scale: scale)
  }

  /// The ellipse `a u² + b u v + c v² = 1` about a middle, in scaled coordinates.
  private init(
    x: Double, y: Double, a: Double, b: Double, c: Double, scale: PointScale
  ) throws(ShapeFittingError) {
    // The eigenvalues of the form are one over the squares of the axes.
    let root = ((a - c) * (a - c) + b * b).squareRoot()
    let (least, greatest) = (((a + c) - root) / 2, ((a + c) + root) / 2)
    let (first, second) = (
      1 / least.magnitude.squareRoot(), 1 / greatest.magnitude.squareRoot()
    )
    guard first.isFinite, second.isFinite, first > 0, second > 0 else { throw .degenerate }
    // The direction of the least eigenvalue.
    var angle = arctangent(y: b, x: a - c) / 2 * 180 / .pi + 90
    if second > first { angle += 90 }
    while angle > 90 { angle -= 180 }
    let center = scale.original(x, y)
    guard center.isFinite else { throw .degenerate }
    self.init(
      center: center, semiMajorAxis: max(first, second) / scale.factor,
      semiMinorAxis: min(first, second) / scale.factor, angle: angle)
  }

  /// The vector `v = (a, b, c)` with `4 a c − b² > 0` and the least `vᵀ S v` for that.
  ///
  /// It is the eigenvector of `S v = λ C v` for the only positive λ. With `S = L Lᵀ` that is the one of
  /// the greatest eigenvalue of `L⁻¹ C L⁻ᵀ`.
  private static func leastForm(_ matrix: SymmetricMatrix3) -> SIMD3<Double>? {
    var scatter = matrix
    // Points that lie on an ellipse leave a matrix without an inverse; rounding is larger than this.
    let ridge = 1e-15 * (scatter.xx + scatter.yy + scatter.zz)
    scatter.addToDiagonal(ridge)
    guard ridge > 0, let root = scatter.choleskyFactor else { return nil }
    let constraint = root.transformed(xz: 2, yy: -1)
    guard let vector = constraint.greatestEigenvector else { return nil }
    let form = root.solveTransposed(vector)
    guard form.x.isFinite, form.y.isFinite, form.z.isFinite,
      4 * form.x * form.z - form.y * form.y > 0
    else { return nil }
    return form
  }

  private static func check(_ points: [PixelPoint]) throws(ShapeFittingError) {
    guard points.count >= leastPointCount else {
      throw .tooFewPoints(found: points.count, required: leastPointCount)
    }
    for index in points.indices where !points[index].isFinite {
      throw .pointNotFinite(index: index)
    }
  }
}

/// Counts points from their mean, in units of their mean distance from it along the axes.
private struct PointScale {
  let mean: PixelPoint
  let factor: Double

  init?(_ points: [PixelPoint]) {
    let count = Double(points.count)
    var (x, y, sum) = (0.0, 0.0, 0.0)
    for point in points {
      x += point.x / count
      y += point.y / count
    }
    for point in points { sum += ((point.x - x).magnitude + (point.y - y).magnitude) / count }
    mean = PixelPoint(x: x, y: y)
    factor = 1 / sum
    guard mean.isFinite, sum > 0, factor > 0, factor.isFinite else { return nil }
  }

  @inline(__always)
  func scaled(_ point: PixelPoint) -> (x: Double, y: Double) {
    ((point.x - mean.x) * factor, (point.y - mean.y) * factor)
  }

  func original(_ x: Double, _ y: Double) -> PixelPoint {
    PixelPoint(x: x / factor + mean.x, y: y / factor + mean.y)
  }
}

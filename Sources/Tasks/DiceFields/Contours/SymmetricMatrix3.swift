/// A symmetric matrix of three rows.
struct SymmetricMatrix3 {
  var (xx, xy, xz) = (0.0, 0.0, 0.0)
  var (yy, yz, zz) = (0.0, 0.0, 0.0)

  /// Adds `v vᵀ`.
  @inline(__always)
  mutating func add(_ v: SIMD3<Double>) {
    xx += v.x * v.x
    xy += v.x * v.y
    xz += v.x * v.z
    yy += v.y * v.y
    yz += v.y * v.z
    zz += v.z * v.z
  }

  mutating func addToDiagonal(_ value: Double) {
    xx += value
    yy += value
    zz += value
  }

  /// The lower triangle `L` with `L Lᵀ` the matrix, or nil where the matrix is not positive definite.
  var choleskyFactor: LowerTriangle3? {
    var factor = LowerTriangle3()
    guard xx > 0 else { return nil }
    factor.xx = xx.squareRoot()
    factor.yx = xy / factor.xx
    factor.zx = xz / factor.xx
    let y = yy - factor.yx * factor.yx
    guard y > 0 else { return nil }
    factor.yy = y.squareRoot()
    factor.zy = (yz - factor.zx * factor.yx) / factor.yy
    let z = zz - factor.zx * factor.zx - factor.zy * factor.zy
    guard z > 0, z.isFinite else { return nil }
    factor.zz = z.squareRoot()
    return factor
  }

  /// The eigenvector of the greatest eigenvalue, of length 1; nil where a number is not finite.
  ///
  /// Jacobi's method: turns of two axes at a time, until nothing is left beside the diagonal.
  var greatestEigenvector: SIMD3<Double>? {
    guard (xx + xy + xz + yy + yz + zz).isFinite else { return nil }
    var rows = [SIMD3(xx, xy, xz), SIMD3(xy, yy, yz), SIMD3(xz, yz, zz)]
    var axes = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
    for _ in 0..<30 {
      var isDiagonal = true
      for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        let beside = rows[p][q]
        let size = (rows[p][p] * rows[q][q]).magnitude.squareRoot()
        guard beside.magnitude > 1e-17 * size, beside != 0 else { continue }
        isDiagonal = false
        let half = (rows[q][q] - rows[p][p]) / (2 * beside)
        let tangent = (half < 0 ? -1 : 1) / (half.magnitude + (half * half + 1).squareRoot())
        let cosine = 1 / (tangent * tangent + 1).squareRoot()
        let sine = tangent * cosine
        let (rowP, rowQ) = (rows[p], rows[q])
        rows[p] = rowP * cosine - rowQ * sine
        rows[q] = rowP * sine + rowQ * cosine
        for index in 0..<3 {
          let (a, b) = (rows[index][p], rows[index][q])
          rows[index][p] = a * cosine - b * sine
          rows[index][q] = a * sine + b * cosine
        }
        rows[p][q] = 0
        rows[q][p] = 0
        let (axisP, axisQ) = (axes[p], axes[q])
        axes[p] = axisP * cosine - axisQ * sine
        axes[q] = axisP * sine + axisQ * cosine
      }
      if isDiagonal { break }
    }
    var best = 0
    for index in 1..<3 where rows[index][index] > rows[best][best] { best = index }
    return axes[best]
  }
}

/// A matrix of three rows with nothing above its diagonal.
struct LowerTriangle3 {
  var xx = 0.0
  var (yx, yy) = (0.0, 0.0)
  var (zx, zy, zz) = (0.0, 0.0, 0.0)

  /// `L⁻¹ M L⁻ᵀ` for the matrix `M` that has `xz` at its two far corners, `yy` in its middle, and zeros.
  func transformed(xz: Double, yy: Double) -> SymmetricMatrix3 {
    // L⁻¹ M, column by column; then the same from the other side.
    let (a, b, c) = (
      solve(SIMD3(0, 0, xz)), solve(SIMD3(0, yy, 0)), solve(SIMD3(xz, 0, 0))
    )
    let (first, second, third) = (
      solve(SIMD3(a.x, b.x, c.x)), solve(SIMD3(a.y, b.y, c.y)), solve(SIMD3(a.z, b.z, c.z))
    )
    var result = SymmetricMatrix3()
    (result.xx, result.xy, result.xz) = (first.x, first.y, first.z)
    (result.yy, result.yz, result.zz) = (second.y, second.z, third.z)
    return result
  }

  /// `L⁻¹ v`.
  private func solve(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let x = v.x / xx
    let y = (v.y - yx * x) / yy
    return SIMD3(x, y, (v.z - zx * x - zy * y) / zz)
  }

  /// `L⁻ᵀ v`.
  func solveTransposed(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let z = v.z / zz
    let y = (v.y - zy * z) / yy
    return SIMD3((v.x - yx * y - zx * z) / xx, y, z)
  }
}

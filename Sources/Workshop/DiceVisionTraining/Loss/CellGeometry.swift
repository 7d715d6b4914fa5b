/// The raw predictions of one cell, decoded.
///
/// The formulas are those of a detection head in the weight format.
struct CellGeometry {
  let stride: Float
  let baseSize: Float
  let row: Float
  let column: Float

  /// Centre and size from tx, ty, tw, th, with derivatives by these four.
  func box(_ t: SIMD4<Float>) -> (x: Dual, y: Dual, width: Dual, height: Dual) {
    let two = Dual(2)
    let x = Dual.sigmoid(.variable(t[0], 0)) * two + Dual(column - 0.5)
    let y = Dual.sigmoid(.variable(t[1], 1)) * two + Dual(row - 0.5)
    let width = Dual.exponential(.clamp(.variable(t[2], 2), -4, 4))
    let height = Dual.exponential(.clamp(.variable(t[3], 3), -4, 4))
    return (
      x * Dual(stride), y * Dual(stride), width * Dual(baseSize), height * Dual(baseSize)
    )
  }

  /// `1 - IoU + ρ²/c²`: one less the distance intersection over union, and the plain IoU.
  ///
  /// ρ is the distance of the centres, c the diagonal of the smallest box around both.
  ///
  /// Source: Zheng et al., Distance-IoU Loss, 2020.
  func loss(_ t: SIMD4<Float>, _ truth: TruthBox) -> (loss: Dual, overlap: Float) {
    let (x, y, width, height) = box(t)
    let half = Dual(0.5)
    let (left, right) = (x - width * half, x + width * half)
    let (top, bottom) = (y - height * half, y + height * half)
    let truthLeft = Dual(truth.centerX - truth.width / 2)
    let truthRight = Dual(truth.centerX + truth.width / 2)
    let truthTop = Dual(truth.centerY - truth.height / 2)
    let truthBottom = Dual(truth.centerY + truth.height / 2)
    let zero = Dual(0)
    let shared =
      Dual.greater(Dual.smaller(right, truthRight) - Dual.greater(left, truthLeft), zero)
      * Dual.greater(Dual.smaller(bottom, truthBottom) - Dual.greater(top, truthTop), zero)
    let union = width * height + Dual(truth.width * truth.height) - shared
    let overlap = shared / union
    let aroundWidth = Dual.greater(right, truthRight) - Dual.smaller(left, truthLeft)
    let aroundHeight = Dual.greater(bottom, truthBottom) - Dual.smaller(top, truthTop)
    let deltaX = x - Dual(truth.centerX)
    let deltaY = y - Dual(truth.centerY)
    let distance = deltaX * deltaX + deltaY * deltaY
    let diagonal = aroundWidth * aroundWidth + aroundHeight * aroundHeight
    return (Dual(1) - overlap + distance / diagonal, overlap.value)
  }
}

internal import DiceGeometry

/// Finds the frame around the cells of a board: the outer edges of its wood or cloth, in the plane of the
/// lattice.
///
/// All along a side of a frame the same side of the edge is the dark one, as it is not along squares of a
/// board nearby. Opposite sides of a frame are as far from the cells, and the other two nearly so.
struct FrameFinder {
  let lattice: Lattice
  let box: LatticeBox
  let field: GradientField

  /// How far frames are looked for, and from step to step, in cells.
  private static let widths = (least: 0.06, greatest: 1.8, step: 0.03)
  /// How much the widths of both directions may differ.
  private static let difference = 0.3
  /// How far about a width the same edges are seen.
  private static let blur = 0.12
  /// The share that must be seen: of all sides, and of each of three.
  private static let (leastMean, leastSide) = (0.55, 0.4)
  private static let sampleCount = 32

  /// A distance from the cells, across and down, with the mean share of the four sides that is there.
  private struct Width {
    var u: Double
    var v: Double
    var mean: Double
  }

  /// The outer edges of the frame, with the share of them that is seen; nil where there is none.
  func frame() -> (outline: Quadrilateral, support: Double)? {
    let count = Int((Self.widths.greatest - Self.widths.least) / Self.widths.step) + 1
    let widths = (0..<count).map { Self.widths.least + Double($0) * Self.widths.step }
    let supports = widths.map { (width) in (0..<4).map { support(of: $0, width) } }
    var found: [Width] = []
    for (u, across) in zip(widths, supports) {
      for (v, down) in zip(widths, supports) where abs(u - v) <= Self.difference {
        // Sides 1 and 3 are upright.
        let sides = [down[0], across[1], down[2], across[3]].sorted()
        let mean = sides.reduce(0, +) / 4
        if mean >= Self.leastMean, sides[1] >= Self.leastSide {
          found.append(Width(u: u, v: v, mean: mean))
        }
      }
    }
    // Lines may be inlaid within a frame: the outermost edges count, and the best of the widths about them.
    let best = found.reduce(0) { max($0, $1.mean) }
    let outermost = found.filter { $0.mean >= 0.9 * best }.max { $0.u + $0.v < $1.u + $1.v }
    guard let outermost else { return nil }
    let near = found.filter {
      abs($0.u - outermost.u) <= Self.blur && abs($0.v - outermost.v) <= Self.blur
    }.max { $0.mean < $1.mean }
    guard let near, let outline = outline(near) else { return nil }
    return (outline, near.mean)
  }

  private func corners(_ u: Double, _ v: Double) -> [SIMD2<Double>]? {
    let (u0, u1) = (Double(box.minU) - u, Double(box.maxU) + u)
    let (v0, v1) = (Double(box.minV) - v, Double(box.maxV) + v)
    let places = [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]
    guard places.allSatisfy({ lattice.isVisible($0.0, $0.1) }) else { return nil }
    return places.map { lattice.point($0.0, $0.1) }
  }

  private func outline(_ width: Width) -> Quadrilateral? {
    guard let corners = corners(width.u, width.v),
      let outline = Quadrilateral(corners: corners.map { PixelPoint(x: $0.x, y: $0.y) }),
      outline.isConvex
    else { return nil }
    return outline.clockwiseFromUpperLeft()
  }

  /// The share of a side where an edge is seen with the same side dark.
  private func support(of side: Int, _ width: Double) -> Double {
    guard let corners = corners(width, width) else { return 0 }
    let start = corners[side]
    let along = corners[(side + 1) & 3] - start
    let normal = along.perpendicular / max(along.length, 1e-9)
    let floatNormal = SIMD2(Float(normal.x), Float(normal.y))
    var (rising, falling) = (0, 0)
    for index in 0..<Self.sampleCount {
      let middle = start + along * ((Double(index) + 0.5) / Double(Self.sampleCount))
      var (isRising, isFalling) = (false, false)
      for offset in -1...1 {
        let gradient = field.gradient(at: middle + Double(offset) * normal)
        let across = (gradient * floatNormal).sum()
        guard abs(across) > 0.9 * (gradient * gradient).sum().squareRoot() else { continue }
        if across > field.threshold { isRising = true }
        if across < -field.threshold { isFalling = true }
      }
      rising += isRising ? 1 : 0
      falling += isFalling ? 1 : 0
    }
    return Double(max(rising, falling)) / Double(Self.sampleCount)
  }
}

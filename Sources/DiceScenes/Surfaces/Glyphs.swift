/// Marks that look like writing from afar: random patterns on a grid of 3 by 5 squares.
enum Glyphs {
  /// The ink at a point of a letter box, `0 ... 1` in both directions.
  @inline(__always)
  static func letter(_ u: Float, _ v: Float, _ identity: UInt32, softness: Float) -> Float {
    guard u >= 0, u < 1, v >= 0, v < 1 else { return 0 }
    let x = Int(u * 3)
    let y = Int(v * 5)
    // Strokes: a row or a column is either drawn or partly drawn.
    let bits = identity | 1 << UInt32((identity >> 20) % 15) | (identity << 3)
    let on = bits & (1 << UInt32(y * 3 + x)) != 0
    return on ? 1 - saturate(softness) * 0.4 : saturate(softness) * 0.35
  }

  /// Lines of writing: the ink at a point, where lines are 1 apart.
  ///
  /// - Parameters:
  ///   - filled: the share of each line that is written, 0 to 1.
  @inline(__always)
  static func lines(_ p: Vector2, footprint f: Float, filled: Float, _ seed: UInt32) -> Float {
    let row = wholeBelow(p.y)
    let v = (p.y - Float(row)) / 0.62
    guard v < 1 else { return 0 }
    let x = p.x * 2.6
    let column = wholeBelow(x)
    let word = column / 3 &+ row &* 7
    let h = latticeHash(column, row, seed)
    let gap = latticeHash(word, row, seed &+ 4) % 4 == 0 && column % 3 == 0
    guard !gap, unitHash(row, column / 24, seed &+ 9) < filled else { return 0 }
    if f > 0.35 { return 0.38 * saturate(2.2 - f * 1.5) + 0.1 }
    let u = (x - Float(column)) / 0.82
    return letter(u, v, h, softness: f * 3)
  }
}

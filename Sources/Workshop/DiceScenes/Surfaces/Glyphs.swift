internal import DiceNumerics

/// Marks that look like writing from afar: letters of a few random strokes.
enum Glyphs {
  /// The ink at a point of a letter box, `0 ... 1` in both directions, `v` from top to bottom.
  ///
  /// - Parameters:
  ///   - softness: how much a pixel covers of the box; edges are smoothed over it.
  @inline(__always)
  static func letter(_ u: Float, _ v: Float, _ identity: UInt32, softness: Float) -> Float {
    guard u > -0.1, u < 1.1, v > -0.1, v < 1.1 else { return 0 }
    let bits = identity ^ (identity >> 9)
    let x = u - 0.5
    let y = v - 0.5
    // Distance to the nearest stroke that the letter has.
    var d: Float = 1
    let upper = y < 0.06
    let lower = y > -0.06
    if abs(y) < 0.46 {
      if bits & 1 != 0 || (bits & 2 != 0 ? upper : lower) { d = min(d, abs(x + 0.36)) }
      if bits & 4 != 0 && (bits & 8 != 0 ? upper : lower) { d = min(d, abs(x - 0.36)) }
      if bits & 0x30 == 0x30 { d = min(d, abs(x)) }
      if bits & 0xC0 == 0xC0 { d = min(d, abs(x - y * 0.75) * 0.8) }
      if bits & 0x300 == 0x300 { d = min(d, abs(x + y * 0.75) * 0.8) }
    }
    if abs(x) < 0.42 {
      if bits & 0x400 != 0 { d = min(d, abs(y + 0.42)) }
      if bits & 0x1800 != 0 { d = min(d, abs(y)) }
      if bits & 0x2000 != 0 { d = min(d, abs(y - 0.42)) }
    }
    if bits & 0xC000 == 0 {
      // A round letter.
      let radius = (x * x * 1.3 + y * y).squareRoot()
      let open = bits & 0x1_0000 != 0 && x > 0.15 && abs(y) < 0.2
      if !open { d = min(d, abs(radius - 0.38)) }
    }
    let half: Float = 0.085
    let soft = max(softness * 0.5, 0.01)
    return smoothStep(half + soft, half - soft, d) * min(1, half * 2.4 / soft)
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
    if f > 0.35 { return 0.3 * saturate(2.2 - f * 1.5) + 0.1 }
    let u = (x - Float(column)) / 0.8 - 0.1
    return letter(u, v, h, softness: f * 3)
  }
}

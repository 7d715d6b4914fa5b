internal import DiceNumerics

// Keyboards, keypads and displays of digits.
extension Panel {
  private static let rows: [[UInt8]] = [
    Array("1234567890-=".utf8), Array("QWERTYUIOP[+".utf8), Array("ASDFGHJKL:#*".utf8),
    Array("ZXCVBNM?.<>/".utf8),
  ]

  /// Rows of keys as of a computer; letters, gaps or both may glow.
  func keyboard(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let row = min(max(wholeBelow(p.y), 0), Int32(size.y.rounded(.up)) - 1)
    let shifts = SIMD4<Float>(0.9, 0.5, 0.25, 0.75)
    let line = Int((row &+ Int32(seed & 3)) & 3)
    let shift = row == Int32(size.y) - 1 ? 0 : shifts[line]
    let last = wholeBelow(size.x + shift - 0.3)
    var column = min(wholeBelow(p.x + shift), last)
    var left = Float(column) - shift
    var right = column >= last ? size.x : left + 1
    let isBottom = row == Int32(size.y) - 1 && size.y > 2.5
    let space = (size.x * 0.3, size.x * 0.66)
    if isBottom && p.x > space.0 && p.x < space.1 {
      (left, right) = space
      column = -1
    } else if isBottom {
      if left < space.0 && right > space.0 { right = space.0 }
      if left < space.1 && right > space.1 { left = space.1 }
    }
    if column == 0 { left = 0 }
    let middle = Vector2((left + right) * 0.5, Float(row) + 0.5)
    let c = p - middle
    let gap: Float = 0.03 + 0.07 * variety.x
    let half = Vector2(max((right - left) * 0.5 - gap, 0.05), 0.5 - gap)
    let h = latticeHash(column, row, seed)
    let d = Panel.box(c, half, 0.06 + 0.12 * variety.y)
    let hue = variety.z + p.x / max(size.x, 1) * 0.8 + Float(row) * 0.05
    let shine = light(hue)
    let isGlowing = glow.max() > 0
    // Light from below the keys.
    if isGlowing && variety.x > 0.45 {
      s.glow = shine * (0.55 * smoothStep(-0.02, gap, d))
    }
    let cap = Panel.cover(d, f)
    let isAccent = h % 11 == 0 && variety.z > 0.5
    s.mark(cap, isAccent ? third : second)
    s.glow *= 1 - cap
    // The sides of high caps slope; the top is a shallow bowl.
    let bevel: Float = 0.04 + 0.14 * variety.x
    if d < 0 {
      let inner = Panel.box(c, half - Vector2(repeating: bevel), 0.08)
      let steep = smoothStep(0, bevel, inner) * 0.9
      let way = absolute(c) - half
      let axis = way.x > way.y ? Vector2(c.x > 0 ? -1 : 1, 0) : Vector2(0, c.y > 0 ? -1 : 1)
      s.slope = axis * steep + c * (0.16 * variety.x)
    }
    let legend = legend(c, half, line, column, h, f)
    guard legend > 0 || isGlowing else { return }
    if isGlowing {
      s.mark(legend * cap, Vector3(repeating: 0.5))
      s.glow += shine * (legend * cap)
      // A haze of light about bright letters.
      let near = max(0, 1 - length(c) * 2.2)
      s.glow += shine * (0.035 * near * cap * variety.z)
    } else {
      let colour = luminance(s.colour) > 0.2 ? Vector3(repeating: 0.015) : Vector3(repeating: 0.8)
      s.mark(legend * cap, rainbow > 0.6 ? third : colour)
    }
  }

  private func legend(
    _ c: Vector2, _ half: Vector2, _ line: Int, _ column: Int32, _ h: UInt32, _ f: Float
  ) -> Float {
    guard column >= 0 else { return 0 }
    let keys = Panel.rows[line]
    let height: Float = 0.26 + 0.2 * variety.y
    let halfLine: Float = 0.05 + 0.05 * Panel.part(seed, 8)
    let isWide = half.x > 0.62
    if isWide || Int(column) >= keys.count {
      return word(
        (c + Vector2(half.x - 0.5, 0) * 0.5) * (1 / (height * 0.6)), isWide ? 4 : 2, h, halfLine,
        f / (height * 0.6))
    }
    let isCentred = seed & 0x100 == 0
    let place = isCentred ? c : c + Vector2(half.x * 0.4, half.y * 0.35)
    var ink = self.ink(place * (1 / height), keys[Int(column)], halfLine, f / height)
    if line == 0 || (h & 7 == 0 && seed & 0x200 == 0) {
      // A second, smaller sign.
      let other = (c - Vector2(half.x * 0.35, half.y * 0.3)) * (1 / (height * 0.7))
      ink = max(
        ink,
        self.ink(other, UInt8(truncatingIfNeeded: 33 + h % 15), halfLine, f / (height * 0.7)))
    }
    return ink
  }

  /// Round or square keys with digits, as of a remote control, a calculator or a telephone.
  func keypad(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let top: Float = variety.z > 0.4 && size.y > 3 ? 1.3 : 0.15
    if p.y < top {
      guard top > 1 else { return }
      let c = Vector2(p.x - size.x * 0.5, p.y - 0.62)
      let d = Panel.box(c, Vector2(size.x * 0.5 - 0.2, 0.42), 0.08)
      s.mark(Panel.cover(d, f), third)
      if d < 0 { digits(c * 1.6, size.x * 1.6 - 1, f * 1.6, &s) }
      return
    }
    let q = Vector2(p.x, p.y - top)
    let column = wholeBelow(q.x)
    let row = wholeBelow(q.y)
    let c = q - Vector2(Float(column) + 0.5, Float(row) + 0.5)
    let h = latticeHash(column, row, seed)
    guard Float(column) + 1 <= size.x + 0.05, Float(row) + top + 1 <= size.y + 0.05 else { return }
    let isRound = variety.x > 0.5
    let half = Vector2(0.4, 0.28 + 0.12 * variety.y)
    let d = isRound ? length(c) - half.y : Panel.box(c, half, 0.1)
    let cap = Panel.cover(d, f)
    var colour = second
    if h % 9 == 0 { colour = Panel.spectrum(Panel.part(h, 8)) * 0.6 }
    s.mark(cap * 0.6 * Panel.cover(d - 0.03, f), Vector3(repeating: 0.01))
    s.mark(cap, colour)
    if d < 0 {
      s.slope = Panel.dome(c, isRound ? half.y : 0.5, 0.12 + 0.3 * variety.y)
      s.gloss = 0.03
    }
    let signs: [UInt8] = Array("123456789*0#+-=/".utf8)
    let number = Int(row &* 3 &+ column)
    let sign = column < 3 && number < 12 ? signs[max(number, 0)] : signs[Int(h >> 4 & 15)]
    let scale = 1 / (half.y * 1.1)
    let isWord = h % 5 == 0 && seed & 16 == 0
    let mark =
      isWord
      ? word(c * (scale * 2), 3, h, 0.09, f * scale * 2) : ink(c * scale, sign, 0.08, f * scale)
    if glow.max() > 0 {
      s.glow = light(Panel.part(h, 16)) * (mark * cap)
    }
    let isLight = luminance(colour) > 0.2
    s.mark(mark * cap, Vector3(repeating: isLight ? 0.015 : 0.75))
  }

  /// Digits of seven bars, glowing or dark, as of a clock.
  func display(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let rows = max(size.y.rounded(.down), 1)
    let row = wholeBelow(p.y * rows / size.y)
    let c = Vector2(p.x - size.x * 0.5, (p.y * rows / size.y - Float(row) - 0.5) * 1.25)
    if variety.x > 0.65 {
      matrix(p * 7, f * 7, &s)
    } else {
      digits(c, size.x * 0.94, f, &s, row: row)
    }
  }

  /// A row of digits of height 0.7 about a point.
  private func digits(
    _ c: Vector2, _ width: Float, _ f: Float, _ s: inout Paint, row: Int32 = 0
  ) {
    let advance: Float = 0.58
    let x = (c.x + width * 0.5) / advance
    let place = wholeBelow(x)
    guard x > 0, c.x < width * 0.5 else { return }
    let h = latticeHash(place, row, seed &+ 5)
    guard h % 6 != 0 else { return }
    let q = Vector2((x - Float(place) - 0.5) * advance + c.y * 0.08, c.y)
    // Which of the seven bars are on, for each digit.
    let bars: [UInt8] = [0x77, 0x24, 0x5D, 0x6D, 0x2E, 0x6B, 0x7B, 0x25, 0x7F, 0x6F]
    let on = bars[Int(h >> 3) % 10]
    var ink: Float = 0
    let halfLine: Float = 0.045
    for bar in 0..<7 where on & (1 << UInt8(bar)) != 0 {
      let d: Float
      switch bar {
      case 0: d = length(Vector2(max(abs(q.x) - 0.12, 0), q.y + 0.35))
      case 1: d = length(Vector2(q.x + 0.18, max(abs(q.y + 0.175) - 0.12, 0)))
      case 2: d = length(Vector2(q.x - 0.18, max(abs(q.y + 0.175) - 0.12, 0)))
      case 3: d = length(Vector2(max(abs(q.x) - 0.12, 0), q.y))
      case 4: d = length(Vector2(q.x + 0.18, max(abs(q.y - 0.175) - 0.12, 0)))
      case 5: d = length(Vector2(q.x - 0.18, max(abs(q.y - 0.175) - 0.12, 0)))
      default: d = length(Vector2(max(abs(q.x) - 0.12, 0), q.y - 0.35))
      }
      ink = max(ink, Panel.cover(d - halfLine, f))
    }
    if glow.max() > 0 { s.glow += light(Float(place) * 0.13) * ink }
    let isLight = luminance(s.colour) > 0.2
    s.mark(ink, Vector3(repeating: isLight ? 0.01 : 0.5))
  }

  /// A matrix of round lamps of which some are on, as of a sign that shows letters.
  private func matrix(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    let c = p - Vector2(Float(column) + 0.5, Float(row) + 0.5)
    let letter = latticeHash(column / 6, row / 8, seed)
    let x = Float(column % 6) + 0.5
    let y = Float(row % 8) + 0.5
    let glyph = UInt8(truncatingIfNeeded: 48 + letter % 43)
    let isOn = ink(Vector2(x / 7.5 - 0.34, y / 7.5 - 0.47), glyph, 0.08, 0.02) > 0.4
    let lamp = Panel.cover(length(c) - 0.36, f)
    if isOn && glow.max() > 0 { s.glow += light(Float(row) * 0.02) * lamp }
    s.mark(lamp, isOn ? Vector3(repeating: 0.6) : s.colour * 0.6 + Vector3(repeating: 0.01))
  }
}

internal import DiceNumerics

// Writing and print.
extension Panel {
  /// Lines of letters in one or two sizes, in columns, printed or written by hand.
  func text(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let isHand = variety.x > 0.75
    let margin: Float = 0.8
    guard p.x > margin, p.y > margin, p.x < size.x - margin, p.y < size.y - margin else { return }
    var q = p
    let isTitle = wholeBelow(q.y) % 9 < 2 && variety.y > 0.4
    if isTitle { q = Vector2(p.x * 0.5, p.y * 0.5) }
    let scale: Float = isTitle ? 0.5 : 1
    if isHand {
      q.y += noise(Vector2(q.x * 0.4, q.y.rounded(.down)), seed) * 0.3
      q.x += (q.y - q.y.rounded(.down)) * -0.2
    }
    let row = wholeBelow(q.y)
    let advance: Float = 0.46 + 0.12 * variety.z
    let x = q.x / advance
    let column = wholeBelow(x)
    // Words end at chance places.
    let word = latticeHash(column / 5, row, seed &+ 4)
    let isGap =
      UInt32(bitPattern: column % 5) == word % 5 || (column / 30) % 2 == 1 && seed & 4 == 0
    let hasLine = unitHash(row, column / 30, seed &+ 9) < 0.85
    guard !isGap, hasLine else { return }
    let h = latticeHash(column, row, seed)
    let isCapital = isTitle || h % 9 == 0
    var character: UInt32 = (isCapital ? 65 : 97) + (h >> 8) % 26
    if h % 13 == 0 { character = 48 + (h >> 8) % 10 }
    let height: Float = 0.62
    let c = Vector2((x - Float(column) - 0.5) * advance, q.y - Float(row) - 0.5) * (1 / height)
    let soft = f * scale / height
    let halfLine: Float = isHand ? 0.045 : 0.05 + 0.05 * Panel.part(seed, 12)
    let amount = ink(c, UInt8(truncatingIfNeeded: character), halfLine, soft)
    s.mark(amount, isTitle && seed & 8 == 0 ? third : second)
    if glow.max() > 0 { s.glow += glow * amount }
  }

  /// Square codes, crosswords, sudokus, bar codes and calendars.
  func codes(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    let c = p - Vector2(Float(column) + 0.5, Float(row) + 0.5)
    let h = latticeHash(column, row, seed)
    let edge = max(Panel.line(abs(c.x) - 0.5, 0.03, f), Panel.line(abs(c.y) - 0.5, 0.03, f))
    switch Int(variety.x * 4.99) {
    case 0:
      // A square code: marks in three corners, chance elsewhere.
      let cells = size.x.rounded(.down)
      let x = min(Float(column), cells - 1 - Float(column))
      let y = min(Float(row), size.y.rounded(.down) - 1 - Float(row))
      let isLastCorner = Float(column) > cells * 0.5 && p.y > size.y * 0.5
      var isDark = h & 1 == 0
      if x < 8 && y < 8 && !isLastCorner {
        let ring = max(abs(x - 3.5 + 0.5), abs(y - 3.5 + 0.5))
        isDark = ring < 1.6 || abs(ring - 3) < 0.6
      }
      s.mark(f > 0.8 ? 0.5 : isDark ? 1 : 0, second)
    case 1:
      s.mark(edge, second)
      if h % 5 == 0 {
        s.mark(1, second)
      } else if h % 3 == 0 {
        let sign = UInt8(truncatingIfNeeded: 65 + (h >> 8) % 26)
        s.mark(ink(c * 1.6, sign, 0.07, f * 1.6), third)
      }
    case 2:
      let isMajor = column % 3 == 0 && c.x < 0 || row % 3 == 0 && c.y < 0
      s.mark(isMajor ? min(edge * 2, 1) : edge * 0.6, second)
      if h % 5 < 2 {
        s.mark(ink(c * 1.5, UInt8(truncatingIfNeeded: 49 + (h >> 8) % 9), 0.06, f * 1.5), second)
      }
    case 3:
      let bar = latticeHash(wholeBelow(p.x * 3), 0, seed)
      let isWide = p.y > size.y * 0.8
      let digit = UInt8(truncatingIfNeeded: 48 + bar % 10)
      let mark =
        isWide
        ? ink(Vector2(c.x, p.y - size.y * 0.9) * 1.4, digit, 0.06, f * 1.4) : bar & 1 == 0 ? 1 : 0
      s.mark(f > 0.25 && !isWide ? 0.5 : mark, second)
    default:
      // A calendar: numbers in a grid, some of them circled.
      s.mark(edge * variety.y, second)
      let day = Int(row) * 7 + Int(column) % 7 - 3
      guard day > 0, day < 32 else { return }
      let colour = column % 7 == 6 ? third : second
      let isMarked = h % 17 == 0
      if isMarked { s.mark(Panel.line(length(c) - 0.42, 0.04, f), third) }
      let scale: Float = 2.2
      let tens = UInt8(truncatingIfNeeded: 48 + day / 10)
      let ones = UInt8(truncatingIfNeeded: 48 + day % 10)
      let shift = Vector2(0.4, 0)
      var amount = ink(c * scale - (day > 9 ? shift : .zero), ones, 0.07, f * scale)
      if day > 9 { amount = max(amount, ink(c * scale + shift, tens, 0.07, f * scale)) }
      s.mark(amount, colour)
    }
  }

  /// Squares of a board game: colours with a letter, a star, a ring or a track of fields.
  func board(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    let c = p - Vector2(Float(column) + 0.5, Float(row) + 0.5)
    let h = latticeHash(column, row, seed)
    let colours = [first, second, third, Panel.spectrum(variety.z) * 0.6]
    let isTile = variety.x > 0.7
    if isTile {
      // Letter tiles with a small number, as of a word game.
      guard h % 3 != 0 else { return }
      let d = Panel.box(c, Vector2(0.45, 0.45), 0.06)
      s.mark(Panel.cover(d - 0.03, f) * 0.5, Vector3(repeating: 0.01))
      s.mark(Panel.cover(d, f), second)
      s.slope = d > -0.06 && d < 0 ? c * 0.8 : .zero
      let ink = Vector3(repeating: luminance(second) > 0.2 ? 0.015 : 0.7)
      let sign = UInt8(truncatingIfNeeded: 65 + (h >> 8) % 26)
      s.mark(self.ink(c * 1.8, sign, 0.07, f * 1.8), ink)
      let small = UInt8(truncatingIfNeeded: 49 + (h >> 16) % 9)
      s.mark(self.ink((c - Vector2(0.3, 0.3)) * 5, small, 0.07, f * 5), ink)
      return
    }
    let isChecked = variety.x < 0.3
    let index = isChecked ? Int((column &+ row) & 1) : Int(h & 3)
    s.colour = colours[index]
    s.mark(
      max(Panel.line(abs(c.x) - 0.5, 0.025, f), Panel.line(abs(c.y) - 0.5, 0.025, f)),
      Vector3(repeating: 0.02))
    guard !isChecked || variety.y > 0.6 else { return }
    let other = colours[(index + 1 + Int(h >> 4) % 3) % 4]
    switch (h >> 6) % 6 {
    case 0: s.mark(Panel.cover(length(c) - 0.42, f), other)
    case 1: s.mark(Panel.line(length(c) - 0.3, 0.05, f), other)
    case 2:
      s.mark(ink(c * 1.7, UInt8(truncatingIfNeeded: 48 + (h >> 10) % 43), 0.07, f * 1.7), other)
    case 3:
      let q = absolute(c)
      s.mark(Panel.cover(min(max(q.x, q.y * 4), max(q.x * 4, q.y)) - 0.36, f), other)
    case 4: s.mark(word(c * 4, 4, h, 0.08, f * 4), Vector3(repeating: 0.02))
    default: break
    }
  }

  /// Checked cloth of two crossing bands, with or without dots.
  func gingham(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let grain = fractal(p * 9, octaves: 2, footprint: f * 9, seed)
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    let share = (Float(column & 1) + Float(row & 1)) * 0.5
    s.colour = mix(first, second, share) * (1 + grain * 0.25)
    if variety.x > 0.6 {
      let c = p - Vector2(Float(column) + 0.5, Float(row) + 0.5)
      let h = latticeHash(column, row, seed)
      let colour = rainbow > 0.5 ? Panel.spectrum(Panel.part(h, 4)) * 0.6 : third
      s.mark(Panel.cover(length(c) - 0.16 - 0.2 * variety.y, f), colour)
    }
  }
}

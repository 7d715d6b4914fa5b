internal import DiceNumerics

// Screens, lamps and signals: most of them glow.
extension Panel {
  /// Windows with lines of code, writing or a chart, as on a computer's screen.
  func screen(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    var light = glow * 0.12
    let isDark = variety.x > 0.45
    if !isDark { light = glow * 0.8 }
    // Three windows, the last one on top.
    for number in 0..<3 {
      let h = latticeHash(Int32(number), 7, seed)
      let share = Vector2(0.2 + 0.28 * Panel.part(h, 0), 0.2 + 0.28 * Panel.part(h, 8))
      let middle = Vector2(
        size.x * (0.25 + 0.5 * Panel.part(h, 16)), size.y * (0.25 + 0.5 * Panel.part(h, 24)))
      let half = Vector2(size.x * share.x, size.y * share.y)
      let c = p - middle
      let d = Panel.box(c, half, 0.3)
      guard d < f else { continue }
      let inside = window(c, half, f, h)
      light = mix(light, inside, Panel.cover(d, f))
    }
    s.colour = Vector3(repeating: 0.01)
    s.glow = light
    s.gloss = 0.04
    s.roughness = 0.12
  }

  private func window(_ c: Vector2, _ half: Vector2, _ f: Float, _ hash: UInt32) -> Vector3 {
    let isDark = hash & 1 == 0
    let paper: Float = isDark ? 0.04 : 0.75
    var light = glow * paper
    let top = c.y + half.y
    if top < 1.2 {
      // The bar with three buttons and a title.
      light = glow * (isDark ? 0.12 : 0.5)
      let x = c.x + half.x - 0.8
      let button = wholeBelow(x / 0.8)
      if button >= 0 && button < 3 {
        let d = length(Vector2(x - (Float(button) + 0.5) * 0.8, top - 0.6)) - 0.24
        light = mix(light, Panel.spectrum(Float(button) * 0.16) * glow.max(), Panel.cover(d, f))
      }
      let title = word(Vector2(c.x, top - 0.6) * 2, 7, hash, 0.07, f * 2)
      return mix(light, glow * (isDark ? 0.8 : 0.1), title)
    }
    let q = Vector2(c.x + half.x - 0.6, top - 1.6)
    let row = wholeBelow(q.y)
    let h = latticeHash(row, 5, hash)
    if hash & 6 == 6 {
      // A chart: columns over a line.
      let bar = wholeBelow(q.x * 0.8)
      let height = unitHash(bar, 2, hash) * half.y * 1.4
      let isBar = q.x * 0.8 - Float(bar) < 0.7 && half.y - c.y - 0.5 < height && c.y < half.y - 0.5
      return isBar
        ? Panel.spectrum(Panel.part(hash, 8) + Float(bar % 3) * 0.15) * glow.max() : light
    }
    // Lines of code: words in colours, indented.
    let indent = Float(h & 3) * 0.9
    let advance: Float = 0.45
    let x = (q.x - indent) / advance
    let column = wholeBelow(x)
    let length = Int32(6 + (h >> 4) % 30)
    guard x > 0, column < length, q.x < half.x * 2 - 1, h % 7 != 0 else { return light }
    let word = latticeHash(column / 4, row, hash)
    guard column % 4 != Int32(word % 4) else { return light }
    let sign = latticeHash(column, row, hash &+ 1)
    let offset = Vector2((x - Float(column) - 0.5) * advance, q.y - Float(row) - 0.5)
    let character = UInt8(truncatingIfNeeded: (sign & 1 == 0 ? 97 : 40) + (sign >> 8) % 24)
    let ink = self.ink(offset * 1.6, character, 0.07, f * 1.6)
    let colour =
      word & 0x30 == 0
      ? glow * (isDark ? 0.8 : 0.03)
      : Panel.spectrum(Panel.part(word, 8)) * (glow.max() * (isDark ? 0.9 : 0.3))
    return mix(light, colour, ink)
  }

  /// A grid of small pictures with round corners, as of a telephone, or of round faces.
  func icons(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    let h = latticeHash(column, row, seed)
    let cloud = noise(p * (2 / max(size.x, 1)), seed)
    var light = mix(first, second, saturate(0.5 + cloud)) * glow.max()
    let c = p - Vector2(Float(column) + 0.5, Float(row) + 0.42)
    let isRound = variety.x > 0.6
    let d = isRound ? length(c) - 0.32 : Panel.box(c, Vector2(0.31, 0.31), 0.09)
    if h % 8 != 0 && d < f {
      let hue = Panel.part(h, 3)
      let isPale = h & 0x1000 == 0
      let back = isPale ? Vector3(repeating: 0.85) : Panel.spectrum(hue) * 0.8
      let mark = isPale ? Panel.spectrum(hue) * 0.7 : Vector3(repeating: 0.9)
      light = mix(
        light, mix(back, mark, pictogram(c * 3, h, f * 3)) * glow.max(), Panel.cover(d, f))
    }
    // The name below.
    let name = word((c - Vector2(0, 0.46)) * 9, 6, h, 0.06, f * 9)
    light = mix(light, glow, name * 0.8)
    if h % 23 == 0 {
      let badge = length(c - Vector2(0.3, -0.3)) - 0.1
      light = mix(light, Vector3(0.9, 0.05, 0.05) * glow.max(), Panel.cover(badge, f))
    }
    s.colour = Vector3(repeating: 0.01)
    s.glow = light
    s.gloss = 0.04
    s.roughness = 0.12
  }

  /// A simple sign within a circle of radius 1, never a set of dots as on a die.
  func pictogram(_ c: Vector2, _ hash: UInt32, _ f: Float) -> Float {
    let reach = length(c)
    switch (hash >> 20) % 8 {
    case 0: return ink(c * 0.65, UInt8(truncatingIfNeeded: 65 + (hash >> 5) % 26), 0.1, f * 0.65)
    case 1: return Panel.line(reach - 0.5, 0.13, f)
    case 2:
      // A crescent.
      return Panel.cover(max(reach - 0.5, 0.42 - length(c - Vector2(0.25, -0.1))), f)
    case 3: return Panel.cover(max(c.x * 0.5 + abs(c.y) - 0.35, -c.x - 0.4), f)
    case 4:
      // A face.
      let eyes = length(Vector2(abs(c.x) - 0.28, c.y + 0.2)) - 0.11
      let mouth = c.y > 0.1 ? abs(reach - 0.5) - 0.06 : 1
      return Panel.cover(min(eyes, mouth), f)
    case 5:
      return Panel.cover(
        min(Panel.box(c, Vector2(0.5, 0.12), 0), Panel.box(c, Vector2(0.12, 0.5), 0)), f)
    case 6:
      let bars = abs(c.y * 3 - nearestWhole(c.y * 3)) * 0.33 - 0.07
      return Panel.cover(max(bars, Panel.box(c, Vector2(0.5, 0.5), 0)), f)
    default:
      return max(
        Panel.line(reach - 0.45, 0.09, f), Panel.line(length(c - Vector2(0.1, 0)) - 0.16, 0.08, f))
    }
  }

  /// Spots of light out of focus, or lamps on a string.
  func lights(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    if variety.x > 0.6 {
      string(p, f, &s)
      return
    }
    var q = p
    for layer in 0..<3 {
      let own = seed &+ UInt32(layer) &* 977
      let spot = nearestCell(q, jitter: 0.85, own)
      let h = spot.identity
      let size = 0.1 + 0.3 * Panel.part(h, 0)
      if Panel.part(h, 8) < 0.75 {
        let reach = length(spot.offset) / size
        // Discs of light are a little brighter at the rim.
        let disc = Panel.cover((reach - 1) * size, max(f, 0.02 + 0.1 * variety.y))
        let rim = 0.75 + 0.5 * saturate(reach) * saturate(reach)
        let bright = 0.15 + Panel.part(h, 16) * Panel.part(h, 16) * 1.6
        s.glow += light(Panel.part(h, 24)) * (disc * rim * bright)
        s.glow += light(Panel.part(h, 24)) * (0.06 * bright * saturate(1.6 - reach))
      }
      q = q * 1.7 + Vector2(3.3, 7.1)
    }
  }

  private func string(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let row = wholeBelow(p.y * 0.5)
    let sag = sineOfTurns(p.x * 0.09 + unitHash(row, 1, seed)) * 0.3
    let y = p.y - (Float(row) * 2 + 1) - sag
    s.mark(Panel.line(y, 0.02, f), Vector3(repeating: 0.02))
    let number = nearestWhole(p.x)
    let h = latticeHash(wholeBelow(number + 0.5), row, seed)
    let c = Vector2(p.x - number, y - 0.16)
    let bulb = length(Vector2(c.x, c.y * 0.75)) - (0.07 + 0.12 * variety.y)
    let shine = light(Panel.part(h, 8))
    s.glow += shine * (Panel.cover(bulb, f) * (h & 7 == 0 ? 0.1 : 1))
    s.glow += shine * (0.25 * exponential(-max(bulb, 0) * 7))
  }

  /// Boxes with round lamps in a row, one of them lit, as of traffic lights and switchboards.
  func signal(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y / 3)
    let c = Vector2(p.x - Float(column) - 0.5, p.y - Float(row) * 3 - 1.5)
    let d = Panel.box(c, Vector2(0.44, 1.36), 0.15)
    s.mark(Panel.cover(d, f), second)
    guard d < 0 else { return }
    let place = min(max(nearestWhole(c.y / 0.86), -1), 1)
    let q = Vector2(c.x, c.y - place * 0.86)
    let h = latticeHash(column, row, seed)
    let isLit = Int(h % 3) == Int(place) + 1 || h & 0xF0 == 0
    let reach = length(q)
    let lamp = Panel.cover(reach - 0.32, f)
    let hues: [Float] = [0, 0.13, 0.4]
    let colour = Panel.spectrum(rainbow > 0.7 ? Panel.part(h, 8) : hues[Int(place) + 1])
    s.mark(Panel.cover(reach - 0.36, f) * 0.7, Vector3(repeating: 0.005))
    s.mark(lamp, colour * 0.12)
    // Signs for walkers and arrows.
    let sign = h & 0x300 == 0 ? pictogram(q * 3, h, f * 3) : 1
    if isLit { s.glow = colour * (glow.max() * lamp * sign) }
    s.glow += isLit ? colour * (glow.max() * 0.08 * saturate(1.5 - reach * 2)) : .zero
    s.slope = Panel.dome(q, 0.32, 0.3)
  }
}

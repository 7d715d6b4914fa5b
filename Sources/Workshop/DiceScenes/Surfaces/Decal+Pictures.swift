internal import DiceNumerics

// What is printed on cards, notes and discs.
extension Decal {
  func picture(_ q: Vector2, _ f: Float) -> Vector3 {
    let unit = half.min()
    let soft = f / unit
    let u = q * (1 / unit)
    switch kind {
    case .card: return card(u, soft)
    case .cardBack:
      let frame = max(abs(q.x) - half.x, abs(q.y) - half.y) / unit
      guard frame < -0.12 else { return first }
      let wave =
        sineOfTurns((u.x + u.y) * 4) * sineOfTurns((u.x - u.y) * 4) * saturate(1.5 - soft * 9)
      let star = saturate(1.2 - abs(length(u) - 0.5) * 8)
      return mix(second, third, saturate(0.4 + 0.4 * wave + 0.4 * star))
    case .note:
      let text = Glyphs.lines(
        Vector2(u.x * 5 + 20, -u.y * 5 + 40), footprint: soft * 5, filled: 0.6, seed)
      let margin = abs(q.x) < half.x * 0.85 && abs(q.y) < half.y * 0.85
      return mix(first, second, margin ? text * 0.85 : 0)
    case .text:
      let text = Glyphs.letter(
        fraction(q.x / (half.y * 1.5)) * 1.15, 0.5 - q.y / (half.y * 1.5),
        latticeHash(wholeBelow(q.x / (half.y * 1.5)), 0, seed), softness: soft * 4)
      return mix(first, second, text)
    case .ruler:
      let step = half.y * 0.16
      let x = q.x / step
      let whole = x.rounded()
      let major = abs(whole.remainder(dividingBy: 10)) < 0.5
      let reach: Float = major ? 0.1 : 0.45
      let tick = abs(x - whole) < 0.16 + f / step && q.y > half.y * reach
      let digits = Glyphs.letter(
        fraction(x * 0.1 + 0.5) * 8 - 3.4, 0.75 - q.y / half.y,
        latticeHash(wholeBelow(x * 0.1 + 0.5), 4, seed), softness: soft * 5)
      return mix(first, second, max(tick ? saturate(0.35 * step / max(f, 1e-4)) : 0, digits * 0.8))
    case .dominoPrint:
      let along = half.x >= half.y ? Vector2(q.x, q.y) : Vector2(q.y, q.x)
      let side = along.x > 0
      let bar = abs(along.x) < unit * 0.03
      let c = Vector2(abs(along.x) - unit, along.y) * (1 / unit)
      let value = side ? 1 + number % 6 : 1 + Int(seed % 6)
      return bar || pips(c, value, 0.17, soft) > 0.5 ? second : first
    case .diePrint:
      // An outline with dots, or a filled face.
      let d = absolute(u) - Vector2(repeating: 0.7)
      let edge = length(Vector2(max(d.x, 0), max(d.y, 0))) + min(max(d.x, d.y), 0) - 0.3
      let frame = seed & 1 == 0 ? smoothStep(-0.12 - soft, -0.12 + soft, edge) : 0
      return mix(first, second, max(frame, pips(u, 1 + number % 6, 0.17, soft)))
    case .disc:
      let radius = length(u)
      let band = smoothStep(0.06 + soft, 0.06 - soft, abs(radius - 0.8))
      var colour = mix(first, second, band * (seed & 1 == 0 ? 1 : 0))
      if seed & 2 == 0 {
        let mark = Glyphs.letter(u.x + 0.5, 0.5 - u.y, seed >> 3, softness: soft * 3)
        colour = mix(colour, third, mark)
      } else {
        let wave = fractal(u * 3, octaves: 2, footprint: soft * 3, seed)
        colour = mix(colour, third, saturate(wave))
      }
      return colour
    case .symbol:
      let mark = Glyphs.letter(u.x * 0.6 + 0.5, 0.5 - u.y * 0.6, seed, softness: soft * 3)
      return mix(first, second, mark)
    default: return first
    }
  }

  @inline(__always)
  private func fraction(_ x: Float) -> Float { x - x.rounded(.down) }

  /// How much a face of pips covers a point of the square ±1.
  private func pips(_ c: Vector2, _ value: Int, _ radius: Float, _ soft: Float) -> Float {
    let s: Float = 0.5
    var ink: Float = 0
    func spot(_ x: Float, _ y: Float) {
      ink = max(ink, smoothStep(radius + soft, radius - soft, length(c - Vector2(x, y))))
    }
    if value & 1 == 1 { spot(0, 0) }
    if value >= 2 {
      spot(-s, -s)
      spot(s, s)
    }
    if value >= 4 {
      spot(-s, s)
      spot(s, -s)
    }
    if value == 6 {
      spot(-s, 0)
      spot(s, 0)
    }
    return ink
  }

  /// A playing card: suit marks in two columns and an index in the corners.
  private func card(_ u: Vector2, _ soft: Float) -> Vector3 {
    let red = seed & 1 == 0
    let ink = red ? Vector3(0.55, 0.02, 0.03) : Vector3(0.02, 0.02, 0.025)
    let tall = half.y / half.x
    var colour = first
    // Corner indices, turned by half for the lower one.
    let c = u.y > 0 ? u : -u
    let corner = Glyphs.letter(
      (c.x + 0.92) / 0.2, (tall - 0.08 - c.y) / 0.3, seed >> 2, softness: soft * 4)
    colour = mix(colour, ink, corner)
    if number > 8 {
      // A court card: a framed pattern.
      if abs(u.x) < 0.62 && abs(u.y) < tall - 0.25 {
        let wave = fractal(Vector2(abs(u.x), abs(u.y)) * 5, octaves: 2, footprint: soft * 5, seed)
        colour = wave > 0.15 ? third : wave > -0.1 ? second : wave > -0.3 ? first : ink
      }
      return colour
    }
    let rows = number < 4 ? number : (number + 1) / 2
    for index in 0..<number {
      let single = number < 4 || (number % 2 == 1 && index == number - 1)
      let column: Float = single ? 0 : index % 2 == 0 ? -0.42 : 0.42
      let row = number < 4 ? index : single ? 0 : index / 2
      let pairs = max(1, number < 4 ? rows - 1 : number / 2 - 1)
      var y = single && number >= 4 ? 0.12 : (Float(row) / Float(pairs) - 0.5) * (tall * 1.25)
      if number == 1 { y = 0 }
      let d = (u - Vector2(column, y)) * (1 / (number == 1 ? 0.34 : 0.19))
      let shape: Float
      switch (seed >> 5) & 3 {
      case 0: shape = abs(d.x) + abs(d.y) * 0.75 - 1
      case 1: shape = length(Vector2(d.x, d.y - abs(d.x) * 0.7)) - 0.85
      case 2: shape = length(d) - 0.8
      default:
        shape = min(
          length(d - Vector2(0, 0.45)) - 0.45, length(Vector2(abs(d.x) - 0.45, d.y + 0.2)) - 0.45)
      }
      colour = mix(colour, ink, smoothStep(soft * 4, -soft * 4, shape))
    }
    return colour
  }
}

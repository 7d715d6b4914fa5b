internal import DiceNumerics

// Paper, boards and printed patterns.
extension Surface {
  /// The colour of a choice among the surface's four.
  @inline(__always)
  private func palette(_ choice: UInt32) -> Vector3 {
    switch choice & 3 {
    case 0: return first
    case 1: return second
    case 2: return third
    default: return fourth
    }
  }

  func tiles(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    var q = p
    let row = wholeBelow(q.y)
    if variety.x > 0.6 && row & 1 == 1 { q.x += 0.5 }
    let column = wholeBelow(q.x)
    let h = latticeHash(column, row, seed)
    let tone = (Float(h & 0xFF) / 255 - 0.5) * 0.3 * contrast
    let cloud = fractal(p * 3 + Vector2(Float(h & 31), 0), octaves: 3, footprint: f * 3, seed)
    let base = variety.y > 0.7 && (column &+ row) & 1 == 0 ? third : first
    let gap = max(line(toWhole(q.x), 0.025, f), line(toWhole(q.y), 0.025, f))
    s.colour = mix(shade(base, tone + cloud * 0.15 * contrast), second, gap)
    s.slope = Vector2(toWhole(q.x), toWhole(q.y)) * (gap * 0.5)
    if gap > 0.5 { s.gloss = 0.01 }
  }

  func gridPaper(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let grain = fractal(p * 5, octaves: 2, footprint: f * 5, seed)
    var ink: Float
    if variety.x < 0.25 {
      let d = length(Vector2(toWhole(p.x), toWhole(p.y)))
      ink = smoothStep(0.08 + f, 0.08 - f, d) * min(1, 0.16 / max(f, 0.01))
    } else {
      ink = max(line(toWhole(p.x), 0.025, f), line(toWhole(p.y), 0.025, f))
      if variety.x > 0.6 {
        let major = max(
          line(toWhole(p.x * 0.2) * 5, 0.05, f), line(toWhole(p.y * 0.2) * 5, 0.05, f))
        ink = max(ink * 0.6, major)
      }
    }
    s.colour = mix(shade(first, grain * 0.03), second, ink * (0.3 + 0.7 * contrast))
  }

  func linedPaper(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let grain = fractal(p * 5, octaves: 2, footprint: f * 5, seed)
    let rule = line(toWhole(p.y), 0.03, f) * (0.3 + 0.7 * contrast)
    s.colour = mix(shade(first, grain * 0.03), second, rule)
    s.colour = mix(s.colour, third, line(p.x - 3, 0.04, f) * 0.8)
    if variety.y > 0.4 {
      // Handwriting: a wavering line above each rule.
      let row = wholeBelow(p.y)
      let wave =
        noise(Vector2(p.x * 3.2, Float(row) * 9), seed &+ 3) * 0.34 + noise(
          Vector2(p.x * 7, Float(row) * 5), seed &+ 5) * 0.15
      let y = p.y - Float(row) - 0.55 - wave
      let word = noise(Vector2(p.x * 0.6, Float(row) * 3), seed &+ 8) > -0.3
      if word { s.colour = mix(s.colour, fourth, line(y, 0.035, f) * 0.85) }
    }
  }

  func textPage(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let grain = fractal(p * 4, octaves: 2, footprint: f * 4, seed)
    let column = toWhole(p.x / 26) * 26
    var ink: Float = 0
    if abs(column) < 12 {
      ink = Glyphs.lines(p, footprint: f, filled: 0.82, seed) * 0.85
    }
    s.colour = mix(shade(first, grain * 0.04), second, ink * (0.4 + 0.6 * contrast))
  }

  func checkerboard(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    let dark = (column &+ row) & 1 == 0
    let grain = fractal(Vector2(p.x * 2, p.y * 18), octaves: 2, footprint: f * 12, seed)
    let edge = max(line(toWhole(p.x), 0.015, f), line(toWhole(p.y), 0.015, f))
    s.colour = shade(dark ? first : second, grain * 0.25 * contrast)
    s.colour = mix(s.colour, third, edge * variety.x)
  }

  func dots(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    var q = p
    let row = wholeBelow(q.y)
    if row & 1 == 1 && variety.x > 0.4 { q.x += 0.5 }
    let jitter: Float = variety.y > 0.7 ? 1 : 0
    let spot = nearestCell(q, jitter: jitter, seed)
    let radius = 0.12 + 0.22 * variety.x
    let ink = smoothStep(radius + f, radius - f, spot.nearest)
    let colour = variety.y > 0.4 ? palette(spot.identity >> 5) : second
    let grain = fractal(p * 12, octaves: 2, footprint: f * 12, seed)
    s.colour = shade(mix(first, colour, ink * (0.3 + 0.7 * contrast)), grain * 0.08)
  }

  func print(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let motif = nearestCell(p, jitter: 0.6, seed)
    let h = motif.identity
    let size = 0.16 + 0.2 * Float((h >> 6) & 0xFF) / 255
    let spin = Turn(turns: Float((h >> 14) & 0xFF) / 255)
    let q = spin.inward(motif.offset) * (1 / size)
    let radius = length(q)
    let distance: Float
    switch (h >> 3) % 6 {
    case 0: distance = radius - 1
    case 1: distance = abs(radius - 0.8) - 0.18
    case 2: distance = max(abs(q.x), abs(q.y)) - 0.8
    case 3:
      distance = radius - (0.6 + 0.35 * abs(q.x * q.x - q.y * q.y) / max(radius * radius, 0.01))
    case 4: distance = min(max(abs(q.x), abs(q.y) * 4), max(abs(q.x) * 4, abs(q.y))) - 0.9
    default: distance = abs(q.y - sineOfTurns(q.x * 0.5) * 0.4) - 0.15 + max(0, abs(q.x) - 1)
    }
    let soft = f / size
    let ink = smoothStep(soft, -soft, distance)
    let grain = fractal(p * 14, octaves: 2, footprint: f * 14, seed)
    let colour = palette((h >> 1) | 1)
    s.colour = shade(mix(first, colour, ink * (0.35 + 0.65 * contrast)), grain * 0.06)
  }

  func artMat(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let q = p * 0.5
    let warp = Vector2(
      fractal(q, octaves: 3, footprint: f, seed),
      fractal(q + Vector2(3.1, 7.7), octaves: 3, footprint: f, seed &+ 1))
    let r = q + warp * (1 + 2 * variety.x)
    let a = fractal(r, octaves: 4, footprint: f, seed &+ 2)
    let b = fractal(r * 1.6 + Vector2(4, 4), octaves: 3, footprint: f * 1.6, seed &+ 3)
    var t = saturate(0.5 + a * 1.3)
    if variety.y > 0.5 {
      // Painted in a few flat tones.
      let levels: Float = 6
      t = ((t * levels).rounded(.down) + 0.5) / levels
    }
    var colour = mix(first, second, smoothStep(0.1, 0.5, t))
    colour = mix(colour, third, smoothStep(0.5, 0.85, t))
    let ridge = 1 - saturate(abs(b) * 8)
    colour = mix(colour, fourth, ridge * ridge * 0.8)
    s.colour = mix(first, colour, 0.3 + 0.7 * contrast)
  }

  func hexBoard(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    // The nearer of two interleaved rectangular grids gives the hexagon.
    let step = Vector2(1.7320508, 3)
    let a = Vector2(toWhole(p.x / step.x) * step.x, toWhole(p.y / step.y) * step.y)
    let b = Vector2(
      toWhole(p.x / step.x - 0.5) * step.x, toWhole(p.y / step.y - 0.5) * step.y)
    let q = dot(a, a) < dot(b, b) ? a : b
    let centre = p - q
    let h = latticeHash(wholeBelow(centre.x * 2 + 0.5), wholeBelow(centre.y * 2 + 0.5), seed)
    let edge = 0.8660254 - max(abs(q.x), abs(q.x) * 0.5 + abs(q.y) * 0.8660254)
    let base = palette(h >> 4)
    let rough = fractal(p * (3 + 3 * Float(h & 3)), octaves: 4, footprint: f * 8, h)
    let other = palette((h >> 4) &+ 1)
    var colour = mix(shade(base, rough * 0.9), other, saturate(rough * 0.8 - 0.1))
    let border = smoothStep(0.075 + f, 0.075 - f, edge)
    colour = mix(colour, Vector3(0.62, 0.5, 0.28), border * (h & 1 == 0 || variety.x > 0.3 ? 1 : 0))
    let radius = length(q)
    if variety.y > 0.3 && radius < 0.31 {
      colour = Vector3(0.74, 0.66, 0.45)
      let ink = h & 8 == 0 ? Vector3(0.03, 0.03, 0.03) : Vector3(0.5, 0.03, 0.02)
      let mark = Glyphs.letter(
        (q.x + 0.1) / 0.2, (0.16 - q.y) / 0.24, h >> 6, softness: f * 8)
      colour = mix(colour, ink, mark)
      // A row of small dots below the number.
      let count = Float(1 + (h >> 9) % 5)
      let x = q.x / 0.055 + (count - 1) * 0.5
      if x > -0.5 && x < count - 0.5 {
        let d = length(Vector2(toWhole(x) * 0.055, q.y + 0.17))
        colour = mix(colour, ink, smoothStep(0.02 + f, 0.02 - f, d))
      }
      colour = mix(colour, Vector3(0.2, 0.14, 0.06), line(radius - 0.3, 0.012, f))
    }
    s.colour = mix(first, colour, 0.35 + 0.65 * contrast)
  }

  func slats(_ p: Vector2, _ f: Float, _ s: inout SurfaceSample) {
    let row = wholeBelow(p.y * 3)
    let v = p.y * 3 - Float(row) - 0.5
    let fade = saturate(1.6 - f * 4)
    let h = unitHash(row, 5, seed)
    let grain = fractal(
      Vector2(p.x * 0.6 + h * 40, p.y * 14), octaves: 3, footprint: f * 14, seed &+ 1)
    s.colour = shade(
      mix(first, second, saturate(h * 0.6 + grain * 0.5)),
      (0.12 - v * v * 1.6 - 0.8 * smoothStep(0.42, 0.5, abs(v))) * fade * contrast)
    let tie = line(toWhole(p.x * 0.25) * 4, 0.06, f)
    s.colour = mix(s.colour, third, tie * 0.8)
    s.slope = Vector2(0, v * 0.8 * fade * contrast)
  }
}

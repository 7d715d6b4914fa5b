internal import DiceNumerics

// Houses, faces, wheels, sweets and fruit.
extension Panel {
  /// The front of a house: windows with frames in a wall, some of them lit.
  func facade(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let (c, h) = cellPlace(p)
    let brick = Vector2(p.x * 7, p.y * 12)
    let course = wholeBelow(brick.y)
    let x = brick.x + (course & 1 == 0 ? 0 : 0.5)
    let tone = unitHash(wholeBelow(x), course, seed) - 0.5
    let fade = saturate(1.5 - f * 8)
    s.colour = first * (1 + tone * 0.35 * fade * variety.z)
    let joint = max(
      Panel.line(x - nearestWhole(x), 0.05, f * 7),
      Panel.line(brick.y - nearestWhole(brick.y), 0.07, f * 12))
    s.mark(joint * 0.4 * variety.z * fade, Vector3(repeating: 0.4))
    let half = Vector2(0.18 + 0.2 * variety.x, 0.24 + 0.16 * variety.y)
    let d = Panel.box(c, half, 0)
    s.mark(Panel.cover(d - 0.04, f), second)
    let sill = Panel.box(c - Vector2(0, half.y + 0.05), Vector2(half.x + 0.06, 0.025), 0)
    s.mark(Panel.cover(sill, f), second * 0.8)
    guard d < f else { return }
    let pane = Panel.cover(d, f)
    let sky = Vector3(0.1, 0.14, 0.2) * (0.3 + 1.4 * saturate(0.5 - c.y + (Panel.part(h, 8) - 0.5)))
    s.mark(pane, sky)
    s.gloss = 0.05
    s.roughness = 0.1
    let isLit = h % 3 == 0 && glow.max() > 0
    if isLit { s.glow = light(Panel.part(h, 16)) * (pane * (0.4 + 0.6 * Panel.part(h, 24))) }
    // Bars and a curtain.
    let across = seed & 1 == 0 ? Panel.line(c.x, 0.014, f) : 0
    let along = seed & 2 == 0 ? Panel.line(c.y + half.y * 0.3, 0.014, f) : 0
    let bar = max(across, along) * pane
    s.mark(bar, second)
    s.glow *= 1 - bar
    if h & 0x30 == 0 {
      let curtain = Panel.cover(abs(c.x) * -1 + half.x * 0.5, f) * pane
      s.mark(curtain * 0.8, Vector3(repeating: 0.55))
    }
  }

  /// Heads with eyes and a mouth: drawn ones of one colour, or portraits with hair.
  func faces(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let (c, h) = cellPlace(p)
    let isPortrait = variety.x > 0.45
    if isPortrait {
      s.colour = mix(first, Panel.spectrum(Panel.part(h, 16)) * 0.4, 0.5)
      portrait(c, h, f, &s)
      return
    }
    let radius: Float = 0.4
    let reach = length(c)
    let head = Panel.cover(reach - radius, f)
    let colour = h % 4 == 0 ? Panel.spectrum(Panel.part(h, 8)) * 0.7 : second
    s.mark(Panel.cover(reach - radius - 0.02, f), Vector3(repeating: 0.02))
    s.mark(head, colour)
    let q = c * (1 / radius)
    let soft = f / radius
    let a = Vector2(abs(q.x), q.y)
    let ink = Vector3(repeating: 0.015)
    let eye: Float
    switch (h >> 3) % 4 {
    case 0: eye = length(Vector2(a.x - 0.36, (a.y + 0.22) * 0.7)) - 0.14
    case 1: eye = abs(length(a - Vector2(0.36, -0.2)) - 0.14) - 0.05
    case 2: eye = Panel.box(a - Vector2(0.36, -0.22), Vector2(0.16, 0.05), 0.02)
    default:
      eye = length(a - Vector2(0.36, -0.22)) - 0.12
      s.mark(Panel.cover(eye - 0.1, soft) * head, Vector3(repeating: 0.8))
    }
    s.mark(Panel.cover(eye, soft) * head, ink)
    let curve = (h >> 6) % 3 == 0 ? -1 : Float(1)
    let arc = Vector2(q.x, (q.y - 0.42) * curve + 0.35)
    let mouth =
      (h >> 9) % 4 == 0
      ? length(Vector2(q.x, q.y - 0.42)) - 0.18
      : max(abs(length(arc) - 0.45) - 0.06, -arc.y - 0.05 + 0.2)
    s.mark(Panel.cover(mouth, soft) * head, h & 0x400 == 0 ? ink : Vector3(0.5, 0.03, 0.03))
    if glow.max() > 0 { s.glow = s.colour * (glow.max() * head) }
  }

  private func portrait(_ c: Vector2, _ h: UInt32, _ f: Float, _ s: inout Paint) {
    let tones: [Vector3] = [
      Vector3(0.75, 0.48, 0.34), Vector3(0.6, 0.36, 0.24), Vector3(0.38, 0.2, 0.12),
      Vector3(0.16, 0.08, 0.05),
    ]
    let skin = tones[Int(h & 3)]
    let hair = h & 12 == 0 ? Vector3(0.4, 0.24, 0.08) : Vector3(0.04, 0.02, 0.012)
    let body = length(Vector2(c.x * 0.8, c.y - 0.75)) - 0.4
    s.mark(Panel.cover(body, f), Panel.spectrum(Panel.part(h, 8)) * 0.35)
    let long = h & 16 == 0 ? Float(0.25) : 0
    let mane = length(Vector2(c.x, (c.y + 0.1) * (c.y > 0 ? 1 - long : 0.95))) - 0.34
    s.mark(Panel.cover(mane, f), hair)
    let head = length(Vector2(c.x * 1.2, c.y * 0.95)) - 0.29
    let shade = 0.8 + 0.35 * saturate(0.5 - c.x + c.y * 0.4)
    s.mark(Panel.cover(head, f) * (c.y > -0.17 ? 1 : 0), skin * shade)
    let a = Vector2(abs(c.x), c.y)
    let brow = Panel.box(a - Vector2(0.1, -0.1), Vector2(0.055, 0.012), 0.01)
    s.mark(Panel.cover(brow, f), hair)
    let white = length(Vector2(a.x - 0.1, (a.y + 0.04) * 1.8)) - 0.05
    s.mark(Panel.cover(white, f), Vector3(repeating: 0.75))
    s.mark(Panel.cover(length(a - Vector2(0.1, -0.04)) - 0.026, f), Vector3(0.03, 0.02, 0.015))
    let nose = Panel.box(c - Vector2(0.012, 0.06), Vector2(0.012, 0.035), 0.01)
    s.mark(Panel.cover(nose, f) * 0.5, skin * 0.45)
    let mouth = length(Vector2(c.x * 0.5, c.y - 0.16 - c.x * c.x)) - 0.026
    s.mark(Panel.cover(mouth, f), Vector3(0.4, 0.08, 0.07))
    if glow.max() > 0 { s.glow = s.colour * (glow.max() * 0.7) }
  }

  /// A wheel with spokes and bolts, a dial, a plate or a clock, as large as the panel.
  func wheel(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let scale = 2 / min(size.x, size.y)
    let q = (p - size * 0.5) * scale
    let soft = f * scale
    let reach = length(q)
    s.cover *= Panel.cover(reach - 0.98, soft)
    guard reach < 1.02 else { return }
    let turns = angle(q)
    if variety.x > 0.55 {
      dial(q, turns, soft, &s)
      return
    }
    // The tyre, then the rim, spokes and bolts.
    s.colour = Vector3(repeating: 0.02)
    let tread = turns * 60 - nearestWhole(turns * 60)
    if reach > 0.93 { s.mark(saturate(0.6 - soft * 9) * (abs(tread) < 0.25 ? 1 : 0), .zero) }
    s.slope = reach > 0.66 ? q * (2 * (reach - 0.82)) : .zero
    s.mark(word(Vector2(turns * 24 - 12, (reach - 0.8) * -9), 8, seed, 0.07, soft * 9) * 0.5, third)
    let rim = Panel.cover(reach - 0.66, soft)
    s.mark(rim, Vector3(repeating: 0.015))
    let count = 3 + Float(seed % 5)
    let spoke = abs(turns * count - nearestWhole(turns * count)) / count * 6.28 * reach
    let width = 0.05 + 0.12 * variety.y
    s.mark(rim * Panel.cover(spoke - width, soft), second)
    s.mark(Panel.line(reach - 0.62, 0.045, soft), second)
    s.mark(Panel.cover(reach - 0.24, soft), second)
    let bolts = Float(4 + seed % 3)
    let place = (nearestWhole(turns * bolts)) / bolts
    let bolt = Vector2(cosineOfTurns(place), sineOfTurns(place)) * 0.15
    s.mark(Panel.cover(length(q - bolt) - 0.035, soft), Vector3(repeating: 0.01))
    s.mark(Panel.cover(reach - 0.07, soft), third)
    s.gloss = rim > 0.5 ? 0.08 : 0.02
  }

  private func dial(_ q: Vector2, _ turns: Float, _ f: Float, _ s: inout Paint) {
    let reach = length(q)
    s.colour = second
    let isDark = luminance(second) < 0.2
    let ink = Vector3(repeating: isDark ? 0.7 : 0.015)
    s.mark(Panel.cover(0.9 - reach, f), third)
    let small = abs(turns * 60 - nearestWhole(turns * 60)) / 60 * 6.28 * reach - 0.008
    s.mark(Panel.cover(max(small, abs(reach - 0.83) - 0.03), f), ink)
    let hour = nearestWhole(turns * 12)
    let place = hour / 12
    let middle = Vector2(cosineOfTurns(place), sineOfTurns(place)) * 0.66
    let number = (Int(hour) + 14) % 12 + 1
    let scale: Float = 5
    let c = (q - middle) * scale
    var mark: Float = 0
    if seed & 1 == 0 {
      if number > 9 {
        mark = max(
          self.ink(c + Vector2(0.4, 0), 49, 0.07, f * scale),
          self.ink(c - Vector2(0.4, 0), UInt8(38 + number), 0.07, f * scale))
      } else {
        mark = self.ink(c, UInt8(48 + number), 0.07, f * scale)
      }
    } else {
      mark = Panel.cover(length(q - middle) - 0.05, f)
    }
    s.mark(mark, ink)
    if glow.max() > 0 { s.glow = light(place) * mark }
    for hand in 0..<2 {
      let turn = Turn(turns: unitHash(Int32(hand), 1, seed))
      let c = turn.inward(q)
      let length: Float = hand == 0 ? 0.3 : 0.42
      s.mark(Panel.cover(Panel.box(c - Vector2(length, 0), Vector2(length, 0.02), 0), f), ink)
    }
    s.mark(Panel.cover(reach - 0.05, f), ink)
    s.gloss = 0.04
    s.roughness = 0.1
  }

  /// The angle of a direction, in turns from 0 to 1.
  private func angle(_ q: Vector2) -> Float {
    let reach = max(length(q), 1e-5)
    // A polynomial for the arc cosine, as good as a picture needs.
    let x = abs(q.x) / reach
    let arc = (1 - x).squareRoot() * (1.5707288 + x * (-0.2121144 + x * (0.074261 - x * 0.0187293)))
    let half = q.x >= 0 ? arc : 3.1415927 - arc
    let full = q.y >= 0 ? half : 6.2831853 - half
    return full * 0.15915494
  }

  /// Domes or hollows in rows: tablets in foil, eggs in a carton, upholstery, lamps.
  func domes(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    var q = p
    if variety.y > 0.7 && wholeBelow(q.y) & 1 == 1 { q.x += 0.5 }
    let (c, h) = cellPlace(q)
    let isEmpty = h % 6 == 0
    let stretch: Float = variety.x > 0.6 ? 0.6 : 1
    let e = Vector2(c.x, c.y * stretch)
    let radius: Float = 0.3 + 0.1 * variety.z
    let d = length(e) - radius
    let body = Panel.cover(d, f)
    let crinkle = noise(p * 5, seed) * 0.15
    s.slope = Vector2(repeating: crinkle * variety.x)
    s.mark(Panel.cover(d - 0.04, f) * 0.35, first * 0.3)
    var colour = second
    if rainbow > 0.6 { colour = Panel.spectrum(Panel.part(h, 8)) * 0.6 }
    s.mark(body, isEmpty ? first * 0.35 : colour)
    guard d < 0 else { return }
    if glow.max() > 0 && !isEmpty {
      s.glow = light(Panel.part(h, 16)) * (body * (1 - 0.6 * length(e) / radius))
    }
    s.slope = Panel.dome(e, radius, isEmpty ? -0.5 : 0.8)
    s.gloss = max(gloss, 0.04)
    s.roughness = 0.2
  }

  /// Sweets, beads and sprinkles strewn over each other.
  func sweets(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    var q = p
    let isLong = variety.x > 0.6
    for layer in 0..<3 {
      let place = nearestCell(q, jitter: 1, seed &+ UInt32(layer) &* 31)
      let h = place.identity
      let c = Turn(turns: Panel.part(h, 0)).inward(place.offset)
      let half = isLong ? Vector2(0.34, 0.09) : Vector2(0.3, 0.3) * (0.7 + 0.5 * variety.y)
      let d = Panel.box(c, half, min(half.x, half.y))
      if d < 0.08 && h % 4 != 0 {
        s.mark(saturate(1 - d / 0.08) * 0.4, Vector3(repeating: 0.01))
        let colour =
          rainbow > 0.4
          ? Panel.spectrum(Panel.part(h, 8)) * 0.65 : mix(second, third, Panel.part(h, 8))
        s.mark(Panel.cover(d, f), colour)
        if d < 0 {
          s.slope = Panel.dome(place.offset, max(half.x, half.y), isLong ? 0.4 : 0.7)
          s.gloss = 0.04
          s.roughness = 0.2
        }
        if h & 0x3000 == 0 && !isLong {
          s.mark(
            ink(c * 3, UInt8(truncatingIfNeeded: 65 + (h >> 16) % 26), 0.09, f * 3),
            Vector3(repeating: 0.75))
        }
      }
      q = q + Vector2(0.37, 0.71)
    }
  }

  /// Fruit from above: oranges cut in half, berries with seeds, grapes, melons.
  func fruit(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let place = nearestCell(p, jitter: 0.5, seed)
    let h = place.identity
    let c = Turn(turns: Panel.part(h, 0)).inward(place.offset)
    let radius: Float = 0.34 + 0.1 * Panel.part(h, 8)
    let reach = length(c) / radius
    s.mark(saturate(1.35 - reach) * 0.6, Vector3(repeating: 0.01))
    guard reach < 1 + f / radius else { return }
    let body = Panel.cover((reach - 1) * radius, f)
    let soft = f / radius
    let kind = variety.x > 0.6 ? (h >> 16) % 5 : seed % 5
    switch kind {
    case 0:
      // Half an orange, lemon or kiwi: segments about the middle.
      let peel = mix(Vector3(0.8, 0.3, 0.02), Vector3(0.7, 0.6, 0.03), Panel.part(seed, 8))
      s.mark(body, peel)
      s.mark(Panel.cover(reach - 0.9, soft), Vector3(0.75, 0.68, 0.45))
      let t = angle(c) * 10
      let gap = abs(t - nearestWhole(t)) * 0.628 * reach - 0.035
      s.mark(Panel.cover(max(reach - 0.82, max(-gap, 0.1 - reach)), soft), peel * 0.9)
      s.gloss = 0.05
    case 1:
      // A berry with seeds.
      s.mark(body, Vector3(0.55, 0.015, 0.02))
      let seedAt = nearestCell(c * (2.6 / radius), jitter: 0.5, h)
      let dot = Panel.cover(
        length(Vector2(seedAt.offset.x, seedAt.offset.y * 0.6)) - 0.13, soft * 2.6)
      s.mark(dot * body, Vector3(0.7, 0.5, 0.1))
      s.slope = Panel.dome(place.offset, radius, 0.6)
      s.gloss = 0.05
    case 2:
      // A grape, cherry or blueberry.
      let colours = [Vector3(0.3, 0.02, 0.06), Vector3(0.3, 0.45, 0.08), Vector3(0.05, 0.07, 0.22)]
      s.mark(body, colours[Int(seed >> 4) % 3])
      s.slope = Panel.dome(place.offset, radius, 0.9)
      s.mark(Panel.cover(length(c - Vector2(0.03, 0.02)) - 0.05, f), Vector3(repeating: 0.03))
      s.gloss = 0.05
      s.roughness = 0.15
    case 3:
      // An apple or an orange from above.
      let green = Vector3(0.35, 0.5, 0.05)
      let red = Vector3(0.6, 0.04, 0.03)
      let streak = noise(Vector2(angle(c) * 30, reach), h)
      let apple = mix(green, red, saturate(Panel.part(h, 24) + streak))
      s.mark(body, seed & 64 == 0 ? apple : Vector3(0.85, 0.33, 0.02))
      s.slope = Panel.dome(place.offset, radius, 0.8)
      s.mark(Panel.cover(reach - 0.1, soft), Vector3(0.08, 0.05, 0.02))
      s.gloss = 0.04
      s.roughness = 0.25
    default:
      // A slice of melon with its seeds.
      s.mark(body, Vector3(0.05, 0.3, 0.06))
      s.mark(Panel.cover(reach - 0.9, soft), Vector3(0.75, 0.8, 0.6))
      s.mark(Panel.cover(reach - 0.84, soft), Vector3(0.8, 0.1, 0.09))
      let t = angle(c) * 9
      let at = Vector2((t - nearestWhole(t)) * 0.7 * reach, (reach - 0.55) * 0.6)
      s.mark(Panel.cover(length(at) - 0.05, soft), Vector3(repeating: 0.01))
      s.gloss = 0.05
    }
  }

  /// Bricks with studs in several colours, as a plate or a wall of toys.
  func studs(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let (c, _) = cellPlace(p)
    // Bricks of two by four, their rows shifted.
    let row = wholeBelow(p.y * 0.5)
    let brick = wholeBelow(p.x * 0.25 + unitHash(row, 2, seed))
    let h = latticeHash(brick, row, seed)
    let colours = [first, second, third, Panel.spectrum(Panel.part(h, 8)) * 0.6]
    s.colour = colours[rainbow > 0.5 ? Int(h & 3) : 0]
    let x = p.x * 0.25 + unitHash(row, 2, seed)
    let joint = max(
      Panel.line((x - nearestWhole(x)) * 4, 0.03, f),
      Panel.line((p.y * 0.5 - nearestWhole(p.y * 0.5)) * 2, 0.03, f))
    s.mark(joint * (rainbow > 0.5 ? 0.7 : 0), Vector3(repeating: 0.01))
    let reach = length(c)
    let shadow = Panel.cover(length(c - Vector2(0.06, 0.08)) - 0.31, f + 0.08)
    s.mark(shadow * 0.35, s.colour * 0.15)
    let stud = Panel.cover(reach - 0.3, f)
    s.mark(stud, s.colour * 1.05)
    s.slope = reach > 0.24 && reach < 0.31 ? c * 2.5 : .zero
    if reach < 0.24 { s.mark(word(c * 8, 4, 77, 0.08, f * 8) * 0.25, s.colour * 0.4) }
    s.gloss = 0.04
    s.roughness = 0.25
  }
}

internal import DiceNumerics

// Things of metal and plastic with holes, contacts and screws.
extension Panel {
  /// The place in its cell, and the hash of the cell.
  @inline(__always)
  func cellPlace(_ p: Vector2) -> (c: Vector2, hash: UInt32) {
    let column = wholeBelow(p.x)
    let row = wholeBelow(p.y)
    return (
      p - Vector2(Float(column) + 0.5, Float(row) + 0.5), latticeHash(column, row, seed)
    )
  }

  /// Wall sockets of several countries, and switches that glow.
  func sockets(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let (c, h) = cellPlace(p)
    let plate = Panel.box(c, Vector2(0.47, 0.47), 0.06)
    s.mark(Panel.line(plate, 0.015, f) * 0.6, Vector3(repeating: 0.02))
    let dark = Vector3(repeating: 0.01)
    if h % 7 == 0 {
      // A rocker switch.
      let d = Panel.box(c, Vector2(0.16, 0.26), 0.03)
      let colour = Panel.spectrum(h & 8 == 0 ? 0 : 0.35)
      s.mark(Panel.cover(d - 0.03, f), dark)
      s.mark(Panel.cover(d, f), colour * 0.5)
      s.glow = colour * (Panel.cover(d, f) * glow.max() * (h & 0x30 == 0 ? 0 : 0.7))
      s.mark(Panel.line(length(c + Vector2(0, 0.12)) - 0.05, 0.015, f), Vector3(repeating: 0.7))
      return
    }
    let kind = Int(variety.x * 2.99)
    if kind < 2 {
      let d = length(c) - 0.4
      let rim = smoothStep(-0.08, 0, d) * Panel.cover(d, f)
      s.mark(Panel.cover(d, f), second)
      s.slope = rim > 0 ? c * (-3 * rim) : .zero
      s.mark(rim * 0.35, dark)
    }
    let q = absolute(c)
    var hole: Float = 1
    if kind == 0 {
      // Two round holes, with clips above and below.
      hole = length(Vector2(q.x - 0.19, c.y)) - 0.05
      let clip = Panel.box(Vector2(c.x, q.y - 0.36), Vector2(0.06, 0.045), 0)
      s.mark(Panel.cover(clip, f), Vector3(repeating: 0.45))
      if h & 64 == 0 {
        s.mark(Panel.cover(length(c) - 0.045, f), Vector3(repeating: 0.3))
      }
    } else if kind == 1 {
      hole = min(
        Panel.box(Vector2(q.x - 0.15, c.y + 0.08), Vector2(0.025, 0.09), 0),
        length(c - Vector2(0, 0.15)) - 0.055)
    } else {
      hole = min(
        Panel.box(Vector2(q.x - 0.18, c.y - 0.12), Vector2(0.07, 0.035), 0),
        Panel.box(c + Vector2(0, 0.15), Vector2(0.035, 0.08), 0))
      let screw = length(Vector2(q.x - 0.4, c.y)) - 0.045
      s.mark(Panel.cover(screw, f), Vector3(repeating: 0.35))
    }
    s.mark(Panel.cover(hole, f), dark)
  }

  /// The sockets on the side of a computer.
  func ports(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let (c, h) = cellPlace(p)
    let dark = Vector3(repeating: 0.008)
    let metal = Vector3(repeating: 0.5)
    let q = absolute(c)
    switch h % 7 {
    case 0, 1:
      // A wide port with a tongue and contacts.
      let d = Panel.box(c, Vector2(0.4, 0.17), 0.02)
      s.mark(Panel.cover(d - 0.03, f), metal)
      s.mark(Panel.cover(d, f), dark)
      let tongue = Panel.box(c + Vector2(0, 0.05), Vector2(0.34, 0.06), 0)
      let blue = h & 16 == 0 ? Vector3(0.02, 0.12, 0.6) : Vector3(repeating: 0.6)
      s.mark(Panel.cover(tongue, f), h & 32 == 0 ? blue : dark * 3)
      let contact = abs(c.x * 6 - nearestWhole(c.x * 6)) / 6 - 0.03
      s.mark(Panel.cover(max(contact, tongue + 0.02), f) * 0.8, Vector3(0.55, 0.4, 0.12))
    case 2:
      let d = Panel.box(c, Vector2(0.27, 0.1), 0.1)
      s.mark(Panel.cover(d - 0.025, f), metal)
      s.mark(Panel.cover(d, f), dark)
      s.mark(Panel.cover(Panel.box(c, Vector2(0.18, 0.02), 0.02), f), Vector3(repeating: 0.15))
    case 3:
      let reach = length(c)
      s.mark(Panel.cover(reach - 0.2, f), Panel.spectrum(Panel.part(h, 8)) * 0.5)
      s.mark(Panel.cover(reach - 0.14, f), metal)
      s.mark(Panel.cover(reach - 0.1, f), dark)
    case 4:
      let d = max(Panel.box(c, Vector2(0.4, 0.15), 0.02), (q.x * 0.7 + c.y * 0.7) - 0.3)
      s.mark(Panel.cover(d - 0.02, f), metal)
      s.mark(Panel.cover(d, f), dark)
      s.mark(Panel.cover(Panel.box(c + Vector2(0, 0.02), Vector2(0.28, 0.03), 0), f), metal * 0.3)
    case 5:
      let d = Panel.box(c, Vector2(0.32, 0.28), 0.01)
      s.mark(Panel.cover(d - 0.03, f), metal)
      s.mark(Panel.cover(d, f), dark)
      let pin = abs(c.x * 9 - nearestWhole(c.x * 9)) / 9 - 0.025
      let isPin = max(pin, Panel.box(c + Vector2(0, 0.2), Vector2(0.25, 0.05), 0))
      s.mark(Panel.cover(isPin, f), Vector3(0.55, 0.4, 0.12))
      let lamp = Panel.box(Vector2(q.x - 0.26, c.y - 0.34), Vector2(0.04, 0.025), 0)
      s.glow = Panel.spectrum(c.x < 0 ? 0.33 : 0.12) * (glow.max() * Panel.cover(lamp, f))
    default:
      // Slots for air, and a word.
      let slot = abs(c.x * 7 - nearestWhole(c.x * 7)) / 7 - 0.03
      s.mark(Panel.cover(max(slot, q.y - 0.3), f), dark)
    }
    s.mark(word((c - Vector2(0, 0.42)) * 9, 4, h, 0.07, f * 9) * 0.8, third)
  }

  /// Plugs with a metal shell that has two square holes, on a body of plastic.
  func plugs(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let row = wholeBelow(p.y)
    let h = latticeHash(row, 3, seed)
    let c = Vector2(p.x - size.x * 0.5, p.y - Float(row) - 0.5)
    let shift = (Panel.part(h, 0) - 0.5) * 0.5 * size.x
    let q = Vector2(h & 1 == 0 ? c.x - shift : shift - c.x, c.y)
    s.cover = 0
    // The cable, the body, the shell: each hides the table.
    let cable = Panel.box(q + Vector2(3, 0), Vector2(3, 0.09), 0.05)
    let body = Panel.box(q + Vector2(0.45, 0), Vector2(0.6, 0.34), 0.1)
    // A wide shell with holes, or a narrow round one.
    let isNarrow = h & 0x300 == 0
    let end = isNarrow ? Vector2(0.3, 0.13) : Vector2(0.45, 0.27)
    let shell = Panel.box(q - Vector2(0.1 + end.x, 0), end, isNarrow ? 0.1 : 0.02)
    let all = min(cable, min(body, shell))
    guard all < 0.2 else { return }
    s.cover = Panel.cover(all, f)
    s.shadow = 0.5 * smoothStep(0.18, 0, all)
    let plastic =
      h & 2 == 0 ? second : h & 4 == 0 ? Vector3(repeating: 0.02) : Vector3(repeating: 0.7)
    s.colour = plastic * (0.75 + 0.25 * saturate(1 - abs(q.y) * 2))
    s.slope = Vector2(0, -q.y * 0.8)
    if shell < 0 {
      s.colour = Vector3(repeating: 0.42 + 0.12 * (q.y + 0.3))
      s.gloss = 0.25
      s.roughness = 0.25
      s.slope = .zero
      let hole = Panel.box(Vector2(q.x - 0.62, abs(q.y) - 0.13), Vector2(0.07, 0.07), 0.01)
      s.mark(isNarrow ? 0 : Panel.cover(hole, f), Vector3(repeating: 0.008))
      let seam = Panel.line(q.y, 0.012, f) * (q.x < 0.5 ? 1 : 0)
      s.mark(max(seam, Panel.line(shell, 0.02, f)) * 0.6, Vector3(repeating: 0.05))
    } else if body < 0 {
      let sign = Vector2(q.x + 0.45, q.y)
      let ink = Vector3(repeating: luminance(plastic) > 0.2 ? 0.02 : 0.7)
      let mark =
        h & 8 == 0
        ? pictogram(sign * 4, h, f * 4) : word(sign * 4.5, 3, h, 0.08, f * 4.5)
      s.mark(mark, ink)
      let lamp = length(q + Vector2(0.85, 0)) - 0.05
      if h & 0x60 == 0 { s.glow = light(Panel.part(h, 8)) * Panel.cover(lamp, f) }
      let ridge = abs(q.x * 9 - nearestWhole(q.x * 9)) / 9 - 0.02
      if q.x < -0.85 { s.mark(Panel.cover(ridge, f) * 0.5, Vector3(repeating: 0.01)) }
    }
  }

  /// Rows of holes in a sheet: round, square or long, straight or staggered.
  func grille(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    var q = p
    if variety.y > 0.4 && wholeBelow(q.y) & 1 == 1 { q.x += 0.5 }
    let (c, h) = cellPlace(q)
    let radius: Float = 0.2 + 0.22 * variety.z
    let d: Float
    if variety.x < 0.5 {
      d = length(c) - radius
    } else if variety.x < 0.7 {
      d = Panel.box(c, Vector2(repeating: radius), 0.02)
    } else if variety.x < 0.85 {
      let a = absolute(c)
      d = max(a.x * 0.866 + a.y * 0.5, a.y) - radius
    } else {
      d = Panel.box(c, Vector2(0.42, radius * 0.5), radius * 0.5)
    }
    let hole = Panel.cover(d, f)
    // The upper part of a hole lies deeper in the shade; its lower wall is lit.
    let wall = saturate(0.5 + c.y * 2) * 0.35
    s.mark(hole, mix(Vector3(repeating: 0.006), first * 0.5, wall * wall))
    s.slope = d > 0 && d < 0.08 ? c * (1.4 * (1 - d / 0.08)) : .zero
    if glow.max() > 0 && h % 5 == 0 { s.glow = light(Panel.part(h, 8)) * hole }
  }

  /// A circuit board: tracks, holes in a row, chips with legs, small parts with numbers.
  func circuit(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let track = noise(Vector2(p.x * 0.35, p.y * 0.35), seed)
    let lines = Panel.line(toStep(p.x + p.y * (track > 0 ? 1 : 0), 0.25), 0.03, f)
    s.mark(lines * (abs(track) > 0.12 ? 0.5 : 0), first * 1.7)
    let (c, h) = cellPlace(p * (1 / 3))
    let q = c * 3
    let soft = f
    let gold = Vector3(0.6, 0.45, 0.14)
    let dark = Vector3(repeating: 0.012)
    switch h % 6 {
    case 0, 1:
      // A chip with legs on two or four sides.
      let half = Vector2(0.5 + 0.6 * Panel.part(h, 8), h % 6 == 0 ? 0.45 : 0.8)
      let d = Panel.box(q, half, 0.03)
      let legs = abs(toStep(q.x, 0.3)) - 0.07
      let isLeg = max(legs, max(abs(q.x) - half.x + 0.05, abs(q.y) - half.y - 0.22))
      s.mark(Panel.cover(isLeg, soft), Vector3(repeating: 0.55))
      s.mark(Panel.cover(d, soft), dark)
      s.mark(Panel.cover(length(q + half * 0.72) - 0.09, soft) * Panel.cover(d, soft), dark * 6)
      s.mark(word(q * 3, 6, h, 0.07, f * 3) * 0.7, Vector3(repeating: 0.5))
    case 2:
      // Holes of a connector, in two rows.
      let place = Vector2(toStep(q.x, 0.5), toStep(q.y, 0.5))
      let isIn = abs(q.x) < 1.25 && abs(q.y) < 0.5
      let reach = length(place)
      if isIn {
        s.mark(Panel.cover(reach - 0.19, soft), gold)
        s.mark(Panel.cover(reach - 0.1, soft), dark)
      }
    case 3:
      // A round capacitor with a marked side.
      let reach = length(q)
      s.mark(Panel.cover(reach - 0.75, soft), dark * 2)
      s.mark(Panel.cover(reach - 0.66, soft), q.x > 0.35 ? dark : Vector3(repeating: 0.5))
      s.mark(word(q * 2.2, 3, h, 0.08, f * 2.2) * 0.8, dark)
    case 4:
      // Small parts in pairs.
      let place = Vector2(toStep(q.x, 0.9), toStep(q.y, 0.9))
      let d = Panel.box(place, Vector2(0.28, 0.15), 0.02)
      s.mark(Panel.cover(d, soft), Vector3(repeating: 0.6))
      let middle = max(d, abs(place.x) - 0.17)
      let colour = h & 64 == 0 ? dark : Vector3(0.35, 0.2, 0.09)
      s.mark(Panel.cover(middle, soft), colour)
      let lamp = latticeHash(wholeBelow(q.x / 0.9 + 0.5), wholeBelow(q.y / 0.9 + 0.5), h)
      if glow.max() > 0 && lamp % 9 == 0 {
        s.glow = Panel.spectrum(Panel.part(lamp, 8)) * (glow.max() * Panel.cover(middle, soft))
      }
    default:
      s.mark(word(q * 1.6, 4, h, 0.06, f * 1.6), Vector3(repeating: 0.75))
    }
  }

  /// The signed distance to the nearest multiple of a step.
  @inline(__always)
  private func toStep(_ x: Float, _ step: Float) -> Float {
    x - nearestWhole(x / step) * step
  }

  /// A board of small square holes in groups of five, with coloured lines.
  func breadboard(_ p: Vector2, _ size: Vector2, _ f: Float, _ s: inout Paint) {
    let row = wholeBelow(p.y)
    let isRail = row < 3 || Float(row) > size.y - 4
    let isGap = row % 7 == 6 && !isRail
    let (c, _) = cellPlace(p)
    let isShort = isRail && wholeBelow(p.x) % 6 == 5
    if !isGap && !isShort {
      let d = variety.x > 0.5 ? Panel.box(c, Vector2(0.2, 0.2), 0.03) : length(c) - 0.2
      s.mark(Panel.cover(d - 0.06, f) * 0.25, Vector3(repeating: 0.02))
      s.mark(Panel.cover(d, f), Vector3(repeating: 0.012))
    }
    if isRail && row % 3 == 0 {
      s.mark(Panel.line(c.y + 0.42, 0.06, f), row % 2 == 0 ? third : Vector3(0.02, 0.05, 0.5))
    }
    // Wires over the board.
    for wire in Int32(0)..<4 {
      let a = Vector2(unitHash(wire, 1, seed), unitHash(wire, 2, seed)) * size
      let b = Vector2(unitHash(wire, 3, seed), unitHash(wire, 4, seed)) * size
      let along = b - a
      let t = saturate(dot(p - a, along) / max(dot(along, along), 1e-3))
      let bend = Vector2(along.y, -along.x) * (0.6 * t * (1 - t))
      let d = length(p - a - along * t - bend) - 0.22
      s.mark(Panel.cover(d - 0.2, f) * 0.3, Vector3(repeating: 0.01))
      let hue = unitHash(wire, 5, seed)
      s.mark(Panel.cover(d, f), Panel.spectrum(hue) * (0.4 + 0.3 * saturate(-d * 4)))
    }
  }

  /// Heads of screws, bolts and nuts, in rows or strewn.
  func screws(_ p: Vector2, _ f: Float, _ s: inout Paint) {
    let place = nearestCell(p, jitter: variety.y > 0.5 ? 0.8 : 0, seed)
    let h = place.identity
    guard h % 5 != 0 else { return }
    let c = Turn(turns: Panel.part(h, 4)).inward(place.offset)
    let size: Float = 0.2 + 0.18 * Panel.part(h, 12) * (variety.z > 0.5 ? 1 : 0.4)
    let q = c * (1 / size)
    let soft = f / size
    let a = absolute(q)
    let reach = length(q)
    let kind = (variety.x > 0.5 ? h >> 20 : seed) % 6
    let hexagon = max(a.x * 0.866 + a.y * 0.5, a.y) - 0.9
    let outline = kind < 2 ? hexagon : reach - 1
    let tone = second * (0.8 + 0.3 * Panel.part(h, 24))
    s.mark(
      Panel.cover(length(q - Vector2(0.1, 0.2)) - 1.05, soft + 0.15) * 0.55,
      Vector3(repeating: 0.005))
    let body = Panel.cover(outline, soft)
    s.mark(body, tone)
    guard outline < 0 else { return }
    s.gloss = 0.12
    s.roughness = 0.3
    s.slope = reach > 0.8 ? q * 0.9 : Panel.dome(q, 1, kind == 5 ? 0.5 : 0.12)
    let dark = Vector3(repeating: 0.01)
    switch kind {
    case 0:
      // A nut: a hole with thread.
      s.mark(Panel.cover(reach - 0.52, soft), tone * 0.4)
      s.mark(Panel.cover(reach - 0.44, soft), dark)
    case 1: s.mark(Panel.line(reach - 0.72, 0.05, soft), tone * 0.4)
    case 2:
      let cross = min(max(a.x - 0.12, a.y - 0.55), max(a.y - 0.12, a.x - 0.55))
      s.mark(Panel.cover(cross, soft), dark)
    case 3: s.mark(Panel.cover(a.y - 0.12, soft), dark)
    case 4: s.mark(Panel.cover(max(a.x * 0.866 + a.y * 0.5, a.y) - 0.42, soft), dark)
    default: s.mark(Panel.line(reach - 0.6, 0.04, soft) * 0.5, tone * 0.5)
    }
    s.slope = Turn(turns: Panel.part(h, 4)).outward(s.slope)
  }
}

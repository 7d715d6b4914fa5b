internal import DiceNumerics

/// The skin of a thing that is no die, at one point.
struct PropSkin {
  /// What has come of it so far.
  private(set) var sample: SkinSample
  private let material: Material
  private let paint: Solid.Paint
  private let seed: UInt32
  /// Half the size of the body.
  private let size: Vector3
  /// The lesser of half its length and half its width, which the marks are scaled by.
  private let unit: Float
  /// The point of the body, in its own units.
  private let p: Vector3
  private let normal: Vector3
  /// The point as seen from above, in units.
  private let u: Vector2
  /// The size of a pixel there, in units.
  private let soft: Float
  private let isTop: Bool

  init(_ solid: Solid, _ material: Material, at p: Vector3, normal: Vector3, footprint: Float) {
    self.material = material
    paint = solid.paint
    seed = solid.seed
    size = solid.body.extent
    unit = min(size.x, size.y)
    self.p = p
    self.normal = normal
    u = Vector2(p.x, p.y) * (1 / unit)
    soft = footprint / unit
    isTop = normal.z > 0.6 && p.z > 0
    sample = SkinSample(
      colour: material.colour(at: p * (1 / max(size.max(), 1e-3))), gloss: material.gloss,
      roughness: material.roughness, metallic: material.metallic,
      translucency: material.translucency, point: p, normal: normal)
    sample.emission = material.emission
  }

  /// Adds what covers the material.
  mutating func addPaint() {
    switch paint {
    case .die, .numerals, .plain: break
    case .coin: addCoin()
    case .button: addButton()
    case .chip: addChip()
    case .domino: addDomino()
    case .symbol: addSymbol()
    case .key: addKey()
    case .bands: addBands()
    case .spots: addSpots()
    case .cover: addCover()
    }
  }

  /// Covers the sample with a share of another colour, as a mark.
  private mutating func ink(_ amount: Float, _ colour: Vector3) {
    sample.colour = mix(sample.colour, colour, amount)
    if amount > 0.5 { sample.label |= 1 }
  }

  private mutating func addCoin() {
    let reach = length(u)
    if isTop {
      let relief = fractal(
        u * 2.6 + Vector2(3, 1), octaves: 3, footprint: soft * 2.6, seed)
      let rim = smoothStep(0.86, 0.9, reach)
      let letters = Glyphs.letter(u.x * 1.1 + 0.5, 0.5 - u.y * 0.9, seed, softness: 0.3)
      let bump = (relief * 0.7 + letters * 0.5) * (1 - rim)
      sample.colour = sample.colour * max(0.2, 0.85 + bump * 0.7)
      sample.normal = normalized(normal + Vector3(relief, -relief, 0) * (0.3 * (1 - rim)))
      if seed & 8 == 0 && reach > 0.66 { ink(0.9, material.second) }
    } else {
      let ridge = noise(Vector2(u.x * 30, u.y * 30), seed)
      sample.colour = sample.colour * (0.8 + 0.3 * ridge)
    }
  }

  private mutating func addButton() {
    guard isTop else { return }
    let holes = seed & 1 == 0 ? Vector2(0.22, 0.22) : Vector2(0.24, 0)
    let d = length(absolute(u) - holes)
    ink(smoothStep(0.13 + soft, 0.13 - soft, d), sample.colour * 0.08)
    let dish = smoothStep(0.66, 0.6, length(u)) * smoothStep(0.5, 0.6, length(u))
    sample.colour = sample.colour * (1 - 0.35 * dish)
  }

  private mutating func addChip() {
    let reach = length(u)
    let angle = Vector2(abs(u.x), abs(u.y))
    let edgeSpot = abs(angle.x - angle.y) < 0.16 || min(angle.x, angle.y) < 0.11
    if reach > 0.72 || !isTop {
      if edgeSpot { ink(1, material.second) }
    } else if reach > 0.58 {
      ink(0.9, material.second)
    } else {
      let mark = Glyphs.letter(u.x + 0.5, 0.5 - u.y, seed, softness: soft * 3)
      ink(mark, material.third)
    }
  }

  private mutating func addDomino() {
    guard isTop else { return }
    let along = size.x >= size.y ? Vector2(p.x, p.y) : Vector2(p.y, p.x)
    let half = max(size.x, size.y) * 0.5
    let value = along.x > 0 ? Int(seed % 7) : Int((seed >> 4) % 7)
    let c = Vector2(abs(along.x) - half, along.y) * (1 / min(half, unit))
    if abs(along.x) < unit * 0.035 { ink(1, material.second) }
    if dominoPip(c, value) { ink(1, material.third) }
  }

  private mutating func addSymbol() {
    let side = DieLayout.side(nearest: p * (1 / max(size.max(), 1e-3)))
    let c = DieLayout.coordinates(of: p, onSide: side) * (1 / unit)
    ink(mark(c, seed &+ UInt32(side) &* 7919, soft), material.second)
  }

  private mutating func addKey() {
    guard isTop else { return }
    let mark = Glyphs.letter(
      (u.x + 0.5) * 1.8, (0.7 - u.y) * 1.5, seed, softness: soft * 4)
    ink(mark, material.second)
  }

  private mutating func addBands() {
    let share = (p.x / size.x + 1) * 0.5
    if share > 0.86 || (seed & 1 == 0 && share < 0.12) { ink(1, material.second) }
    if share > 0.95 { ink(1, material.third) }
  }

  private mutating func addSpots() {
    let d = normalized(p)
    var isInk = abs(d.x) < 0.03 || d.y > 0.82
    for spot: Int32 in 0..<7 {
      let toSpot = normalized(
        Vector3(
          unitHash(spot, 1, seed) * 2 - 1, unitHash(spot, 2, seed) * 2 - 1,
          0.2 + unitHash(spot, 3, seed)))
      if dot(d, toSpot) > 0.97 { isInk = true }
    }
    if isInk { ink(1, material.second) }
  }

  private mutating func addCover() {
    if isTop {
      let c = Vector2(p.x / size.x, p.y / size.y)
      let title = abs(c.y - 0.45) < 0.2 && abs(c.x) < 0.75
      let words = Glyphs.lines(
        Vector2(c.x * 4 + 9, (0.65 - c.y) * 5), footprint: 0.1, filled: 1, seed)
      if title { ink(words, material.second) }
      let art = fractal(c * 1.7, octaves: 3, footprint: soft, seed &+ 5)
      if c.y < 0.15 && seed & 1 == 0 {
        ink(smoothStep(0, 0.05, art) * 0.9, material.third)
      }
    } else if abs(normal.z) < 0.5 && seed & 2 == 0 {
      // The edges of the pages.
      let page = sineOfTurns(p.z * 30 / max(size.z, 1e-3)) * 0.06
      sample.colour = Vector3(0.72, 0.68, 0.58) * (1 + page)
    }
  }
}

extension Stage {
  /// The skin of anything that is no die.
  func propSkin(_ solid: Solid, _ p: Vector3, _ normal: Vector3, footprint: Float) -> SkinSample {
    var skin = PropSkin(
      solid, scene.materials[solid.look], at: p, normal: normal, footprint: footprint)
    skin.addPaint()
    return skin.sample
  }
}

// Marks.
extension PropSkin {
  private func dominoPip(_ c: Vector2, _ value: Int) -> Bool {
    let s: Float = 0.5
    func near(_ x: Float, _ y: Float) -> Bool { length(c - Vector2(x, y)) < 0.16 }
    switch value {
    case 0: return false
    case 1: return near(0, 0)
    case 2: return near(-s, -s) || near(s, s)
    case 3: return near(-s, -s) || near(s, s) || near(0, 0)
    case 4: return near(-s, -s) || near(s, s) || near(-s, s) || near(s, -s)
    case 5: return near(-s, -s) || near(s, s) || near(-s, s) || near(s, -s) || near(0, 0)
    default:
      return near(-s, -s) || near(s, s) || near(-s, s) || near(s, -s) || near(-s, 0)
        || near(s, 0)
    }
  }

  /// A single mark, never a set of dots: a cross, a ring, a star, a letter, a scrawl.
  private func mark(_ c: Vector2, _ seed: UInt32, _ soft: Float) -> Float {
    let reach = length(c)
    switch seed % 6 {
    case 0:
      let d = min(
        max(abs(c.x + c.y), abs(c.x - c.y) * 0.4), max(abs(c.x - c.y), abs(c.x + c.y) * 0.4))
      return smoothStep(0.26 + soft, 0.26 - soft, d)
    case 1:
      let d = min(max(abs(c.x), abs(c.y) * 0.35), max(abs(c.y), abs(c.x) * 0.35))
      return smoothStep(0.2 + soft, 0.2 - soft, d)
    case 2:
      let ring = abs(reach - 0.5) - 0.1
      let bar = abs(c.x - c.y) * 0.7 - 0.08
      return smoothStep(soft, -soft, min(ring, reach < 0.5 ? bar : 1))
    case 3:
      let lobes =
        0.45 + 0.2 * (c.x * c.x * c.x - 3 * c.x * c.y * c.y) / max(reach * reach * reach, 0.01)
      return smoothStep(soft, -soft, reach - lobes)
    case 4:
      return Glyphs.letter(c.x * 0.7 + 0.5, 0.5 - c.y * 0.7, seed >> 3, softness: soft * 3)
    default:
      let wave =
        abs(
          c.y - 0.35 * noise(Vector2(c.x * 2.4 + Float(seed & 63), 0.3), seed) * 2) - 0.1
      return smoothStep(soft, -soft, max(wave, abs(c.x) - 0.65))
    }
  }
}

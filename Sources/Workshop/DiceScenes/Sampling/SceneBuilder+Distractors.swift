extension SceneBuilder {
  /// Lays flat things and solid ones beside the dice.
  mutating func strewDistractors() {
    if random.chance(0.45) { layDecals() }
    if random.chance(0.5) { layProps() }
  }

  /// A place on the ground that is in the picture or just beside it; nil above the horizon.
  mutating func spot() -> Vector2? {
    ground(atPixel: pixel(margin: -0.05), height: 0).map { Vector2($0.x, $0.y) }
  }

  /// Lays flat things, often many of one kind.
  mutating func layDecals() {
    let count = random.integer(1...(random.chance(0.3) ? 10 : 4))
    let favourite = random.element(of: Decal.Kind.ordinary)
    let isMonotone = random.chance(0.4)
    for _ in 0..<count {
      guard let center = spot() else { continue }
      let kind = isMonotone ? favourite : random.element(of: Decal.Kind.ordinary)
      decals.append(makeDecal(kind, center))
    }
  }

  /// A flat thing of a kind with a size and colours that suit it.
  mutating func makeDecal(_ kind: Decal.Kind, _ center: Vector2) -> Decal {
    var decal = Decal(
      kind: kind, center: center, turn: Turn(turns: random.unit()), half: Vector2(1, 1),
      first: Palette.any(&random), second: Palette.any(&random), third: Palette.any(&random),
      lift: 0, gloss: random.unit(), number: random.integer(1...10),
      seed: UInt32(truncatingIfNeeded: random.next()))
    switch kind {
    case .card, .cardBack:
      decal.half = Vector2(1.97, 2.75) * random.number(0.75, 1.1)
      if kind == .card || random.chance(0.7) { decal.first = Palette.white(&random) }
      decal.lift = 0.03
    case .note:
      decal.half = Vector2(random.number(1.5, 6), random.number(1.5, 6))
      if random.chance(0.6) { decal.first = Palette.white(&random) }
      decal.second = Vector3(repeating: random.number(0.01, 0.1))
      decal.lift = 0.02
    case .text:
      decal.half = Vector2(random.number(2, 8), random.number(0.3, 1.2))
    case .disc, .symbol:
      decal.half = Vector2(repeating: random.logarithmic(0.3, 2.5))
      decal.lift = random.chance(0.5) ? 0.06 : 0
    case .ring:
      decal.half = Vector2(repeating: random.number(1.5, 3))
      decal.first = decal.first * 0.4
    case .scribble: decal.half = Vector2(random.number(1, 6), random.number(0.5, 3))
    case .tape:
      decal.half = Vector2(random.number(2, 8), random.number(0.3, 0.8))
      decal.lift = 0.015
    case .ruler:
      decal.half = Vector2(random.number(5, 10), random.number(0.7, 1.2))
      decal.first = random.chance(0.5) ? Palette.stored(225, 200, 120) : Palette.white(&random)
      decal.second = Vector3(repeating: 0.02)
      decal.lift = 0.06
    case .looseDots:
      decal.half = Vector2(repeating: random.logarithmic(0.5, 2))
      decal.first = random.chance(0.5) ? Vector3(repeating: 0.02) : decal.first
    case .dominoPrint:
      decal.half = Vector2(1.5, 0.75) * random.number(0.8, 1.3)
      decal.first = random.chance(0.6) ? Palette.white(&random) : Vector3(repeating: 0.02)
      decal.second =
        luminance(decal.first) > 0.3 ? Vector3(repeating: 0.02) : Palette.white(&random)
      decal.lift = 0.05
    case .stain, .crumbs:
      decal.half = Vector2(repeating: random.logarithmic(0.5, 4))
      decal.gloss = random.number(0.1, 0.7)
    case .smudge:
      decal.half = Vector2(random.number(1, 6), random.number(0.5, 3))
      decal.gloss = random.number(0.05, 0.3)
      decal.first = random.chance(0.5) ? Vector3(repeating: 0.6) : Vector3(repeating: 0.02)
    case .diePrint: break
    case .cable:
      decal.half = Vector2(reach * 1.6, random.number(2, 8))
      decal.first = random.chance(0.5) ? Vector3(repeating: 0.02) : Palette.white(&random)
      decal.lift = random.number(0.1, 0.22)
    }
    return decal
  }

  /// Keeps a thing clear of the dice and the walls, and notes where it stands.
  mutating func place(_ solid: Solid) -> Bool {
    guard let covered = room(for: solid) else { return false }
    footprints.append(contentsOf: covered)
    return true
  }

  /// The squares that a thing would cover, or nil where it does not fit.
  func room(for solid: Solid) -> [Footprint]? {
    let e = solid.body.extent * solid.scale
    // Long things are covered by squares along their length.
    let half = min(e.x, max(e.y, 0.2))
    let steps = max(Int((e.x / max(half, 0.1)).rounded(.up)), 1)
    var covered: [Footprint] = []
    for step in 0..<steps {
      let along = steps == 1 ? 0 : (Float(step) / Float(steps - 1) * 2 - 1) * (e.x - half)
      let offset = solid.rotation.toWorld(Vector3(along, 0, 0))
      covered.append(
        Footprint(
          center: Vector2(solid.center.x + offset.x, solid.center.y + offset.y),
          turn: Turn(turns: 0), half: half * 1.25))
    }
    for footprint in covered where !fits(footprint, footprints) { return nil }
    // Nothing stands so close to the camera that it fills the view.
    let away = length(solid.center - camera.position)
    return away > 3 + solid.boundingRadius * 2 ? covered : nil
  }
}

/// A kind of thing that is taken for dice.
///
/// Pictures of a seed depend on how often each stands among `choices`.
private enum HardNegative {
  case cube
  case markedCube
  case domino
  case button
  case keysOrCoin
  case sugar
  case brick
  case ladybird
  case prints

  static let choices: [HardNegative] = [
    .cube, .cube, .markedCube, .domino, .button, .keysOrCoin, .sugar, .sugar, .brick, .brick,
    .ladybird, .prints,
  ]
}

extension SceneBuilder {
  /// Lays things that resemble dice, often many of one kind.
  mutating func strewHardNegatives() {
    let favourite = random.element(of: HardNegative.choices)
    let isMonotone = random.chance(0.4)
    for _ in 0..<random.integer(2...(random.chance(0.3) ? 18 : 8)) {
      let kind = isMonotone ? favourite : random.element(of: HardNegative.choices)
      for _ in 0..<8 {
        guard let center = spot() else { continue }
        if add(kind, center) { break }
      }
    }
  }

  private mutating func add(_ kind: HardNegative, _ center: Vector2) -> Bool {
    switch kind {
    case .cube: addProp(.cube, center)
    case .markedCube: addProp(.markedCube, center)
    case .domino: addProp(.domino, center)
    case .button: addProp(.button, center)
    case .keysOrCoin: addProp(random.chance(0.6) ? .keys : .coin, center)
    case .sugar: addSugar(center)
    case .brick: addBrick(center)
    case .ladybird: addLadybird(center)
    case .prints: addPrints(center)
    }
  }

  private mutating func addSugar(_ center: Vector2) -> Bool {
    let half = random.number(0.4, 0.6)
    let extent = Vector3(half, half * random.number(0.85, 1), half * random.number(0.7, 1))
    let isBrown = random.chance(0.25)
    let base = isBrown ? Palette.stored(168, 120, 70) : Palette.white(&random)
    materials.append(
      Material(
        pattern: .speckled, base: base, second: base * 0.8, third: base * 1.15,
        patternScale: random.number(1.5, 3), gloss: 0.03, roughness: 0.7, metallic: 0,
        translucency: 0, seed: UInt32(truncatingIfNeeded: random.next())))
    let solid = Solid(
      body: Body(kind: .box, extent: extent, rounding: half * random.number(0.05, 0.2)),
      center: Vector3(center.x, center.y, extent.z), rotation: .yaw(turns: random.unit()),
      scale: 1, paint: .plain, look: materials.count - 1,
      seed: UInt32(truncatingIfNeeded: random.next()))
    guard place(solid) else { return false }
    props.append(solid)
    return true
  }

  /// A brick with rows of studs on top.
  mutating func addBrick(_ center: Vector2) -> Bool {
    let unit = random.number(0.4, 0.75)
    let columns = random.integer(1...4)
    let rows = random.integer(1...2)
    let height = unit * random.element(of: [0.2, 0.6, 0.6])
    let look = propMaterial()
    materials[look].base = Palette.strong(&random)
    if random.chance(0.3) { materials[look].base = Palette.white(&random) }
    materials[look].pattern = .plain
    materials[look].metallic = 0
    materials[look].translucency = 0
    let rotation = Rotation.yaw(turns: random.unit())
    let middle = Vector3(center.x, center.y, height)
    let body = Solid(
      body: Body(
        kind: .box, extent: Vector3(Float(columns) * unit * 0.5, Float(rows) * unit * 0.5, height),
        rounding: unit * 0.04),
      center: middle, rotation: rotation, scale: 1, paint: .plain, look: look, seed: 0)
    guard place(body) else { return false }
    props.append(body)
    for row in 0..<rows {
      for column in 0..<columns {
        let offset = Vector3(
          (Float(column) - Float(columns - 1) * 0.5) * unit,
          (Float(row) - Float(rows - 1) * 0.5) * unit, height + unit * 0.1)
        props.append(
          Solid(
            body: Body(
              kind: .cylinder, extent: Vector3(unit * 0.3, unit * 0.3, unit * 0.12),
              rounding: unit * 0.03),
            center: middle + rotation.toWorld(offset), rotation: rotation, scale: 1, paint: .plain,
            look: look, seed: 0))
      }
    }
    return true
  }

  private mutating func addLadybird(_ center: Vector2) -> Bool {
    let radius = random.number(0.3, 0.7)
    let look = propMaterial()
    materials[look].base = random.chance(0.7) ? Palette.stored(205, 30, 20) : Palette.any(&random)
    materials[look].second =
      luminance(materials[look].base) < 0.04 ? Palette.white(&random) : Palette.stored(12, 12, 12)
    materials[look].pattern = .plain
    materials[look].metallic = 0
    materials[look].translucency = 0
    let solid = Solid(
      body: Body(kind: .ball, extent: Vector3(repeating: radius), rounding: 0),
      center: Vector3(center.x, center.y, radius * random.number(0.1, 0.5)),
      rotation: .yaw(turns: random.unit()), scale: 1, paint: .spots, look: look,
      seed: UInt32(truncatingIfNeeded: random.next()))
    guard place(solid) else { return false }
    props.append(solid)
    return true
  }

  /// Printed faces in a row, as on a package, with a common look.
  private mutating func addPrints(_ center: Vector2) -> Bool {
    let half = random.logarithmic(0.25, 0.9)
    let turns = random.unit()
    let turn = Turn(turns: turns)
    let isDark = random.chance(0.4)
    let ink = isDark ? Palette.white(&random) : Palette.stored(20, 20, 22)
    let paper = isDark ? Palette.any(&random) * 0.4 : Palette.white(&random)
    let seed = UInt32(truncatingIfNeeded: random.next())
    for number in 0..<random.integer(1...4) {
      let offset = turn.outward(Vector2(Float(number) * half * 2.4, 0))
      decals.append(
        Decal(
          kind: .diePrint, center: center + offset, turn: turn,
          half: Vector2(half, half), first: paper, second: ink, third: ink, lift: 0,
          gloss: 0.2, number: random.integer(1...10), seed: seed))
    }
    return true
  }
}

extension SceneBuilder {
  mutating func strewDistractors() {
    if random.chance(0.45) { layDecals() }
    if random.chance(0.5) { layProps() }
  }

  mutating func spot() -> Vector2? {
    ground(atPixel: pixel(margin: -0.05), height: 0).map { Vector2($0.x, $0.y) }
  }

  mutating func layDecals() {
    let count = random.integer(1...(random.chance(0.3) ? 10 : 4))
    let favourite = Decal.Kind.ordinary[random.integer(0...(Decal.Kind.ordinary.count - 1))]
    let isMonotone = random.chance(0.4)
    for _ in 0..<count {
      guard let center = spot() else { continue }
      let kind =
        isMonotone
        ? favourite : Decal.Kind.ordinary[random.integer(0...(Decal.Kind.ordinary.count - 1))]
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
      decals.append(decal)
    }
  }

  mutating func propMaterial() -> Int {
    let base = random.chance(0.25) ? Palette.white(&random) : Palette.any(&random)
    let isMetal = random.chance(0.12)
    materials.append(
      Material(
        pattern: random.chance(0.15) ? .grained : random.chance(0.1) ? .marbled : .plain,
        base: base, second: Palette.any(&random), third: Palette.any(&random),
        patternScale: random.logarithmic(0.8, 3), gloss: 0.04,
        roughness: random.number(0.08, 0.6), metallic: isMetal ? 0.9 : 0,
        translucency: random.chance(0.12) ? random.number(0.3, 0.9) : 0,
        seed: UInt32(truncatingIfNeeded: random.next())))
    return materials.count - 1
  }

  private mutating func metal() -> Int {
    let tone = random.element(of: [
      Palette.stored(200, 200, 205), Palette.stored(205, 170, 95), Palette.stored(180, 110, 80),
      Palette.stored(150, 150, 150),
    ])
    materials.append(
      Material(
        pattern: .plain, base: tone,
        second: random.chance(0.5) ? tone : Palette.stored(205, 170, 95),
        third: tone, patternScale: 1, gloss: 0.1, roughness: random.number(0.2, 0.45),
        metallic: 0.85, translucency: 0, seed: 0))
    return materials.count - 1
  }

  private mutating func layProps() {
    let count = random.integer(1...(random.chance(0.25) ? 14 : 5))
    let favourite = random.integer(0...16)
    let isMonotone = random.chance(0.4)
    for _ in 0..<count {
      for _ in 0..<8 {
        guard let center = spot() else { continue }
        if addProp(isMonotone ? favourite : random.integer(0...16), center) { break }
      }
    }
  }

  /// Adds a thing if there is room for it.
  mutating func addProp(_ kind: Int, _ center: Vector2) -> Bool {
    let turns = random.unit()
    let size = random.logarithmic(0.75, 1.3)
    var body = Body(kind: .cylinder, extent: Vector3(0.7, 0.7, 0.05), rounding: 0.02)
    var paint = Solid.Paint.plain
    var rotation = Rotation.yaw(turns: turns)
    var height: Float?
    var look: Int?
    switch kind {
    case 0:
      let radius = random.number(0.5, 0.9)
      body.extent = Vector3(radius, radius, random.number(0.05, 0.08))
      paint = .coin
      look = metal()
    case 1:
      body.extent = Vector3(1.2, 1.2, 0.1)
      body.rounding = 0.03
      paint = .chip
    case 2:
      let radius = random.number(0.3, 0.65)
      body.extent = Vector3(radius, radius, radius * 0.22)
      body.rounding = radius * 0.12
      paint = .button
    case 3:
      let radius = random.number(0.3, 0.8)
      body.extent = Vector3(radius, radius, random.number(0.06, 0.5))
      body.rounding = random.number(0.01, 0.05)
    case 4:
      let half = random.number(0.25, 0.6)
      body = Body(
        kind: .box, extent: Vector3(half, half, half), rounding: half * random.number(0.02, 0.3))
    case 5:
      let half = random.number(0.4, 0.6)
      body = Body(
        kind: .box, extent: Vector3(half, half, half), rounding: half * random.number(0.05, 0.3))
      paint = .symbol
    case 6:
      let half = random.number(0.45, 0.8)
      let shapes: [(Body.Kind, Vector3, Float)] = [
        (.tetrahedron, Vector3(-1, -1, -1), 0.57735026),
        (.octahedron, Vector3(1, 1, 1), 0.57735026),
        (.dodecahedron, Vector3(0, 0.52573111, 0.85065081), 0.85065081),
        (.icosahedron, Vector3(0, 0.35682209, 0.93417236), 0.93417236),
      ]
      let shape = random.element(of: shapes)
      body = Body(kind: shape.0, extent: Vector3(half, half, half), rounding: 0)
      paint = .plain
      rotation = rotation.after(SceneBuilder.turning(normalized(-shape.1)))
      if shape.0 == .tetrahedron {
        rotation = Rotation.yaw(turns: turns).after(
          SceneBuilder.turning(normalized(Vector3(1, 1, 1))))
      }
      height = half * shape.2
    case 7:
      body = Body(
        kind: .box, extent: Vector3(1.5, 0.75, random.number(0.2, 0.3)) * 0.9, rounding: 0.06)
      paint = .domino
    case 8:
      body = Body(
        kind: .figure, extent: Vector3(0.75, 0.8, random.number(0.22, 0.3)), rounding: 0.05)
      if random.chance(0.3) {
        rotation = rotation.after(.turn(about: Vector3(1, 0, 0), turns: 0.25))
        height = 0.78
      }
    case 9:
      let radius = random.number(0.2, 0.32)
      body = Body(
        kind: .capsule, extent: Vector3(random.number(3.5, 5), radius, radius), rounding: 0)
      paint = .bands
      height = radius
    case 10:
      body = Body(
        kind: .box,
        extent: Vector3(random.number(3, 7), random.number(2, 5), random.number(0.2, 1)),
        rounding: 0.04)
      paint = .cover
    case 11:
      body = Body(kind: .box, extent: Vector3(4.4, 2.15, 0.25), rounding: 0.2)
      body.rounding = 0.2
    case 12: return addKeys(center, turns)
    case 16: return addFingers(center)
    case 13:
      let radius = random.number(0.3, 0.6)
      body = Body(kind: .ball, extent: Vector3(repeating: radius), rounding: 0)
      height = radius
    case 14:
      let radius = random.number(0.5, 1.6)
      if random.chance(0.5) {
        let thick = radius * random.number(0.08, 0.25)
        body = Body(kind: .torus, extent: Vector3(radius, radius, thick), rounding: 0)
        height = thick
      } else {
        body = Body(
          kind: .hexagon, extent: Vector3(radius, radius, random.number(0.1, 0.6)), rounding: 0.04)
      }
    default:
      let radius = random.number(1.4, 2.6)
      body = Body(
        kind: .cup, extent: Vector3(radius, radius, random.number(0.6, 2.5)), rounding: 0.18)
    }
    let lift = (height ?? body.extent.z) * size
    var solid = Solid(
      body: body, center: Vector3(center.x, center.y, lift), rotation: rotation, scale: size,
      paint: paint, look: 0, seed: UInt32(truncatingIfNeeded: random.next()))
    guard place(solid) else { return false }
    if let look { solid.look = look } else { solid.look = propMaterial() }
    fixContrast(solid)
    props.append(solid)
    return true
  }

  /// Marks need to stand out from what they are on.
  private mutating func fixContrast(_ solid: Solid) {
    guard materials.indices.contains(solid.look) else { return }
    if solid.paint == .domino {
      let isLight = random.chance(0.6)
      materials[solid.look].base =
        isLight ? Palette.white(&random) : Vector3(repeating: random.number(0.01, 0.04))
      materials[solid.look].pattern = .plain
      materials[solid.look].third =
        isLight ? Vector3(repeating: 0.02) : Palette.white(&random)
      materials[solid.look].second = materials[solid.look].third
    } else if solid.paint == .symbol || solid.paint == .key {
      if SceneBuilder.difference(materials[solid.look].base, materials[solid.look].second) < 0.3 {
        let isLight = luminance(materials[solid.look].base) > 0.25
        materials[solid.look].second =
          isLight ? Vector3(repeating: 0.02) : Palette.white(&random)
      }
    }
  }

  /// Keeps a thing clear of the dice and the walls, and notes where it stands.
  mutating func place(_ solid: Solid) -> Bool {
    guard let covered = room(for: solid) else { return false }
    footprints.append(contentsOf: covered)
    return true
  }

  /// The squares that a thing would cover, or nil where it does not fit.
  private func room(for solid: Solid) -> [Footprint]? {
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

  /// A few rows of keys.
  private mutating func addKeys(_ center: Vector2, _ turns: Float) -> Bool {
    let look = propMaterial()
    materials[look].translucency = 0
    materials[look].pattern = .plain
    let rows = random.integer(2...4)
    let columns = random.integer(3...9)
    let rotation = Rotation.yaw(turns: turns)
    let pitch: Float = 1.18
    var added = false
    for row in 0..<rows {
      for column in 0..<columns {
        let offset = rotation.toWorld(
          Vector3(
            (Float(column) - Float(columns) * 0.5 + Float(row) * 0.25) * pitch,
            Float(row) * pitch, 0))
        let solid = Solid(
          body: Body(kind: .box, extent: Vector3(0.5, 0.5, 0.25), rounding: 0.09),
          center: Vector3(center.x + offset.x, center.y + offset.y, 0.25), rotation: rotation,
          scale: 1, paint: .key, look: look, seed: UInt32(truncatingIfNeeded: random.next()))
        guard place(solid) else { continue }
        if !added { fixContrast(solid) }
        added = true
        props.append(solid)
      }
    }
    return added
  }

  /// A few fingers that reach into the picture.
  private mutating func addFingers(_ tip: Vector2) -> Bool {
    let tones: [Vector3] = [
      Palette.stored(236, 196, 170), Palette.stored(222, 172, 140), Palette.stored(190, 134, 100),
      Palette.stored(140, 92, 66), Palette.stored(92, 60, 44),
    ]
    let skin = Palette.near(random.element(of: tones), 0.15, &random)
    materials.append(
      Material(
        pattern: .speckled, base: skin, second: skin * Vector3(1, 0.88, 0.85), third: skin * 0.92,
        patternScale: 0.5, gloss: 0.03, roughness: 0.5, metallic: 0, translucency: 0,
        seed: UInt32(truncatingIfNeeded: random.next())))
    let turns = random.unit()
    let rotation = Rotation.yaw(turns: turns)
    // Fingers touch each other, so all of them look for room before any takes it.
    var taken: [Footprint] = []
    for number in 0..<random.integer(1...4) {
      let radius = random.number(0.4, 0.52)
      let half: Float = 3.2
      let offset = rotation.toWorld(
        Vector3(half + random.number(-0.5, 0.5), Float(number) * 1.04, 0))
      let solid = Solid(
        body: Body(kind: .capsule, extent: Vector3(half, radius, radius), rounding: 0),
        center: Vector3(tip.x + offset.x, tip.y + offset.y, radius),
        rotation: rotation.after(
          .turn(about: Vector3(0, 1, 0), turns: -random.number(0.005, 0.03))),
        scale: 1, paint: .plain, look: materials.count - 1,
        seed: UInt32(truncatingIfNeeded: random.next()))
      guard let covered = room(for: solid) else { continue }
      taken.append(contentsOf: covered)
      props.append(solid)
    }
    footprints.append(contentsOf: taken)
    return !taken.isEmpty
  }

  /// The turn that brings a direction to point straight down.
  static func turning(_ direction: Vector3) -> Rotation {
    let down = Vector3(0, 0, -1)
    let cosine = dot(direction, down)
    let axis = cross(direction, down)
    let sine = length(axis)
    guard sine > 1e-5 else {
      return cosine > 0 ? .identity : .turn(about: Vector3(1, 0, 0), turns: 0.5)
    }
    let unit = axis * (1 / sine)
    // Rodrigues' formula with the sine and cosine at hand.
    func turned(_ v: Vector3) -> Vector3 {
      v * cosine + cross(unit, v) * sine + unit * (dot(unit, v) * (1 - cosine))
    }
    return Rotation(
      x: turned(Vector3(1, 0, 0)), y: turned(Vector3(0, 1, 0)), z: turned(Vector3(0, 0, 1)))
  }
}

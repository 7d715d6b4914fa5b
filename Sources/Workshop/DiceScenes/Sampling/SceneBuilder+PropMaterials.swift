/// What things beside dice are made of, and things of many parts.
extension SceneBuilder {
  /// Any material.
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

  /// A metal, for coins.
  mutating func metal() -> Int {
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

  /// Marks need to stand out from what they are on.
  mutating func fixContrast(_ solid: Solid) {
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

  /// A few rows of keys.
  mutating func addKeys(_ center: Vector2, _ turns: Float) -> Bool {
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
  mutating func addFingers(_ tip: Vector2) -> Bool {
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
}

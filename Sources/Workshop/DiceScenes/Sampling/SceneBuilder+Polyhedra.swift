internal import DiceNumerics

/// Dice with numerals, of 4 to 20 sides.
extension SceneBuilder {
  /// Lays dice with numerals among the others.
  mutating func layPolyhedra() {
    let scale = random.logarithmic(0.8, 1.3)
    // Often all of them are of one make, as in the sets that are sold.
    let makes = random.chance(0.4) ? 1 : random.integer(1...max(1, min(polyhedronCount, 7)))
    var looks: [[NumeralDie]] = []
    for _ in 0..<makes { looks.append(makeSet()) }
    let only = random.chance(0.25) ? random.integer(0...6) : -1
    let heart = pixel(margin: 0.25)
    let isHeap = random.chance(0.4)
    for _ in 0..<polyhedronCount {
      let set = random.element(of: looks).filter { polyhedronSides.contains($0.sides) }
      guard !set.isEmpty else { return }
      let die = set[only >= 0 ? only % set.count : random.integer(0...(set.count - 1))]
      numeralDice.append(die)
      for _ in 0..<30 {
        var place = pixel(margin: 0.02)
        if isHeap {
          let room = Float(max(viewWidth, viewHeight))
          place = heart + Vector2(random.normal(), random.normal()) * (0.17 * room)
        }
        guard let spot = ground(atPixel: place, height: 0.5) else { continue }
        guard lay(die, at: Vector2(spot.x, spot.y), scale: scale) else { continue }
        if polyhedronLabels != .none, let kind = PieceKind(sides: die.sides) {
          pieces.append(ScenePiece(kind: kind, prop: props.count - 1))
        }
        break
      }
    }
  }

  /// Dice of each kind of one make: the cube, the tens and the ones of ten sides among them.
  mutating func makeSet() -> [NumeralDie] {
    let material = chooseMaterial()
    let ink = choosePipColour(material)
    var mark = NumeralDie.Mark.bar
    if random.chance(0.35) { mark = .dot }
    var base = NumeralDie(
      sides: 6, material: material, ink: ink, halfLine: random.number(0.05, 0.11),
      size: random.number(0.75, 1.12), width: random.number(0.75, 1.1), mark: mark,
      countsTens: false, isTurned: random.chance(0.3), isEngraved: random.chance(0.6),
      wear: random.chance(0.2) ? random.number(0.1, 0.6) : 0, order: 0)
    base.isReadAtBase = random.chance(0.35)
    base.forms = random.chance(0.2) ? 0 : UInt32(truncatingIfNeeded: random.next())
    base.gap = random.chance(0.15) ? nil : random.number(0.03, 0.17)
    base.contrast = random.chance(0.4) ? base.halfLine * random.number(0.2, 0.6) : 0
    base.waist = random.chance(0.5) ? random.number(-0.07, 0.07) : 0
    base.slant = random.chance(0.2) ? random.number(-0.06, 0.12) : 0
    if random.chance(0.12) {
      let metal = random.chance(0.6) ? Palette.stored(225, 180, 95) : Palette.stored(215, 215, 220)
      base.hasMetalInk = SceneBuilder.difference(metal, material.base) > 0.27
      if base.hasMetalInk { base.ink = metal }
    } else if base.isEngraved, random.chance(0.05) {
      // Cut and not painted.
      base.ink = material.base * 0.8
    }
    var set: [NumeralDie] = []
    for sides in [4, 6, 8, 10, 10, 12, 20] {
      var die = base
      die.sides = sides
      die.countsTens = sides == 10 && set.last?.sides == 10
      die.order = UInt32(truncatingIfNeeded: random.next())
      die.material.seed = UInt32(truncatingIfNeeded: random.next())
      set.append(die)
    }
    return set
  }

  /// How far a face is from the centre in dice as they are sold, in edges of a cube of theirs.
  static func reach(ofSides sides: Int) -> Float {
    switch sides {
    case 4: return 0.24
    case 8: return 0.4
    case 10: return 0.44
    case 12: return 0.56
    case 20: return 0.6
    default: return 0.5
    }
  }

  /// Lays a die on one of its faces, if there is room for it.
  mutating func lay(_ die: NumeralDie, at spot: Vector2, scale: Float) -> Bool {
    let shape = Polyhedron.with(sides: die.sides)
    let face = shape.faces[random.integer(0...(shape.faces.count - 1))]
    let size = SceneBuilder.reach(ofSides: die.sides) * scale
    let rotation = Rotation.yaw(turns: random.unit()).after(SceneBuilder.turning(face.normal))
    let rounding = random.number(0.02, 0.16)
    let isCut = random.chance(die.sides == 4 ? 0.7 : 0.35)
    let radius = shape.circumradius * random.number(die.sides == 4 ? 0.72 : 0.88, 0.98)
    let solid = Solid(
      body: .facets(
        sides: die.sides, rounding: rounding, cutRadius: isCut ? radius : 0,
        cutBlend: isCut ? 0.06 : 0),
      center: Vector3(spot.x, spot.y, size), rotation: rotation, scale: size, paint: .numerals,
      look: numeralDice.count - 1, seed: UInt32(truncatingIfNeeded: random.next()))
    var half: Float = 0
    for corner in shape.corners {
      let away = rotation.toWorld(corner) * size
      half = max(half, max(abs(away.x), abs(away.y)))
    }
    let footprint = Footprint(center: spot, turn: Turn(turns: 0), half: half)
    let away = length(solid.center - camera.position)
    guard fits(footprint, footprints), away > 2 + solid.boundingRadius * 2 else { return false }
    footprints.append(footprint)
    props.append(solid)
    return true
  }
}

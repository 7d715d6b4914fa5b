internal import DiceNumerics

/// Game pieces, and what lies among them without a label.
extension SceneBuilder {
  /// A flat piece that another one may lie on.
  private struct FlatPiece {
    var center: Vector2
    var radius: Float
    /// How high its top is.
    var top: Float
    /// Its squares among the footprints.
    var footprints: Range<Int>
  }

  /// Lays game pieces, near each other or all over the picture, and a few other things.
  mutating func layPieces() {
    let scale = random.logarithmic(0.8, 1.25)
    let isHeap = random.chance(0.5)
    let heart = pixel(margin: 0.25)
    let room = Float(max(viewWidth, viewHeight))
    let only = random.chance(0.2) ? random.element(of: PieceKind.ofGames) : nil
    var flats: [FlatPiece] = []
    for _ in 0..<pieceCount {
      let kind = only ?? random.element(of: PieceKind.ofGames)
      if kind == .coin || kind == .token, !flats.isEmpty, random.chance(0.3) {
        let below = random.element(of: flats)
        if stack(kind, on: below, scale: scale) { continue }
      }
      for _ in 0..<20 {
        var place = pixel(margin: 0.02)
        if isHeap { place = heart + Vector2(random.normal(), random.normal()) * (0.15 * room) }
        guard let spot = ground(atPixel: place, height: 0.3) else { continue }
        let start = footprints.count
        guard lay(kind, at: Vector2(spot.x, spot.y), scale: scale) else { continue }
        if kind == .coin || kind == .token, let solid = props.last {
          flats.append(
            FlatPiece(
              center: Vector2(solid.center.x, solid.center.y),
              radius: solid.body.extent.x * solid.scale,
              top: solid.center.z + solid.body.extent.z * solid.scale,
              footprints: start..<footprints.count))
        }
        break
      }
    }
    if random.chance(0.5) { strewBesidePieces() }
  }

  // MARK: - One piece

  /// Lays a piece on the ground, if there is room for it.
  private mutating func lay(_ kind: PieceKind, at spot: Vector2, scale: Float) -> Bool {
    let isLaid: Bool
    if kind == .d20 {
      let set = makeSet()
      numeralDice.append(set[set.count - 1])
      isLaid = lay(set[set.count - 1], at: spot, scale: scale * random.number(0.85, 1.1))
    } else {
      let solid = make(kind, at: spot, above: 0, scale: scale)
      isLaid = place(solid)
      if isLaid { props.append(solid) }
    }
    if isLaid { pieces.append(ScenePiece(kind: kind, prop: props.count - 1)) }
    return isLaid
  }

  /// Lays a round piece half over another one, if nothing else stands there.
  private mutating func stack(_ kind: PieceKind, on below: FlatPiece, scale: Float) -> Bool {
    let away = Turn(turns: random.unit()).outward(
      Vector2(below.radius * random.number(0.2, 0.9), 0))
    let solid = make(kind, at: below.center + away, above: below.top, scale: scale)
    var others = footprints
    others.removeSubrange(below.footprints)
    let footprint = Footprint(
      center: below.center + away, turn: Turn(turns: 0), half: solid.body.extent.x * solid.scale)
    guard fits(footprint, others), length(solid.center - camera.position) > 3 else { return false }
    footprints.append(footprint)
    props.append(solid)
    pieces.append(ScenePiece(kind: kind, prop: props.count - 1))
    return true
  }

  /// A piece of any make but the die of twenty sides.
  private mutating func make(
    _ kind: PieceKind, at spot: Vector2, above ground: Float, scale: Float
  ) -> Solid {
    var body = Body(kind: .cylinder, extent: Vector3(0.6, 0.6, 0.06), rounding: 0.02)
    var paint = Solid.Paint.plain
    var rotation = Rotation.yaw(turns: random.unit())
    var height: Float?
    let look: Int
    switch kind {
    case .pawn:
      let radius = random.number(0.36, 0.5)
      let half = radius * random.number(1.45, 1.9)
      body = Body(kind: .pawn, extent: Vector3(radius, radius, half), rounding: 0)
      look = pieceMaterial()
    case .meeple:
      body = Body(
        kind: .figure, extent: Vector3(0.75, 0.8, random.number(0.2, 0.3)), rounding: 0.05)
      if random.chance(0.6) {
        rotation = rotation.after(.turn(about: Vector3(1, 0, 0), turns: 0.25))
        height = 0.78
      }
      look = pieceMaterial()
    case .token:
      let radius = random.number(0.75, 1.2)
      body = Body(
        kind: .cylinder, extent: Vector3(radius, radius, random.number(0.09, 0.18)), rounding: 0.03)
      paint = .chip
      look = pieceMaterial()
    case .domino:
      body = Body(
        kind: .box, extent: Vector3(1.5, 0.75, random.number(0.2, 0.3)) * 0.9, rounding: 0.06)
      paint = .domino
      look = pieceMaterial()
    case .coin, .d4, .d6, .d8, .d10, .d12, .d20:
      let radius = random.number(0.5, 0.85)
      body = Body(
        kind: .cylinder, extent: Vector3(radius, radius, random.number(0.05, 0.08)),
        rounding: 0.02)
      paint = .coin
      look = metal()
    }
    let size = scale * random.number(0.92, 1.08)
    let solid = Solid(
      body: body,
      center: Vector3(spot.x, spot.y, ground + (height ?? body.extent.z) * size),
      rotation: rotation, scale: size, paint: paint, look: look,
      seed: UInt32(truncatingIfNeeded: random.next()))
    fixContrast(solid)
    return solid
  }

  /// Painted wood or plastic, mostly of a strong colour.
  private mutating func pieceMaterial() -> Int {
    let look = propMaterial()
    materials[look].metallic = 0
    if random.chance(0.7) { materials[look].base = Palette.strong(&random) }
    return look
  }

  // MARK: - Other things

  /// Things of kinds that no piece has.
  private mutating func strewBesidePieces() {
    let solids: [PropKind] = [.pen, .book, .slab, .ball, .ring, .cup, .cube, .markedCube]
    let flats: [Decal.Kind] = [.card, .cardBack, .note, .text, .scribble, .tape, .ruler, .crumbs]
    for _ in 0..<random.integer(1...4) {
      guard let center = spot() else { continue }
      if random.chance(0.5) {
        _ = addProp(random.element(of: solids), center)
      } else {
        decals.append(makeDecal(random.element(of: flats), center))
      }
    }
  }
}

/// A kind of thing that may lie beside dice.
///
/// Pictures of a seed depend on the order.
enum PropKind: CaseIterable, Hashable, Sendable {
  case coin
  case chip
  case button
  /// A cylinder, flat or up to as high as it is wide.
  case disc
  /// Of one material, without marks.
  case cube
  /// With one mark on each face.
  case markedCube
  /// With four, eight, twelve or twenty faces.
  case polyhedron
  case domino
  /// A playing figure, upright or lying.
  case figure
  case pen
  case book
  /// Like a telephone.
  case slab
  /// A few rows of keys.
  case keys
  case ball
  /// A ring or a nut.
  case ring
  case cup
  /// A few fingers that reach into the picture.
  case fingers
}

/// The form of a thing, before it is scaled and turned about the vertical.
struct PropForm: Sendable {
  var body: Body
  var paint = Solid.Paint.plain
  /// How it is laid down; nil for as the body stands.
  var tilt: Rotation?
  /// How high its centre is above the ground, unscaled; nil for half of the body's height.
  var height: Float?
  /// What it is made of, an index into the materials; nil for anything.
  var look: Int?
}

extension SceneBuilder {
  /// Lays things anywhere, often many of one kind.
  mutating func layProps() {
    let count = random.integer(1...(random.chance(0.25) ? 14 : 5))
    let favourite = random.element(of: PropKind.allCases)
    let isMonotone = random.chance(0.4)
    for _ in 0..<count {
      for _ in 0..<8 {
        guard let center = spot() else { continue }
        let kind = isMonotone ? favourite : random.element(of: PropKind.allCases)
        if addProp(kind, center) { break }
      }
    }
  }

  /// Adds a thing if there is room for it.
  mutating func addProp(_ kind: PropKind, _ center: Vector2) -> Bool {
    let turns = random.unit()
    let scale = random.logarithmic(0.75, 1.3)
    let form: PropForm
    switch kind {
    case .coin: form = makeCoin()
    case .chip: form = makeRound(1.2, height: 0.1, rounding: 0.03, .chip)
    case .button: form = makeButton()
    case .disc: form = makeDisc()
    case .cube: form = makeCube(from: 0.25, roundedFrom: 0.02, .plain)
    case .markedCube: form = makeCube(from: 0.4, roundedFrom: 0.05, .symbol)
    case .polyhedron: form = makePolyhedron()
    case .domino: form = makeDomino()
    case .figure: form = makeFigure()
    case .pen: form = makePen()
    case .book: form = makeBook()
    case .slab: form = makeSlab()
    case .keys: return addKeys(center, turns)
    case .ball: form = makeBall()
    case .ring: form = makeRing()
    case .cup: form = makeCup()
    case .fingers: return addFingers(center)
    }
    let yaw = Rotation.yaw(turns: turns)
    let height = (form.height ?? form.body.extent.z) * scale
    var solid = Solid(
      body: form.body, center: Vector3(center.x, center.y, height),
      rotation: form.tilt.map { yaw.after($0) } ?? yaw, scale: scale, paint: form.paint, look: 0,
      seed: UInt32(truncatingIfNeeded: random.next()))
    guard place(solid) else { return false }
    solid.look = form.look ?? propMaterial()
    fixContrast(solid)
    props.append(solid)
    return true
  }

  // MARK: - Forms

  private func makeRound(
    _ radius: Float, height: Float, rounding: Float, _ paint: Solid.Paint
  ) -> PropForm {
    PropForm(
      body: Body(
        kind: .cylinder, extent: Vector3(radius, radius, height), rounding: rounding),
      paint: paint)
  }

  private mutating func makeCoin() -> PropForm {
    let radius = random.number(0.5, 0.9)
    var form = makeRound(radius, height: random.number(0.05, 0.08), rounding: 0.02, .coin)
    form.look = metal()
    return form
  }

  private mutating func makeButton() -> PropForm {
    let radius = random.number(0.3, 0.65)
    return makeRound(radius, height: radius * 0.22, rounding: radius * 0.12, .button)
  }

  private mutating func makeDisc() -> PropForm {
    let radius = random.number(0.3, 0.8)
    let height = random.number(0.06, 0.5)
    return makeRound(radius, height: height, rounding: random.number(0.01, 0.05), .plain)
  }

  /// A cube with a half edge from `least` to 0.6, rounded by a share of it from `roundedFrom` to 0.3.
  private mutating func makeCube(
    from least: Float, roundedFrom: Float, _ paint: Solid.Paint
  ) -> PropForm {
    let half = random.number(least, 0.6)
    return PropForm(
      body: Body(
        kind: .box, extent: Vector3(half, half, half),
        rounding: half * random.number(roundedFrom, 0.3)),
      paint: paint)
  }

  private mutating func makePolyhedron() -> PropForm {
    let half = random.number(0.45, 0.8)
    /// With a direction out of a face, and that face's distance from the centre.
    let shapes: [(kind: Body.Kind, face: Vector3, distance: Float)] = [
      (.tetrahedron, Vector3(-1, -1, -1), 0.57735026),
      (.octahedron, Vector3(1, 1, 1), 0.57735026),
      (.dodecahedron, Vector3(0, 0.52573111, 0.85065081), 0.85065081),
      (.icosahedron, Vector3(0, 0.35682209, 0.93417236), 0.93417236),
    ]
    let shape = random.element(of: shapes)
    return PropForm(
      body: Body(kind: shape.kind, extent: Vector3(half, half, half), rounding: 0),
      tilt: SceneBuilder.turning(normalized(-shape.face)), height: half * shape.distance)
  }

  private mutating func makeDomino() -> PropForm {
    PropForm(
      body: Body(
        kind: .box, extent: Vector3(1.5, 0.75, random.number(0.2, 0.3)) * 0.9, rounding: 0.06),
      paint: .domino)
  }

  private mutating func makeFigure() -> PropForm {
    var form = PropForm(
      body: Body(
        kind: .figure, extent: Vector3(0.75, 0.8, random.number(0.22, 0.3)), rounding: 0.05))
    if random.chance(0.3) {
      form.tilt = .turn(about: Vector3(1, 0, 0), turns: 0.25)
      form.height = 0.78
    }
    return form
  }

  private mutating func makePen() -> PropForm {
    let radius = random.number(0.2, 0.32)
    return PropForm(
      body: Body(
        kind: .capsule, extent: Vector3(random.number(3.5, 5), radius, radius), rounding: 0),
      paint: .bands, height: radius)
  }

  private mutating func makeBook() -> PropForm {
    PropForm(
      body: Body(
        kind: .box,
        extent: Vector3(random.number(3, 7), random.number(2, 5), random.number(0.2, 1)),
        rounding: 0.04),
      paint: .cover)
  }

  private func makeSlab() -> PropForm {
    PropForm(body: Body(kind: .box, extent: Vector3(4.4, 2.15, 0.25), rounding: 0.2))
  }

  private mutating func makeBall() -> PropForm {
    let radius = random.number(0.3, 0.6)
    return PropForm(
      body: Body(kind: .ball, extent: Vector3(repeating: radius), rounding: 0), height: radius)
  }

  private mutating func makeRing() -> PropForm {
    let radius = random.number(0.5, 1.6)
    if random.chance(0.5) {
      let thick = radius * random.number(0.08, 0.25)
      return PropForm(
        body: Body(kind: .torus, extent: Vector3(radius, radius, thick), rounding: 0),
        height: thick)
    }
    return PropForm(
      body: Body(
        kind: .hexagon, extent: Vector3(radius, radius, random.number(0.1, 0.6)), rounding: 0.04))
  }

  private mutating func makeCup() -> PropForm {
    let radius = random.number(1.4, 2.6)
    return PropForm(
      body: Body(
        kind: .cup, extent: Vector3(radius, radius, random.number(0.6, 2.5)), rounding: 0.18))
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

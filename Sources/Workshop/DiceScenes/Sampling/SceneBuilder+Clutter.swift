internal import DiceNumerics

/// Tables, walls and screens full of things that have dots, signs or lights but are no dice.
extension SceneBuilder {
  /// How many cells a kind of panel has in each direction, and how large they are in pixels of a
  /// picture whose longer side is 640.
  ///
  /// No kind has so few spots in a square that it would look like a face of a die.
  private struct PanelForm {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>
    var pixels: ClosedRange<Float>
    /// Whether the pattern may go on over the whole picture.
    var tiles = true
  }

  private static func form(_ kind: Panel.Kind) -> PanelForm {
    switch kind {
    case .keyboard: return PanelForm(columns: 8...18, rows: 4...6, pixels: 9...120, tiles: false)
    case .keypad: return PanelForm(columns: 3...5, rows: 4...8, pixels: 12...100, tiles: false)
    case .display: return PanelForm(columns: 2...6, rows: 1...2, pixels: 25...170, tiles: false)
    case .text: return PanelForm(columns: 12...60, rows: 8...50, pixels: 8...90)
    case .codes: return PanelForm(columns: 9...25, rows: 9...25, pixels: 6...60, tiles: false)
    case .board: return PanelForm(columns: 6...15, rows: 6...15, pixels: 14...110)
    case .gingham: return PanelForm(columns: 8...30, rows: 8...30, pixels: 8...70)
    case .screen: return PanelForm(columns: 24...60, rows: 16...36, pixels: 6...32, tiles: false)
    case .icons: return PanelForm(columns: 3...8, rows: 3...8, pixels: 24...150)
    case .lights: return PanelForm(columns: 5...20, rows: 4...16, pixels: 18...150)
    case .signal: return PanelForm(columns: 1...5, rows: 3...3, pixels: 12...100, tiles: false)
    case .sockets: return PanelForm(columns: 1...6, rows: 1...2, pixels: 30...190, tiles: false)
    case .ports: return PanelForm(columns: 2...6, rows: 1...3, pixels: 25...150)
    case .plugs: return PanelForm(columns: 4...4, rows: 1...3, pixels: 28...150, tiles: false)
    case .grille: return PanelForm(columns: 8...40, rows: 6...40, pixels: 6...70)
    case .circuit: return PanelForm(columns: 9...40, rows: 9...40, pixels: 8...55)
    case .breadboard:
      return PanelForm(columns: 20...60, rows: 14...21, pixels: 5...26, tiles: false)
    case .screws: return PanelForm(columns: 4...9, rows: 3...9, pixels: 18...140)
    case .facade: return PanelForm(columns: 3...14, rows: 2...12, pixels: 18...140)
    case .faces: return PanelForm(columns: 1...6, rows: 1...4, pixels: 22...190)
    case .wheel: return PanelForm(columns: 1...1, rows: 1...1, pixels: 40...560, tiles: false)
    case .domes: return PanelForm(columns: 4...8, rows: 3...6, pixels: 16...140)
    case .sweets: return PanelForm(columns: 4...16, rows: 4...16, pixels: 14...80)
    case .fruit: return PanelForm(columns: 3...8, rows: 3...8, pixels: 28...180)
    case .studs: return PanelForm(columns: 4...24, rows: 2...24, pixels: 10...90)
    }
  }

  /// Kinds as often as they should be seen.
  private static let choices: [Panel.Kind] =
    Panel.Kind.allCases + [
      .keyboard, .keyboard, .keyboard, .keyboard, .keypad, .display, .text, .lights, .lights,
      .plugs, .plugs, .ports, .sockets, .icons,
    ]

  /// Lays panels: one that fills the picture, a few, or many of several kinds.
  mutating func layPanels() {
    let mode = random.index(weights: [0.4, 0.35, 0.25])
    if mode == 0 {
      addPanel(random.element(of: Self.choices), at: .zero, fills: true)
    }
    let count =
      mode == 0 ? random.integer(0...2) : mode == 1 ? random.integer(1...3) : random.integer(4...10)
    for _ in 0..<count {
      guard let center = spot() else { continue }
      addPanel(random.element(of: Self.choices), at: center, fills: false)
    }
  }

  private mutating func addPanel(_ kind: Panel.Kind, at center: Vector2, fills: Bool) {
    let form = Self.form(kind)
    let unit = reach / 320
    var pixels = random.logarithmic(form.pixels.lowerBound, form.pixels.upperBound)
    var columns = Float(random.integer(form.columns))
    var rows = Float(random.integer(form.rows))
    if fills && form.tiles {
      columns = max(columns, (900 / pixels).rounded(.up))
      rows = max(rows, (900 / pixels).rounded(.up))
    } else if fills {
      // As large as the picture, or a part of it that fills the picture.
      pixels = 640 / columns * random.number(0.7, 2.2)
    } else {
      let most: Float = 560
      pixels = min(pixels, most / columns * 1.6)
      if kind == .codes { rows = columns }
      // Two rows of three lamps would look like a six.
      if kind == .signal && columns == 2 { columns = 1 }
    }
    let pitch = max(pixels, 2) * unit
    var panel = Panel(
      kind: kind, center: center, turn: panelTurn(),
      half: Vector2(columns, rows) * (0.5 * pitch), corner: pitch * random.number(0, 0.3),
      pitch: pitch, first: Palette.any(&random), second: Palette.any(&random),
      third: Palette.strong(&random), glow: .zero, rainbow: random.unit(),
      variety: Vector3(random.unit(), random.unit(), random.unit()),
      lift: random.chance(0.6) ? random.number(0.02, 0.3) * pitch : 0, gloss: 0.02,
      roughness: random.number(0.2, 0.6), seed: UInt32(truncatingIfNeeded: random.next()))
    dress(&panel)
    panels.append(panel)
  }

  /// Most pictures and texts are seen upright.
  private mutating func panelTurn() -> Turn {
    guard random.chance(0.65) else { return Turn(turns: random.unit()) }
    let across = Vector2(camera.right.x, camera.right.y)
    let jitter = Turn(turns: random.normal() * 0.02)
    let direction = jitter.outward(across * (1 / max(length(across), 1e-3)))
    var turn = Turn(turns: 0)
    turn.cosine = direction.x
    turn.sine = direction.y
    return turn
  }

  // MARK: - Colours

  /// A gray of some brightness, as it is stored.
  private mutating func gray(_ lower: Float, _ upper: Float) -> Vector3 {
    let value = random.number(lower, upper)
    let warmth = random.number(-0.04, 0.04) * value
    return Palette.stored(value + warmth, value, value - warmth)
  }

  /// The light of lamps and screens: white, a colour or several.
  private mutating func shine(_ lower: Float, _ upper: Float) -> Vector3 {
    let strength = random.logarithmic(lower, upper)
    switch random.index(weights: [0.4, 0.17, 0.17, 0.08, 0.18]) {
    case 0: return Palette.lamp(&random, spread: 0.2) * strength
    case 1: return Vector3(1, 0.03, 0.02) * strength
    case 2: return Vector3(0.03, 0.15, 1) * strength
    case 3: return Vector3(0.03, 1, 0.12) * strength
    default: return Panel.spectrum(random.unit()) * strength
    }
  }

  /// Gives a panel colours, light and shine that suit its kind.
  private mutating func dress(_ panel: inout Panel) {
    switch panel.kind {
    case .keyboard, .keypad: dressKeys(&panel)
    case .display:
      let isGlowing = random.chance(0.75)
      panel.first = isGlowing ? gray(8, 40) : Palette.stored(150, 165, 130)
      if isGlowing { panel.glow = shine(0.4, 4) }
      panel.rainbow = random.chance(0.15) ? 1 : 0
    case .text, .codes:
      panel.first = random.chance(0.75) ? Palette.white(&random) : Palette.any(&random)
      panel.second = luminance(panel.first) > 0.2 ? gray(8, 60) : Palette.white(&random)
      if random.chance(0.2) { panel.second = Palette.strong(&random) }
      if panel.kind == .text && random.chance(0.12) {
        panel.first = gray(5, 30)
        panel.glow = shine(0.3, 3)
      }
    case .board:
      if random.chance(0.5) { panel.second = Palette.white(&random) }
      if random.chance(0.3) { panel.second = Palette.wood(&random).0 }
    case .gingham:
      panel.first = random.chance(0.7) ? Palette.white(&random) : Palette.any(&random)
      panel.second = Palette.strong(&random)
      if random.chance(0.5) { panel.third = Palette.white(&random) }
      panel.gloss = 0
      panel.lift = 0
    case .screen, .icons:
      panel.glow = Palette.lamp(&random, spread: 0.15) * random.logarithmic(0.3, 2.5)
      panel.first = Palette.strong(&random) * random.number(0.05, 0.7)
      panel.second = Palette.any(&random) * random.number(0.1, 1)
    case .lights:
      panel.first = random.chance(0.75) ? gray(2, 35) : Palette.any(&random) * 0.4
      panel.glow = shine(0.4, 4)
      panel.rainbow = random.chance(0.55) ? 1 : 0
      panel.lift = 0
    case .signal:
      panel.first = Palette.any(&random) * random.number(0.1, 1)
      panel.second = random.chance(0.7) ? gray(8, 45) : Palette.stored(220, 170, 20)
      panel.glow = Vector3(repeating: random.logarithmic(0.6, 4))
    case .sockets, .ports:
      let isLight = random.chance(panel.kind == .sockets ? 0.75 : 0.4)
      panel.first = isLight ? Palette.white(&random) : gray(10, 150)
      panel.second = Palette.near(panel.first, 0.15, &random)
      panel.third = isLight ? gray(10, 90) : Palette.white(&random)
      panel.glow = Vector3(repeating: random.logarithmic(0.3, 2))
      panel.gloss = 0.04
      panel.roughness = random.number(0.15, 0.4)
    case .plugs:
      panel.glow = shine(0.5, 3)
      panel.lift = 0
    case .grille, .studs, .screws, .domes: dressReliefs(&panel)
    case .circuit:
      panel.first = random.element(of: [
        Palette.stored(10, 90, 45), Palette.stored(12, 45, 110), Palette.stored(18, 18, 22),
        Palette.stored(120, 20, 25), Palette.stored(60, 110, 40),
      ])
      if random.chance(0.5) { panel.glow = Vector3(repeating: random.logarithmic(0.5, 3)) }
      panel.gloss = 0.035
    case .breadboard:
      panel.first = random.chance(0.8) ? Palette.white(&random) : gray(15, 60)
    case .facade:
      panel.first = Palette.any(&random) * 0.6 + Vector3(repeating: 0.05)
      panel.second = random.chance(0.6) ? Palette.white(&random) : gray(20, 90)
      if random.chance(0.4) { panel.glow = Vector3(1, 0.75, 0.4) * random.logarithmic(0.3, 2.5) }
      panel.rainbow = 0
    case .faces:
      panel.second = random.chance(0.7) ? Palette.stored(250, 200, 40) : Palette.strong(&random)
      if random.chance(0.3) { panel.glow = Vector3(repeating: random.number(0.3, 1.2)) }
    case .wheel:
      panel.second = random.chance(0.6) ? gray(90, 210) : Palette.any(&random)
      if panel.variety.x > 0.55 && random.chance(0.6) { panel.second = Palette.white(&random) }
      if random.chance(0.15) { panel.glow = shine(0.4, 2) }
      panel.rainbow = 0
      panel.lift = 0
    case .sweets, .fruit:
      if random.chance(0.5) { panel.first = Palette.white(&random) }
      panel.second = Palette.strong(&random)
    }
  }

  private mutating func dressKeys(_ panel: inout Panel) {
    let isDark = random.chance(0.68)
    panel.second = isDark ? gray(6, 55) : random.chance(0.6) ? gray(150, 240) : Palette.any(&random)
    panel.first =
      random.chance(0.6) ? panel.second * random.number(0.3, 0.9) : gray(90, 190)
    if isDark && random.chance(0.75) {
      panel.glow = shine(0.25, 5)
      panel.rainbow = random.chance(0.3) ? 1 : 0
      if random.chance(0.7) { panel.first = gray(3, 25) }
    } else {
      panel.rainbow = random.chance(0.2) ? 1 : 0
    }
    if panel.kind == .keypad && random.chance(0.5) { panel.third = Palette.stored(140, 155, 125) }
    panel.gloss = random.number(0.01, 0.04)
    panel.roughness = random.number(0.3, 0.6)
  }

  private mutating func dressReliefs(_ panel: inout Panel) {
    panel.rainbow = random.unit()
    switch panel.kind {
    case .grille:
      if random.chance(0.7) { panel.first = gray(20, 200) }
      if random.chance(0.15) { panel.glow = shine(0.3, 2) }
      panel.gloss = random.number(0.03, 0.2)
      panel.roughness = random.number(0.3, 0.5)
    case .screws:
      panel.second = random.chance(0.7) ? gray(120, 210) : Palette.stored(190, 150, 70)
      if random.chance(0.4) { panel.second = gray(12, 60) }
    case .domes:
      if random.chance(0.5) {
        // Tablets in foil.
        panel.first = gray(130, 205)
        panel.gloss = 0.2
        panel.roughness = 0.35
      } else {
        panel.variety.x *= 0.5
      }
      if random.chance(0.6) { panel.second = Palette.white(&random) }
      if random.chance(0.25) { panel.glow = shine(0.4, 4) }
    default:
      panel.first = Palette.strong(&random)
      if random.chance(0.3) { panel.second = Palette.white(&random) }
    }
  }

  // MARK: - Light

  /// Where lamps and screens glow, rooms are often dark.
  mutating func dim(_ lights: inout [Light], _ surroundings: inout Surroundings) {
    let isGlowing = panels.contains { $0.glow.max() > 0.2 }
    guard isGlowing, random.chance(0.65) else { return }
    let share = random.logarithmic(0.015, 0.7)
    for index in lights.indices { lights[index].colour *= share }
    surroundings.overhead *= share
    surroundings.horizon *= share
    surroundings.roomBright *= share
    surroundings.roomDark *= share
    for index in surroundings.windows.indices { surroundings.windows[index].colour *= share }
  }

  // MARK: - Solid things

  /// Lays fruit, bricks, lamps and sticks between the panels.
  mutating func strewClutter() {
    if random.chance(0.35) { strewDistractors() }
    guard random.chance(0.45) else { return }
    let kind = random.integer(0...4)
    for _ in 0..<random.integer(1...9) {
      for _ in 0..<6 {
        guard let center = spot() else { continue }
        let isLaid: Bool
        switch kind {
        case 0, 1: isLaid = addBall(center, isLamp: kind == 1)
        case 2: isLaid = addBrick(center)
        case 3: isLaid = addStick(center)
        default: isLaid = addProp(random.element(of: [.keys, .button, .ring, .disc]), center)
        }
        if isLaid { break }
      }
    }
  }

  /// A round fruit, or a lamp that glows.
  private mutating func addBall(_ center: Vector2, isLamp: Bool) -> Bool {
    let radius = isLamp ? random.logarithmic(0.12, 0.5) : random.logarithmic(0.3, 1.6)
    let look = propMaterial()
    let colours = [
      Palette.stored(240, 130, 20), Palette.stored(200, 30, 30), Palette.stored(120, 170, 40),
      Palette.stored(240, 200, 40), Palette.stored(60, 60, 120), Palette.stored(235, 225, 210),
    ]
    materials[look].base = Palette.near(random.element(of: colours), 0.2, &random)
    materials[look].second = materials[look].base * random.number(0.5, 0.9)
    materials[look].third = materials[look].base * random.number(0.8, 1.3)
    materials[look].pattern = random.chance(0.6) ? .speckled : .swirled
    materials[look].metallic = 0
    materials[look].translucency = 0
    if isLamp { materials[look].emission = shine(0.5, 5) }
    let solid = Solid(
      body: Body(kind: .ball, extent: Vector3(repeating: radius), rounding: 0),
      center: Vector3(center.x, center.y, radius), rotation: .yaw(turns: random.unit()), scale: 1,
      paint: .plain, look: look, seed: UInt32(truncatingIfNeeded: random.next()))
    guard place(solid) else { return false }
    props.append(solid)
    return true
  }

  /// A memory stick, or a charger with two prongs: a body of plastic and metal at its end.
  private mutating func addStick(_ center: Vector2) -> Bool {
    let unit = random.logarithmic(0.5, 1.3)
    let look = propMaterial()
    materials[look].translucency = 0
    let rotation = Rotation.yaw(turns: random.unit())
    let isCharger = random.chance(0.4)
    if isCharger {
      materials[look].base = random.chance(0.6) ? Palette.white(&random) : gray(8, 40)
      materials[look].pattern = .plain
    }
    let half = isCharger ? Vector3(0.6, 0.6, 0.45) : Vector3(1, 0.5, 0.22)
    let body = Solid(
      body: Body(kind: .box, extent: half * unit, rounding: 0.08 * unit),
      center: Vector3(center.x, center.y, half.z * unit), rotation: rotation, scale: 1,
      paint: isCharger ? .plain : .cover, look: look,
      seed: UInt32(truncatingIfNeeded: random.next()))
    guard place(body) else { return false }
    props.append(body)
    if isCharger {
      let prong = metal()
      for side: Float in [-1, 1] {
        let place = body.center + rotation.toWorld(Vector3(0.8, 0.25 * side, 0) * unit)
        props.append(
          Solid(
            body: Body(kind: .capsule, extent: Vector3(0.4, 0.08, 0.08) * unit, rounding: 0),
            center: place, rotation: rotation, scale: 1, paint: .plain, look: prong, seed: 0))
      }
      return true
    }
    let shell = body.center + rotation.toWorld(Vector3(1.3, 0, 0) * unit)
    props.append(
      Solid(
        body: Body(kind: .box, extent: Vector3(0.45, 0.37, 0.14) * unit, rounding: 0.02 * unit),
        center: shell, rotation: rotation, scale: 1, paint: .plain, look: metal(), seed: 0))
    return true
  }
}

extension SceneBuilder {
  mutating func chooseAppearances() {
    if let makes = options.symbols {
      for make in makes { appearances.append(symbolAppearance(ofMake: make)) }
      return
    }
    let kinds: Int
    if !isVaried {
      kinds = random.integer(1...3)
    } else {
      let choice = random.unit()
      kinds =
        choice < 0.45 ? 1 : choice < 0.7 ? random.integer(2...3) : min(max(wantedCount, 1), 24)
    }
    let layout = chooseLayout()
    for _ in 0..<kinds {
      appearances.append(chooseAppearance(random.chance(0.7) ? layout : chooseLayout()))
    }
  }

  /// A die with symbols that looks the same in every scene.
  private mutating func symbolAppearance(ofMake make: Int) -> DieAppearance {
    let ofScene = random
    defer { random = ofScene }
    random = SceneRandom(seed: UInt64(make) &* 0x9E37_79B9_7F4A_7C15)
    var appearance = chooseAppearance(chooseLayout())
    // Symbols are printed to be told.
    let base = appearance.material.base
    if SceneBuilder.difference(appearance.pips.colour, base) < 0.27 {
      appearance.pips.colour =
        luminance(base) > 0.2 ? Palette.stored(18, 18, 20) : Palette.stored(240, 240, 240)
    }
    appearance.pips.kind = .flat
    appearance.pips.oneColour = appearance.pips.colour
    appearance.pips.fourColour = appearance.pips.colour
    appearance.pips.discRadius = 0
    appearance.pips.markedValue = 0
    appearance.pips.numerals = nil
    appearance.pips.symbols = SymbolStyle(&random)
    return appearance
  }

  private mutating func chooseLayout() -> DieLayout {
    DieLayout(
      handedness: random.chance(0.6) ? .right : .left,
      quarterTurns: UInt8(truncatingIfNeeded: random.next() & 0x7E))
  }

  private mutating func chooseAppearance(_ layout: DieLayout) -> DieAppearance {
    let body = chooseShape()
    var material = isVaried ? chooseMaterial() : choosePlainMaterial()
    material.seed = UInt32(truncatingIfNeeded: random.next())
    var pips = choosePips(body, material)
    if options.faces == .numerals { putNumerals(in: &pips, seed: material.seed) }
    return DieAppearance(body: body, layout: layout, pips: pips, material: material)
  }

  private mutating func chooseShape() -> Body {
    var body = Body(kind: .box, extent: Vector3(1, 1, 1), rounding: 0.16)
    let choice = isVaried ? random.unit() : random.number(0.15, 0.85)
    if choice < 0.14 {
      body.rounding = random.number(0.02, 0.07)
    } else if choice < 0.58 {
      body.rounding = random.number(0.09, 0.24)
    } else if choice < 0.68 {
      body.rounding = random.number(0.24, 0.42)
    } else {
      // Corners turned off on a sphere.
      body.rounding = random.number(0.03, 0.2)
      body.cutRadius = random.number(1.3, 1.52)
      body.cutBlend = random.number(0.01, 0.14)
    }
    return body
  }

  private mutating func choosePlainMaterial() -> Material {
    let white = random.chance(0.5)
    let base = white ? Palette.white(&random) : Palette.die(&random)
    return Material(
      pattern: .plain, base: base, second: base, third: base, patternScale: 1, gloss: 0.045,
      roughness: random.number(0.12, 0.3), metallic: 0, translucency: 0, seed: 0)
  }

  mutating func chooseMaterial() -> Material {
    var base: Vector3
    var metallic: Float = 0
    var pattern = Material.Pattern.plain
    switch random.index(weights: odds.bodies) {
    case 0: base = Palette.white(&random)
    case 1:
      base = Palette.stored(
        random.number(215, 238), random.number(195, 215), random.number(150, 180))
    case 2:
      let value = random.number(8, 50)
      base = Palette.stored(value, value, value * random.number(0.9, 1.25))
    case 3: base = Palette.die(&random)
    case 4: base = Palette.hue(random.unit(), saturation: random.number(0.15, 0.45), value: 0.92)
    case 5:
      base = Palette.wood(&random).0
      pattern = .grained
    default:
      metallic = random.number(0.7, 1)
      base = random.element(of: [
        Palette.stored(200, 200, 205), Palette.stored(212, 172, 90), Palette.stored(184, 115, 82),
        Palette.stored(90, 92, 98),
      ])
    }
    var translucency: Float = 0
    if pattern == .plain && metallic == 0 {
      switch random.index(weights: odds.patterns) {
      case 1: pattern = .marbled
      case 2: pattern = .swirled
      case 3: pattern = .speckled
      case 4: pattern = .twoTone
      case 5: pattern = .glitter
      default: break
      }
      if random.chance(
        pattern == .plain ? odds.translucency.plain : odds.translucency.patterned)
      {
        translucency = random.number(0.35, 0.92)
        if random.chance(0.3) {
          base = Palette.hue(
            random.unit(), saturation: random.number(0.1, 0.95), value: random.number(0.6, 1))
        } else if luminance(base) < 0.1 || random.chance(0.7) {
          // Light runs through the colour of the body: it needs some.
          base = Palette.die(&random)
          base *= min(1 / max(base.max(), 0.05), random.number(1.2, 3))
        }
      }
    }
    let second =
      pattern == .grained
      ? base * random.number(0.5, 0.8)
      : random.chance(0.6) ? Palette.die(&random) : Palette.near(base, 0.6, &random)
    let third =
      random.chance(0.4)
      ? Palette.white(&random)
      : random.chance(0.4) ? Vector3(repeating: 0.015) : Palette.die(&random)
    let isDull = random.chance(0.25)
    return Material(
      pattern: pattern, base: base, second: second, third: third,
      patternScale: random.logarithmic(0.8, 2.6), gloss: random.number(0.03, 0.06),
      roughness: metallic > 0
        ? random.number(0.15, 0.45) : isDull ? random.number(0.4, 0.7) : random.number(0.06, 0.3),
      metallic: metallic, translucency: translucency, seed: 0)
  }

  /// How different two colours look, as a difference of their roots.
  static func difference(_ a: Vector3, _ b: Vector3) -> Float {
    let d = Vector3(
      a.x.squareRoot() - b.x.squareRoot(), a.y.squareRoot() - b.y.squareRoot(),
      a.z.squareRoot() - b.z.squareRoot())
    return (0.3 * d.x * d.x + 0.55 * d.y * d.y + 0.15 * d.z * d.z).squareRoot()
  }

  mutating func choosePipColour(_ material: Material) -> Vector3 {
    let light = luminance(material.base)
    let least: Float = isVaried ? (random.chance(odds.faintPips) ? 0.12 : 0.27) : 0.4
    var colour = light > 0.3 ? Palette.stored(18, 18, 20) : Palette.white(&random)
    if isVaried {
      for _ in 0..<12 {
        var candidate: Vector3
        switch random.index(weights: odds.pipColours) {
        case 0: candidate = Palette.white(&random)
        case 1:
          candidate = Palette.stored(
            random.number(8, 36), random.number(8, 36), random.number(8, 40))
        case 2: candidate = Palette.stored(205, random.number(150, 175), random.number(50, 90))
        default: candidate = Palette.strong(&random)
        }
        var contrast = SceneBuilder.difference(candidate, material.base)
        if material.pattern != .plain && material.pattern != .grained {
          // Pips must stand out from every colour of the body.
          contrast = min(contrast, SceneBuilder.difference(candidate, material.second) * 1.25)
          contrast = min(contrast, SceneBuilder.difference(candidate, material.third) * 1.5)
        }
        if contrast > least {
          colour = candidate
          break
        }
      }
    } else if SceneBuilder.difference(colour, material.base) < least {
      colour = light > 0.15 ? Palette.stored(15, 15, 15) : Palette.stored(245, 245, 245)
    }
    return colour
  }

  /// Puts numerals in the place of pips, with chance numbers of their own: all else stays as it is.
  private func putNumerals(in pips: inout PipStyle, seed: UInt32) {
    var random = SceneRandom(seed: self.seed ^ UInt64(seed) << 32)
    let halfHeight = random.number(0.42, 0.56)
    pips.numerals = NumeralStyle(
      halfHeight: halfHeight, narrowness: random.number(0.5, 0.68),
      halfLine: halfHeight * random.number(0.1, 0.22),
      quarterTurns: UInt16(truncatingIfNeeded: random.next()), hasFoot: random.chance(0.4),
      hasFlatThree: random.chance(0.15))
    pips.kind = .flat
    pips.oneColour = pips.colour
    pips.fourColour = pips.colour
    pips.markedValue = 0
  }

  /// A disc in a colour of its own behind pips that have the colour of the body.
  private mutating func inlayDisc(in style: inout PipStyle, _ material: Material) {
    let disc = random.chance(0.4) ? material.base * random.number(0.1, 0.75) : Palette.die(&random)
    let pips = random.chance(0.7) ? material.base : Palette.white(&random)
    guard SceneBuilder.difference(disc, pips) > 0.12 else { return }
    style.discRadius = random.number(0.76, 0.95)
    style.discIsLine = false
    style.discColour = disc
    style.colour = pips
    style.oneColour = pips
    style.fourColour = pips
    style.oneFactor = 1
  }

  /// A pip on the one that is up to half as wide as its face, mostly red, often dished and glossy.
  private mutating func enlargeOne(of style: inout PipStyle, _ body: Body, _ material: Material) {
    let isClear = material.translucency > 0
    for _ in 0..<12 {
      let colour = chooseOneColour(onClearBody: isClear)
      guard SceneBuilder.difference(colour, material.base) > 0.22 else { continue }
      style.oneColour = colour
      if !isClear && random.chance(0.55) { style.fourColour = colour }
      break
    }
    let isRound = body.rounding > 0.24 || body.cutRadius > 0 && body.cutRadius < 1.4
    let radius = random.number(0.25, isRound ? 0.44 : 0.52)
    style.oneFactor = clamp(radius / style.radius, 1.1, 3.2)
    // From as flat as the others to a bowl of its own.
    let depth = style.radius * style.oneFactor * random.number(0.12, 0.7)
    style.oneDepthFactor = max(depth / style.depth, 0.5)
    if random.chance(0.6) {
      style.gloss = random.number(0.04, 0.1)
      style.roughness = random.number(0.05, 0.22)
    }
  }

  private mutating func chooseOneColour(onClearBody isClear: Bool) -> Vector3 {
    switch random.index(
      weights: isClear ? [0.8, 0.08, 0.02, 0.02, 0.02, 0.03, 0.03] : MakeOdds.oneColours)
    {
    case 0: return Palette.white(&random)
    case 1:
      // Red, from dark to bright.
      let red = random.number(120, 238)
      return Palette.stored(red, red * random.number(0.03, 0.25), red * random.number(0.05, 0.28))
    case 2:
      return Palette.stored(
        random.number(215, 248), random.number(60, 115), random.number(15, 60))
    case 3:
      return Palette.stored(
        random.number(215, 250), random.number(70, 150), random.number(110, 180))
    case 4:
      return Palette.stored(random.number(15, 70), random.number(45, 130), random.number(140, 225))
    case 5: return Palette.stored(random.number(8, 40), random.number(8, 40), random.number(8, 44))
    default: return Palette.strong(&random)
    }
  }

  private mutating func choosePips(_ body: Body, _ material: Material) -> PipStyle {
    let colour = choosePipColour(material)
    var kind = PipStyle.Kind.sunk
    if isVaried {
      switch random.index(weights: odds.pipKinds) {
      case 1: kind = .flat
      case 2: kind = luminance(material.base) > 0.12 ? .bare : .sunk
      case 3: kind = .ring
      case 4: kind = .square
      case 5: kind = .target
      default: break
      }
    }
    let isRound = body.rounding > 0.24 || body.cutRadius > 0 && body.cutRadius < 1.4
    let spacing = random.number(0.43, isRound ? 0.5 : 0.58)
    var radius =
      isVaried
      ? 0.5 * (random.number(0.125, 0.235) + random.number(0.125, 0.235))
      : random.number(0.15, 0.21)
    if kind == .ring || kind == .target { radius = random.number(0.18, 0.23) }
    if kind == .square { radius = random.number(0.12, 0.18) }
    radius = min(radius, spacing * 0.46)
    var style = PipStyle(
      kind: kind, radius: radius, spacing: spacing,
      columnSpacing: max(spacing * random.number(0.9, 1.08), radius * 2.1),
      columnOffset: max(spacing * random.number(0.72, 1.05), radius * 1.4),
      depth: radius * random.number(0.2, 0.75), oneFactor: 1, straightTwo: false,
      colour: colour, oneColour: colour, fourColour: colour, discRadius: 0, discColour: colour,
      discIsLine: false, wear: 0, gloss: random.number(0.02, 0.05),
      roughness: random.number(0.15, 0.5), markedValue: 0, markColour: colour)
    if kind == .bare { style.depth = radius * random.number(0.6, 0.95) }
    guard isVaried else { return style }
    if random.chance(odds.redOne) {
      // The Asian way: a large red one, often a red four.
      style.oneColour = Palette.stored(random.number(170, 225), 20, 25)
      style.oneFactor = random.number(1.3, 2.1)
      if random.chance(0.6) { style.fourColour = style.oneColour }
      if SceneBuilder.difference(style.oneColour, material.base) < 0.2 {
        style.oneColour = colour
        style.fourColour = colour
      }
    } else if random.chance(0.1) {
      style.oneFactor = random.number(1.1, 1.8)
    }
    style.straightTwo = random.chance(0.04)
    if random.chance(odds.disc) && kind != .bare {
      style.discRadius = random.number(0.76, 0.9)
      style.discIsLine = random.chance(0.3)
      style.discColour = Palette.near(material.base, 0.5, &random) * random.number(0.4, 1)
      if !style.discIsLine && SceneBuilder.difference(style.discColour, colour) < 0.2 {
        style.discColour = material.base * 0.7
      }
      style.oneFactor = 1
    }
    if random.chance(odds.wear) { style.wear = random.number(0.1, 0.6) }
    if random.chance(odds.mark) {
      style.markedValue = random.chance(0.7) ? 1 : random.integer(1...2)
      style.markColour = random.chance(0.5) ? Palette.strong(&random) : colour
      style.oneFactor = 1
    }
    // Usual dice draw no number for this: their scenes stay those of their seeds.
    if odds.inlay > 0, kind != .bare, random.chance(odds.inlay) { inlayDisc(in: &style, material) }
    if odds.largeOne > 0, random.chance(odds.largeOne) { enlargeOne(of: &style, body, material) }
    if random.chance(0.06) {
      style.gloss = 0.4
      style.roughness = 0.25
    }
    return style
  }
}

/// What surfaces of each kind are made of: their colours, scale and shine.
extension SceneBuilder {
  /// A surface of a kind with colours, scale and shine that suit it.
  mutating func makeSurface(_ kind: Surface.Kind) -> Surface {
    var surface = Surface(
      kind: kind, scale: 1, turn: Turn(turns: random.unit()),
      offset: Vector2(random.number(-40, 40), random.number(-40, 40)),
      first: Palette.any(&random), second: Palette.any(&random), third: Palette.any(&random),
      fourth: Palette.any(&random), contrast: random.number(0.4, 1),
      variety: Vector2(random.unit(), random.unit()), gloss: 0.02, roughness: 0.6,
      seed: UInt32(truncatingIfNeeded: random.next()))
    switch kind {
    case .plain: makePlain(&surface)
    case .wood: makeWood(&surface)
    case .felt: makeFelt(&surface)
    case .weave, .twill: makeWeave(&surface)
    case .carpet: makeCarpet(&surface)
    case .marble: makeMarble(&surface)
    case .granite: makeGranite(&surface)
    case .terrazzo: makeTerrazzo(&surface)
    case .concrete: makeConcrete(&surface)
    case .tiles: makeTiles(&surface)
    case .gridPaper, .linedPaper, .textPage: makePaper(&surface)
    case .leather: makeLeather(&surface)
    case .hexBoard: makeHexBoard(&surface)
    case .checkerboard: makeCheckerboard(&surface)
    case .artMat: makeArtMat(&surface)
    case .plaid: makePlaid(&surface)
    case .dots: makeDots(&surface)
    case .print: makePrint(&surface)
    case .brushedMetal: makeBrushedMetal(&surface)
    case .cork: makeCork(&surface)
    case .camouflage: makeCamouflage(&surface)
    case .slats: makeSlats(&surface)
    case .glass: makeGlass(&surface)
    case .nightSky: makeNightSky(&surface)
    }
    return surface
  }

  /// Gives a surface varnish with some probability.
  private mutating func shine(_ surface: inout Surface, _ probability: Float) {
    guard random.chance(isVaried ? probability : probability * 0.5) else { return }
    surface.gloss = random.number(0.025, 0.05)
    surface.roughness = isVaried ? random.number(0.06, 0.45) : random.number(0.3, 0.5)
  }

  // MARK: - Hard and even

  private mutating func makePlain(_ surface: inout Surface) {
    surface.scale = random.logarithmic(2, 12)
    surface.second = Palette.near(surface.first, 0.35, &random)
    shine(&surface, 0.35)
  }

  private mutating func makeMarble(_ surface: inout Surface) {
    let isLight = random.chance(0.65)
    surface.first =
      isLight
      ? Palette.white(&random)
      : Palette.hue(random.unit(), saturation: 0.3, value: random.number(0.1, 0.35))
    surface.second =
      isLight
      ? surface.first * random.number(0.25, 0.6)
      : Palette.white(&random) * random.number(0.5, 1)
    surface.third = Palette.near(surface.first, 0.3, &random) * 0.85
    surface.scale = random.logarithmic(4, 16)
    shine(&surface, 0.85)
  }

  private mutating func makeGranite(_ surface: inout Surface) {
    let tone = Palette.near(Vector3(repeating: random.number(0.05, 0.5)), 0.4, &random)
    surface.first = tone
    surface.second = tone * random.number(0.2, 0.6)
    surface.third = Palette.near(tone * 1.5, 0.3, &random)
    surface.fourth = tone * random.number(0.1, 1.8)
    surface.scale = random.logarithmic(0.5, 2.4)
    shine(&surface, 0.7)
  }

  private mutating func makeTerrazzo(_ surface: inout Surface) {
    surface.first = Palette.white(&random) * random.number(0.6, 1)
    surface.scale = random.logarithmic(0.8, 4)
    shine(&surface, 0.6)
  }

  private mutating func makeConcrete(_ surface: inout Surface) {
    let tone = random.number(0.1, 0.5)
    surface.first = Vector3(tone, tone * 0.98, tone * 0.94)
    surface.second = surface.first * random.number(0.55, 0.85)
    surface.scale = random.logarithmic(2, 8)
  }

  private mutating func makeTiles(_ surface: inout Surface) {
    surface.scale = random.logarithmic(4, 20)
    surface.second = Vector3(repeating: random.number(0.05, 0.6))
    surface.third = random.chance(0.5) ? surface.first * 0.3 : Palette.any(&random)
    shine(&surface, 0.7)
  }

  private mutating func makeBrushedMetal(_ surface: inout Surface) {
    let tone = random.number(0.1, 0.5)
    surface.first = Vector3(tone, tone, tone * random.number(0.9, 1.08))
    surface.gloss = random.number(0.15, 0.5)
    surface.roughness = random.number(0.3, 0.5)
    surface.scale = random.logarithmic(1, 5)
  }

  private mutating func makeGlass(_ surface: inout Surface) {
    surface.first = Palette.any(&random) * random.number(0.02, 0.6)
    surface.second = surface.first
    surface.contrast = 0.1
    surface.scale = 8
    surface.gloss = 0.05
    surface.roughness = random.number(0.03, 0.12)
  }

  private mutating func makeNightSky(_ surface: inout Surface) {
    surface.first = Palette.any(&random) * random.logarithmic(0.005, 0.15)
    surface.second = Palette.hue(random.number(0.02, 0.14), saturation: 0.5, value: 1)
    surface.third = Palette.hue(random.number(0.55, 0.68), saturation: 0.4, value: 1)
    surface.fourth = Palette.any(&random)
    surface.scale = random.logarithmic(0.8, 8)
    surface.gloss = random.number(0, 0.03)
  }

  // MARK: - Wood

  private mutating func makeWood(_ surface: inout Surface) {
    (surface.first, surface.second) = Palette.wood(&random)
    surface.scale = random.logarithmic(4, 16)
    shine(&surface, 0.6)
  }

  private mutating func makeCork(_ surface: inout Surface) {
    surface.first = Palette.stored(190, 145, 95)
    surface.second = Palette.stored(95, 60, 35)
    surface.scale = random.logarithmic(0.6, 2)
  }

  private mutating func makeSlats(_ surface: inout Surface) {
    (surface.first, surface.second) = Palette.wood(&random)
    surface.third = Palette.any(&random) * 0.4
    surface.scale = random.logarithmic(0.8, 3)
  }

  // MARK: - Cloth and leather

  private mutating func makeFelt(_ surface: inout Surface) {
    surface.first = isVaried && random.chance(0.25) ? Palette.any(&random) : Palette.felt(&random)
    surface.second = Palette.near(surface.first, 0.35, &random)
    surface.scale = random.logarithmic(0.6, 2.2)
    surface.gloss = 0
  }

  private mutating func makeWeave(_ surface: inout Surface) {
    surface.scale = random.logarithmic(0.3, 1.3)
    if random.chance(0.6) { surface.second = Palette.near(surface.first, 0.5, &random) }
    surface.gloss = 0
  }

  private mutating func makeCarpet(_ surface: inout Surface) {
    surface.scale = random.logarithmic(0.5, 2.2)
    if random.chance(0.5) {
      surface.second = Palette.near(surface.first, 0.5, &random)
      surface.third = Palette.near(surface.first, 0.7, &random)
    }
    surface.gloss = 0
  }

  private mutating func makeLeather(_ surface: inout Surface) {
    surface.first =
      random.chance(0.6)
      ? Palette.wood(&random).1 * random.number(0.3, 1) : Palette.felt(&random)
    surface.second = surface.first * random.number(0.6, 1)
    surface.scale = random.logarithmic(0.5, 1.8)
    surface.gloss = random.number(0.02, 0.05)
    surface.roughness = random.number(0.3, 0.55)
  }

  private mutating func makePlaid(_ surface: inout Surface) {
    surface.scale = random.logarithmic(0.8, 6)
    surface.gloss = 0
  }

  private mutating func makeCamouflage(_ surface: inout Surface) {
    surface.scale = random.logarithmic(1.5, 8)
  }

  // MARK: - Printed

  private mutating func makePaper(_ surface: inout Surface) {
    surface.first = random.chance(0.85) ? Palette.white(&random) : Palette.any(&random)
    surface.second =
      random.chance(0.5)
      ? Palette.stored(80, 120, 180) : Vector3(repeating: random.number(0.01, 0.2))
    surface.third = Palette.stored(200, 70, 70)
    surface.fourth = random.chance(0.5) ? Palette.stored(25, 35, 110) : Palette.stored(30, 30, 30)
    surface.scale =
      surface.kind == .textPage ? random.logarithmic(0.2, 0.7) : random.logarithmic(0.3, 1)
  }

  private mutating func makeHexBoard(_ surface: inout Surface) {
    surface.first = Palette.strong(&random)
    surface.second = Palette.stored(200, 160, 60)
    surface.third = Palette.stored(60, 130, 50)
    surface.fourth = Palette.stored(140, 90, 60)
    if random.chance(0.4) { surface.second = Palette.strong(&random) }
    surface.scale = random.logarithmic(1.6, 4)
    shine(&surface, 0.3)
  }

  private mutating func makeCheckerboard(_ surface: inout Surface) {
    if random.chance(0.6) {
      surface.first = Palette.wood(&random).1 * 0.7
      surface.second = Palette.wood(&random).0
    }
    surface.third = surface.first * 0.3
    surface.scale = random.logarithmic(1.3, 4)
    shine(&surface, 0.5)
  }

  private mutating func makeArtMat(_ surface: inout Surface) {
    if random.chance(0.45) {
      surface.first = Palette.strong(&random) * random.number(0.2, 1)
      surface.second = Palette.strong(&random)
    }
    surface.fourth = Palette.white(&random) * random.number(0.2, 1)
    surface.scale = random.logarithmic(2, 10)
  }

  private mutating func makeDots(_ surface: inout Surface) {
    surface.scale = random.logarithmic(0.5, 3)
    surface.gloss = 0.01
  }

  private mutating func makePrint(_ surface: inout Surface) {
    surface.scale = random.logarithmic(0.8, 4)
  }
}

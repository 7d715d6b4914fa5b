extension SceneBuilder {
  mutating func chooseGround() {
    guard isVaried else {
      surfaces = [chooseCalmSurface()]
      return
    }
    surfaces = [chooseSurface()]
    if random.chance(0.27) { surfaces[0] = choosePlainTable() }
    if options.hasLookalikes && random.chance(0.15) { surfaces[0] = makeSurface(.nightSky) }
    addPatches()
    if elevation > 32 && random.chance(0.16) { addTray() }
  }

  private mutating func chooseCalmSurface() -> Surface {
    switch random.index(weights: [0.4, 0.35, 0.12, 0.13]) {
    case 0:
      var surface = makeSurface(.felt)
      surface.contrast = random.number(0.4, 0.8)
      return surface
    case 1: return makeSurface(.wood)
    case 2: return makeSurface(.marble)
    default: return choosePlainTable()
    }
  }

  mutating func choosePlainTable() -> Surface {
    var surface = makeSurface(.plain)
    if random.chance(0.6) {
      surface.first = Palette.white(&random) * random.number(0.55, 1)
      surface.second = surface.first * random.number(0.8, 1)
    }
    surface.contrast = random.number(0, 0.7)
    return surface
  }

  mutating func chooseSurface() -> Surface {
    let weights: [(Surface.Kind, Float)] = [
      (.plain, 1.4), (.wood, 2.2), (.felt, 1.6), (.weave, 1), (.twill, 0.6), (.carpet, 1.1),
      (.marble, 0.6), (.granite, 0.6), (.terrazzo, 0.35), (.concrete, 0.6), (.tiles, 0.5),
      (.gridPaper, 0.5), (.linedPaper, 0.35), (.textPage, 0.5), (.leather, 0.7), (.hexBoard, 0.6),
      (.checkerboard, 0.4), (.artMat, 0.8), (.plaid, 0.5), (.dots, 0.45), (.print, 0.5),
      (.brushedMetal, 0.3), (.cork, 0.35), (.camouflage, 0.3), (.slats, 0.4), (.glass, 0.3),
    ]
    var numbers: [Float] = []
    for entry in weights { numbers.append(entry.1) }
    var surface = makeSurface(weights[random.index(weights: numbers)].0)
    if random.chance(0.4) {
      // Most things in a home are muted.
      let gray = random.number(0.3, 0.8)
      func muted(_ c: Vector3) -> Vector3 { mix(c, Vector3(repeating: luminance(c)), gray) }
      surface.first = muted(surface.first)
      surface.second = muted(surface.second)
      surface.third = muted(surface.third)
      surface.fourth = muted(surface.fourth)
    }
    return surface
  }

  /// A surface of a kind with colours, scale and shine that suit it.
  mutating func makeSurface(_ kind: Surface.Kind) -> Surface {
    var s = Surface(
      kind: kind, scale: 1, turn: Turn(turns: random.unit()),
      offset: Vector2(random.number(-40, 40), random.number(-40, 40)),
      first: Palette.any(&random), second: Palette.any(&random), third: Palette.any(&random),
      fourth: Palette.any(&random), contrast: random.number(0.4, 1),
      variety: Vector2(random.unit(), random.unit()), gloss: 0.02, roughness: 0.6,
      seed: UInt32(truncatingIfNeeded: random.next()))
    switch kind {
    case .plain:
      s.scale = random.logarithmic(2, 12)
      s.second = Palette.near(s.first, 0.35, &random)
      shine(&s, 0.35)
    case .wood:
      (s.first, s.second) = Palette.wood(&random)
      s.scale = random.logarithmic(4, 16)
      shine(&s, 0.6)
    case .felt:
      s.first = isVaried && random.chance(0.25) ? Palette.any(&random) : Palette.felt(&random)
      s.second = Palette.near(s.first, 0.35, &random)
      s.scale = random.logarithmic(0.6, 2.2)
      s.gloss = 0
    case .weave, .twill:
      s.scale = random.logarithmic(0.3, 1.3)
      if random.chance(0.6) { s.second = Palette.near(s.first, 0.5, &random) }
      s.gloss = 0
    case .carpet:
      s.scale = random.logarithmic(0.5, 2.2)
      if random.chance(0.5) {
        s.second = Palette.near(s.first, 0.5, &random)
        s.third = Palette.near(s.first, 0.7, &random)
      }
      s.gloss = 0
    case .marble:
      let isLight = random.chance(0.65)
      s.first =
        isLight
        ? Palette.white(&random)
        : Palette.hue(random.unit(), saturation: 0.3, value: random.number(0.1, 0.35))
      s.second =
        isLight
        ? s.first * random.number(0.25, 0.6)
        : Palette.white(&random) * random.number(0.5, 1)
      s.third = Palette.near(s.first, 0.3, &random) * 0.85
      s.scale = random.logarithmic(4, 16)
      shine(&s, 0.85)
    case .granite:
      let tone = Palette.near(Vector3(repeating: random.number(0.05, 0.5)), 0.4, &random)
      s.first = tone
      s.second = tone * random.number(0.2, 0.6)
      s.third = Palette.near(tone * 1.5, 0.3, &random)
      s.fourth = tone * random.number(0.1, 1.8)
      s.scale = random.logarithmic(0.5, 2.4)
      shine(&s, 0.7)
    case .terrazzo:
      s.first = Palette.white(&random) * random.number(0.6, 1)
      s.scale = random.logarithmic(0.8, 4)
      shine(&s, 0.6)
    case .concrete:
      let tone = random.number(0.1, 0.5)
      s.first = Vector3(tone, tone * 0.98, tone * 0.94)
      s.second = s.first * random.number(0.55, 0.85)
      s.scale = random.logarithmic(2, 8)
    case .tiles:
      s.scale = random.logarithmic(4, 20)
      s.second = Vector3(repeating: random.number(0.05, 0.6))
      s.third = random.chance(0.5) ? s.first * 0.3 : Palette.any(&random)
      shine(&s, 0.7)
    case .gridPaper, .linedPaper, .textPage:
      s.first = random.chance(0.85) ? Palette.white(&random) : Palette.any(&random)
      s.second =
        random.chance(0.5)
        ? Palette.stored(80, 120, 180) : Vector3(repeating: random.number(0.01, 0.2))
      s.third = Palette.stored(200, 70, 70)
      s.fourth = random.chance(0.5) ? Palette.stored(25, 35, 110) : Palette.stored(30, 30, 30)
      s.scale = kind == .textPage ? random.logarithmic(0.2, 0.7) : random.logarithmic(0.3, 1)
    case .leather:
      s.first =
        random.chance(0.6)
        ? Palette.wood(&random).1 * random.number(0.3, 1) : Palette.felt(&random)
      s.second = s.first * random.number(0.6, 1)
      s.scale = random.logarithmic(0.5, 1.8)
      s.gloss = random.number(0.02, 0.05)
      s.roughness = random.number(0.3, 0.55)
    case .hexBoard:
      s.first = Palette.strong(&random)
      s.second = Palette.stored(200, 160, 60)
      s.third = Palette.stored(60, 130, 50)
      s.fourth = Palette.stored(140, 90, 60)
      if random.chance(0.4) { s.second = Palette.strong(&random) }
      s.scale = random.logarithmic(1.6, 4)
      shine(&s, 0.3)
    case .checkerboard:
      if random.chance(0.6) {
        s.first = Palette.wood(&random).1 * 0.7
        s.second = Palette.wood(&random).0
      }
      s.third = s.first * 0.3
      s.scale = random.logarithmic(1.3, 4)
      shine(&s, 0.5)
    case .artMat:
      if random.chance(0.45) {
        s.first = Palette.strong(&random) * random.number(0.2, 1)
        s.second = Palette.strong(&random)
      }
      s.fourth = Palette.white(&random) * random.number(0.2, 1)
      s.scale = random.logarithmic(2, 10)
    case .plaid:
      s.scale = random.logarithmic(0.8, 6)
      s.gloss = 0
    case .dots:
      s.scale = random.logarithmic(0.5, 3)
      s.gloss = 0.01
    case .print:
      s.scale = random.logarithmic(0.8, 4)
    case .brushedMetal:
      let tone = random.number(0.1, 0.5)
      s.first = Vector3(tone, tone, tone * random.number(0.9, 1.08))
      s.gloss = random.number(0.15, 0.5)
      s.roughness = random.number(0.3, 0.5)
      s.scale = random.logarithmic(1, 5)
    case .cork:
      s.first = Palette.stored(190, 145, 95)
      s.second = Palette.stored(95, 60, 35)
      s.scale = random.logarithmic(0.6, 2)
    case .camouflage:
      s.scale = random.logarithmic(1.5, 8)
    case .slats:
      (s.first, s.second) = Palette.wood(&random)
      s.third = Palette.any(&random) * 0.4
      s.scale = random.logarithmic(0.8, 3)
    case .glass:
      s.first = Palette.any(&random) * random.number(0.02, 0.6)
      s.second = s.first
      s.contrast = 0.1
      s.scale = 8
      s.gloss = 0.05
      s.roughness = random.number(0.03, 0.12)
    case .nightSky:
      s.first = Palette.any(&random) * random.logarithmic(0.005, 0.15)
      s.second = Palette.hue(random.number(0.02, 0.14), saturation: 0.5, value: 1)
      s.third = Palette.hue(random.number(0.55, 0.68), saturation: 0.4, value: 1)
      s.fourth = Palette.any(&random)
      s.scale = random.logarithmic(0.8, 8)
      s.gloss = random.number(0, 0.03)
    }
    return s
  }

  /// Gives a surface varnish with some probability.
  private mutating func shine(_ s: inout Surface, _ probability: Float) {
    guard random.chance(isVaried ? probability : probability * 0.5) else { return }
    s.gloss = random.number(0.025, 0.05)
    s.roughness = isVaried ? random.number(0.06, 0.45) : random.number(0.3, 0.5)
  }

  /// Mats, boards and the edge of the table.
  private mutating func addPatches() {
    if random.chance(0.4) {
      let count = random.chance(0.25) ? 2 : 1
      for _ in 0..<count {
        surfaces.append(chooseSurface())
        let shape: Patch.Shape
        switch random.index(weights: [0.65, 0.2, 0.15]) {
        case 0: shape = .rectangle
        case 1: shape = .disc
        default: shape = .hexagon
        }
        let size = reach * random.logarithmic(0.4, 1.4)
        let place = ground(atPixel: pixel(margin: 0.1), height: 0) ?? .zero
        let isCentral = random.chance(0.6)
        patches.append(
          Patch(
            shape: shape, center: isCentral ? .zero : Vector2(place.x, place.y),
            turn: Turn(turns: random.unit()), half: Vector2(size, size * random.number(0.5, 1)),
            corner: random.chance(0.5) ? 0.02 : size * random.number(0.02, 0.2),
            surface: surfaces.count - 1,
            border: random.chance(0.3) ? random.number(0.05, 0.3) : 0,
            borderColour: Palette.any(&random), lift: random.number(0.01, 0.2), isSunk: false))
      }
    }
    if random.chance(0.22) {
      surfaces.append(chooseSurface())
      let angle = random.unit()
      let distance = reach * random.number(0.45, 1)
      let direction = Vector2(cosineOfTurns(angle), sineOfTurns(angle))
      patches.append(
        Patch(
          shape: .halfPlane, center: direction * distance, turn: Turn(turns: angle),
          half: .zero, corner: 0, surface: surfaces.count - 1, border: 0, borderColour: .zero,
          lift: 0, isSunk: random.chance(0.8)))
    }
  }

  private mutating func addTray() {
    let radius = max(reach * random.number(0.5, 1.05), 2.2)
    surfaces.append(random.chance(0.75) ? makeSurface(.felt) : chooseSurface())
    let floor = surfaces.count - 1
    var wall = floor
    if random.chance(0.55) {
      surfaces.append(makeSurface(random.element(of: [.wood, .leather, .plain, .felt])))
      wall = surfaces.count - 1
    }
    let kind = random.index(weights: [0.4, 0.35, 0.1, 0.15])
    let turns = random.unit()
    let walls: [Vector3]
    switch kind {
    case 0:
      walls = Tray.rectangleWalls(
        half: Vector2(radius, radius * random.number(0.6, 1)), turns: turns)
    case 1: walls = Tray.polygonWalls(sides: 6, radius: radius, turns: turns)
    case 2: walls = Tray.polygonWalls(sides: 8, radius: radius, turns: turns)
    default: walls = Tray.polygonWalls(sides: 20, radius: radius, turns: turns)
    }
    tray = Tray(
      center: Vector2(random.normal(), random.normal()) * (reach * 0.06), walls: walls,
      height: random.number(0.7, 2), lean: random.chance(0.5) ? random.number(0, 0.6) : 0,
      thickness: random.number(0.08, 0.5), isRound: kind == 3, floor: floor, wall: wall,
      rimColour: Palette.near(surfaces[wall].first, 0.5, &random),
      seam: random.chance(0.5) ? random.number(0.12, 0.3) : 0)
  }
}

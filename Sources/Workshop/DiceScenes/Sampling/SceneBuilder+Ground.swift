internal import DiceNumerics

extension SceneBuilder {
  mutating func chooseGround() {
    guard isVaried else {
      surfaces = [chooseCalmSurface()]
      return
    }
    surfaces = [chooseSurface()]
    if random.chance(0.27) { surfaces[0] = choosePlainTable() }
    if options.hasHardNegatives && random.chance(0.15) { surfaces[0] = makeSurface(.nightSky) }
    addPatches()
    if elevation > 32 && random.chance(0.16) && !options.hasClutter { addTray() }
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

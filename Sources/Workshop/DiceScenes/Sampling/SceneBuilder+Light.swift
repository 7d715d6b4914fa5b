internal import DiceNumerics

extension SceneBuilder {
  mutating func chooseLight() -> ([Light], Surroundings) {
    let span = max(reach, 3)
    var lights: [Light] = []
    let tint: Float = isVaried ? (random.chance(0.08) ? 0.55 : 0.16) : 0.06
    let count = isVaried ? 1 + random.index(weights: [0.5, 0.35, 0.15]) : 2
    let keyShare = isVaried ? random.number(0.35, 1.1) : random.number(0.6, 0.85)
    for number in 0..<count {
      let height =
        isVaried ? random.number(number == 0 ? 22 : 15, 88) : random.number(45, 75)
      let azimuth = random.unit()
      let e = height / 360
      let direction = Vector3(
        cosineOfTurns(azimuth) * cosineOfTurns(e), sineOfTurns(azimuth) * cosineOfTurns(e),
        sineOfTurns(e))
      let distance =
        isVaried ? max(span * random.logarithmic(1.6, 9), 12) : max(span * 4, 30)
      let angle = isVaried ? random.logarithmic(0.012, 0.5) : random.number(0.09, 0.22)
      let strength = number == 0 ? keyShare : keyShare * random.number(0.1, 0.6)
      // The same light on level ground, however low the lamp stands.
      let lift = 1 / max(direction.z, 0.35)
      var light = Light(
        position: direction * distance, radius: distance * angle,
        colour: Palette.lamp(&random, spread: tint) * (strength * lift))
      light.seed = UInt32(truncatingIfNeeded: random.next())
      if isVaried && number == 0 && random.chance(0.14) {
        light.screen = random.element(of: [Light.Screen.edge, .bars, .blobs])
        light.screenScale = span * random.number(0.3, 1.2)
        light.screenTurn = Turn(turns: random.unit())
        light.screenOffset = random.number(-0.3, 0.3)
        light.screenSoftness = random.logarithmic(0.03, 0.6)
        light.screenStrength = random.number(0.3, 0.9)
      }
      lights.append(light)
    }
    let ambient = isVaried ? random.logarithmic(0.12, 0.85) : random.number(0.35, 0.5)
    let sky = Palette.lamp(&random, spread: tint * 0.6) * ambient
    var windows: [Window] = []
    for light in lights where random.chance(0.7) {
      windows.append(
        window(
          toward: normalized(light.position),
          brightness: light.colour * (isVaried ? random.number(0.4, 2.5) : random.number(0.1, 0.4)))
      )
    }
    if isVaried {
      for _ in 0..<random.integer(0...2) {
        let direction = normalized(
          Vector3(random.normal(), random.normal(), random.number(0.1, 1.6)))
        windows.append(
          window(
            toward: direction,
            brightness: Palette.lamp(&random, spread: 0.2) * random.logarithmic(0.3, 4)))
      }
    }
    let dark = Palette.any(&random) * random.number(0.02, 0.3)
    return (
      lights,
      Surroundings(
        overhead: sky * random.number(0.8, 1.4), horizon: sky * random.number(0.4, 1.1),
        windows: windows, roomDark: dark,
        roomBright: Palette.any(&random) * random.number(0.2, 1),
        unevenness: isVaried ? random.number(0.1, 0.9) : 0.25,
        seed: UInt32(truncatingIfNeeded: random.next()))
    )
  }

  private mutating func window(toward direction: Vector3, brightness: Vector3) -> Window {
    let helper = abs(direction.z) > 0.9 ? Vector3(1, 0, 0) : Vector3(0, 0, 1)
    let right = normalized(cross(helper, direction))
    let up = cross(direction, right)
    let turn = Turn(turns: random.unit())
    return Window(
      direction: direction, right: right * turn.cosine + up * turn.sine,
      up: up * turn.cosine - right * turn.sine,
      half: Vector2(random.logarithmic(0.05, 0.5), random.logarithmic(0.05, 0.5)),
      colour: brightness)
  }
}

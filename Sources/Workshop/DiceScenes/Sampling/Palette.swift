internal import DiceNumerics

/// Colours to choose from; results are linear.
enum Palette {
  /// A colour given as it is stored in a picture, 0 to 255.
  static func stored(_ red: Float, _ green: Float, _ blue: Float) -> Vector3 {
    func linear(_ x: Float) -> Float {
      let v = saturate(x / 255)
      return v <= 0.04045 ? v / 12.92 : power((v + 0.055) / 1.055, 2.4)
    }
    return Vector3(linear(red), linear(green), linear(blue))
  }

  /// A colour by hue (in turns), saturation and value, as stored.
  static func hue(_ hue: Float, saturation: Float, value: Float) -> Vector3 {
    let h = (hue - hue.rounded(.down)) * 6
    func part(_ n: Float) -> Float {
      let k = (n + h).truncatingRemainder(dividingBy: 6)
      return value - value * saturation * max(0, min(min(k, 4 - k), 1))
    }
    return stored(part(5) * 255, part(3) * 255, part(1) * 255)
  }

  /// Any colour, from gray to full.
  static func any(_ random: inout SceneRandom) -> Vector3 {
    hue(
      random.unit(), saturation: random.unit() * random.unit() * 1.1,
      value: random.number(0.08, 0.95))
  }

  /// A strong colour.
  static func strong(_ random: inout SceneRandom) -> Vector3 {
    hue(
      random.unit(), saturation: random.number(0.6, 1), value: random.number(0.35, 0.95))
  }

  /// A colour in which dice are made.
  static func die(_ random: inout SceneRandom) -> Vector3 {
    if random.chance(0.15) { return strong(&random) }
    let colours: [Vector3] = [
      stored(190, 24, 30), stored(150, 14, 22), stored(212, 40, 44), stored(120, 12, 26),
      stored(24, 60, 160), stored(18, 36, 110), stored(40, 110, 200), stored(110, 170, 220),
      stored(14, 110, 60), stored(8, 76, 44), stored(60, 160, 70), stored(150, 205, 50),
      stored(242, 196, 20), stored(236, 170, 16), stored(230, 110, 20), stored(240, 140, 40),
      stored(96, 40, 140), stored(130, 70, 170), stored(60, 24, 84), stored(220, 90, 150),
      stored(240, 160, 190), stored(20, 140, 150), stored(70, 190, 190), stored(110, 60, 34),
      stored(150, 100, 60), stored(120, 122, 128), stored(70, 74, 82), stored(190, 160, 100),
    ]
    return near(random.element(of: colours), 0.22, &random)
  }

  /// A colour near another one.
  static func near(_ colour: Vector3, _ spread: Float, _ random: inout SceneRandom) -> Vector3 {
    let light = 1 + random.number(-spread, spread)
    return Vector3(
      saturate(colour.x * light * (1 + random.number(-spread, spread) * 0.5)),
      saturate(colour.y * light * (1 + random.number(-spread, spread) * 0.5)),
      saturate(colour.z * light * (1 + random.number(-spread, spread) * 0.5)))
  }

  static func wood(_ random: inout SceneRandom) -> (Vector3, Vector3) {
    let pairs: [(Vector3, Vector3)] = [
      (stored(205, 170, 125), stored(165, 120, 75)), (stored(120, 78, 48), stored(70, 42, 26)),
      (stored(222, 196, 158), stored(190, 155, 110)), (stored(150, 88, 52), stored(100, 52, 30)),
      (stored(160, 150, 138), stored(115, 105, 95)), (stored(186, 140, 92), stored(130, 84, 50)),
      (stored(72, 52, 42), stored(38, 28, 24)), (stored(228, 212, 184), stored(204, 180, 146)),
      (stored(176, 108, 64), stored(120, 66, 36)), (stored(214, 206, 196), stored(180, 170, 158)),
    ]
    let pair = random.element(of: pairs)
    return (near(pair.0, 0.15, &random), near(pair.1, 0.15, &random))
  }

  static func felt(_ random: inout SceneRandom) -> Vector3 {
    let colours: [Vector3] = [
      stored(20, 92, 52), stored(16, 70, 60), stored(130, 20, 28), stored(28, 46, 110),
      stored(84, 40, 112), stored(30, 30, 34), stored(96, 98, 104), stored(120, 84, 44),
      stored(60, 84, 150), stored(16, 16, 18), stored(96, 30, 60), stored(36, 110, 120),
    ]
    return near(random.element(of: colours), 0.3, &random)
  }

  /// A white of some warmth.
  static func white(_ random: inout SceneRandom) -> Vector3 {
    let value = random.number(215, 248)
    let warmth = random.number(-4, 14)
    return stored(value, value - warmth * 0.35, value - warmth)
  }

  /// The colour of a lamp of some temperature, of mean 1.
  static func lamp(_ random: inout SceneRandom, spread: Float) -> Vector3 {
    let warmth = random.number(-spread, spread)
    let green = random.number(-spread, spread) * 0.25
    let c = Vector3(1 + warmth, 1 + green, 1 - warmth)
    return c * (3 / max(c.x + c.y + c.z, 0.3))
  }
}

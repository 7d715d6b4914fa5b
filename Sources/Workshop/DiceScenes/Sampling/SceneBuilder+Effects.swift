internal import DiceNumerics

extension SceneBuilder {
  mutating func chooseEffects() -> PictureEffects {
    var e = PictureEffects()
    guard isVaried else {
      e.exposure = random.number(0.95, 1.15)
      e.contrast = random.number(0.1, 0.3)
      e.vignette = random.number(0, 0.25)
      e.shotNoise = 0.006
      e.readNoise = 0.003
      e.blur = 0.35
      e.sharpening = 0.3
      return e
    }
    e.exposure = exponential2(random.normal() * 0.32)
    e.brightest = random.chance(0.85) ? random.number(0.55, 1) : random.number(1, 1.6)
    e.darkest = random.chance(0.85) ? random.number(0.1, 0.3) : random.number(0.05, 0.1)
    e.metering = random.number(0.3, 0.95)
    e.whiteBalance = Palette.lamp(&random, spread: random.chance(0.1) ? 0.35 : 0.1)
    e.contrast = random.number(-0.25, 0.55)
    e.saturation = clamp(1 + random.normal() * 0.18, 0.3, 1.45)
    e.haze = random.chance(0.3) ? random.number(0, 0.05) : 0
    e.vignette = random.chance(0.5) ? random.number(0, 0.7) : 0
    if random.chance(0.03) {
      e.apertureRadius = random.number(0.8, 1.05)
      e.apertureCenter = Vector2(random.number(-0.1, 0.1), random.number(-0.1, 0.1))
    }
    e.blur = random.chance(0.7) ? random.number(0.2, 0.8) : random.number(0.6, 1.8)
    if random.chance(0.25) {
      e.defocus = random.number(0.8, elevation < 60 ? 4.5 : 2.5)
      e.focus = random.number(0.2, 0.8)
    }
    if random.chance(0.08) {
      let angle = random.unit()
      e.motion = Vector2(cosineOfTurns(angle), sineOfTurns(angle)) * random.number(1.5, 6)
    }
    if random.chance(0.3) { e.aberration = random.normal() * 0.0012 }
    let noise =
      random.chance(0.75) ? random.logarithmic(0.002, 0.02) : random.logarithmic(0.02, 0.08)
    e.shotNoise = noise
    e.readNoise = noise * random.number(0.15, 0.7)
    e.grain = random.chance(0.7) ? random.unit() : 0
    e.sharpening = random.chance(0.55) ? random.number(0.2, 1.3) : 0
    e.coarseness = random.chance(0.18) ? random.number(1.2, 2.4) : 1
    e.isGray = random.chance(0.07)
    e.jpegQuality = random.chance(0.75) ? random.integer(35...95) : 0
    if random.chance(0.06) { e.jpegQuality = random.integer(12...35) }
    if e.apertureRadius > 0 && random.chance(0.6) { e.isGray = true }
    keepReadable(&e)
    return e
  }
  /// Bounds what blurs by the size of the dice: what no person can read teaches nothing.
  private mutating func keepReadable(_ e: inout PictureEffects) {
    let pixels = 320 / max(reach, 1)
    // A pip is about a fifth of an edge wide.
    let strictness: Float = random.chance(0.06) ? 1.7 : 1
    let most = pixels * 0.045 * strictness
    e.blur = min(e.blur, max(most, 0.2))
    e.defocus = min(e.defocus, max(most * 1.3, 0.3))
    let motion = length(e.motion)
    if motion > 0 { e.motion *= min(1, pixels * 0.11 * strictness / motion) }
    e.coarseness = min(e.coarseness, max(pixels / 11 * strictness, 1))
    if pixels < 26 {
      if e.jpegQuality > 0 { e.jpegQuality = max(e.jpegQuality, 60) }
      e.shotNoise = min(e.shotNoise, 0.03)
      e.readNoise = min(e.readNoise, 0.02)
    } else if pixels < 60 {
      if e.jpegQuality > 0 { e.jpegQuality = max(e.jpegQuality, 30) }
      e.shotNoise = min(e.shotNoise, 0.055)
    }
  }
}

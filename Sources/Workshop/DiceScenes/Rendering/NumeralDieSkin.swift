internal import DiceNumerics

extension DiceScene {
  /// What a solid's body is made of.
  @inline(__always)
  func material(of solid: Solid) -> Material {
    switch solid.paint {
    case .die: return appearances[solid.look].material
    case .numerals: return numeralDice[solid.look].material
    default: return materials[solid.look]
    }
  }
}

extension Stage {
  /// The skin of a die with numerals: its body, or the paint under the point.
  func numeralDieSkin(_ solid: Solid, _ p: Vector3, _ normal: Vector3) -> SkinSample {
    let die = scene.numeralDice[solid.look]
    let material = die.material
    let face = Polyhedron.with(sides: die.sides).face(nearest: p)
    let shift = Vector3(Float(solid.seed & 0xFF) * 0.37, Float(solid.seed >> 8 & 0xFF) * 0.41, 0)
    let patternPoint = p + shift
    var skin = SkinSample(
      colour: material.colour(at: patternPoint), gloss: material.gloss,
      roughness: material.roughness, metallic: material.metallic,
      translucency: material.translucency, point: p, normal: normal)
    skin.label = UInt32(face) << 4
    let mottle = noise(patternPoint * 2.7, solid.seed &+ 71)
    skin.colour *= 1 + 0.045 * mottle
    skin.roughness = clamp(skin.roughness * (1 + 0.3 * mottle), 0.03, 0.9)
    let d = die.distance(p, onFace: face)
    guard d < 0 else { return skin }
    skin.label |= 1
    var paint = die.ink
    if die.wear > 0 {
      let rub: Float = noise(p * 7, solid.seed) * 0.6 + noise(p * 2.1, solid.seed &+ 3) * 0.7
      let share: Float = saturate(rub * 2 - 1.6 + die.wear * 1.8) * 0.8
      paint = mix(paint, skin.colour, share)
    }
    skin.colour = paint
    skin.translucency = 0
    skin.metallic = die.hasMetalInk ? 1 : 0
    skin.gloss = die.hasMetalInk ? 0.6 : 0.03
    skin.roughness = die.hasMetalInk ? 0.3 : 0.4
    guard die.isEngraved else { return skin }
    // The walls of the groove.
    let plane = Polyhedron.with(sides: die.sides).faces[face]
    let step: Float = 0.02
    let across = die.distance(p + plane.right * step, onFace: face) - d
    let along = die.distance(p + plane.up * step, onFace: face) - d
    let wall = saturate(1 + d / max(die.halfLine, 0.02))
    let slope = (plane.right * across + plane.up * along) * (-0.8 * wall / step * plane.reach)
    skin.normal = normalized(normal + slope)
    skin.openness = 0.75
    return skin
  }
}

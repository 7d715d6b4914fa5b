/// What a point of a solid is made of.
struct SkinSample {
  var colour: Vector3
  var gloss: Float
  var roughness: Float
  var metallic: Float
  var translucency: Float
  /// How much light finds its way into a hollow.
  var openness: Float = 1
  /// Moves the point (and its normal) to the bottom of a hollow.
  var point: Vector3
  var normal: Vector3
  /// The centre of the bowl's opening and its radius, in local coordinates; none where 0.
  var bowlRadius: Float = 0
  var bowlCenter: Vector3 = .zero
  var bowlNormal: Vector3 = .zero
  var label: UInt32 = 0
  /// Light of its own.
  var emission: Vector3 = .zero
}

extension Stage {
  /// A point of a solid as the camera sees it.
  func shadeSolid(_ ray: Ray, index: Int, distance: Float, mirrored: Bool = false) -> Shaded {
    let solid = solids[index]
    let entry = solid.toLocal(ray.point(at: distance))
    let bodyNormal = solid.body.normal(entry)
    let localView = solid.rotation.toLocal(ray.direction)
    let skin: SkinSample
    switch solid.paint {
    case .die: skin = dieSkin(solid, entry, bodyNormal, localView)
    case .numerals: skin = numeralDieSkin(solid, entry, bodyNormal)
    default:
      skin = propSkin(solid, entry, bodyNormal, footprint: distance * pixelAngle / solid.scale)
    }
    let p = solid.toWorld(skin.point)
    let normal = solid.rotation.toWorld(skin.normal)
    let label = UInt32(truncatingIfNeeded: index + 1) << 12 | skin.label

    let dieSize = max(solid.scale * 2, 1e-3)
    // Light from all around: open above, the ground's glow from below, less of both in corners.
    let upness = 0.5 + 0.5 * normal.z
    let heightShare = saturate(p.z / dieSize)
    var open = skin.openness * mirrorOpen(normal, heightShare)
    if !mirrored && !neighbours[index].isEmpty {
      open *= contact(at: p + normal * 0.02, among: neighbours[index], except: index)
    }
    var ambient = mix(horizon, overhead, saturate(normal.z * 0.6 + 0.4)) * upness
    let groundShare: Float = (1 - upness) * (0.35 + 0.45 * heightShare)
    ambient += groundGlow * groundShare
    var diffuse = ambient * open
    var shine = Vector3.zero
    for light in lamps.indices {
      let lamp = self.lamp(light, from: p)
      let rawFacing = dot(normal, lamp.direction)
      // Light seeps a little past the edge of the shadow in plastic.
      let seep: Float = 0.06 + 0.25 * skin.translucency
      let facing = max((rawFacing + seep) / (1 + seep), 0)
      guard facing > 0 else { continue }
      var through = Vector3(repeating: 1)
      if !mirrored {
        through = transmission(
          at: p, toward: lamp.direction, spread: lamp.spread, light: light,
          among: shadowers[index], except: index)
      }
      if skin.bowlRadius > 0 {
        through *= bowlLight(skin, solid.rotation.toLocal(lamp.direction), lamp.spread)
      }
      let arriving = lamp.colour * through
      diffuse += arriving * facing
      if rawFacing > 0 {
        shine +=
          arriving * rawFacing
          * highlight(
            normal, ray.direction, lamp.direction, roughness: skin.roughness, spread: lamp.spread)
      }
    }
    let cosine = saturate(-dot(normal, ray.direction))
    let fresnel =
      skin.gloss + (1 - skin.gloss) * fifthPower(1 - cosine) * (1 - skin.roughness) * 0.8
    let mirror = reflected(ray.direction, at: normal)
    let seen = light(
      from: mirror, roughness: skin.roughness, below: groundGlow * (0.4 + 0.4 * heightShare))
    let tint = mix(Vector3(repeating: 1), skin.colour, skin.metallic)
    var body = skin.colour * diffuse * (1 - skin.metallic * 0.85)
    if skin.translucency > 0 && !mirrored {
      let inside = glow(solid, skin, localView, ray, diffuse: diffuse)
      body = mix(body, inside, skin.translucency)
    }
    let strength = fresnel + skin.metallic * 0.7
    let spark = shine * (skin.gloss + skin.metallic * 0.6)
    var colour = body
    colour += seen * tint * strength * open
    colour += spark * tint
    colour += skin.emission
    return Shaded(colour: colour, label: label)
  }

  /// How open the surroundings are at a point of an upright solid's side.
  @inline(__always)
  private func mirrorOpen(_ normal: Vector3, _ heightShare: Float) -> Float {
    let side = 1 - saturate(normal.z)
    return 1 - 0.45 * side * (1 - heightShare) * (1 - heightShare)
  }

  /// The share of a lamp that shines over the rim of a pip's bowl onto a point in it.
  @inline(__always)
  private func bowlLight(_ skin: SkinSample, _ direction: Vector3, _ spread: Float) -> Float {
    let rise = dot(direction, skin.bowlNormal)
    guard rise > 0.02 else { return 0.2 }
    let depth = dot(skin.bowlCenter - skin.point, skin.bowlNormal)
    let exit = skin.point + direction * (max(depth, 0) / rise)
    let reach = length(exit - skin.bowlCenter)
    let soft = skin.bowlRadius * 0.15 + max(depth, 0) * spread
    return smoothStep(skin.bowlRadius + soft, skin.bowlRadius - soft, reach)
  }

  /// The skin of a die: its body, or the pip under the point.
  func dieSkin(_ solid: Solid, _ p: Vector3, _ normal: Vector3, _ view: Vector3) -> SkinSample {
    let appearance = scene.appearances[solid.look]
    let material = appearance.material
    let pips = appearance.pips
    let side = DieLayout.side(nearest: p)
    let value = appearance.layout.value(onSide: side)
    let onFace = DieLayout.coordinates(of: p, onSide: side)
    let patternPoint =
      p
      + Vector3(
        Float(solid.seed & 0xFF) * 0.37, Float((solid.seed >> 8) & 0xFF) * 0.41, 0)
    var skin = SkinSample(
      colour: material.colour(at: patternPoint), gloss: material.gloss,
      roughness: material.roughness, metallic: material.metallic,
      translucency: material.translucency, point: p, normal: normal)
    skin.label = UInt32(side) << 4
    // Handled plastic is nowhere quite even.
    let mottle = noise(patternPoint * 2.7, solid.seed &+ 71)
    skin.colour *= 1 + 0.045 * mottle
    skin.roughness = clamp(skin.roughness * (1 + 0.3 * mottle), 0.03, 0.9)
    if pips.discRadius > 0 {
      let reach = length(onFace)
      let inside =
        pips.discIsLine ? abs(reach - pips.discRadius) < 0.045 : reach < pips.discRadius
      if inside {
        skin.colour = pips.discColour
        skin.translucency = 0
        skin.label |= 8
      }
    }
    if pips.markedValue == value && value != 0 {
      let mark = Glyphs.lines(
        Vector2(onFace.x * 3 + 9, 7.62 - (onFace.y + 0.55) * 2.2), footprint: 0.1, filled: 1,
        solid.seed)
      if abs(onFace.x) < 0.66 && onFace.y < -0.42 && onFace.y > -0.78 && mark > 0.4 {
        skin.colour = pips.markColour
        skin.translucency = 0
      }
    }
    guard
      let pip = pips.pip(at: onFace, value: value, turned: appearance.layout.isTurned(value))
    else { return skin }
    let direction = DieLayout.direction(ofSide: side)
    let radius = pips.radius(ofValue: value)
    let reach = length(pip.offset) / radius
    switch pips.kind {
    case .ring where reach < 0.62: return skin
    case .target where reach > 0.5 && reach < 0.74: return skin
    default: break
    }
    skin.label |= UInt32(pip.index + 1)
    if pips.kind == .sunk || pips.kind == .bare {
      carve(
        &skin, onFace, pip.offset, radius, pips.depth(ofValue: value), direction, side, view)
    }
    if pips.kind != .bare {
      var paint = pips.colour(ofValue: value)
      if pips.wear > 0 {
        let rub = noise(p * 7, solid.seed) * 0.6 + noise(p * 2.1, solid.seed &+ 3) * 0.7
        paint = mix(paint, skin.colour, saturate(rub * 2 - 1.6 + pips.wear * 1.8) * 0.8)
      }
      skin.colour = paint
      skin.translucency = 0
      skin.metallic = 0
      skin.gloss = pips.gloss
      skin.roughness = pips.roughness
    }
    return skin
  }

  /// Moves the point to the bottom of a pip's spherical bowl.
  @inline(__always)
  private func carve(
    _ skin: inout SkinSample, _ onFace: Vector2, _ offset: Vector2, _ radius: Float,
    _ bowlDepth: Float, _ direction: Vector3, _ side: Int, _ view: Vector3
  ) {
    let depth = max(bowlDepth, 0.01)
    let bowl = (radius * radius + depth * depth) / (2 * depth)
    let height = dot(skin.point, direction)
    let rim = DieLayout.point(onFace, height: height, onSide: side)
    let mouth = rim - DieLayout.point(offset, height: 0, onSide: side)
    let center = mouth + direction * (bowl - depth)
    let toPoint = skin.point - center
    let along = dot(toPoint, view)
    let inside = along * along - (dot(toPoint, toPoint) - bowl * bowl)
    guard inside > 0 else { return }
    let travel = -along + inside.squareRoot()
    guard travel > 0 else { return }
    skin.point += view * travel
    skin.normal = normalized(center - skin.point)
    skin.bowlRadius = radius
    skin.bowlCenter = mouth
    skin.bowlNormal = direction
    let share = saturate(dot(mouth - skin.point, direction) / depth)
    skin.openness = 1 - 0.45 * share * min(1, depth / radius)
  }
}

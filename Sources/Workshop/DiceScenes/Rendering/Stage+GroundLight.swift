internal import DiceNumerics

extension Stage {
  /// What of the light reaches a point of the ground or of a tray's wall.
  func groundLight(at p: Vector3, candidates: Candidates) -> GroundLight {
    var light = GroundLight.unhindered
    light.open = contact(at: p, among: candidates.near, except: -1)
    let lamps = lampRow.view(from: p)
    if hasScreens || hasTray {
      for lane in 0..<lampRow.count {
        var share: Float = 1
        let direction = lamps.direction(lane)
        if self.lamps[lane].hasScreen {
          share *= scene.lights[lane].screenFactor(at: p, direction: direction)
        }
        if hasTray, let tray = scene.tray {
          share *= tray.lightFactor(at: p, toward: direction, spread: lamps.spread[lane])
        }
        light.red[lane] = share
        light.green[lane] = share
        light.blue[lane] = share
      }
    }
    for index in candidates.shadows {
      let sphere = spheres[index]
      let offset = Vector3(sphere.x, sphere.y, sphere.z) - p
      let along = lamps.facing(offset)
      let square = dot(offset, offset) - along * along
      let reach = sphere.w + lamps.spread * maximum(along, Lanes(repeating: 0))
      let isNear = (along .> -sphere.w) .& (square .< reach * reach)
      guard any(isNear) else { continue }
      for lane in 0..<lampRow.count where isNear[lane] {
        let most = max(light.red[lane], max(light.green[lane], light.blue[lane]))
        guard most > 0.003 else { continue }
        let open = openness(
          of: solids[index], from: p, toward: lamps.direction(lane), spread: lamps.spread[lane],
          along: along[lane], reach: reach[lane])
        guard open < 1 else { continue }
        let tint = tints[index]
        let through =
          tint.x >= 0
          ? Vector3(repeating: open) + tint * (1 - open) : Vector3(repeating: open)
        light.red[lane] *= through.x
        light.green[lane] *= through.y
        light.blue[lane] *= through.z
      }
    }
    return light
  }

  /// Lights a point of the ground.
  func shadeFlat(
    _ ray: Ray, _ p: Vector3, _ sample: SurfaceSample, occlusion: Float, light: GroundLight,
    candidates: Candidates
  ) -> Vector3 {
    var normal = Vector3(0, 0, 1)
    if sample.slope != .zero {
      normal = normalized(Vector3(-sample.slope.x, -sample.slope.y, 1))
    }
    return shadeFlat(
      ray, p, normal, sample, occlusion: occlusion, light: light, candidates: candidates)
  }

  /// Lights a point of the ground or of a wall.
  func shadeFlat(
    _ ray: Ray, _ p: Vector3, _ normal: Vector3, _ sample: SurfaceSample, occlusion: Float,
    light: GroundLight, candidates: Candidates
  ) -> Vector3 {
    let open = light.open * occlusion
    let up = 0.5 + 0.5 * normal.z
    var diffuse = mix(horizon, overhead, up) * open
    if normal.z < 0.9 { diffuse += groundGlow * (0.5 * (1 - normal.z)) * open }
    let lamps = lampRow.view(from: p)
    let facing = maximum(lamps.facing(normal), Lanes(repeating: 0))
    let arriving = lamps.brightness * facing * occlusion
    let red = lampRow.red * light.red * arriving
    let green = lampRow.green * light.green * arriving
    let blue = lampRow.blue * light.blue * arriving
    diffuse += Vector3(red.sum(), green.sum(), blue.sum())
    var colour = sample.colour * diffuse + sample.emission
    guard sample.gloss > 0.005 else { return colour }

    var shine = Vector3.zero
    let strength = highlights(
      normal, ray.direction, lamps, facing: facing, roughness: sample.roughness)
    if any(strength .> 0) {
      shine = Vector3((red * strength).sum(), (green * strength).sum(), (blue * strength).sum())
    }
    let cosine = saturate(-dot(normal, ray.direction))
    let grazing = 1 - cosine
    let fresnel =
      sample.gloss
      + (1 - sample.gloss) * fifthPower(grazing) * (1 - sample.roughness)
    let mirror = reflected(ray.direction, at: normal)
    var seen = self.light(from: mirror, roughness: sample.roughness, below: groundGlow)
    if sample.roughness < 0.3 && !candidates.near.isEmpty {
      seen = mirrored(ray, p, sample, among: candidates.near, beyond: seen)
    }
    colour += seen * fresnel * open + shine * sample.gloss
    return colour
  }

  /// What a polished ground mirrors: the solid that stands there, or what is beyond.
  private func mirrored(
    _ ray: Ray, _ p: Vector3, _ sample: SurfaceSample, among candidates: [Int], beyond: Vector3
  ) -> Vector3 {
    let flat = reflected(ray.direction, at: Vector3(0, 0, 1))
    let start = Ray(origin: p + Vector3(0, 0, 0.004), direction: flat)
    var nearest: Float = .greatestFiniteMagnitude
    var found = -1
    for index in candidates {
      if let t = solids[index].firstHit(start), t < nearest {
        nearest = t
        found = index
      }
    }
    guard found >= 0 else { return beyond }
    let image = shadeSolid(start, index: found, distance: nearest, mirrored: true).colour
    return mix(image, beyond, saturate(sample.roughness * nearest * 4))
  }

  /// The strength of each lamp's highlight, as `highlight` gives it for one.
  func highlights(
    _ normal: Vector3, _ view: Vector3, _ lamps: LampRow.View, facing: Lanes, roughness: Float
  ) -> Lanes {
    let x = lamps.x - view.x
    let y = lamps.y - view.y
    let z = lamps.z - view.z
    let inverse = inverseSquareRoot(maximum(x * x + y * y + z * z, Lanes(repeating: 1e-12)))
    let toMirror = maximum(
      (x * normal.x + y * normal.y + z * normal.z) * inverse, Lanes(repeating: 0))
    let width = max(roughness * roughness, 0.0009) + lamps.spread * lamps.spread * 0.25
    let exponent = 2 / width - 2
    // Too far from the mirror direction to be seen.
    let isSeen = (exponent * (1 - toMirror) .< 14) .& (facing .> 0)
    guard any(isSeen) else { return Lanes(repeating: 0) }
    let lobe =
      (exponent + 2) * 0.125
      * exponential2(
        logarithm2(toMirror) * minimum(exponent, Lanes(repeating: 4000)))
    let strength = Lanes(repeating: 0.1).replacing(with: lobe, where: exponent .> 0)
    return Lanes(repeating: 0).replacing(with: strength, where: isSeen)
  }
}

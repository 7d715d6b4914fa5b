/// Which solids matter for the pixels of a tile.
struct Candidates {
  /// Those a ray can meet.
  var visible: [Int] = []
  /// Those that can throw a shadow on the ground here.
  var shadows: [Int] = []
  /// Those close enough to darken the ground or to be mirrored in it.
  var near: [Int] = []
  var decals: [Int] = []
  /// The surface of the whole ground here, where there is only one; else negative.
  var surface = -1
  /// The label that goes with it.
  var label: UInt32 = 0
}

/// A colour with a number that changes where something else begins.
struct Shaded {
  var colour: Vector3
  var label: UInt32
}

extension Stage {
  /// The ground without light: the surface, the patches and the decals over it.
  func groundSample(
    at point: Vector2, footprint: Float, candidates: Candidates
  ) -> (sample: SurfaceSample, label: UInt32, occlusion: Float) {
    var occlusion: Float = 1
    var label = candidates.label
    var sample: SurfaceSample
    if candidates.surface >= 0 {
      sample = scene.surfaces[candidates.surface].sample(at: point, footprint: footprint)
    } else {
      (sample, label, occlusion) = patchedSample(at: point, footprint: footprint)
    }
    for index in candidates.decals {
      let decal = scene.decals[index]
      guard let paint = decal.paint(at: point, footprint: footprint) else { continue }
      if paint.cover > 0.5 { label = 0xC000_0000 | UInt32(index) << 8 }
      occlusion *= 1 - paint.shadow * (1 - paint.cover)
      sample.colour = mix(sample.colour, paint.colour, paint.cover)
      if paint.cover > 0.5 && decal.lift > 0 {
        sample.slope = .zero
        sample.gloss = max(0.02, decal.gloss * 0.06)
        sample.roughness = 0.35
      }
    }
    return (sample, label, occlusion)
  }

  /// The surface and the patches over it.
  private func patchedSample(
    at point: Vector2, footprint: Float
  ) -> (sample: SurfaceSample, label: UInt32, occlusion: Float) {
    var surface = scene.ground
    var label: UInt32 = 0x8000_0000
    var occlusion: Float = 1
    var border: Float = 0
    var borderColour = Vector3.zero
    for (index, patch) in scene.patches.enumerated() {
      let d = patch.distance(point)
      if d < 0 {
        surface = patch.surface
        label = 0x8000_0000 | UInt32(index + 1) << 16
        border = 0
        if patch.border > 0 && d > -patch.border * 2 && d < -patch.border {
          border = 0.9
          borderColour = patch.borderColour
          label |= 0x1000
        }
        if patch.isSunk { occlusion *= 0.45 + 0.35 * smoothStep(0, 3, -d) }
      } else if patch.lift > 0 && d < patch.lift * 4 {
        occlusion *= 1 - 0.5 * smoothStep(patch.lift * 4, 0, d)
      }
    }
    if hasTray, let tray = scene.tray, length(point - tray.center) < tray.outerRadius,
      tray.beyond(Vector3(point.x, point.y, 0)) < 0
    {
      surface = tray.floor
      label = 0xA000_0000
      border = 0
    }
    var sample = scene.surfaces[surface].sample(at: point, footprint: footprint)
    if border > 0 { sample.colour = mix(sample.colour, borderColour, border) }
    return (sample, label, occlusion)
  }

  /// The only surface within a circle of the ground and its label, or nil where several meet.
  func onlySurface(around middle: Vector2, radius: Float) -> (surface: Int, label: UInt32)? {
    var surface = scene.ground
    var label: UInt32 = 0x8000_0000
    for (index, patch) in scene.patches.enumerated() {
      let margin = max(patch.lift * 4, max(patch.border * 2, patch.isSunk ? 3 : 0)) + radius
      let d = patch.distance(middle)
      if abs(d) < margin || (d < 0 && patch.isSunk) { return nil }
      if d < 0 {
        surface = patch.surface
        label = 0x8000_0000 | UInt32(index + 1) << 16
      }
    }
    if let tray = scene.tray {
      let reach = length(middle - tray.center)
      if reach + radius < tray.innerRadius { return (tray.floor, 0xA000_0000) }
      if reach - radius < tray.outerRadius { return nil }
    }
    return (surface, label)
  }

  /// A point of the ground as the camera sees it.
  func shadeGround(_ ray: Ray, distance: Float, candidates: Candidates) -> Shaded {
    let p = ray.point(at: distance)
    let slant = max(-ray.direction.z, 0.05)
    let footprint = distance * pixelAngle / slant.squareRoot()
    let ground = groundSample(
      at: Vector2(p.x, p.y), footprint: footprint, candidates: candidates)
    let normal = normalized(Vector3(-ground.sample.slope.x, -ground.sample.slope.y, 1))
    let colour = shadeFlat(
      ray, p, normal, ground.sample, occlusion: ground.occlusion, candidates: candidates)
    return Shaded(colour: colour, label: ground.label)
  }

  /// Lights a point of the ground or of a wall.
  func shadeFlat(
    _ ray: Ray, _ p: Vector3, _ normal: Vector3, _ sample: SurfaceSample, occlusion: Float,
    candidates: Candidates
  ) -> Vector3 {
    let around = scene.surroundings
    let open = contact(at: p, among: candidates.near, except: -1) * occlusion
    let up = 0.5 + 0.5 * normal.z
    var diffuse = mix(around.horizon, around.overhead, up) * open
    if normal.z < 0.9 { diffuse += groundGlow * (0.5 * (1 - normal.z)) * open }
    var shine = Vector3.zero
    for light in lamps.indices {
      let lamp = self.lamp(light, from: p)
      let facing = dot(normal, lamp.direction)
      guard facing > 0 else { continue }
      let through = transmission(
        at: p, toward: lamp.direction, spread: lamp.spread, light: light,
        among: candidates.shadows, except: -1)
      let arriving = lamp.colour * through * occlusion
      diffuse += arriving * facing
      if sample.gloss > 0.005 {
        shine +=
          arriving * facing
          * highlight(
            normal, ray.direction, lamp.direction, roughness: sample.roughness, spread: lamp.spread)
      }
    }
    var colour = sample.colour * diffuse
    if sample.gloss > 0.005 {
      let cosine = saturate(-dot(normal, ray.direction))
      let grazing = 1 - cosine
      let fresnel =
        sample.gloss
        + (1 - sample.gloss) * fifthPower(grazing) * (1 - sample.roughness)
      let mirror = reflected(ray.direction, at: normal)
      var seen = around.light(from: mirror, roughness: sample.roughness, below: groundGlow)
      if sample.roughness < 0.3 && !candidates.near.isEmpty {
        let flat = reflected(ray.direction, at: Vector3(0, 0, 1))
        let start = Ray(origin: p + Vector3(0, 0, 0.004), direction: flat)
        var nearest: Float = .greatestFiniteMagnitude
        var found = -1
        for index in candidates.near {
          if let t = solids[index].firstHit(start), t < nearest {
            nearest = t
            found = index
          }
        }
        if found >= 0 {
          let image = shadeSolid(
            start, index: found, distance: nearest, mirrored: true
          ).colour
          let blur = saturate(sample.roughness * nearest * 4)
          seen = mix(image, seen, blur)
        }
      }
      colour += seen * fresnel * open + shine * sample.gloss
    }
    return colour
  }

  /// A point of the tray's walls.
  func shadeTray(_ ray: Ray, _ hit: Tray.Hit, _ tray: Tray, candidates: Candidates) -> Shaded {
    let p = ray.point(at: hit.distance)
    var sample: SurfaceSample
    var label: UInt32 = 0xE000_0000 | UInt32(hit.part.rawValue)
    let footprint = hit.distance * pixelAngle
    if hit.part == .rim {
      sample = SurfaceSample(colour: tray.rimColour, gloss: 0.03, roughness: 0.4, slope: .zero)
    } else {
      // Unrolls the wall: along it and up.
      let across = Vector2(-hit.normal.y, hit.normal.x)
      let u = dot(across, Vector2(p.x, p.y))
      sample = scene.surfaces[tray.wall].sample(
        at: Vector2(u, p.z + 40 * hit.normal.x), footprint: footprint)
      if tray.seam > 0 {
        let d = abs(p.z - (tray.height - tray.seam))
        let dash = u * 6 - (u * 6).rounded(.down)
        if d < max(0.03, footprint * 0.7) && dash < 0.7 {
          sample.colour = mix(sample.colour, tray.rimColour, 0.7)
        }
      }
    }
    label |= UInt32(truncatingIfNeeded: Int((hit.normal.x + hit.normal.y * 3 + 5) * 20)) << 4
    let normal = normalized(hit.normal + Vector3(sample.slope.x, sample.slope.y, 0) * 0.3)
    let up = p.z / max(tray.height, 0.01)
    let occlusion = hit.part == .inside ? 0.65 + 0.35 * saturate(up) : 1
    return Shaded(
      colour: shadeFlat(ray, p, normal, sample, occlusion: occlusion, candidates: candidates),
      label: label)
  }
}

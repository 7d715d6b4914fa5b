/// Which solids matter for the pixels of a tile.
struct Candidates {
  /// Those a ray can meet.
  var visible: [Int] = []
  /// Those that can throw a shadow on the ground here.
  var shadows: [Int] = []
  /// Those close enough to darken the ground or to be mirrored in it.
  var near: [Int] = []
  var decals: [Int] = []
  var panels: [Int] = []
  /// The surface of the whole ground here, where there is only one; else negative.
  var surface = -1
  /// The label that goes with it.
  var label: UInt32 = 0
}

extension Candidates {
  /// Whether no solid changes the light on the ground.
  var leaveGroundAlone: Bool { shadows.isEmpty && near.isEmpty }
}

/// A colour with a number that changes where something else begins.
struct Shaded {
  var colour: Vector3
  var label: UInt32

  /// Where nothing is met.
  static let roomLabel: UInt32 = 0xFFFF_FFFF
  /// Of a pixel that has not been drawn.
  static let untraced: UInt32 = 0xFFFF_FFFE

  /// Whether a label is one of the ground, the walls of a tray or what is beyond.
  @inline(__always)
  static func isFlat(_ label: UInt32) -> Bool { label & 0x8000_0000 != 0 }

  /// Whether a label is one of the ground.
  @inline(__always)
  static func isGround(_ label: UInt32) -> Bool { label >> 31 == 1 && label >> 29 != 7 }
}

/// What a ray sees of the ground, without light.
struct GroundPoint {
  var ray: Ray
  var place: Vector3
  var sample: SurfaceSample
  /// How much patches and decals leave of the light.
  var occlusion: Float
  var label: UInt32

  /// Whether what stands on the ground is seen in it.
  var isMirror: Bool { sample.gloss > 0.005 && sample.roughness < 0.3 }
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
      sample = surfaces[candidates.surface].sample(at: point, footprint: footprint)
    } else {
      (sample, label, occlusion) = patchedSample(at: point, footprint: footprint)
    }
    for index in candidates.panels {
      guard let paint = panels[index].paint(at: point, footprint: footprint) else { continue }
      if paint.cover > 0.5 { label = 0xD000_0000 | UInt32(index) << 8 }
      // A panel hides what darkens the ground below it.
      occlusion = mix(occlusion * (1 - paint.shadow), 1, paint.cover)
      paint.lay(on: &sample)
    }
    for index in candidates.decals {
      let decal = decals[index]
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
    for index in patches.indices {
      let patch = patches[index]
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
    var sample = surfaces[surface].sample(at: point, footprint: footprint)
    if border > 0 { sample.colour = mix(sample.colour, borderColour, border) }
    return (sample, label, occlusion)
  }

  /// The only surface within a circle of the ground and its label, or nil where several meet.
  func onlySurface(around middle: Vector2, radius: Float) -> (surface: Int, label: UInt32)? {
    var surface = scene.ground
    var label: UInt32 = 0x8000_0000
    for (index, patch) in patches.enumerated() {
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

  /// What is seen of the ground where a ray meets it, without light.
  @inline(__always)
  func groundPoint(_ ray: Ray, distance: Float, candidates: Candidates) -> GroundPoint {
    let p = ray.point(at: distance)
    let slant = max(-ray.direction.z, 0.05)
    let footprint = distance * pixelAngle / slant.squareRoot()
    let ground = groundSample(
      at: Vector2(p.x, p.y), footprint: footprint, candidates: candidates)
    return GroundPoint(
      ray: ray, place: p, sample: ground.sample, occlusion: ground.occlusion,
      label: ground.label)
  }

  /// A point of the ground as the camera sees it.
  ///
  /// - Parameters:
  ///   - light: what reaches the ground there, where it is known from a point close by.
  func shadeGround(
    _ ray: Ray, distance: Float, candidates: Candidates, light: GroundLight? = nil
  ) -> Shaded {
    let point = groundPoint(ray, distance: distance, candidates: candidates)
    return Shaded(
      colour: shade(
        point, light ?? groundLight(at: point.place, candidates: candidates), candidates),
      label: point.label)
  }

  /// Lights what is seen of the ground.
  @inline(__always)
  func shade(_ point: GroundPoint, _ light: GroundLight, _ candidates: Candidates) -> Vector3 {
    shadeFlat(
      point.ray, point.place, point.sample, occlusion: point.occlusion,
      light: light, candidates: candidates)
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
      sample = surfaces[tray.wall].sample(
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
      colour: shadeFlat(
        ray, p, normal, sample, occlusion: occlusion,
        light: groundLight(at: p, candidates: candidates), candidates: candidates),
      label: label)
  }
}

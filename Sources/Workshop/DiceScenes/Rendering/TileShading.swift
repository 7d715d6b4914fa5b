/// What lamps and surroundings do to the level ground in a tile: found at its corners, interpolated
/// between them.
///
/// What changes faster is not in here: shadows, the relief, and what a polished ground mirrors.
final class TileShading {
  /// The values of a point, or the ways from one to the next.
  struct Values {
    /// The direction of each lamp, as long as it is bright there.
    var x: Lanes
    var y: Lanes
    var z: Lanes
    /// The light of each lamp's highlight, as a share.
    var highlights: Lanes
    /// The light from around that is reflected, in red, green and blue.
    var reflected: Lanes
    /// The footprint of a pixel and the distance from the camera.
    var sizes: Lanes

    static var zero: Values {
      let zero = Lanes(repeating: 0)
      return Values(x: zero, y: zero, z: zero, highlights: zero, reflected: zero, sizes: zero)
    }

    @inline(__always)
    static func + (a: Values, b: Values) -> Values {
      Values(
        x: a.x + b.x, y: a.y + b.y, z: a.z + b.z, highlights: a.highlights + b.highlights,
        reflected: a.reflected + b.reflected, sizes: a.sizes + b.sizes)
    }

    @inline(__always)
    static func - (a: Values, b: Values) -> Values {
      Values(
        x: a.x - b.x, y: a.y - b.y, z: a.z - b.z, highlights: a.highlights - b.highlights,
        reflected: a.reflected - b.reflected, sizes: a.sizes - b.sizes)
    }

    @inline(__always)
    static func * (a: Values, b: Float) -> Values {
      Values(
        x: a.x * b, y: a.y * b, z: a.z * b, highlights: a.highlights * b,
        reflected: a.reflected * b, sizes: a.sizes * b)
    }
  }

  /// The points of the tile at one height.
  struct Row {
    fileprivate let start: Values
    fileprivate let way: Values

    /// Of no tile.
    static var none: Row { Row(start: .zero, way: .zero) }

    /// The values at so many columns from the tile's left side.
    @inline(__always)
    func values(_ column: Float) -> Values { start + way * column }
  }

  private let start: Values
  private let across: Values
  private let down: Values
  private let twist: Values
  /// The reflectance of the surface that the highlights are for; negative where there is none.
  private let gloss: Float

  /// - Returns: nil where the tile reaches so near to the horizon that the corners do not tell what
  ///   is between them.
  init?(_ stage: Stage, left: Int, top: Int, candidates: Candidates) {
    var material: (gloss: Float, roughness: Float)?
    if candidates.surface >= 0 {
      let surface = stage.surfaces[candidates.surface]
      // Sharper images change too quickly between the corners.
      if surface.roughness >= 0.3 && surface.gloss <= 0.1 {
        material = (surface.gloss, surface.roughness)
      }
    }
    var corners: [Values] = []
    for corner in 0..<4 {
      let ray = stage.camera.ray(
        Float(left + (corner & 1) * TileLights.size), Float(top + (corner >> 1) * TileLights.size))
      guard ray.direction.z < -0.05 else { return nil }
      corners.append(stage.values(ray, material))
    }
    gloss = material?.gloss ?? -1
    let step = 1 / Float(TileLights.size)
    start = corners[0]
    across = (corners[1] - corners[0]) * step
    down = (corners[2] - corners[0]) * step
    twist = (corners[3] - corners[2] - corners[1] + corners[0]) * (step * step)
  }

  /// Whether the light on a sample of the ground can be told by the values.
  ///
  /// Highlights follow the relief: where there is one, they are those of each point.
  @inline(__always)
  func covers(_ sample: SurfaceSample) -> Bool {
    sample.gloss <= 0.005 || (sample.gloss == gloss && sample.slope == .zero)
  }

  /// The points at so many rows from the tile's upper side.
  @inline(__always)
  func row(_ row: Float) -> Row { Row(start: start + down * row, way: across + twist * row) }
}

extension Stage {
  fileprivate func values(
    _ ray: Ray, _ material: (gloss: Float, roughness: Float)?
  ) -> TileShading.Values {
    let distance = -ray.origin.z / ray.direction.z
    let lamps = lampRow.view(from: ray.point(at: distance))
    let slant = max(-ray.direction.z, 0.05)
    var values = TileShading.Values(
      x: lamps.x * lamps.brightness, y: lamps.y * lamps.brightness,
      z: lamps.z * lamps.brightness, highlights: Lanes(repeating: 0),
      reflected: Lanes(repeating: 0),
      sizes: Lanes(distance * pixelAngle / slant.squareRoot(), distance, 0, 0))
    guard let (gloss, roughness) = material, gloss > 0.005 else { return values }
    let up = Vector3(0, 0, 1)
    let facing = maximum(lamps.z, Lanes(repeating: 0))
    values.highlights =
      highlights(up, ray.direction, lamps, facing: facing, roughness: roughness) * facing
      * lamps.brightness
    let fresnel =
      gloss + (1 - gloss) * fifthPower(1 - saturate(-ray.direction.z)) * (1 - roughness)
    let seen = light(
      from: reflected(ray.direction, at: up), roughness: roughness, below: groundGlow)
    values.reflected = Lanes(seen * fresnel, 0)
    return values
  }

  /// The light of the lamps on a point.
  ///
  /// - Parameters:
  ///   - shares: how much of each lamp counts.
  @inline(__always)
  private func lampLight(_ shares: Lanes, _ light: GroundLight) -> Vector3 {
    if hasTints {
      return Vector3(
        (lampRow.red * light.red * shares).sum(), (lampRow.green * light.green * shares).sum(),
        (lampRow.blue * light.blue * shares).sum())
    }
    let all = shares * light.red
    let colours = lampRow.colours
    return colours.0 * all.x + colours.1 * all.y + colours.2 * all.z + colours.3 * all.w
  }

  /// Lights a point of the ground whose sample the tile's shading covers.
  @inline(__always)
  func shadeEvenly(
    _ sample: SurfaceSample, occlusion: Float, _ light: GroundLight, _ values: TileShading.Values
  ) -> Vector3 {
    var normal = Vector3(0, 0, 1)
    if sample.slope != .zero {
      normal = normalized(Vector3(-sample.slope.x, -sample.slope.y, 1))
    }
    let open = light.open * occlusion
    var diffuse = mix(horizon, overhead, 0.5 + 0.5 * normal.z) * open
    if normal.z < 0.9 { diffuse += groundGlow * (0.5 * (1 - normal.z)) * open }
    let facing = maximum(
      values.x * normal.x + values.y * normal.y + values.z * normal.z, Lanes(repeating: 0))
    diffuse += lampLight(facing * occlusion, light)
    var colour = sample.colour * diffuse + sample.emission
    guard sample.gloss > 0.005 else { return colour }
    let shine = lampLight(values.highlights * occlusion, light)
    let around = Vector3(values.reflected.x, values.reflected.y, values.reflected.z)
    colour += around * open + shine * sample.gloss
    return colour
  }
}

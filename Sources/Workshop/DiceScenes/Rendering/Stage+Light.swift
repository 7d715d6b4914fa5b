internal import DiceNumerics

extension Stage {
  /// The light that comes from a direction.
  ///
  /// - Parameters:
  ///   - roughness: how much a dull surface blurs what it reflects.
  ///   - below: the light that the ground sends up.
  func light(from direction: Vector3, roughness: Float, below: Vector3) -> Vector3 {
    let soft = 0.04 + roughness
    var colour = mix(horizon, overhead, smoothStep(0, 0.9, direction.z))
    if roughness < 0.6 {
      // Furniture, people, walls: nothing around is even.
      colour *= max(0.1, 1 + unevennessShare * unevenness.value(at: direction * 2.3))
    }
    colour = mix(below, colour, smoothStep(-soft * 0.5, soft * 0.5, direction.z))
    for index in windows.indices {
      let window = windows[index]
      let facing = dot(direction, window.direction)
      guard facing > 0.05 else { continue }
      let across = abs(dot(direction, window.right))
      let along = abs(dot(direction, window.up))
      guard across < (window.half.x + soft) * facing, along < (window.half.y + soft) * facing else {
        continue
      }
      let cover =
        smoothStep(window.half.x + soft, window.half.x - soft, across / facing)
        * smoothStep(window.half.y + soft, window.half.y - soft, along / facing)
      colour += window.colour * cover
    }
    return colour
  }

  /// How much of a lamp a solid leaves visible, 0 to 1, from its nearest approach to the ray.
  ///
  /// Both halves of the penumbra are modelled: a ray that cuts a little into the solid is still
  /// partly lit.
  ///
  /// - Parameters:
  ///   - along: how far along the ray the solid's centre is.
  ///   - reach: the radius of the solid's bounds with the penumbra there.
  func openness(
    of solid: Solid, from p: Vector3, toward direction: Vector3, spread: Float, along: Float,
    reach: Float
  ) -> Float {
    let inverse = 1 / solid.scale
    let origin = solid.toLocal(p)
    let step = solid.rotation.toLocal(direction)
    let size = solid.body.extent.max()
    let end = (along + reach) * inverse
    // Beyond the widest penumbra around the body nothing is in the way.
    guard solid.body.mayMeet(from: origin, along: step, margin: spread * end) else { return 1 }
    var t = max((along - reach) * inverse, 0.02 * size)
    var result: Float = 1
    for _ in 0..<20 {
      let d = solid.body.distance(origin + step * t)
      result = min(result, d / (spread * t))
      if result < -1 { return 0 }
      t += clamp(abs(d), 0.08 * size, 0.7 * size)
      if t > end { break }
    }
    result = clamp(result, -1, 1)
    return 0.25 * (1 + result) * (1 + result) * (2 - result)
  }

  /// The light of a lamp that reaches a point, in each colour, as a share.
  @inline(__always)
  func transmission(
    at p: Vector3, toward direction: Vector3, spread: Float, light: Int, among candidates: [Int],
    except own: Int
  ) -> Vector3 {
    var result = Vector3(repeating: 1)
    if lamps[light].hasScreen {
      result *= scene.lights[light].screenFactor(at: p, direction: direction)
    }
    if hasTray, let tray = scene.tray {
      result *= tray.lightFactor(at: p, toward: direction, spread: spread)
    }
    for index in candidates where index != own {
      let sphere = spheres[index]
      let toCenter = Vector3(sphere.x, sphere.y, sphere.z) - p
      let along = dot(toCenter, direction)
      guard along > -sphere.w else { continue }
      let square = dot(toCenter, toCenter) - along * along
      let reach = sphere.w + spread * max(along, 0)
      guard square < reach * reach else { continue }
      let open = openness(
        of: solids[index], from: p, toward: direction, spread: spread, along: along, reach: reach)
      guard open < 1 else { continue }
      let through = tints[index]
      if through.x >= 0 {
        result *= Vector3(repeating: open) + through * (1 - open)
      } else {
        result *= open
      }
      if result.max() < 0.003 { return .zero }
    }
    return result
  }

  /// How much of the sky the solids nearby leave open above a point of the ground.
  @inline(__always)
  func contact(at p: Vector3, among candidates: [Int], except own: Int) -> Float {
    var open: Float = 1
    for index in candidates where index != own {
      let sphere = spheres[index]
      let offset = p - Vector3(sphere.x, sphere.y, sphere.z)
      let limit = sphere.w * 2.4
      guard dot(offset, offset) < limit * limit else { continue }
      let solid = solids[index]
      let size = min(solid.body.extent.max() * solid.scale, solid.center.z + 0.5)
      let gap = length(p - solid.center) - bounds[index]
      guard gap < size * 1.4 else { continue }
      let d = max(solid.distance(p), 0) / max(size, 1e-3)
      open *= 1 - 0.62 * exponential(-d * 2.6) * smoothStep(1.6, 0.6, d)
    }
    if hasTray, let tray = scene.tray, tray.reach(p) > tray.innerRadius - tray.height * 2.5,
      tray.reach(p) < tray.outerRadius
    {
      let gap = -tray.beyond(p)
      if gap > -0.01 {
        open *= 1 - 0.4 * exponential(-max(gap, 0) * 2.5 / max(tray.height, 0.1))
      }
    }
    return open
  }

  /// A lamp as seen from a point: direction, spread (radius over distance) and brightness.
  @inline(__always)
  func lamp(_ index: Int, from p: Vector3) -> (direction: Vector3, spread: Float, colour: Vector3) {
    let lamp = lamps[index]
    let toLight = lamp.position - p
    let square = max(dot(toLight, toLight), 1e-3)
    let inverse = 1 / square.squareRoot()
    return (
      toLight * inverse, clamp(lamp.radius * inverse, 0.008, 0.9),
      lamp.colour * min(lamp.reference * inverse * inverse, 6)
    )
  }

  /// The strength of a highlight: a normalised lobe about the mirror direction, widened by the lamp.
  @inline(__always)
  func highlight(
    _ normal: Vector3, _ view: Vector3, _ direction: Vector3, roughness: Float, spread: Float
  ) -> Float {
    let half = normalized(direction - view)
    let facing = max(dot(normal, half), 0)
    let width = max(roughness * roughness, 0.0009) + spread * spread * 0.25
    let exponent = 2 / width - 2
    guard exponent > 0 else { return 0.1 }
    // Too far from the mirror direction to be seen.
    guard exponent * (1 - facing) < 14 else { return 0 }
    return (exponent + 2) * 0.125 * power(facing, min(exponent, 4000))
  }
}

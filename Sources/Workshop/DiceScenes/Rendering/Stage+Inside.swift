internal import DiceNumerics

extension Stage {
  /// What shows through a translucent body: the far sides, their pips and the ground behind.
  func glow(
    _ solid: Solid, _ skin: SkinSample, _ view: Vector3, _ ray: Ray, diffuse: Vector3
  ) -> Vector3 {
    let material = scene.material(of: solid)
    let bent = refracted(view, at: skin.normal, ratio: 1 / 1.47)
    var start = skin.point
    var direction = bent
    var travelled: Float = 0
    var tint = Vector3(repeating: 1)
    let absorb = absorption(material)
    for bounce in 0..<2 {
      guard let exit = exitDistance(solid.body, from: start, along: direction) else { break }
      travelled += exit
      let point = start + direction * exit
      let normal = solid.body.normal(point)
      // Pips on the far side show as dull spots.
      if solid.paint == .die {
        let appearance = scene.appearances[solid.look]
        let side = DieLayout.side(nearest: point)
        let value = appearance.layout.value(onSide: side)
        let onFace = DieLayout.coordinates(of: point, onSide: side)
        if appearance.pips.kind != .bare,
          appearance.pips.pip(
            at: onFace, value: value, turned: appearance.layout.isTurned(value)) != nil
        {
          let lit = appearance.pips.colour(ofValue: value) * diffuse * 0.45
          return inner(material, lit, tint * fade(absorb, travelled), diffuse)
        }
      }
      let outward = dot(direction, normal)
      // Beyond the critical angle the face is a mirror.
      if outward < 0.72 && bounce == 0 {
        direction = reflected(direction, at: normal)
        start = point - normal * 0.01
        tint *= 0.92
        continue
      }
      let world = solid.toWorld(point)
      let worldDirection = solid.rotation.toWorld(direction)
      var behind: Vector3
      if worldDirection.z < -0.02 {
        let t = world.z / -worldDirection.z
        let ground = Vector2(world.x + worldDirection.x * t, world.y + worldDirection.y * t)
        let under = groundSample(
          at: ground, footprint: 0.05, candidates: Candidates()
        ).sample.colour
        // The ground below is in the shade of the die but lit through it.
        let shade = saturate(0.35 + t)
        behind = under * (diffuse * (0.5 * shade) + material.base * diffuse * 0.35)
      } else {
        behind = light(from: worldDirection, roughness: 0.3, below: groundGlow)
      }
      return inner(material, behind, tint * fade(absorb, travelled), diffuse)
    }
    return inner(material, groundGlow, tint * fade(absorb, travelled), diffuse)
  }

  /// Light from behind through the coloured body, with a little light from the body itself.
  @inline(__always)
  private func inner(
    _ material: Material, _ behind: Vector3, _ tint: Vector3, _ diffuse: Vector3
  ) -> Vector3 {
    behind * tint * 1.15 + material.base * diffuse * 0.22
  }

  @inline(__always)
  private func absorption(_ material: Material) -> Vector3 {
    // After one edge (two local units) white light has the colour of the body.
    let base = material.base
    return Vector3(
      logarithm2(max(base.x, 0.01)), logarithm2(max(base.y, 0.01)), logarithm2(max(base.z, 0.01)))
      * 0.5
  }

  @inline(__always)
  private func fade(_ absorb: Vector3, _ distance: Float) -> Vector3 {
    Vector3(
      exponential2(absorb.x * distance), exponential2(absorb.y * distance),
      exponential2(absorb.z * distance))
  }

  /// The direction inside a body of another refractive index.
  @inline(__always)
  private func refracted(_ view: Vector3, at normal: Vector3, ratio: Float) -> Vector3 {
    let cosine = -dot(view, normal)
    let square = 1 - ratio * ratio * (1 - cosine * cosine)
    return normalized(view * ratio + normal * (ratio * cosine - max(square, 0).squareRoot()))
  }

  /// How far a ray goes inside a convex body before it leaves.
  @inline(__always)
  private func exitDistance(_ body: Body, from p: Vector3, along direction: Vector3) -> Float? {
    guard let span = body.slab(from: p, along: direction) else { return nil }
    var t = span.1
    // Back from the box around the body to its surface.
    for _ in 0..<10 {
      let d = body.distance(p + direction * t)
      if d < 0.003 { break }
      t -= d
    }
    return t > 0 ? t : nil
  }
}

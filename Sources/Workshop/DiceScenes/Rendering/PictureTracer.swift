/// Traces a picture tile by tile.
struct PictureTracer {
  let stage: Stage

  init(_ stage: Stage) { self.stage = stage }

  /// The light of every pixel, smoothed at edges.
  ///
  /// - Parameters:
  ///   - base: the same scene without its dice; only what the dice change is drawn over it. Without
  ///     it everything is drawn.
  func light(over base: LightField? = nil) -> LightField {
    var pass = LightPass(self, over: base)
    return pass.run()
  }

  /// Whether dice can be seen in a tile, or change its light.
  func showsDice(_ candidates: Candidates) -> Bool {
    let count = stage.diceCount
    func holds(_ list: [Int]) -> Bool {
      for index in list where index < count { return true }
      return false
    }
    return holds(candidates.visible) || holds(candidates.shadows) || holds(candidates.near)
  }

  /// The light of one ray; always a finite, non-negative colour.
  ///
  /// - Parameters:
  ///   - light: what reaches the ground, where it is known from a point close by.
  func shaded(
    _ ray: Ray, _ hit: Hit, _ candidates: Candidates, light: GroundLight? = nil
  ) -> Shaded {
    var result: Shaded
    switch hit.target {
    case .ground:
      result = stage.shadeGround(
        ray, distance: hit.distance, candidates: candidates, light: light)
    case .solid:
      result = stage.shadeSolid(ray, index: hit.index, distance: hit.distance)
    case .tray:
      if let tray = stage.scene.tray, let found = hit.tray {
        result = stage.shadeTray(ray, found, tray, candidates: candidates)
      } else {
        result = Shaded(colour: .zero, label: 0)
      }
    case .nothing:
      let room = stage.scene.surroundings.room(in: ray.direction)
      result = Shaded(colour: room, label: Shaded.roomLabel)
    }
    result.colour = tamed(result.colour)
    return result
  }

  /// A finite, non-negative colour.
  @inline(__always)
  func tamed(_ c: Vector3) -> Vector3 {
    if c.x >= 0 && c.y >= 0 && c.z >= 0 && c.max() < 1e4 { return c }
    @inline(__always)
    func tamed(_ x: Float) -> Float { x > 0 ? min(x, 1e4) : 0 }
    return Vector3(tamed(c.x), tamed(c.y), tamed(c.z))
  }

  /// Calls a function for each tile with its columns, rows and the solids that matter there.
  func forEachTile(_ body: (Range<Int>, Range<Int>, Candidates) -> Void) {
    for top in stride(from: 0, to: stage.height, by: TileLights.size) {
      forEachTile(inRow: top, body)
    }
  }

  /// The same for the tiles whose first row of pixels is `top`.
  @inline(__always)
  func forEachTile(inRow top: Int, _ body: (Range<Int>, Range<Int>, Candidates) -> Void) {
    let size = TileLights.size
    for left in stride(from: 0, to: stage.width, by: size) {
      let columns = left..<min(left + size, stage.width)
      let rows = top..<min(top + size, stage.height)
      body(columns, rows, candidates(columns, rows))
    }
  }

  /// What can be seen in a tile, and what can darken the ground there.
  func candidates(_ columns: Range<Int>, _ rows: Range<Int>) -> Candidates {
    var result = Candidates()
    let camera = stage.camera
    let corners = [
      camera.ray(Float(columns.lowerBound), Float(rows.lowerBound)),
      camera.ray(Float(columns.upperBound), Float(rows.lowerBound)),
      camera.ray(Float(columns.lowerBound), Float(rows.upperBound)),
      camera.ray(Float(columns.upperBound), Float(rows.upperBound)),
    ]
    let axis = normalized(
      corners[0].direction + corners[1].direction + corners[2].direction + corners[3].direction)
    var cosine: Float = 1
    for corner in corners { cosine = min(cosine, dot(axis, corner.direction)) }
    cosine = min(cosine - 1e-6, 1)
    let sine = max(1 - cosine * cosine, 0).squareRoot() + 1e-5
    for index in stage.solids.indices {
      let toCenter = stage.solids[index].center - camera.camera.position
      let square = dot(toCenter, toCenter)
      let radius = stage.bounds[index] * 1.01
      guard square > radius * radius else {
        result.visible.append(index)
        continue
      }
      // Distance of the centre from the tile's cone.
      let along = dot(toCenter, axis)
      let across = max(square - along * along, 0).squareRoot()
      if across * cosine - along * sine < radius, along > -radius { result.visible.append(index) }
    }
    if result.visible.count > 1 {
      let eye = camera.camera.position
      func distance(_ index: Int) -> Float {
        let v = stage.solids[index].center - eye
        return dot(v, v)
      }
      result.visible.sort { distance($0) < distance($1) }
    }
    addGround(&result, corners)
    return result
  }

  private func addGround(_ result: inout Candidates, _ corners: [Ray]) {
    // The ground under the tile as a circle.
    var points: [Vector2] = []
    for corner in corners {
      guard corner.direction.z < -1e-4 else { continue }
      let t = min(-corner.origin.z / corner.direction.z, 2000)
      let p = corner.point(at: t)
      points.append(Vector2(p.x, p.y))
    }
    guard !points.isEmpty else { return }
    var middle = Vector2.zero
    for point in points { middle += point }
    middle *= 1 / Float(points.count)
    var reach: Float = 0
    for point in points { reach = max(reach, length(point - middle)) }
    if points.count < 4 { reach = 5000 }
    if let only = stage.onlySurface(around: middle, radius: reach) {
      result.surface = only.surface
      result.label = only.label
    }
    // The walls of a tray are shaded with the same lists.
    let wallHeight = stage.scene.tray?.height ?? 0
    reach += wallHeight * 2
    let center = Vector3(middle.x, middle.y, 0)
    for (index, decal) in stage.scene.decals.enumerated()
    where length(decal.center - middle) < decal.boundingRadius + reach {
      result.decals.append(index)
    }
    for (index, panel) in stage.panels.enumerated()
    where length(panel.center - middle) < panel.boundingRadius + reach {
      result.panels.append(index)
    }
    for index in stage.solids.indices {
      let solid = stage.solids[index]
      let radius = stage.bounds[index]
      let offset = solid.center - center
      let size = solid.body.extent.max() * solid.scale
      if length(offset) < reach + radius + size * 1.5 { result.near.append(index) }
      for light in stage.scene.lights {
        let toLight = light.position - center
        let distance = max(length(toLight), 1e-3)
        let direction = toLight * (1 / distance)
        let along = dot(offset, direction)
        guard along > -(radius + reach) else { continue }
        let across = max(dot(offset, offset) - along * along, 0).squareRoot()
        let spread = clamp(light.radius / max(distance - reach, 0.5), 0.008, 0.9)
        // Directions to a near lamp differ a little over the tile.
        let turn = min(reach / distance, 1) * max(along, 0)
        if across < radius + reach + spread * max(along, 0) + turn {
          result.shadows.append(index)
          break
        }
      }
    }
  }
}

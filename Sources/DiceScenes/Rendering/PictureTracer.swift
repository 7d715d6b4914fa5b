/// Traces a picture tile by tile.
struct PictureTracer {
  let stage: Stage
  private let tile = 16

  init(_ stage: Stage) { self.stage = stage }

  /// The light of every pixel, smoothed at edges.
  ///
  /// - Parameters:
  ///   - base: the same scene without its dice; only what the dice change is drawn over it. Without
  ///     it everything is drawn.
  func light(over base: LightField? = nil) -> LightField {
    var field = base ?? LightField(width: stage.width, height: stage.height)
    let width = stage.width
    let height = stage.height
    var labels = [UInt32](repeating: PictureTracer.untraced, count: width * height)
    var tiles: [(Range<Int>, Range<Int>, Candidates)] = []
    forEachTile { columns, rows, candidates in
      guard base == nil || showsDice(candidates) else { return }
      tiles.append((columns, rows, candidates))
      for y in rows {
        for x in columns {
          let index = y * width + x
          let (shaded, depth) = sample(Float(x) + 0.5, Float(y) + 0.5, candidates)
          labels[index] = shaded.label
          field.planes[0][index] = shaded.colour.x
          field.planes[1][index] = shaded.colour.y
          field.planes[2][index] = shaded.colour.z
          field.depth[index] = depth
        }
      }
    }
    field.faceLight = faceLight(field, labels)
    let rough = roughness(field, labels)
    for (columns, rows, candidates) in tiles {
      for y in rows {
        for x in columns where rough[y * width + x] != .none {
          let index = y * width + x
          // Two more rays do for a pattern, four for an outline.
          let offsets =
            rough[index] == .pattern
            ? PictureTracer.patternOffsets : PictureTracer.outlineOffsets
          var sum = Vector3(
            min(field.planes[0][index], 4), min(field.planes[1][index], 4),
            min(field.planes[2][index], 4))
          for offset in offsets {
            let (shaded, _) = sample(
              Float(x) + 0.5 + offset.x, Float(y) + 0.5 + offset.y, candidates)
            // Bounded, so that one glint does not burn out the mean.
            let c = shaded.colour
            sum += Vector3(min(c.x, 4), min(c.y, 4), min(c.z, 4))
          }
          sum *= 1 / Float(offsets.count + 1)
          field.planes[0][index] = sum.x
          field.planes[1][index] = sum.y
          field.planes[2][index] = sum.z
        }
      }
    }
    return field
  }

  /// The label of a pixel that has not been drawn.
  private static let untraced: UInt32 = 0xFFFF_FFFE

  /// Whether dice can be seen in a tile, or change its light.
  func showsDice(_ candidates: Candidates) -> Bool {
    let count = stage.diceCount
    func holds(_ list: [Int]) -> Bool {
      for index in list where index < count { return true }
      return false
    }
    return holds(candidates.visible) || holds(candidates.shadows) || holds(candidates.near)
  }

  /// The luminance of the brightest die's top face, averaged over the face.
  private func faceLight(_ field: LightField, _ labels: [UInt32]) -> Float {
    var sums = [Float](repeating: 0, count: stage.diceCount)
    var counts = sums
    for index in labels.indices {
      let label = labels[index]
      let die = Int(label >> 12) - 1
      guard label & 0x8000_0000 == 0, die >= 0, die < stage.diceCount,
        Int(label >> 4 & 7) == stage.topSides[die]
      else { continue }
      let colour = Vector3(
        field.planes[0][index], field.planes[1][index], field.planes[2][index])
      sums[die] += min(luminance(colour), 20)
      counts[die] += 1
    }
    var most: Float = 0
    for die in sums.indices where counts[die] > 0 { most = max(most, sums[die] / counts[die]) }
    return most
  }

  private static let outlineOffsets: [Vector2] = [
    Vector2(-0.375, -0.125), Vector2(0.125, -0.375), Vector2(0.375, 0.125),
    Vector2(-0.125, 0.375),
  ]
  private static let patternOffsets: [Vector2] = [Vector2(-0.32, -0.25), Vector2(0.32, 0.25)]

  /// Why a pixel needs more rays.
  private enum Roughness: UInt8 {
    case none
    /// It differs from a neighbour on the same part of the ground.
    case pattern
    /// Something else begins here, or the light changes on a solid.
    case outline
  }

  /// Which pixels differ enough from a neighbour to need more rays.
  private func roughness(_ field: LightField, _ labels: [UInt32]) -> [Roughness] {
    let width = stage.width
    let height = stage.height
    var rough = [Roughness](repeating: .none, count: width * height)
    let green = field.planes[1]
    func check(_ a: Int, _ b: Int) {
      guard labels[a] != PictureTracer.untraced, labels[b] != PictureTracer.untraced else {
        return
      }
      if labels[a] != labels[b] {
        rough[a] = .outline
        rough[b] = .outline
        return
      }
      let first = green[a]
      let second = green[b]
      let onGround = labels[a] & 0x8000_0000 != 0
      let limit: Float = onGround ? 0.3 : 0.16
      if abs(first - second) > limit * (min(first, second) + 0.03) {
        if !onGround || rough[a] == .none { rough[a] = onGround ? .pattern : .outline }
        if !onGround || rough[b] == .none { rough[b] = onGround ? .pattern : .outline }
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        let index = y * width + x
        if x + 1 < width { check(index, index + 1) }
        if y + 1 < height { check(index, index + width) }
      }
    }
    return rough
  }

  /// The light of one ray and how far it went; always a finite, non-negative colour.
  @inline(__always)
  func sample(_ x: Float, _ y: Float, _ candidates: Candidates) -> (Shaded, Float) {
    var (shaded, distance) = traced(x, y, candidates)
    let c = shaded.colour
    if !(c.x >= 0 && c.y >= 0 && c.z >= 0 && c.max() < 1e4) {
      @inline(__always)
      func tamed(_ x: Float) -> Float { x > 0 ? min(x, 1e4) : 0 }
      shaded.colour = Vector3(tamed(c.x), tamed(c.y), tamed(c.z))
    }
    return (shaded, distance.isFinite ? distance : 1e9)
  }

  @inline(__always)
  private func traced(_ x: Float, _ y: Float, _ candidates: Candidates) -> (Shaded, Float) {
    let ray = stage.camera.ray(x, y)
    let hit = stage.trace(ray, among: candidates.visible)
    switch hit.target {
    case .ground:
      return (
        stage.shadeGround(ray, distance: hit.distance, candidates: candidates), hit.distance
      )
    case .solid:
      return (stage.shadeSolid(ray, index: hit.index, distance: hit.distance), hit.distance)
    case .tray:
      if let tray = stage.scene.tray, let found = hit.tray {
        return (stage.shadeTray(ray, found, tray, candidates: candidates), hit.distance)
      }
      return (Shaded(colour: .zero, label: 0), hit.distance)
    case .nothing:
      let room = stage.scene.surroundings.room(in: ray.direction)
      return (Shaded(colour: room, label: 0xFFFF_FFFF), 1e9)
    }
  }

  /// Calls a function for each tile with its columns, rows and the solids that matter there.
  func forEachTile(_ body: (Range<Int>, Range<Int>, Candidates) -> Void) {
    for top in stride(from: 0, to: stage.height, by: tile) {
      for left in stride(from: 0, to: stage.width, by: tile) {
        let columns = left..<min(left + tile, stage.width)
        let rows = top..<min(top + tile, stage.height)
        body(columns, rows, candidates(columns, rows))
      }
    }
  }

  /// What can be seen in a tile, and what can darken the ground there.
  private func candidates(_ columns: Range<Int>, _ rows: Range<Int>) -> Candidates {
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

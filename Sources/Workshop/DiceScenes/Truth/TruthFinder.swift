internal import DiceGeometry

/// Finds what can be seen of each die: points of its surface are tested for being seen, and the
/// border between seen and hidden ones is narrowed down by halving.
struct TruthFinder {
  let stage: Stage
  private let nets: [SurfaceNet.Key: SurfaceNet]

  /// - Parameters:
  ///   - nets: points that are known already, as `addNets` finds them.
  init(_ stage: Stage, nets: [SurfaceNet.Key: SurfaceNet] = [:]) {
    self.stage = stage
    self.nets = nets
  }

  /// The truth about each die of which some of the top face can be seen.
  func truths() -> [DieTruth] { indexedTruths().map { $0.truth } }

  /// The same with the index of each die in the scene.
  func indexedTruths() -> [(index: Int, truth: DieTruth)] {
    var result: [(index: Int, truth: DieTruth)] = []
    var nets = nets
    addNets(to: &nets)
    for index in 0..<stage.diceCount {
      if let net = nets[key(of: index)], let truth = truth(of: index, net) {
        result.append((index, truth))
      }
    }
    return result
  }

  /// Adds the points on the surfaces of the dice to those that are known.
  ///
  /// Dice of one make and about one size share them.
  func addNets(to nets: inout [SurfaceNet.Key: SurfaceNet]) {
    for index in 0..<stage.diceCount {
      let key = key(of: index)
      guard nets[key] == nil else { continue }
      nets[key] = SurfaceNet(
        body: stage.solids[index].body, top: DieLayout.direction(ofSide: key.topSide),
        rimHeight: stage.rimHeights[index], fineness: key.fineness)
    }
  }

  private func key(of index: Int) -> SurfaceNet.Key {
    let solid = stage.solids[index]
    let away = max(length(solid.center - stage.scene.camera.position), 0.1)
    let pixels = solid.scale * 2 * stage.camera.focal / away
    return SurfaceNet.Key(
      look: solid.look, topSide: stage.topSides[index],
      fineness: min(max(Int(pixels / 5), 8), 40))
  }

  private func truth(of index: Int, _ net: SurfaceNet) -> DieTruth? {
    let solid = stage.solids[index]
    let blockers = blockers(of: index)
    let top = seen(net.topPoints, net.topLinks, solid, index, blockers, isTop: true)
    guard let topBox = top.box, top.seen > 0 else { return nil }
    let whole = seen(net.wholePoints, net.wholeLinks, solid, index, blockers, isTop: false)
    var wholeBox = whole.box ?? topBox
    wholeBox.include(topBox)
    let layout = stage.scene.appearances[solid.look].layout
    let topFace = topBox.boundingBox(width: stage.width, height: stage.height)
    guard topFace.width > 0, topFace.height > 0 else { return nil }
    return DieTruth(
      value: layout.value(onSide: stage.topSides[index]),
      topFace: topFace,
      wholeDie: wholeBox.boundingBox(width: stage.width, height: stage.height),
      visibility: Double(min(top.seen / max(top.facing, 1e-6), 1)),
      symbol: stage.scene.appearances[solid.look].pips.symbols.map {
        $0.symbols[layout.value(onSide: stage.topSides[index]) - 1].rawValue
      })
  }

  /// Solids that can stand between the camera and a die.
  func blockers(of index: Int) -> [Int] {
    let eye = stage.scene.camera.position
    let toDie = stage.solids[index].center - eye
    let distance = length(toDie)
    let direction = normalized(toDie)
    var result: [Int] = []
    for other in stage.solids.indices where other != index {
      let v = stage.solids[other].center - eye
      let along = dot(v, direction)
      let radius = stage.bounds[other]
      guard along > -radius, along < distance + radius + stage.bounds[index] else { continue }
      let across = max(dot(v, v) - along * along, 0).squareRoot()
      // The cone around the die is as wide as the die at the die.
      let cone = stage.bounds[index] * max(along, 0) / max(distance, 1e-3)
      if across < radius * 1.05 + cone * 1.1 { result.append(other) }
    }
    return result
  }

  private struct Visible {
    var box: PixelBounds?
    var seen: Float = 0
    var facing: Float = 0
  }

  private func seen(
    _ points: [SurfacePoint], _ links: [SurfaceLink], _ solid: Solid, _ index: Int,
    _ blockers: [Int], isTop: Bool
  ) -> Visible {
    var result = Visible()
    var outline: [Vector2] = []
    var isCovered = false
    var isSeen = [Bool](repeating: false, count: points.count)
    var box = PixelBounds()
    for (number, point) in points.enumerated() {
      let world = solid.toWorld(point.position)
      let view = world - stage.scene.camera.position
      guard dot(solid.rotation.toWorld(point.normal), view) < 0 else { continue }
      result.facing += point.weight
      guard let pixel = stage.camera.project(world) else { continue }
      outline.append(pixel)
      if isHidden(view, blockers) {
        isCovered = true
        continue
      }
      guard isInside(pixel) else { continue }
      isSeen[number] = true
      result.seen += point.weight
      box.include(pixel)
    }
    if !isCovered {
      // What is seen of a convex body is convex: its outline cut by the border of the picture.
      outline.append(contentsOf: silhouette(points, links, solid))
      let cut = ConvexOutline(outline).clipped(
        width: Float(stage.width), height: Float(stage.height))
      if let cut {
        result.box = cut
        // Even where all of the points lie outside.
        if result.seen == 0 { result.seen = 0.5 * result.facing / Float(max(outline.count, 1)) }
      }
      return result
    }
    guard result.seen > 0 || box.isValid else { return result }
    for link in links where isSeen[link.from] != isSeen[link.to] {
      var inside = isSeen[link.from] ? points[link.from].position : points[link.to].position
      var outside = isSeen[link.from] ? points[link.to].position : points[link.from].position
      for _ in 0..<9 {
        let middle = (inside + outside) * 0.5
        // Back to the surface along the direction from the centre.
        let onSurface = SurfaceNet.onSurface(of: solid.body, toward: middle)
        let world = solid.toWorld(onSurface)
        let view = world - stage.scene.camera.position
        let normal = solid.rotation.toWorld(solid.body.normal(onSurface))
        if dot(normal, view) < 0, let pixel = stage.camera.project(world), isInside(pixel),
          !isHidden(view, blockers)
        {
          inside = onSurface
          box.include(pixel)
        } else {
          outside = onSurface
        }
      }
    }
    guard box.isValid else { return result }
    let limits = ConvexOutline(outline).clipped(
      width: Float(stage.width), height: Float(stage.height))
    widen(&box, within: limits ?? box, index, blockers, isTop: isTop)
    result.box = box
    return result
  }

  /// Moves the sides of a box outward while something of the die is seen beyond them.
  private func widen(
    _ box: inout PixelBounds, within limits: PixelBounds, _ index: Int, _ blockers: [Int],
    isTop: Bool
  ) {
    let step: Float = 0.25
    func isSeen(_ x: Float, _ y: Float) -> Bool {
      let ray = stage.camera.ray(x, y)
      guard let t = stage.solids[index].firstHit(ray) else { return false }
      let p = ray.point(at: t)
      if isTop && !stage.isTopFace(index, local: stage.solids[index].toLocal(p)) { return false }
      return !isHidden(p - ray.origin, blockers)
    }
    func hasColumn(_ x: Float) -> Bool {
      for y in stride(from: limits.minY + step * 0.5, to: limits.maxY, by: step * 2)
      where isSeen(x, y) {
        return true
      }
      return false
    }
    func hasRow(_ y: Float) -> Bool {
      for x in stride(from: limits.minX + step * 0.5, to: limits.maxX, by: step * 2)
      where isSeen(x, y) {
        return true
      }
      return false
    }
    /// The last place, going outward, at which something is seen.
    func last(from start: Float, to end: Float, _ isSeen: (Float) -> Bool) -> Float {
      var found = start
      var misses = 0
      let direction: Float = end < start ? -1 : 1
      for number in 1..<4000 {
        let place = start + direction * step * Float(number)
        if (place - end) * direction > 0 || misses > 3 { break }
        if isSeen(place) {
          found = place
          misses = 0
        } else {
          misses += 1
        }
      }
      return found
    }
    box.minX = last(from: box.minX, to: limits.minX, hasColumn)
    box.maxX = last(from: box.maxX, to: limits.maxX, hasColumn)
    box.minY = last(from: box.minY, to: limits.minY, hasRow)
    box.maxY = last(from: box.maxY, to: limits.maxY, hasRow)
  }

  /// Points between those that face the camera and those that do not.
  private func silhouette(_ points: [SurfacePoint], _ links: [SurfaceLink], _ solid: Solid)
    -> [Vector2]
  {
    let eye = solid.toLocal(stage.scene.camera.position)
    var result: [Vector2] = []
    func faces(_ position: Vector3, _ normal: Vector3) -> Bool {
      dot(normal, position - eye) < 0
    }
    for link in links {
      let from = points[link.from]
      let to = points[link.to]
      let fromFaces = faces(from.position, from.normal)
      guard fromFaces != faces(to.position, to.normal) else { continue }
      var inside = fromFaces ? from.position : to.position
      var outside = fromFaces ? to.position : from.position
      for _ in 0..<7 {
        let middle = SurfaceNet.onSurface(of: solid.body, toward: (inside + outside) * 0.5)
        if faces(middle, solid.body.normal(middle)) { inside = middle } else { outside = middle }
      }
      if let pixel = stage.camera.project(solid.toWorld(inside)) { result.append(pixel) }
    }
    return result
  }

  @inline(__always)
  func isInside(_ pixel: Vector2) -> Bool {
    pixel.x >= 0 && pixel.y >= 0 && pixel.x <= Float(stage.width)
      && pixel.y <= Float(stage.height)
  }

  @inline(__always)
  func isHidden(_ view: Vector3, _ blockers: [Int]) -> Bool {
    let distance = length(view)
    let ray = Ray(origin: stage.scene.camera.position, direction: normalized(view))
    for other in blockers {
      if let t = stage.solids[other].firstHit(ray), t < distance - 0.001 { return true }
    }
    if let tray = stage.scene.tray, let hit = tray.firstHit(ray), hit.distance < distance - 0.001 {
      return true
    }
    return false
  }
}

/// The extent of a set of points of the picture.
struct PixelBounds {
  var minX: Float = .greatestFiniteMagnitude
  var minY: Float = .greatestFiniteMagnitude
  var maxX: Float = -.greatestFiniteMagnitude
  var maxY: Float = -.greatestFiniteMagnitude

  var isValid: Bool { minX <= maxX && minY <= maxY }

  mutating func include(_ p: Vector2) {
    minX = min(minX, p.x)
    minY = min(minY, p.y)
    maxX = max(maxX, p.x)
    maxY = max(maxY, p.y)
  }

  mutating func include(_ other: PixelBounds) {
    minX = min(minX, other.minX)
    minY = min(minY, other.minY)
    maxX = max(maxX, other.maxX)
    maxY = max(maxY, other.maxY)
  }

  /// The box inside a picture.
  func boundingBox(width: Int, height: Int) -> BoundingBox {
    let left = Double(clamp(minX, 0, Float(width)))
    let top = Double(clamp(minY, 0, Float(height)))
    let right = Double(clamp(maxX, 0, Float(width)))
    let bottom = Double(clamp(maxY, 0, Float(height)))
    return BoundingBox(x: left, y: top, width: right - left, height: bottom - top)
  }
}

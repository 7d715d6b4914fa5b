/// A lamp prepared for shading.
struct Lamp {
  var position: Vector3
  var radius: Float
  var colour: Vector3
  /// The squared distance at which the lamp has its nominal brightness.
  var reference: Float
  var hasScreen: Bool
}

/// A scene prepared for one picture size.
final class Stage: Sendable {
  let scene: DiceScene
  let camera: PixelCamera
  let width: Int
  let height: Int
  /// The dice first, then the props.
  let solids: [Solid]
  let bounds: [Float]
  /// Centre and radius of each solid's bounds.
  let spheres: [SIMD4<Float>]
  /// For each solid, about how wide the narrowest part of its shadow is, in world units.
  let widths: [Float]
  let diceCount: Int
  /// For each die, the side that is up and the local height where its top face ends.
  let topSides: [Int]
  let rimHeights: [Float]
  /// For each solid, those that can stand between it and a lamp, and those close by.
  let shadowers: [[Int]]
  let neighbours: [[Int]]
  let lamps: [Lamp]
  /// The same lamps, one in each lane.
  let lampRow: LampRow
  /// Whether something out of sight stands before a lamp.
  let hasScreens: Bool
  /// Whether some solid colours the light that it lets through.
  let hasTints: Bool
  // Of the surroundings: copying all of them costs a reference count.
  let overhead: Vector3
  let horizon: Vector3
  let windows: [Window]
  // Of the scene, for the same reason.
  let surfaces: [Surface]
  let patches: [Patch]
  let decals: [Decal]
  let panels: [Panel]
  /// How uneven the light from around is in each direction, and how much that counts.
  let unevenness: NoiseBlock
  let unevennessShare: Float
  /// Whether the scene has a tray: asking the scene itself costs a reference count.
  let hasTray: Bool
  /// The light that each solid lets through, negative for opaque ones.
  let tints: [Vector3]
  /// The mean colour of the ground around the origin, lit.
  let groundGlow: Vector3
  /// The size of a pixel at unit distance.
  let pixelAngle: Float

  init(_ scene: DiceScene, width: Int, height: Int) {
    self.scene = scene
    self.width = width
    self.height = height
    let camera = PixelCamera(scene.camera, width: width, height: height)
    self.camera = camera
    pixelAngle = 1 / camera.focal
    var solids: [Solid] = []
    var topSides: [Int] = []
    var rimHeights: [Float] = []
    for die in scene.dice {
      let appearance = scene.appearances[die.appearance]
      solids.append(
        Solid(
          body: appearance.body, center: die.center, rotation: die.rotation,
          scale: max(die.size, 1e-3) * 0.5, paint: .die, look: die.appearance, seed: die.seed))
      topSides.append(appearance.layout.topSide(for: die.rotation))
      rimHeights.append(appearance.rimHeight)
    }
    diceCount = solids.count
    solids.append(contentsOf: scene.props)
    self.solids = solids
    self.topSides = topSides
    self.rimHeights = rimHeights
    let bounds = solids.map { $0.boundingRadius }
    self.bounds = bounds
    spheres = solids.map {
      SIMD4($0.center.x, $0.center.y, $0.center.z, $0.boundingRadius)
    }
    widths = solids.map { $0.body.shadowWidth * $0.scale }
    hasTray = scene.tray != nil
    lamps = scene.lights.map {
      Lamp(
        position: $0.position, radius: $0.radius, colour: $0.colour,
        reference: max(dot($0.position, $0.position), 1e-3), hasScreen: $0.screen != .none)
    }
    precondition(scene.lights.count <= 4, "a scene has at most four lamps")
    lampRow = LampRow(lamps)
    hasScreens = lamps.contains { $0.hasScreen }
    overhead = scene.surroundings.overhead
    horizon = scene.surroundings.horizon
    windows = scene.surroundings.windows
    surfaces = scene.surfaces
    patches = scene.patches
    decals = scene.decals
    panels = scene.panels
    unevennessShare = scene.surroundings.unevenness
    unevenness = NoiseBlock(seed: scene.surroundings.seed)
    let tints = solids.map { solid in
      let material = scene.material(of: solid)
      return material.translucency > 0
        ? material.base * (material.translucency * 0.75) : Vector3(repeating: -1)
    }
    self.tints = tints
    hasTints = tints.contains { $0.x >= 0 }

    var shadowers: [[Int]] = []
    var neighbours: [[Int]] = []
    for index in solids.indices {
      let center = solids[index].center
      var dark: [Int] = []
      var near: [Int] = []
      for other in solids.indices where other != index {
        let reach = bounds[index] + bounds[other]
        let gap = length(solids[other].center - center)
        if gap < reach + bounds[other] { near.append(other) }
        for light in scene.lights {
          let toLight = light.position - center
          let distance = length(toLight)
          let direction = normalized(toLight)
          let along = dot(solids[other].center - center, direction)
          guard along > -reach else { continue }
          let square = max(gap * gap - along * along, 0)
          let spread = light.radius / max(distance, 1e-3)
          let limit = reach + max(along, 0) * spread
          if square < limit * limit {
            dark.append(other)
            break
          }
        }
      }
      shadowers.append(dark)
      neighbours.append(near)
    }
    self.shadowers = shadowers
    self.neighbours = neighbours

    var mean = Vector3.zero
    let base = scene.surfaces[scene.tray?.floor ?? scene.ground]
    for index in 0..<16 {
      let p = Vector2(Float(index % 4) * 1.7 - 2.5, Float(index / 4) * 1.7 - 2.5)
      mean += base.sample(at: p, footprint: 1).colour * (1 / 16)
    }
    var glow = mean * (scene.surroundings.overhead * 0.6 + scene.surroundings.horizon * 0.4)
    for light in scene.lights {
      glow += mean * light.colour * max(normalized(light.position).z, 0) * 0.8
    }
    groundGlow = glow
  }
}

/// What a ray meets first.
struct Hit {
  enum Target {
    case nothing
    case ground
    case tray
    case solid
  }

  var target: Target
  var distance: Float
  /// The solid's index.
  var index: Int
  var tray: Tray.Hit?

  /// How far away the point is; far beyond everything where nothing is met.
  @inline(__always)
  var depth: Float { target != .nothing && distance.isFinite ? distance : 1e9 }

  static let none = Hit(target: .nothing, distance: .greatestFiniteMagnitude, index: 0, tray: nil)
}

extension Stage {
  /// Where a ray meets the ground, whatever stands on it.
  @inline(__always)
  func groundHit(_ ray: Ray) -> Hit {
    var hit = Hit.none
    if ray.direction.z < -1e-5 {
      let t = -ray.origin.z / ray.direction.z
      if t > 0, t < 4000 {
        hit.target = .ground
        hit.distance = t
      }
    }
    return hit
  }

  /// What a ray meets first among the ground, the tray and the candidates.
  @inline(__always)
  func trace(_ ray: Ray, among candidates: [Int]) -> Hit {
    var hit = groundHit(ray)
    for index in candidates {
      let sphere = spheres[index]
      let toCenter = Vector3(sphere.x, sphere.y, sphere.z) - ray.origin
      let along = dot(toCenter, ray.direction)
      let square = dot(toCenter, toCenter) - along * along
      guard square <= sphere.w * sphere.w, along - sphere.w < hit.distance else { continue }
      if let t = solids[index].firstHit(ray), t < hit.distance {
        hit.target = .solid
        hit.distance = t
        hit.index = index
      }
    }
    if hasTray, let tray = scene.tray, let found = tray.firstHit(ray), found.distance < hit.distance
    {
      hit.target = .tray
      hit.distance = found.distance
      hit.tray = found
    }
    return hit
  }

  /// Whether a point of a solid's surface belongs to the top face of its die.
  @inline(__always)
  func isTopFace(_ index: Int, local p: Vector3) -> Bool {
    guard index < diceCount else { return false }
    return dot(p, DieLayout.direction(ofSide: topSides[index])) >= rimHeights[index]
  }
}

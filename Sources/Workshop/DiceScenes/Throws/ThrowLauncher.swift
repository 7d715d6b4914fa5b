/// Throws dice onto the table of a scene until a throw ends as it should.
struct ThrowLauncher {
  private var random: SceneRandom
  private let table: DiceScene
  private let view: PixelCamera
  private let width: Float
  private let height: Float
  /// How far dice must lie from the picture's border, in pixels.
  private let margin: Float

  /// - Parameters:
  ///   - view: the camera for the size of `width` and `height`.
  init(
    _ table: DiceScene, view: PixelCamera, width: Int, height: Int, margin: Float, seed: UInt64
  ) {
    self.table = table
    self.view = view
    self.width = Float(width)
    self.height = Float(height)
    self.margin = margin
    random = SceneRandom(seed: seed)
  }

  /// A throw of some dice, with the number of dice in it.
  ///
  /// A throw is drawn again with the next numbers of the sequence where a die ends leaning or on
  /// top of another one, leaves the view or meets the outside of the tray. After every 30 throws in
  /// vain there is one die less; a single die that never ends as it should is laid down.
  mutating func motion(of dice: [Die], bodies: [Body]) -> (count: Int, motion: ThrowMotion) {
    var count = dice.count
    var attempt = 0
    while true {
      let cubes = (0..<count).map { index in
        RigidCube(
          size: Double(dice[index].size),
          rounding: RigidCube.rounding(of: bodies[index], size: Double(dice[index].size)))
      }
      if let launched = launch(cubes), let motion = roll(launched) { return (count, motion) }
      attempt += 1
      if attempt % 30 == 0 {
        if count == 1 && attempt > 240 { return (1, laid(cubes[0])) }
        count = max(count - 1, 1)
      }
    }
  }

  private mutating func laid(_ cube: RigidCube) -> ThrowMotion {
    var cube = cube
    cube.center = Vector3D(0, 0, cube.half)
    if let tray = table.tray {
      cube.center = Vector3D(Double(tray.center.x), Double(tray.center.y), cube.half)
    }
    var motion = ThrowMotion()
    motion.finish([cube])
    return motion
  }

  // MARK: - Start

  /// Whether a ball is out of the picture, with some pixels to spare.
  private func isOutside(_ p: Vector3, radius: Float) -> Bool {
    guard let pixel = view.project(p) else { return true }
    let depth = max(dot(p - table.camera.position, table.camera.forward), 0.1)
    let reach = radius * view.focal / depth * 1.2 + 24
    return pixel.x < -reach || pixel.y < -reach || pixel.x > width + reach
      || pixel.y > height + reach
  }

  private func onGround(_ x: Float, _ y: Float) -> Vector3? {
    let ray = view.ray(x * width, y * height)
    guard ray.direction.z < -0.05 else { return nil }
    return ray.point(at: -ray.origin.z / ray.direction.z)
  }

  /// The dice side by side in the air beyond the picture's border, on their way in.
  private mutating func launch(_ cubes: [RigidCube]) -> [RigidCube]? {
    guard var target = onGround(random.number(0.3, 0.7), random.number(0.35, 0.7)) else {
      return nil
    }
    var lift = random.number(2, 4.5)
    if let tray = table.tray {
      target = Vector3(tray.center.x, tray.center.y, 0)
      lift += tray.height + 0.5
    }
    let turn = Turn(turns: random.unit())
    let way = turn.outward(Vector2(1, 0))
    var distance: Float = 2
    func place(_ back: Float, _ side: Float, _ up: Float) -> Vector3 {
      let p = turn.outward(Vector2(-back, side))
      return target + Vector3(p.x, p.y, up)
    }
    while distance < 30, !isOutside(place(distance, 0, lift), radius: 3.2) { distance += 0.5 }
    guard distance < 30 else { return nil }
    // Nothing flies into the lens.
    for step in 0...10 {
      let p = place(distance * Float(step) * 0.1, 0, lift)
      if length(p - table.camera.position) < 5 { return nil }
    }
    let speed = (2 * 260 * distance).squareRoot() * random.number(0.55, 1.15)
    let rise = random.number(-20, 12)
    var result: [RigidCube] = []
    for (index, original) in cubes.enumerated() {
      var cube = original
      let column = Float(index % 3) - Float(min(cubes.count, 3) - 1) * 0.5
      let row = Float(index / 3)
      cube.center = Vector3D(
        place(
          distance + row * 1.7 + random.number(0, 0.25),
          column * 1.75 + random.number(-0.1, 0.1), lift + row * 0.4 + random.number(0, 0.3)))
      let aside = random.normal() * 0.07
      let own = speed * random.number(0.9, 1.1)
      cube.velocity = Vector3D(
        Double(own * (way.x - way.y * aside)), Double(own * (way.y + way.x * aside)),
        Double(rise + random.number(-4, 4)))
      // Tumbles forward, and some about every axis.
      let tumble = Double(random.number(0.2, 0.9) * speed)
      cube.spin =
        Vector3D(Double(-way.y), Double(way.x), 0) * tumble
        + Vector3D(Double(random.normal()), Double(random.normal()), Double(random.normal())) * 9
      var parts = SIMD4<Double>(0, 0, 0, 0)
      for part in 0..<4 { parts[part] = Double(random.normal()) }
      if (parts * parts).sum() < 0.01 { parts.w = 1 }
      cube.orientation = Quaternion(parts: parts).normalized
      result.append(cube)
    }
    return result
  }

  // MARK: - Motion

  /// The motion from a start to rest, or nil where the throw does not count.
  private mutating func roll(_ cubes: [RigidCube]) -> ThrowMotion? {
    let kind = table.surfaces[table.tray?.floor ?? table.ground].kind
    let isSoft: Bool
    switch kind {
    case .felt, .carpet, .weave, .twill, .plaid, .camouflage: isSoft = true
    default: isSoft = false
    }
    let ground = ThrowPhysics.Contact(
      restitution: Double(isSoft ? random.number(0.15, 0.35) : random.number(0.35, 0.55)),
      friction: Double(isSoft ? random.number(0.4, 0.6) : random.number(0.2, 0.4)))
    var physics = ThrowPhysics(
      cubes: cubes, table: ground,
      between: ThrowPhysics.Contact(restitution: 0.5, friction: 0.2), tray: table.tray)
    guard physics.deepestOverlap == 0 else { return nil }
    let stride = Int(ThrowPhysics.stepsPerSecond / ThrowMotion.samplesPerSecond)
    var motion = ThrowMotion()
    motion.record(physics.cubes)
    var stillSteps = 0
    for step in 1...Int(4 * ThrowPhysics.stepsPerSecond) {
      physics.advance()
      stillSteps = physics.isStill ? stillSteps + 1 : 0
      if step % stride == 0 {
        motion.record(physics.cubes)
        if step % 48 == 0, !isOnCourse(physics.cubes) { return nil }
      }
      if stillSteps >= 64 { break }
    }
    guard stillSteps >= 64, physics.deepestOverlap < 0.02 else { return nil }
    for cube in physics.cubes {
      // Flat within 0.7 degrees, on the table itself.
      guard cube.orientation.uprightness > 0.999925, abs(cube.center.z - cube.half) < 0.03,
        isShown(cube)
      else { return nil }
    }
    motion.finish(physics.cubes)
    return motion
  }

  /// Whether all dice are where they may be: not far away, and not in a wall from outside.
  private func isOnCourse(_ cubes: [RigidCube]) -> Bool {
    for cube in cubes {
      if dot(cube.center, cube.center) > 10_000 || cube.center.z < 0 { return false }
      if let tray = table.tray, cube.center.z < Double(tray.height) + cube.half,
        tray.beyond(Vector3(cube.center)) > -0.2
      {
        return false
      }
    }
    return true
  }

  private func isShown(_ cube: RigidCube) -> Bool {
    let p = Vector3(cube.center)
    guard let pixel = view.project(p) else { return false }
    let depth = max(dot(p - table.camera.position, table.camera.forward), 0.1)
    let reach = Float(cube.half) * 1.5 * view.focal / depth + margin
    return pixel.x > reach && pixel.y > reach && pixel.x < width - reach
      && pixel.y < height - reach
  }
}

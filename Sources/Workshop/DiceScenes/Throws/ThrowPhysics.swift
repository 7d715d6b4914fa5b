/// Dice as rigid bodies on a table: gravity, bounces, friction and collisions in fixed steps.
///
/// Only additions, multiplications, divisions and square roots of `Double` are used, so the same
/// start gives the same motion on every platform. No step ever adds energy: what rounding and the
/// iterative solver would add is taken from the velocities again.
///
/// Source of the method: Catto, "Iterative Dynamics with Temporal Coherence", 2005 (sequential
/// impulses), with contacts that act before bodies meet.
struct ThrowPhysics: Sendable {
  /// How the table and the dice answer a blow.
  struct Contact: Sendable {
    var restitution: Double
    var friction: Double
  }

  /// In edges of a 16 mm die and seconds.
  static let gravity = 613.0
  static let stepsPerSecond = 960.0
  private static let step = 1 / stepsPerSecond

  var cubes: [RigidCube]
  var table: Contact
  var between: Contact
  var tray: Tray?

  /// A place where a body touches the table, a wall or another body, or will within the step.
  private struct Touch {
    var first: Int
    /// The other body, or -1.
    var second: Int
    var firstArm: Vector3D
    var secondArm: Vector3D
    /// Toward the first body.
    var normal: Vector3D
    var tangent: Vector3D
    var otherTangent: Vector3D
    var friction: Double
    /// The velocity along the normal that the solver leaves at least.
    var target: Double
    var normalMass: Double
    var tangentMass: Double
    var otherMass: Double
    var pressed = 0.0
    var rubbed = 0.0
    var otherRubbed = 0.0
  }

  /// The energy of all bodies.
  var energy: Double {
    var sum = 0.0
    for cube in cubes { sum += cube.energy(gravity: ThrowPhysics.gravity) }
    return sum
  }

  /// Goes on by one step.
  mutating func advance() {
    let before = energy
    let time = ThrowPhysics.step
    for index in cubes.indices { cubes[index].velocity.z -= ThrowPhysics.gravity * time }
    var touches = findTouches()
    solve(&touches)
    var groundTouches = [Int](repeating: 0, count: cubes.count)
    for touch in touches where touch.pressed > 0 && touch.second < 0 && touch.normal.z > 0.9 {
      groundTouches[touch.first] += 1
    }
    for index in cubes.indices {
      // Rolling resistance: what lies on a face and hardly moves comes to a stop.
      if groundTouches[index] >= 3, dot(cubes[index].velocity, cubes[index].velocity) < 1,
        dot(cubes[index].spin, cubes[index].spin) < 1.5
      {
        cubes[index].velocity *= 0.9
        cubes[index].spin *= 0.9
      }
      cubes[index].move(for: time)
    }
    takeExcess(over: before)
  }

  /// Slows everything down where the step added energy.
  private mutating func takeExcess(over limit: Double) {
    let excess = energy - limit
    guard excess > 0 else { return }
    var kinetic = 0.0
    for cube in cubes { kinetic += cube.kineticEnergy }
    guard kinetic > 0 else { return }
    let factor = max(1 - excess / kinetic, 0).squareRoot()
    for index in cubes.indices {
      cubes[index].velocity *= factor
      cubes[index].spin *= factor
    }
  }

  // MARK: - Touching

  private func findTouches() -> [Touch] {
    var touches: [Touch] = []
    let corners = cubes.map { $0.corners() }
    for index in cubes.indices {
      let cube = cubes[index]
      // As far as a corner can go within the step.
      let margin =
        (length(cube.velocity) + length(cube.spin) * cube.boundingRadius) * ThrowPhysics.step + 0.01
      for corner in corners[index] {
        let gap = corner.z - cube.rounding
        if gap < margin {
          let normal = Vector3D(0, 0, 1)
          touches.append(
            touch(index, -1, corner - normal * cube.rounding, normal, gap, table))
        }
        if let tray { addWalls(tray, index, corner, margin, &touches) }
      }
      for other in 0..<index {
        addPair(index, other, corners[index], corners[other], &touches)
      }
    }
    return touches
  }

  private func addWalls(
    _ tray: Tray, _ index: Int, _ corner: Vector3D, _ margin: Double, _ touches: inout [Touch]
  ) {
    let cube = cubes[index]
    guard corner.z < Double(tray.height) else { return }
    let lean = Double(tray.lean)
    let scale = 1 / (1 + lean * lean).squareRoot()
    let x = corner.x - Double(tray.center.x)
    let y = corner.y - Double(tray.center.y)
    for wall in tray.walls {
      let inside = Double(wall.z) + lean * corner.z - Double(wall.x) * x - Double(wall.y) * y
      let gap = inside * scale - cube.rounding
      guard gap < margin, gap > -0.5 else { continue }
      let normal = Vector3D(-Double(wall.x) * scale, -Double(wall.y) * scale, lean * scale)
      touches.append(touch(index, -1, corner - normal * cube.rounding, normal, gap, table))
    }
  }

  private func addPair(
    _ index: Int, _ other: Int, _ corners: [Vector3D], _ otherCorners: [Vector3D],
    _ touches: inout [Touch]
  ) {
    let a = cubes[index]
    let b = cubes[other]
    let margin =
      (length(a.velocity - b.velocity) + length(a.spin) * a.boundingRadius
        + length(b.spin) * b.boundingRadius) * ThrowPhysics.step + 0.01
    let limit = a.boundingRadius + b.boundingRadius + margin
    let offset = a.center - b.center
    guard dot(offset, offset) < limit * limit else { return }
    for corner in corners {
      let (gap, normal) = b.gap(to: corner, radius: a.rounding)
      if gap < margin {
        touches.append(touch(index, other, corner - normal * a.rounding, normal, gap, between))
      }
    }
    for corner in otherCorners {
      let (gap, normal) = a.gap(to: corner, radius: b.rounding)
      if gap < margin {
        touches.append(touch(index, other, corner - normal * b.rounding, -normal, gap, between))
      }
    }
    let reach = a.rounding + b.rounding + margin
    for edge in RigidCube.edges {
      for otherEdge in RigidCube.edges {
        guard
          let (p, q) = ThrowPhysics.crossing(
            corners[edge.0], corners[edge.1], otherCorners[otherEdge.0], otherCorners[otherEdge.1])
        else { continue }
        let between = p - q
        let square = dot(between, between)
        guard square < reach * reach, square > 1e-8 else { continue }
        let distance = square.squareRoot()
        let normal = between * (1 / distance)
        touches.append(
          touch(
            index, other, p - normal * a.rounding, normal, distance - a.rounding - b.rounding,
            self.between))
      }
    }
  }

  /// The nearest points of two edges where both lie between the ends.
  @inline(__always)
  private static func crossing(
    _ a: Vector3D, _ b: Vector3D, _ c: Vector3D, _ d: Vector3D
  ) -> (Vector3D, Vector3D)? {
    let u = b - a
    let v = d - c
    let w = a - c
    let uu = dot(u, u)
    let uv = dot(u, v)
    let vv = dot(v, v)
    let determinant = uu * vv - uv * uv
    guard determinant > 1e-4 * uu * vv else { return nil }
    let uw = dot(u, w)
    let vw = dot(v, w)
    let s = (uv * vw - vv * uw) / determinant
    let t = (uu * vw - uv * uw) / determinant
    guard s > 0, s < 1, t > 0, t < 1 else { return nil }
    return (a + u * s, c + v * t)
  }

  private func touch(
    _ first: Int, _ second: Int, _ point: Vector3D, _ normal: Vector3D, _ gap: Double,
    _ contact: Contact
  ) -> Touch {
    let a = cubes[first]
    let firstArm = point - a.center
    let secondArm = second < 0 ? .zero : point - cubes[second].center
    let helper = abs(normal.z) < 0.7 ? Vector3D(0, 0, 1) : Vector3D(1, 0, 0)
    let raw = cross(normal, helper)
    let tangent = raw * (1 / length(raw))
    let otherTangent = cross(normal, tangent)
    func mass(_ direction: Vector3D) -> Double {
      let turn = cross(firstArm, direction)
      var sum = 1 / a.mass + dot(turn, turn) / a.inertia
      if second >= 0 {
        let b = cubes[second]
        let otherTurn = cross(secondArm, direction)
        sum += 1 / b.mass + dot(otherTurn, otherTurn) / b.inertia
      }
      return 1 / sum
    }
    var relative = a.velocity(at: firstArm)
    if second >= 0 { relative -= cubes[second].velocity(at: secondArm) }
    let speed = dot(relative, normal)
    let step = ThrowPhysics.step
    var target: Double
    if speed < -4 && speed * step < -gap {
      target = -speed * contact.restitution
    } else if gap >= 0 {
      // May come as near as the gap allows.
      target = -gap / step
    } else {
      target = min((-gap - 0.002) * 0.15 / step, 3)
      if gap > -0.002 { target = 0 }
    }
    return Touch(
      first: first, second: second, firstArm: firstArm, secondArm: secondArm, normal: normal,
      tangent: tangent, otherTangent: otherTangent, friction: contact.friction, target: target,
      normalMass: mass(normal), tangentMass: mass(tangent), otherMass: mass(otherTangent))
  }

  // MARK: - Solving

  private mutating func solve(_ touches: inout [Touch]) {
    guard !touches.isEmpty else { return }
    for _ in 0..<14 {
      for index in touches.indices {
        var touch = touches[index]
        let lacking = touch.target - dot(relative(touch), touch.normal)
        let pressed = max(touch.pressed + lacking * touch.normalMass, 0)
        apply(touch.normal * (pressed - touch.pressed), touch)
        touch.pressed = pressed
        // Friction holds up to its share of the pressure.
        let slip = relative(touch)
        var rubbed = touch.rubbed - dot(slip, touch.tangent) * touch.tangentMass
        var other = touch.otherRubbed - dot(slip, touch.otherTangent) * touch.otherMass
        let size = (rubbed * rubbed + other * other).squareRoot()
        let limit = touch.friction * pressed
        if size > limit {
          let factor = size > 0 ? limit / size : 0
          rubbed *= factor
          other *= factor
        }
        apply(
          touch.tangent * (rubbed - touch.rubbed) + touch.otherTangent
            * (other - touch.otherRubbed), touch)
        touch.rubbed = rubbed
        touch.otherRubbed = other
        touches[index] = touch
      }
    }
  }

  @inline(__always)
  private func relative(_ touch: Touch) -> Vector3D {
    let own = cubes[touch.first].velocity(at: touch.firstArm)
    return touch.second < 0 ? own : own - cubes[touch.second].velocity(at: touch.secondArm)
  }

  @inline(__always)
  private mutating func apply(_ impulse: Vector3D, _ touch: Touch) {
    cubes[touch.first].push(impulse, at: touch.firstArm)
    if touch.second >= 0 { cubes[touch.second].push(-impulse, at: touch.secondArm) }
  }

  // MARK: - Rest

  /// Whether every body lies still.
  var isStill: Bool {
    for cube in cubes
    where dot(cube.velocity, cube.velocity) > 0.04 || dot(cube.spin, cube.spin) > 0.06 {
      return false
    }
    return true
  }

  /// The deepest that two bodies, or a body and the table or a wall, reach into each other.
  var deepestOverlap: Double {
    var deepest = 0.0
    for index in cubes.indices {
      let cube = cubes[index]
      for corner in cube.corners() {
        deepest = max(deepest, cube.rounding - corner.z)
        if let tray, corner.z < Double(tray.height) {
          let p = Vector3(corner)
          deepest = max(deepest, Double(tray.beyond(p)) + cube.rounding)
        }
        for other in cubes.indices where other != index {
          deepest = max(deepest, -cubes[other].gap(to: corner, radius: cube.rounding).gap)
        }
      }
    }
    return deepest
  }
}

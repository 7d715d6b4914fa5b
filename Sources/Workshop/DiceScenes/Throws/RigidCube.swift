typealias Vector3D = SIMD3<Double>

@inline(__always)
func dot(_ a: Vector3D, _ b: Vector3D) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }

@inline(__always)
func cross(_ a: Vector3D, _ b: Vector3D) -> Vector3D {
  Vector3D(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

@inline(__always)
func length(_ a: Vector3D) -> Double { dot(a, a).squareRoot() }

/// An orientation as a unit quaternion.
struct Quaternion: Hashable, Sendable {
  /// The vector part in x, y and z, the scalar part in w.
  var parts: SIMD4<Double>

  static let identity = Quaternion(parts: SIMD4(0, 0, 0, 1))

  /// First `inner`, then this.
  @inline(__always)
  func after(_ inner: Quaternion) -> Quaternion {
    let a = parts
    let b = inner.parts
    return Quaternion(
      parts: SIMD4(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z))
  }

  /// The same orientation with unit length.
  @inline(__always)
  var normalized: Quaternion {
    let square = (parts * parts).sum()
    return Quaternion(parts: parts * (1 / square.squareRoot()))
  }

  /// The directions of the body's own axes in the world.
  @inline(__always)
  var axes: (x: Vector3D, y: Vector3D, z: Vector3D) {
    let x = parts.x
    let y = parts.y
    let z = parts.z
    let w = parts.w
    return (
      Vector3D(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
      Vector3D(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
      Vector3D(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
    )
  }

  /// The orientation as the renderer takes it.
  var rotation: Rotation {
    let axes = axes
    return Rotation(x: Vector3(axes.x), y: Vector3(axes.y), z: Vector3(axes.z))
  }

  /// Between this orientation and another one, the short way round.
  func mixed(with other: Quaternion, _ t: Double) -> Quaternion {
    let sign: Double = (parts * other.parts).sum() < 0 ? -1 : 1
    return Quaternion(parts: parts * (1 - t) + other.parts * (sign * t)).normalized
  }

  /// The cosine of half the angle between two orientations.
  func halfAngleCosine(to other: Quaternion) -> Double { abs((parts * other.parts).sum()) }

  /// The least turn after which the side that points up most points up exactly.
  var upright: Quaternion {
    let axes = axes
    let ups = [axes.x.z, axes.y.z, axes.z.z]
    var most = 0
    for axis in 1..<3 where abs(ups[axis]) > abs(ups[most]) { most = axis }
    let sign: Double = ups[most] < 0 ? -1 : 1
    let side = (most == 0 ? axes.x : most == 1 ? axes.y : axes.z) * sign
    // The turn half way to the upright direction, doubled.
    let axis = cross(side, Vector3D(0, 0, 1))
    return Quaternion(parts: SIMD4(axis.x, axis.y, axis.z, 1 + side.z)).normalized.after(self)
      .normalized
  }

  /// The cosine of the angle between the plumb line and the nearest axis.
  var uprightness: Double {
    let axes = axes
    return max(abs(axes.x.z), max(abs(axes.y.z), abs(axes.z.z)))
  }
}

/// A cube with rounded edges that moves freely: the hull of eight balls.
///
/// Lengths in die edges, time in seconds; the mass of a die of edge 1 is 1.
struct RigidCube: Sendable {
  /// Half the length of an edge.
  let half: Double
  /// The radius of the balls in the corners.
  let rounding: Double
  let mass: Double
  /// The same about every axis.
  let inertia: Double
  var center = Vector3D.zero
  var velocity = Vector3D.zero
  /// Angular velocity in the world, radians a second.
  var spin = Vector3D.zero
  var orientation = Quaternion.identity

  /// - Parameters:
  ///   - size: the length of an edge.
  ///   - rounding: the radius of the balls; kept from 0.08 to 0.3 edges.
  init(size: Double, rounding: Double) {
    half = size * 0.5
    self.rounding = min(max(rounding, 0.08 * size), 0.3 * size)
    mass = size * size * size
    inertia = mass * size * size / 6
  }

  /// The rounding that a die's body comes closest to.
  static func rounding(of body: Body, size: Double) -> Double {
    guard body.cutRadius > 0 else { return Double(body.rounding) * size * 0.5 }
    // The balls reach as far out as the sphere that cuts the corners.
    let reach = min(Double(body.cutRadius), 1.7320508)
    return size * 0.5 * max((1.7320508 - reach) / 0.7320508, Double(body.rounding))
  }

  /// Half the distance between the balls of neighbouring corners.
  var reach: Double { half - rounding }

  /// The radius of a ball that holds the cube.
  var boundingRadius: Double { reach * 1.7320508 + rounding }

  /// The centres of the balls; bits 0, 1 and 2 of the index say which way along x, y and z.
  func corners() -> [Vector3D] {
    let axes = orientation.axes
    let x = axes.x * reach
    let y = axes.y * reach
    let z = axes.z * reach
    var result: [Vector3D] = []
    result.reserveCapacity(8)
    for corner in 0..<8 {
      var p = center
      if corner & 1 == 0 { p -= x } else { p += x }
      if corner & 2 == 0 { p -= y } else { p += y }
      if corner & 4 == 0 { p -= z } else { p += z }
      result.append(p)
    }
    return result
  }

  /// Pairs of corners that share an edge.
  static let edges: [(Int, Int)] = [
    (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7),
  ]

  /// Kinetic energy, and that of the height above the table.
  func energy(gravity: Double) -> Double { kineticEnergy + mass * gravity * center.z }

  var kineticEnergy: Double {
    0.5 * mass * dot(velocity, velocity) + 0.5 * inertia * dot(spin, spin)
  }

  /// The velocity of a point of the cube, given from its centre.
  @inline(__always)
  func velocity(at arm: Vector3D) -> Vector3D { velocity + cross(spin, arm) }

  /// Changes the motion by a blow at a point, given from its centre.
  @inline(__always)
  mutating func push(_ impulse: Vector3D, at arm: Vector3D) {
    velocity += impulse * (1 / mass)
    spin += cross(arm, impulse) * (1 / inertia)
  }

  /// Moves for a time at the present velocities.
  mutating func move(for time: Double) {
    center += velocity * time
    let turn = spin * (time * 0.5)
    let change = Quaternion(parts: SIMD4(turn.x, turn.y, turn.z, 0)).after(orientation)
    orientation = Quaternion(parts: orientation.parts + change.parts).normalized
  }

  /// The gap between a ball and this cube (negative where they meet) with the direction to the ball.
  func gap(to ball: Vector3D, radius: Double) -> (gap: Double, normal: Vector3D) {
    let axes = orientation.axes
    let offset = ball - center
    let p = Vector3D(dot(offset, axes.x), dot(offset, axes.y), dot(offset, axes.z))
    let q = Vector3D(abs(p.x), abs(p.y), abs(p.z)) - Vector3D(repeating: reach)
    let outside = Vector3D(max(q.x, 0), max(q.y, 0), max(q.z, 0))
    let distance = length(outside)
    var n: Vector3D
    var gap: Double
    if distance > 1e-9 {
      n = outside * (1 / distance)
      gap = distance
    } else if q.x >= q.y && q.x >= q.z {
      n = Vector3D(1, 0, 0)
      gap = q.x
    } else if q.y >= q.z {
      n = Vector3D(0, 1, 0)
      gap = q.y
    } else {
      n = Vector3D(0, 0, 1)
      gap = q.z
    }
    gap -= rounding + radius
    if p.x < 0 { n.x = -n.x }
    if p.y < 0 { n.y = -n.y }
    if p.z < 0 { n.z = -n.z }
    return (gap, axes.x * n.x + axes.y * n.y + axes.z * n.z)
  }
}

/// Where the six values sit on a die and how their pips are turned.
///
/// The sides are numbered 0 to 5: +x, -x, +y, -y, +z, -z. Opposite sides sum to seven.
struct DieLayout: Hashable, Sendable {
  /// Looking at the corner of 1, 2 and 3, the values run counterclockwise on a right-handed die.
  enum Handedness: UInt8, Hashable, Sendable {
    case right
    case left
  }

  var handedness: Handedness
  /// For each value, from its bit: whether its pips are turned by a quarter (matters for 2, 3, 6).
  var quarterTurns: UInt8

  /// The value on a side, 1 to 6.
  func value(onSide side: Int) -> Int {
    let swapped = handedness == .left
    switch side {
    case 0: return swapped ? 3 : 2
    case 1: return swapped ? 4 : 5
    case 2: return swapped ? 2 : 3
    case 3: return swapped ? 5 : 4
    case 4: return 1
    default: return 6
    }
  }

  /// The side that carries a value.
  func side(of value: Int) -> Int {
    for side in 0..<6 where self.value(onSide: side) == value { return side }
    return 4
  }

  /// The outward direction of a side.
  static func direction(ofSide side: Int) -> Vector3 {
    switch side {
    case 0: return Vector3(1, 0, 0)
    case 1: return Vector3(-1, 0, 0)
    case 2: return Vector3(0, 1, 0)
    case 3: return Vector3(0, -1, 0)
    case 4: return Vector3(0, 0, 1)
    default: return Vector3(0, 0, -1)
    }
  }

  /// The side whose direction is nearest to a vector.
  @inline(__always)
  static func side(nearest v: Vector3) -> Int {
    let a = absolute(v)
    if a.x >= a.y && a.x >= a.z { return v.x >= 0 ? 0 : 1 }
    if a.y >= a.z { return v.y >= 0 ? 2 : 3 }
    return v.z >= 0 ? 4 : 5
  }

  /// The two coordinates of a point on a side, in a frame that is right-handed seen from outside.
  @inline(__always)
  static func coordinates(of p: Vector3, onSide side: Int) -> Vector2 {
    switch side {
    case 0: return Vector2(p.y, p.z)
    case 1: return Vector2(p.z, p.y)
    case 2: return Vector2(p.z, p.x)
    case 3: return Vector2(p.x, p.z)
    case 4: return Vector2(p.x, p.y)
    default: return Vector2(p.y, p.x)
    }
  }

  /// The point on a side's plane (at distance `height` from the centre) with the given coordinates.
  @inline(__always)
  static func point(_ c: Vector2, height: Float, onSide side: Int) -> Vector3 {
    switch side {
    case 0: return Vector3(height, c.x, c.y)
    case 1: return Vector3(-height, c.y, c.x)
    case 2: return Vector3(c.y, height, c.x)
    case 3: return Vector3(c.x, -height, c.y)
    case 4: return Vector3(c.x, c.y, height)
    default: return Vector3(c.y, c.x, -height)
    }
  }

  /// Whether the pips of a value are turned by a quarter.
  @inline(__always)
  func isTurned(_ value: Int) -> Bool { quarterTurns & (1 << UInt8(value & 7)) != 0 }

  /// The turn of the die that lays a value upward, before any yaw.
  func rotation(showing value: Int) -> Rotation {
    switch side(of: value) {
    case 0: return .turn(about: Vector3(0, 1, 0), turns: -0.25)
    case 1: return .turn(about: Vector3(0, 1, 0), turns: 0.25)
    case 2: return .turn(about: Vector3(1, 0, 0), turns: 0.25)
    case 3: return .turn(about: Vector3(1, 0, 0), turns: -0.25)
    case 4: return .identity
    default: return .turn(about: Vector3(1, 0, 0), turns: 0.5)
    }
  }
}

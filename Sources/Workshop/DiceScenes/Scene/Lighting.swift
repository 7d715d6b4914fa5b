/// A lamp of spherical shape.
struct Light: Sendable {
  /// Something out of sight that throws a shadow across the scene.
  enum Screen: UInt8, Hashable, Sendable {
    case none
    /// A straight edge.
    case edge
    /// Window bars or blinds.
    case bars
    /// Leaves, a hand.
    case blobs
  }

  var position: Vector3
  /// The radius of the lamp: the larger, the softer the shadows.
  var radius: Float
  /// Brightness at the origin.
  var colour: Vector3
  var screen: Screen = .none
  var screenScale: Float = 1
  var screenTurn = Turn(turns: 0)
  var screenOffset: Float = 0
  var screenSoftness: Float = 0.3
  var screenStrength: Float = 0.7
  var seed: UInt32 = 0

  /// What the screen lets through to a point, 0 to 1.
  @inline(__always)
  func screenFactor(at p: Vector3, direction: Vector3) -> Float {
    if screen == .none { return 1 }
    let slope = p.z / max(direction.z, 0.1)
    let ground = Vector2(p.x - direction.x * slope, p.y - direction.y * slope)
    let q = screenTurn.inward(ground) * (1 / screenScale)
    let soft = max(screenSoftness, 0.01)
    let open: Float
    switch screen {
    case .none: open = 1
    case .edge: open = smoothStep(-soft, soft, q.x + screenOffset)
    case .bars:
      let x = q.x + screenOffset
      open = smoothStep(-soft, soft, 0.22 - abs(x - x.rounded()))
    case .blobs:
      open = smoothStep(-soft, soft, fractal(q, octaves: 2, footprint: 0, seed) + screenOffset)
    }
    return 1 - screenStrength * (1 - open)
  }
}

/// A bright rectangle in the surroundings, seen in reflections.
struct Window: Sendable {
  var direction: Vector3
  var right: Vector3
  var up: Vector3
  /// Tangents of half the size.
  var half: Vector2
  var colour: Vector3
}

/// Everything around the table.
struct Surroundings: Sendable {
  var overhead: Vector3
  var horizon: Vector3
  var windows: [Window]
  /// The far room where a ray leaves the table: pattern size and two colours.
  var roomDark: Vector3
  var roomBright: Vector3
  /// How uneven the light from around is, 0 to 1.
  var unevenness: Float
  var seed: UInt32

  /// The blurred room beyond the table.
  func room(in direction: Vector3) -> Vector3 {
    let q = direction * 3
    let cloud = smoothStep(-0.3, 0.3, noise(q, seed))
    let other = noise(q * 2.1, seed &+ 4)
    return mix(roomDark, roomBright, cloud) * (1 + 0.4 * other)
  }
}

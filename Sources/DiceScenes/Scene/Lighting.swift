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

  /// The light that comes from a direction.
  ///
  /// - Parameters:
  ///   - roughness: how much a dull surface blurs what it reflects.
  ///   - below: the light that the ground sends up.
  func light(from direction: Vector3, roughness: Float, below: Vector3) -> Vector3 {
    let soft = 0.04 + roughness
    var colour = mix(
      horizon, overhead, smoothStep(0, 0.9, direction.z))
    if roughness < 0.6 {
      // Furniture, people, walls: nothing around is even.
      colour *= max(0.1, 1 + unevenness * noise(direction * 2.3, seed))
    }
    colour = mix(below, colour, smoothStep(-soft * 0.5, soft * 0.5, direction.z))
    for window in windows {
      let facing = dot(direction, window.direction)
      guard facing > 0.05 else { continue }
      let u = abs(dot(direction, window.right)) / facing
      let v = abs(dot(direction, window.up)) / facing
      let cover =
        smoothStep(window.half.x + soft, window.half.x - soft, u)
        * smoothStep(window.half.y + soft, window.half.y - soft, v)
      colour += window.colour * cover
    }
    return colour
  }

  /// The blurred room beyond the table.
  func room(in direction: Vector3) -> Vector3 {
    let q = direction * 3
    let cloud = smoothStep(-0.3, 0.3, noise(q, seed))
    let other = noise(q * 2.1, seed &+ 4)
    return mix(roomDark, roomBright, cloud) * (1 + 0.4 * other)
  }
}

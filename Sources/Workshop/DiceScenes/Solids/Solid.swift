/// A body put into the world, with what covers it.
struct Solid: Sendable {
  /// What the surface looks like and what it means.
  enum Paint: UInt8, Hashable, Sendable {
    case die
    /// A die with numerals, of any number of sides.
    case numerals
    /// One material all over.
    case plain
    case coin
    case domino
    case button
    case chip
    /// A single mark on every face, never pips.
    case symbol
    /// A letter-like mark on top.
    case key
    /// Bands of two colours along the rod.
    case bands
    /// Text-like marks on top.
    case cover
    /// A few round spots and a line between two wings.
    case spots
  }

  let body: Body
  let center: Vector3
  let rotation: Rotation
  /// World length of one local unit, positive.
  let scale: Float
  var paint: Paint
  /// An index into the scene's die appearances, dice with numerals or materials.
  var look: Int
  /// Fixes the random details of the paint.
  var seed: UInt32

  /// The radius of the sphere about `center` that holds the solid.
  let boundingRadius: Float

  init(
    body: Body, center: Vector3, rotation: Rotation, scale: Float, paint: Paint, look: Int,
    seed: UInt32
  ) {
    self.body = body
    self.center = center
    self.rotation = rotation
    self.scale = scale
    self.paint = paint
    self.look = look
    self.seed = seed
    boundingRadius = body.boundingRadius * scale
  }

  @inline(__always)
  func toLocal(_ p: Vector3) -> Vector3 { rotation.toLocal(p - center) * (1 / scale) }

  @inline(__always)
  func toWorld(_ p: Vector3) -> Vector3 { center + rotation.toWorld(p) * scale }

  /// The signed distance from a point of the world, in world units.
  @inline(__always)
  func distance(_ p: Vector3) -> Float { body.distance(toLocal(p)) * scale }

  /// The parameter of a ray's first point on the surface; `direction` has unit length.
  @inline(__always)
  func firstHit(_ ray: Ray) -> Float? {
    let toCenter = center - ray.origin
    let along = dot(toCenter, ray.direction)
    let radius = boundingRadius
    let square = dot(toCenter, toCenter) - along * along
    guard square <= radius * radius, along > -radius else { return nil }
    let inverse = 1 / scale
    return body.firstHit(
      from: toLocal(ray.origin), along: rotation.toLocal(ray.direction) * inverse, speed: inverse)
  }
}

/// A half line; `direction` has unit length.
struct Ray: Sendable {
  var origin: Vector3
  var direction: Vector3

  @inline(__always)
  func point(at distance: Float) -> Vector3 { origin + direction * distance }
}

internal import DiceNumerics

typealias Vector2 = SIMD2<Float>
typealias Vector3 = SIMD3<Float>

@inline(__always)
func dot(_ a: Vector3, _ b: Vector3) -> Float { a.x * b.x + a.y * b.y + a.z * b.z }

@inline(__always)
func dot(_ a: Vector2, _ b: Vector2) -> Float { a.x * b.x + a.y * b.y }

@inline(__always)
func cross(_ a: Vector3, _ b: Vector3) -> Vector3 {
  Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

@inline(__always)
func length(_ a: Vector3) -> Float { dot(a, a).squareRoot() }

@inline(__always)
func length(_ a: Vector2) -> Float { dot(a, a).squareRoot() }

/// The unit vector of the same direction; the z axis where there is none.
@inline(__always)
func normalized(_ a: Vector3) -> Vector3 {
  let square = dot(a, a)
  guard square > 1e-20, square < 1e30 else { return Vector3(0, 0, 1) }
  return a * (1 / square.squareRoot())
}

@inline(__always)
func mix(_ a: Vector3, _ b: Vector3, _ t: Float) -> Vector3 { a + (b - a) * t }

@inline(__always)
func absolute(_ a: Vector3) -> Vector3 { Vector3(abs(a.x), abs(a.y), abs(a.z)) }

@inline(__always)
func absolute(_ a: Vector2) -> Vector2 { Vector2(abs(a.x), abs(a.y)) }

@inline(__always)
func reflected(_ direction: Vector3, at normal: Vector3) -> Vector3 {
  direction - normal * (2 * dot(direction, normal))
}

/// The luminance of a linear colour, as Rec 709 weighs it.
@inline(__always)
func luminance(_ colour: Vector3) -> Float {
  0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z
}

/// An orientation: the directions of a body's own axes in the world.
struct Rotation: Hashable, Sendable {
  var x: Vector3
  var y: Vector3
  var z: Vector3

  static let identity = Rotation(
    x: Vector3(1, 0, 0), y: Vector3(0, 1, 0), z: Vector3(0, 0, 1))

  /// A turn about the upright axis, counterclockwise seen from above.
  static func yaw(turns: Float) -> Rotation {
    let c = cosineOfTurns(turns)
    let s = sineOfTurns(turns)
    return Rotation(x: Vector3(c, s, 0), y: Vector3(-s, c, 0), z: Vector3(0, 0, 1))
  }

  /// A turn about an axis of unit length.
  static func turn(about axis: Vector3, turns: Float) -> Rotation {
    let c = cosineOfTurns(turns)
    let s = sineOfTurns(turns)
    func turned(_ v: Vector3) -> Vector3 {
      v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1 - c))
    }
    return Rotation(
      x: turned(Vector3(1, 0, 0)), y: turned(Vector3(0, 1, 0)), z: turned(Vector3(0, 0, 1)))
  }

  @inline(__always)
  func toWorld(_ v: Vector3) -> Vector3 { x * v.x + y * v.y + z * v.z }

  @inline(__always)
  func toLocal(_ v: Vector3) -> Vector3 { Vector3(dot(v, x), dot(v, y), dot(v, z)) }

  /// First `inner`, then this.
  func after(_ inner: Rotation) -> Rotation {
    Rotation(x: toWorld(inner.x), y: toWorld(inner.y), z: toWorld(inner.z))
  }
}

/// A turn in the plane.
struct Turn: Hashable, Sendable {
  var cosine: Float
  var sine: Float

  init(turns: Float) {
    cosine = cosineOfTurns(turns)
    sine = sineOfTurns(turns)
  }

  /// From the turned frame to the outer one.
  @inline(__always)
  func outward(_ v: Vector2) -> Vector2 {
    Vector2(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y)
  }

  /// From the outer frame to the turned one.
  @inline(__always)
  func inward(_ v: Vector2) -> Vector2 {
    Vector2(cosine * v.x + sine * v.y, cosine * v.y - sine * v.x)
  }
}

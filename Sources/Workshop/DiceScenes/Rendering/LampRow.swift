/// The lamps of a scene for shading, one in each lane; lanes without a lamp give no light.
struct LampRow: Sendable {
  let count: Int
  private var x = Lanes(repeating: 0)
  private var y = Lanes(repeating: 0)
  private var z = Lanes(repeating: 1)
  private var radius = Lanes(repeating: 0)
  private var reference = Lanes(repeating: 0)
  private(set) var red = Lanes(repeating: 0)
  private(set) var green = Lanes(repeating: 0)
  private(set) var blue = Lanes(repeating: 0)
  /// The colour of each lamp, black where there is none.
  private(set) var colours = (Vector3.zero, Vector3.zero, Vector3.zero, Vector3.zero)

  /// - Precondition: there are at most four lamps.
  init(_ lamps: [Lamp]) {
    count = lamps.count
    for (lane, lamp) in lamps.enumerated() {
      x[lane] = lamp.position.x
      y[lane] = lamp.position.y
      z[lane] = lamp.position.z
      radius[lane] = lamp.radius
      reference[lane] = lamp.reference
      red[lane] = lamp.colour.x
      green[lane] = lamp.colour.y
      blue[lane] = lamp.colour.z
    }
    func colour(_ lane: Int) -> Vector3 { Vector3(red[lane], green[lane], blue[lane]) }
    colours = (colour(0), colour(1), colour(2), colour(3))
  }

  /// Lamps as seen from a point.
  struct View {
    /// The direction of each lamp, of unit length.
    var x: Lanes
    var y: Lanes
    var z: Lanes
    /// Radius over distance.
    var spread: Lanes
    /// The brightness as a share of the nominal one.
    var brightness: Lanes

    @inline(__always)
    func direction(_ lane: Int) -> Vector3 { Vector3(x[lane], y[lane], z[lane]) }

    /// The cosines of the angles with a vector of unit length.
    @inline(__always)
    func facing(_ v: Vector3) -> Lanes { x * v.x + y * v.y + z * v.z }
  }

  @inline(__always)
  func view(from p: Vector3) -> View {
    let dx = x - p.x
    let dy = y - p.y
    let dz = z - p.z
    let square = maximum(dx * dx + dy * dy + dz * dz, Lanes(repeating: 1e-3))
    let inverse = inverseSquareRoot(square)
    return View(
      x: dx * inverse, y: dy * inverse, z: dz * inverse,
      spread: minimum(maximum(radius * inverse, Lanes(repeating: 0.008)), Lanes(repeating: 0.9)),
      brightness: minimum(reference * inverse * inverse, Lanes(repeating: 6)))
  }
}

/// What of the light reaches a point of the ground, whatever the ground is made of.
struct GroundLight {
  /// How open the sky is, 0 to 1.
  var open: Float
  /// The share of each lamp that arrives, in each colour.
  var red: Lanes
  var green: Lanes
  var blue: Lanes

  @inline(__always)
  static var unhindered: GroundLight {
    GroundLight(
      open: 1, red: Lanes(repeating: 1), green: Lanes(repeating: 1), blue: Lanes(repeating: 1))
  }

  /// No light at all.
  static var dark: GroundLight {
    GroundLight(
      open: 0, red: Lanes(repeating: 0), green: Lanes(repeating: 0), blue: Lanes(repeating: 0))
  }

  @inline(__always)
  static func += (sum: inout GroundLight, other: GroundLight) {
    sum.open += other.open
    sum.red += other.red
    sum.green += other.green
    sum.blue += other.blue
  }

  @inline(__always)
  static func * (light: GroundLight, share: Float) -> GroundLight {
    GroundLight(
      open: light.open * share, red: light.red * share, green: light.green * share,
      blue: light.blue * share)
  }

  /// Between two of them.
  @inline(__always)
  static func between(_ a: GroundLight, _ b: GroundLight, _ t: Float) -> GroundLight {
    GroundLight(
      open: mix(a.open, b.open, t), red: a.red + (b.red - a.red) * t,
      green: a.green + (b.green - a.green) * t, blue: a.blue + (b.blue - a.blue) * t)
  }
}

internal import DiceFields
internal import DiceGeometry
internal import DiceNumerics

/// A flight in space, in metres and seconds: what falls freely, seen by a camera that sees the field.
///
/// The field's size and corners say where the camera stands before it. A place `P(t) = p + v t + g t² / 2`, with
/// the camera's coordinates (x to the right, y downwards, z to the front), is seen at `(x, y)` where
///
///     Px − x Pz = 0        Py − y Pz = 0        x, y in focal lengths
///
/// which is linear in `p` and `v`: least squares. Gravity is at right angles to the picture's rows, and otherwise
/// that of a level field; a slope of the field along the rows does not matter.
struct SpaceFlight {
  /// How unsure a point is, in pixels.
  private static let deviation = 0.7
  /// How unsure it is that the flight is as far away as the field, as a share.
  private static let depthDeviation = 0.4
  /// How unsure the place of landing is, in metres.
  private static let landingDeviation = 0.15

  /// In metres and metres a second, at the middle of the time.
  private let place: SIMD3<Double>
  private let velocity: SIMD3<Double>
  private let gravity: SIMD3<Double>
  private let middle: Double
  private let view: CameraPose

  /// Fits a flight to the points that were seen.
  ///
  /// - Parameters:
  ///   - points: the flight up to where it lands, in pixels.
  ///   - field: the field, in centimetres.
  ///   - width: columns of the upright picture.
  ///   - height: its rows.
  ///   - focalLength: in pixels.
  ///   - landing: a pixel in which it has met the field, and when; nil where it has not.
  init?(
    _ points: [ThrowFlight.Point], field: FieldPlane, width: Int, height: Int,
    focalLength: Double, landing: (pixel: PixelPoint, time: Double)?
  ) {
    let seen = points.filter(\.isDetected)
    guard seen.count >= 5, let first = seen.first, let last = seen.last,
      last.time - first.time >= 0.15,
      let view = try? field.cameraPose(
        focalLength: focalLength,
        principalPoint: PixelPoint(x: Double(width) / 2, y: Double(height) / 2))
    else { return nil }
    let downwards = SIMD2(view.zAxis.y, view.zAxis.z)
    let length = (downwards * downwards).sum().squareRoot()
    guard length > 0.3, downwards.x > 0 else { return nil }
    let gravity = SIMD3(0, downwards.x, downwards.y) * (9.81 / length)
    let middle = (first.time + last.time) / 2
    let depth = view.cameraPoint(SIMD3(field.width / 2, field.height / 2, 0)).z / 100
    guard depth > 0 else { return nil }
    let center = view.principalPoint
    var equations = NormalEquations(unknownCount: 6)
    let weight = 1 / (Self.deviation * depth / focalLength * Self.deviation * depth / focalLength)
    for point in seen {
      let t = point.time - middle
      let fall = gravity * (t * t / 2)
      let x = (point.location.x - center.x) / focalLength
      let y = (point.location.y - center.y) / focalLength
      equations.add(
        SIMD8(1, 0, -x, t, 0, -x * t, 0, 0), value: x * fall.z - fall.x, weight: weight)
      equations.add(
        SIMD8(0, 1, -y, 0, t, -y * t, 0, 0), value: y * fall.z - fall.y, weight: weight)
    }
    let share = Self.depthDeviation * depth
    equations.add(SIMD8(0, 0, 1, 0, 0, 0, 0, 0), value: depth, weight: 1 / (share * share))
    if let landing, let position = field.position(of: landing.pixel) {
      let end = view.cameraPoint(SIMD3(position.x, position.y, 0)) / 100
      let t = landing.time - middle
      let trust = 1 / (Self.landingDeviation * Self.landingDeviation)
      for axis in 0..<3 {
        var row = SIMD8<Double>.zero
        row[axis] = 1
        row[axis + 3] = t
        equations.add(row, value: end[axis] - gravity[axis] * t * t / 2, weight: trust)
      }
    }
    guard let solution = equations.solution() else { return nil }
    place = SIMD3(solution[0], solution[1], solution[2])
    velocity = SIMD3(solution[3], solution[4], solution[5])
    (self.gravity, self.middle, self.view) = (gravity, middle, view)
  }

  private static func length(_ vector: SIMD3<Double>) -> Double {
    (vector * vector).sum().squareRoot()
  }

  /// The speed at a time in metres a second, and the angle above the horizontal in degrees.
  func speed(at time: Double) -> (speed: Double, angle: Double)? {
    let now = velocity + gravity * (time - middle)
    let speed = Self.length(now)
    guard speed.isFinite, speed < 200 else { return nil }
    let up = -(now * gravity).sum() / Self.length(gravity)
    let across = max(0, speed * speed - up * up).squareRoot()
    return (speed, arctangent(y: up, x: across) * 180 / .pi)
  }

  /// Where it is seen at a time.
  func pixel(at time: Double) -> PixelPoint? {
    let t = time - middle
    let now = place + velocity * t + gravity * (t * t / 2)
    guard now.z > 0.1 else { return nil }
    return PixelPoint(
      x: view.focalLength * now.x / now.z + view.principalPoint.x,
      y: view.focalLength * now.y / now.z + view.principalPoint.y)
  }
}

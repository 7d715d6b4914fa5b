internal import DiceNumerics

/// A camera with square or squeezed pixels and a little radial distortion, for any picture size.
struct Camera: Sendable {
  var position: Vector3
  /// Unit vectors: to the right in the picture, down in the picture, into the picture.
  var right: Vector3
  var down: Vector3
  var forward: Vector3
  /// Focal length in units of the picture's longer side.
  var focal: Float
  /// How much taller the picture is drawn than it is; 1 is right.
  var squeeze: Float
  /// Radial distortion: undistorted radius = r / (1 + distortion * r²).
  var distortion: Float

  /// A camera that looks from a distance at a target.
  ///
  /// - Parameters:
  ///   - elevation: degrees above the ground, 90 is straight down.
  ///   - azimuth: where the camera stands around the target, in turns.
  ///   - roll: turn about the line of sight, in turns.
  init(
    target: Vector3, distance: Float, elevation: Float, azimuth: Float, roll: Float, focal: Float,
    squeeze: Float = 1, distortion: Float = 0
  ) {
    let e = elevation / 360
    let ce = cosineOfTurns(e)
    let se = sineOfTurns(e)
    let ca = cosineOfTurns(azimuth)
    let sa = sineOfTurns(azimuth)
    forward = Vector3(-ca * ce, -sa * ce, -se)
    // The ground direction that points up in the picture where the camera looks straight down.
    let level = Vector3(-sa, ca, 0)
    let lower = normalized(cross(forward, level))
    let c = cosineOfTurns(roll)
    let s = sineOfTurns(roll)
    right = level * c + lower * s
    down = lower * c - level * s
    position = target - forward * distance
    self.focal = focal
    self.squeeze = squeeze
    self.distortion = distortion
  }
}

/// A camera for one picture size.
struct PixelCamera: Sendable {
  let camera: Camera
  let focal: Float
  let middle: Vector2

  init(_ camera: Camera, width: Int, height: Int) {
    self.camera = camera
    focal = max(camera.focal, 0.05) * Float(max(width, height))
    middle = Vector2(Float(width) * 0.5, Float(height) * 0.5)
  }

  /// The ray through a point of the picture; pixel centres lie at halves.
  @inline(__always)
  func ray(_ x: Float, _ y: Float) -> Ray {
    let u = (x - middle.x) / focal
    let v = (y - middle.y) / (focal * camera.squeeze)
    let scale = 1 / max(1 + camera.distortion * (u * u + v * v), 0.2)
    let direction = camera.forward + camera.right * (u * scale) + camera.down * (v * scale)
    return Ray(origin: camera.position, direction: normalized(direction))
  }

  /// Where a point of the picture and the seven to its right, a pixel apart, show the level ground.
  ///
  /// All of them look down on it.
  @inline(__always)
  func ground(_ x: Float, _ y: Float) -> (x: Eight, y: Eight) {
    let u = (Eight(0, 1, 2, 3, 4, 5, 6, 7) + (x - middle.x)) * (1 / focal)
    let v = (y - middle.y) / (focal * camera.squeeze)
    let scale =
      1 / (1 + (u * u + v * v) * camera.distortion).maximum(Eight(repeating: 0.2))
    let (right, down, forward) = (camera.right, camera.down, camera.forward)
    let across = u * scale
    let along = scale * v
    let z = across * right.z + along * down.z + forward.z
    let reach = (0 - camera.position.z) / z
    return (
      (across * right.x + along * down.x + forward.x) * reach + camera.position.x,
      (across * right.y + along * down.y + forward.y) * reach + camera.position.y
    )
  }

  /// Where a point of the world appears, or nil behind the camera.
  @inline(__always)
  func project(_ p: Vector3) -> Vector2? {
    let v = p - camera.position
    let depth = dot(v, camera.forward)
    guard depth > 1e-4 else { return nil }
    var x = dot(v, camera.right) / depth
    var y = dot(v, camera.down) / depth
    let k = camera.distortion
    if abs(k) > 1e-6 {
      let square = x * x + y * y
      let root = max(1 - 4 * k * square, 0).squareRoot()
      // Written without the cancellation of 1 - root.
      let factor = 2 / (1 + root)
      x *= factor
      y *= factor
    }
    return Vector2(middle.x + x * focal, middle.y + y * focal * camera.squeeze)
  }
}

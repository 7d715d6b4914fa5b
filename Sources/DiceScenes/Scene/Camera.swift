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
    Ray(origin: camera.position, direction: normalized(way(x, y)))
  }

  /// The direction through a point of the picture, of some length; pixel centres lie at halves.
  @inline(__always)
  func way(_ x: Float, _ y: Float) -> Vector3 {
    let u = (x - middle.x) / focal
    let v = (y - middle.y) / (focal * camera.squeeze)
    let scale = 1 / max(1 + camera.distortion * (u * u + v * v), 0.2)
    return camera.forward + camera.right * (u * scale) + camera.down * (v * scale)
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

internal import DiceNumerics

/// The rays of a camera that looks at figures: the other way round than ``FigureCamera/project(_:)``.
struct FilmCamera: Sendable {
  let camera: FigureCamera
  /// Where the camera stands, in metres.
  let position: SIMD3<Double>
  /// What is right in the picture.
  let right: SIMD3<Double>
  /// What is up in the picture.
  let up: SIMD3<Double>
  /// What the camera looks along.
  let ahead: SIMD3<Double>

  init(_ camera: FigureCamera) {
    self.camera = camera
    func parts(_ degrees: Double) -> (sine: Double, cosine: Double) {
      sineAndCosine(turns: (degrees / 360).truncatingRemainder(dividingBy: 1))
    }
    let (azimuth, elevation, roll) = (
      parts(camera.azimuth), parts(camera.elevation), parts(camera.roll)
    )
    let outwards = SIMD3(azimuth.cosine, azimuth.sine, 0)
    let across = SIMD3(-azimuth.sine, azimuth.cosine, 0)
    let back = outwards * elevation.cosine + SIMD3(0, 0, elevation.sine)
    let above = SIMD3(0, 0, elevation.cosine) - outwards * elevation.sine
    position = camera.target + back * camera.distance
    right = across * roll.cosine + above * roll.sine
    up = above * roll.cosine - across * roll.sine
    ahead = -back
  }

  /// The direction in which a place of the picture lies, in pixels; its part along ``ahead`` is 1.
  func ray(x: Double, y: Double) -> SIMD3<Double> {
    let across = (x - Double(camera.width) / 2) / camera.focalLength
    let down = (y - Double(camera.height) / 2) / camera.focalLength
    return ahead + right * across - up * down
  }

  /// Where a place is seen, in pixels, and how far ahead it is; nil near the camera and behind it.
  func project(_ place: SIMD3<Double>) -> (x: Double, y: Double, depth: Double)? {
    let offset = place - position
    let depth = (offset * ahead).sum()
    guard depth > 0.1 else { return nil }
    return (
      Double(camera.width) / 2 + camera.focalLength * (offset * right).sum() / depth,
      Double(camera.height) / 2 - camera.focalLength * (offset * up).sum() / depth, depth
    )
  }
}

extension SIMD3<Double> {
  var length: Double { (self * self).sum().squareRoot() }
  /// This direction with length 1; itself where it has none.
  var unit: SIMD3<Double> {
    let length = length
    return length > 0 ? self / length : self
  }
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}

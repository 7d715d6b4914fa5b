internal import DiceGeometry
internal import DiceNumerics

/// Speeds, heights and angles of a trajectory, in metres and seconds.
///
/// What falls freely carries its own measure: gravity is 9.81 m/s², and the path says how much that is in
/// the picture. A way in space, with the air's drag, is fitted to the detected points less the camera's shake, as a
/// pinhole camera that is held level sees it.
public struct FlightMeasurement: Hashable, Sendable {
  /// What the picture's gravity is, in metres by the square of a second.
  public static let gravity = 9.81
  /// The shortest flight that is measured, in seconds.
  public static let minimumDuration = 0.15

  /// The speed at the first detected point, in metres a second.
  public let releaseSpeed: Double
  /// The straight distance from the first detected point to the last by the time, in metres a second.
  ///
  /// A lob's is far below its speed at release.
  public let flightSpeed: Double
  /// The angle above the horizontal at the first detected point, in degrees, −90...90.
  public let releaseAngle: Double
  /// How far the highest point of the way is above the first, in metres.
  public let height: Double
  /// How many metres a pixel is at the first detected point's distance.
  public let metersPerPixel: Double

  /// Measures a trajectory.
  ///
  /// - Parameters:
  ///   - trajectory: A trajectory, the more of it the better.
  ///   - width: The upright picture's width in pixels.
  ///   - height: Its height in pixels.
  ///   - focalLength: The focal length in pixels, which tells how fast the thing comes nearer; nil for that
  ///     of a camera whose picture is 53 degrees wide along its longer side.
  ///   - metersPerPixel: What a pixel is at the distance of the first point, where that is known, as from a
  ///     board; nil to take it from gravity.
  /// - Returns: nil for a flight that is too short, or where the path shows no gravity.
  public init?(
    _ trajectory: Trajectory, width: Int, height: Int, focalLength: Double? = nil,
    metersPerPixel: Double? = nil
  ) {
    guard width > 0, height > 0 else { return nil }
    let focalLength = focalLength ?? Double(max(width, height))
    guard focalLength > 0, focalLength.isFinite else { return nil }
    let shake = trajectory.points.first?.shake ?? .zero
    let points = trajectory.points.compactMap { (point) -> FlightFit.Point? in
      guard let detected = point.detected else { return nil }
      let place = detected.toImageCoordinates(width: width, height: height)
      let moved = point.shake - shake
      return FlightFit.Point(
        time: point.time.inSeconds, x: place.x - (moved.x + 0.5) * Double(width),
        y: place.y + (moved.y - 0.5) * Double(height), deviation: 1)
    }
    guard points.count >= 5, let first = points.first, let last = points.last,
      last.time - first.time >= Self.minimumDuration,
      let path = FlightFit(
        points, expectedGravity: nil, recessionDeviation: 0.1, testsGravity: false),
      let fit = SpaceFit(points, start: path, focalLength: focalLength, gravity: Self.gravity)
    else { return nil }
    let distance = metersPerPixel.map { $0 * focalLength } ?? fit.distance
    guard distance > 0, distance.isFinite else { return nil }
    func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
    let duration = last.time - first.time
    let (way, rise) = fit.displacement(after: duration)
    let velocity = fit.velocity
    releaseSpeed = length(velocity) * distance
    flightSpeed = length(way) * distance / duration
    let across = (velocity.x * velocity.x + velocity.z * velocity.z).squareRoot()
    releaseAngle = arctangent(y: -velocity.y, x: across) * 180 / .pi
    self.height = rise * distance
    self.metersPerPixel = distance / focalLength
    guard releaseSpeed.isFinite, flightSpeed.isFinite, self.height.isFinite else { return nil }
  }
}

internal import DiceGeometry
internal import DiceMath

/// Speeds, heights and angles of a trajectory, in metres and seconds.
///
/// What falls freely carries its own measure: gravity is 9.81 m/s², and the path says how much that is in
/// the picture. A path is fitted in space to the detected points, seen by a pinhole camera that is held level.
/// What air does to it is not told from a small part of the depth.
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
    let points = trajectory.points.compactMap { (point) -> FlightFit.Point? in
      guard let detected = point.detected else { return nil }
      let place = detected.toImageCoordinates(width: width, height: height)
      return FlightFit.Point(
        time: point.time.inSeconds, x: place.x, y: place.y, deviation: 0.6)
    }
    guard points.count >= 5, let first = points.first, let last = points.last,
      last.time - first.time >= Self.minimumDuration,
      let fit = FlightFit(
        points, expectedGravity: nil, recessionDeviation: Self.recessionDeviation,
        testsGravity: false), fit.gravity > 0
    else { return nil }
    // Air slows a thing across the picture as if it went away a little: that much is no depth.
    let recession =
      fit.recession.magnitude <= Self.airRecession
      ? 0
      : fit.recession - (fit.recession > 0 ? Self.airRecession : -Self.airRecession)
    // In units of pixels at the distance of the path's middle.
    func depth(_ time: Double) -> Double { max(1 + recession * (time - fit.time), 0.2) }
    func place(_ time: Double) -> SIMD3<Double>? {
      guard let seen = fit.place(at: time) else { return nil }
      let depth = depth(time)
      return SIMD3(
        (seen.x - Double(width) / 2) * depth, (seen.y - Double(height) / 2) * depth,
        focalLength * depth)
    }
    guard let start = place(first.time), let end = place(last.time),
      let seen = fit.place(at: first.time)
    else { return nil }
    let speed = fit.velocity(at: first.time)
    let velocity = SIMD3(
      speed.x * depth(first.time) + (seen.x - Double(width) / 2) * recession,
      speed.y * depth(first.time) + (seen.y - Double(height) / 2) * recession,
      focalLength * recession)
    let unit =
      metersPerPixel.map { $0 / depth(first.time) } ?? Self.gravity / fit.gravity
    guard unit > 0, unit.isFinite else { return nil }
    func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
    releaseSpeed = length(velocity) * unit
    flightSpeed = length(end - start) * unit / (last.time - first.time)
    let across = (velocity.x * velocity.x + velocity.z * velocity.z).squareRoot()
    releaseAngle = arctangent(y: -velocity.y, x: across) * 180 / .pi
    let rise = max(0, -velocity.y)
    let top = min(rise / fit.gravity, last.time - first.time)
    self.height = (rise * top - fit.gravity * top * top / 2) * unit
    self.metersPerPixel = unit * depth(first.time)
    guard releaseSpeed.isFinite, flightSpeed.isFinite, self.height.isFinite else { return nil }
  }

  /// How far the recession is from 0, by a second: a thing that is thrown across the picture.
  static let recessionDeviation = 0.25
  /// The recession, by a second, that air may feign.
  static let airRecession = 0.12
}

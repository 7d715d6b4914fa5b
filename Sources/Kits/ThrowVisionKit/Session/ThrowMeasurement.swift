internal import DiceFields
internal import DiceGeometry
internal import DiceNumerics
internal import DicePoses
internal import DiceTrajectories

/// What is measured of a throw that has ended.
struct ThrowMeasurement {
  /// Seconds of poses before the release and after it, by which the type is told.
  private static let window = (before: 1.2, after: 0.3)
  /// How high the middle of a bag lies above the board, in centimetres.
  private static let bagHeight = 2.5
  /// How long before the first point the release is looked for, in seconds.
  private static let longestHidden = 0.3

  let configuration: ThrowSession.Configuration
  let field: FieldPlane?
  let width: Int
  let height: Int
  let history: PoseHistory
  let resting: RestingView?
  let flight: ThrowFlight
  /// The trajectory up to where it met something.
  let first: Trajectory

  func outcome(_ classify: ThrowSession.Classify?) throws(ThrowSessionError) -> ThrowOutcome {
    let path = firstPoints
    let release = release(of: path)
    var outcome = ThrowOutcome(
      place: .missed, releaseTime: release?.time ?? path.first?.time ?? 0)
    let landing = landing(of: path)
    (outcome.place, outcome.position) = (landing.place, landing.position)
    if let classify {
      let window = history.window(
        from: outcome.releaseTime - Self.window.before,
        to: outcome.releaseTime + Self.window.after)
      do throws(ActionClassifierError) {
        var prediction = try classify(window)
        if let idle = configuration.idleLabel { prediction = prediction?.excluding(idle) }
        outcome.type = prediction?.label
        outcome.typeConfidence = prediction?.confidence ?? 0
      } catch { throw .actions(error) }
    }
    switch configuration.rules.measure {
    case .sample:
      outcome.speed = sampleSpeed(path)
      outcome.releaseAngle = release.flatMap { forearmAngle(at: $0.time, wrist: $0.wrist) }
    case .physical:
      measure(path, release: outcome.releaseTime, landing.pixel, &outcome)
    }
    return outcome
  }

  /// The points of the first trajectory.
  private var firstPoints: [ThrowFlight.Point] {
    first.points.map { point in
      ThrowFlight.Point(
        time: point.time.inSeconds,
        location: point.location.toImageCoordinates(width: width, height: height),
        isDetected: point.detected != nil)
    }
  }

  // MARK: - Release

  /// When the bag was in the hand: the path, continued backwards, is nearest to a wrist.
  private func release(
    of path: [ThrowFlight.Point]
  ) -> (time: Double, wrist: Joint)? {
    guard let start = path.first, let curve = PixelPath(path.prefix(12)) else { return nil }
    var best: (distance: Double, time: Double, wrist: Joint)?
    for (wrist, elbow) in [(Joint.leftWrist, Joint.leftElbow), (.rightWrist, .rightElbow)] {
      for step in 0...60 {
        let time = start.time + 0.03 - Self.longestHidden * Double(step) / 60
        guard let hand = history.pose(at: time, wrist),
          let arm = history.pose(at: time, elbow)
        else { continue }
        // What is held is a little beyond the wrist.
        let held = PixelPoint(
          x: hand.x + 0.35 * (hand.x - arm.x), y: hand.y + 0.35 * (hand.y - arm.y))
        let distance = curve.place(at: time).squaredDistance(to: held)
        if distance < best?.distance ?? .infinity { best = (distance, time, wrist) }
      }
    }
    return best.map { (min($0.time, start.time), $0.wrist) }
  }

  /// The angle of the forearm against the horizontal, in degrees.
  private func forearmAngle(at time: Double, wrist: Joint) -> Double? {
    guard let hand = history.pose(at: time, wrist),
      let elbow = history.pose(at: time, wrist == .leftWrist ? .leftElbow : .rightElbow)
    else { return nil }
    let (x, y) = ((hand.x - elbow.x).magnitude, elbow.y - hand.y)
    guard x + y.magnitude > 0 else { return nil }
    return arctangent(y: y, x: x) * 180 / .pi
  }

  // MARK: - Speed

  /// The straight distance of the first piece by its duration, with the field's upper side as the measure.
  private func sampleSpeed(_ path: [ThrowFlight.Point]) -> Double? {
    let piece = path.prefix(max(2, configuration.rules.minimumPointCount))
    guard let field, let first = piece.first, let last = piece.last, last.time > first.time
    else { return nil }
    let side = field.outline.upperLeft.squaredDistance(to: field.outline.upperRight).squareRoot()
    guard side > 0 else { return nil }
    let distance = first.location.squaredDistance(to: last.location).squareRoot()
    return distance / side * field.width / 100 / (last.time - first.time)
  }

  /// Speed and angle in space; without a field those of the flight alone.
  private func measure(
    _ path: [ThrowFlight.Point], release: Double, _ landing: PixelPoint?,
    _ outcome: inout ThrowOutcome
  ) {
    guard let start = path.first, let end = path.last else { return }
    if let field,
      let space = SpaceFlight(
        path, field: field, width: width, height: height,
        focalLength: configuration.focalLength ?? Double(max(width, height)),
        landing: landing.map { ($0, end.time) }),
      let measured = space.speed(at: min(release, start.time))
    {
      (outcome.speed, outcome.releaseAngle) = (measured.speed, measured.angle)
    } else if let measured = FlightMeasurement(
      first, width: width, height: height, focalLength: configuration.focalLength)
    {
      (outcome.speed, outcome.releaseAngle) = (measured.releaseSpeed, measured.releaseAngle)
    }
  }

  // MARK: - Landing

  /// Where the bag is in the end, and the pixel where it met the board.
  private func landing(
    of path: [ThrowFlight.Point]
  ) -> (place: ThrowPlace, position: SIMD2<Double>?, pixel: PixelPoint?) {
    guard let field, let last = flight.points.last, let end = path.last else {
      return (.missed, nil, nil)
    }
    let lastPosition = field.position(of: last.location)
    let isOver = field.contains(last.location)
    guard configuration.rules.landing == .resting, let resting,
      let start = path.first
    else { return byLastPoint(lastPosition, isOver, end) }
    let found = resting.findNew(from: start.time, to: last.time)
    guard found.isKnown else { return byLastPoint(lastPosition, isOver, end) }
    if let position = found.position {
      return (.board, lowered(position, on: field), end.location)
    }
    // Nothing new lies there: it is in the hole where the path leads to it.
    guard let hole = configuration.hole else { return (.missed, lastPosition, nil) }
    let interval = frameInterval(path)
    let curve = PixelPath(path.suffix(10))
    for share in [0.0, 0.5, 1, 1.5] {
      let pixel =
        share == 0
        ? last.location : curve?.place(at: end.time + share * interval) ?? last.location
      guard let position = field.position(of: pixel) else { continue }
      let out = position - hole.center
      if (out * out).sum().squareRoot() <= 2 * hole.radius {
        return (.hole, hole.center, end.location)
      }
    }
    return (.missed, isOver ? lastPosition : nil, nil)
  }

  /// What lies below the middle of a bag that is seen over a position.
  private func lowered(_ position: SIMD2<Double>, on field: FieldPlane) -> SIMD2<Double> {
    guard
      let camera = try? field.cameraPose(
        focalLength: configuration.focalLength ?? Double(max(width, height)),
        principalPoint: PixelPoint(x: Double(width) / 2, y: Double(height) / 2)
      ).position, camera.z < -10 * Self.bagHeight
    else { return position }
    let place = position + (SIMD2(camera.x, camera.y) - position) * (Self.bagHeight / -camera.z)
    return place.x.isFinite && place.y.isFinite ? place : position
  }

  private func byLastPoint(
    _ position: SIMD2<Double>?, _ isOver: Bool, _ end: ThrowFlight.Point
  ) -> (place: ThrowPlace, position: SIMD2<Double>?, pixel: PixelPoint?) {
    guard isOver, let position else { return (.missed, nil, nil) }
    if let hole = configuration.hole {
      let out = position - hole.center
      if (out * out).sum() <= hole.radius * hole.radius {
        return (.hole, position, end.location)
      }
    }
    return (.board, position, end.location)
  }

  /// The seconds between frames.
  private func frameInterval(_ path: [ThrowFlight.Point]) -> Double {
    guard path.count > 1, let first = path.first, let last = path.last else { return 1.0 / 30 }
    return (last.time - first.time) / Double(path.count - 1)
  }
}

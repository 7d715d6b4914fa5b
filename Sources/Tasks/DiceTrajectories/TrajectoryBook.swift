internal import DiceGeometry
internal import DiceNumerics

/// Makes trajectories, in shares of the picture, of a tracker's flights.
struct TrajectoryBook: Sendable {
  /// The trajectories whose ends have not been told before the last frame, and whether the last frame
  /// changed them.
  private var entries: [(trajectory: Trajectory, hasNews: Bool)] = []
  /// Memory for the points of trajectories that begin.
  private var spares: [[Trajectory.Point]]

  init() {
    spares = (0..<FlightTracker.flightLimit).map { (_) in
      var points: [Trajectory.Point] = []
      points.reserveCapacity(FlightTracker.sightingLimit)
      return points
    }
    entries.reserveCapacity(FlightTracker.flightLimit)
  }

  /// Those that the last frame changed.
  var news: [Trajectory] {
    entries.contains { $0.hasNews } ? entries.filter(\.hasNews).map(\.trajectory) : []
  }

  /// Brings trajectories up to date with the flights after a frame.
  mutating func update(
    _ tracker: FlightTracker, factor: Double, width: Double, height: Double
  ) {
    for index in entries.indices.reversed() {
      entries[index].hasNews = false
      guard entries[index].trajectory.state == .ended else { continue }
      var points = entries.remove(at: index).trajectory.points
      points.removeAll(keepingCapacity: true)
      spares.append(points)
    }
    for flight in tracker.flights where flight.hasNews {
      let index: Int
      if let known = entries.firstIndex(where: {
        $0.trajectory.identity == flight.identity
      }) {
        index = known
        entries[index].trajectory.state = .continued
      } else {
        index = entries.count
        entries.append((Trajectory(identity: flight.identity), true))
        if let points = spares.popLast() { entries[index].trajectory.points = points }
      }
      entries[index].hasNews = true
      Self.add(
        flight, tracker, to: &entries[index].trajectory, factor: factor,
        scale: SIMD2(factor / width, factor / height))
      if flight.isOver { entries[index].trajectory.state = .ended }
      entries[index].trajectory.confidence = 1 / (1 + exponential(-flight.score))
      entries[index].trajectory.movingAverageRadius = Self.radius(flight) * factor
    }
  }

  private static func lastFrame(of trajectory: Trajectory) -> Int {
    trajectory.points.isEmpty ? -1 : trajectory.points[trajectory.points.count - 1].frame
  }

  private static func radius(_ flight: FlightTracker.Path) -> Double {
    let last = flight.sightings.suffix(10)
    return last.reduce(0) { $0 + $1.radius } / Double(max(last.count, 1))
  }

  private static func add(
    _ flight: FlightTracker.Path, _ tracker: FlightTracker, to trajectory: inout Trajectory,
    factor: Double, scale: SIMD2<Double>
  ) {
    guard let fit = flight.fit else { return }
    func normalized(_ x: Double, _ y: Double, _ shift: (x: Double, y: Double)) -> NormalizedPoint {
      NormalizedPoint(x: (x + shift.x) * scale.x, y: 1 - (y + shift.y) * scale.y)
    }
    func missed(_ frame: Int) -> Trajectory.Point? {
      guard let (time, shift) = tracker.frameInformation(frame), let place = fit.place(at: time)
      else { return nil }
      return Trajectory.Point(
        frame: frame, time: .seconds(time), detected: nil,
        projected: normalized(place.x, place.y, shift), radius: 0,
        shake: SIMD2(shift.x, -shift.y) * scale)
    }
    func seen(_ sighting: FlightTracker.Sighting) -> Trajectory.Point {
      let place = fit.place(at: sighting.time) ?? (sighting.x, sighting.y)
      return Trajectory.Point(
        frame: sighting.frame, time: .seconds(sighting.time),
        detected: normalized(sighting.x, sighting.y, sighting.shift),
        projected: normalized(place.x, place.y, sighting.shift),
        radius: sighting.radius * factor,
        shake: SIMD2(sighting.shift.x, -sighting.shift.y) * scale)
    }
    let count = trajectory.points.count
    var lastFrame = lastFrame(of: trajectory)
    if let first = trajectory.points.first?.frame, let start = flight.sightings.first?.frame,
      start < first
    {
      // What has been found of the beginning since.
      var (index, place) = (0, 0)
      for frame in start..<first {
        let point: Trajectory.Point?
        if flight.sightings[index].frame == frame {
          point = seen(flight.sightings[index])
          index += 1
        } else {
          point = missed(frame)
        }
        guard let point else { continue }
        trajectory.points.insert(point, at: place)
        place += 1
      }
    }
    for sighting in flight.sightings where sighting.frame > lastFrame {
      var missing = lastFrame < 0 ? sighting.frame : lastFrame + 1
      lastFrame = sighting.frame
      while missing < sighting.frame {
        if let point = missed(missing) { trajectory.points.append(point) }
        missing += 1
      }
      trajectory.points.append(seen(sighting))
    }
    if trajectory.points.count > count {
      trajectory.equationCoefficients = ParabolaFit.coefficients(of: trajectory.points)
    }
  }
}

import BenchmarkSupport
import DiceGeometry
import DiceThrowFilms
import DiceTrajectories

/// What is found of what was thrown, in rendered films that no network has learnt from.
struct FlightAccuracy {
  /// The seed of the first film; those below it were for fitting, and those from 3001 on are for training.
  private static let firstSeed: UInt64 = 2001
  /// The fewest visible frames, and seconds, of a throw that counts.
  private static let leastVisible = (frames: 8, seconds: 0.3)

  private var minutes = 0.0
  private var thrown = 0
  private var found = 0
  private var wrong = 0
  private var waits: [Double] = []
  private var speedErrors: [Double] = []

  static func run(_ settings: Settings) throws -> Table {
    var accuracy = FlightAccuracy()
    for index in 0..<settings.rounds {
      try accuracy.add(FlightFilm(.park, seed: firstSeed + UInt64(index)))
    }
    return accuracy.table
  }

  private var table: Table {
    var table = Table(
      "\(waits.isEmpty ? 0 : thrown) throws in rendered films of a park from seed "
        + "\(Self.firstSeed) on, 640 x 360, \(Int(minutes.rounded())) minutes",
      [.init("what", "what"), .init("value", "value")])
    table.append(
      .text("found, %"), .number(100 * Double(found) / Double(max(thrown, 1)), decimals: 1))
    table.append(
      .text("reports that are none, a minute"),
      .number(Double(wrong) / max(minutes, 1e-9), decimals: 2))
    table.append(
      .text("wait for the first report, median, ms"),
      .number(1000 * Self.quantile(0.5, of: waits), decimals: 0))
    table.append(
      .text("error of the speed at release, median, %"),
      .number(100 * Self.quantile(0.5, of: speedErrors), decimals: 1))
    table.append(
      .text("the same, 90th percentile, %"),
      .number(100 * Self.quantile(0.9, of: speedErrors), decimals: 1))
    return table
  }

  private static func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  private mutating func add(_ film: FlightFilm) throws {
    let renderer = FlightFilmRenderer(film)
    var detector = TrajectoryDetector()
    var reports: [Int: (first: Int, last: Trajectory)] = [:]
    for frame in 0..<film.frameCount {
      try detector.update(
        with: renderer.frame(frame), at: .seconds(film.time(of: frame)))
      for trajectory in detector.trajectories {
        reports[trajectory.identity] = (
          reports[trajectory.identity]?.first ?? frame, trajectory
        )
      }
    }
    detector.finish()
    for trajectory in detector.trajectories {
      reports[trajectory.identity]?.last = trajectory
    }
    minutes += film.duration / 60
    judge(reports.keys.sorted().compactMap { reports[$0] }, film)
  }

  private mutating func judge(
    _ reports: [(first: Int, last: Trajectory)], _ film: FlightFilm
  ) {
    let sights = film.flights.map { (flight) in
      (0..<film.frameCount).map { film.sight(of: flight, frame: $0) }
    }
    for report in reports {
      let points = report.last.points
      let near = points.filter { (point) in
        sights.contains { Self.isNear(point, $0[point.frame], film) }
      }.count
      if 2 * near < points.count { wrong += 1 }
    }
    for (flight, sights) in zip(film.flights, sights) where !flight.isBounce {
      let visible = sights.indices.filter { sights[$0]?.isVisible == true }
      guard visible.count >= Self.leastVisible.frames, let first = visible.first,
        Double(visible.count) >= Self.leastVisible.seconds * film.framesPerSecond
      else { continue }
      thrown += 1
      let best = reports.map { (report) in
        (
          report,
          report.last.points.filter {
            sights[$0.frame]?.isVisible == true && Self.isNear($0, sights[$0.frame], film)
          }.count
        )
      }.max { $0.1 < $1.1 }
      guard let (report, near) = best, Double(near) >= 0.6 * Double(visible.count) else {
        continue
      }
      found += 1
      waits.append(Double(report.first - first) / film.framesPerSecond)
      if let measured = FlightMeasurement(report.last, width: film.width, height: film.height) {
        speedErrors.append(abs(measured.releaseSpeed / flight.speed - 1))
      }
    }
  }

  /// Whether a point lies within two hundredths of the diagonal of the truth.
  private static func isNear(
    _ point: Trajectory.Point, _ sight: FlightFilm.Sight?, _ film: FlightFilm
  ) -> Bool {
    guard let sight else { return false }
    let (width, height) = (Double(film.width), Double(film.height))
    let place = point.location.toImageCoordinates(width: width, height: height)
    let (x, y) = (place.x - sight.x, place.y - sight.y)
    return x * x + y * y < 0.0004 * (width * width + height * height)
  }
}

internal import DiceGeometry
public import DiceThrowFilms
package import DiceTrajectories

/// What is found of what was thrown, in drawn films.
///
/// A throw counts with eight visible frames or 0.3 seconds, whichever is more, and is found where a trajectory has
/// 60 % of these frames within 2 % of the picture's diagonal. A report is none where less than half of its points
/// are as near to anything that flies.
public struct FlightAccuracy: Hashable, Sendable {
  /// How long the films are, in minutes.
  public private(set) var minutes = 0.0
  /// The throws that count.
  public private(set) var thrown = 0
  /// How many of them are found.
  public private(set) var found = 0
  /// Reports that are none.
  public private(set) var wrong = 0
  /// By throw that is found, the seconds from its first visible frame to the first report.
  public private(set) var waits: [Double] = []
  /// By throw whose speed is measured, by how much of the speed it is wrong.
  public private(set) var speedErrors: [Double] = []

  /// The fewest visible frames, and seconds, of a throw that counts.
  private static let leastVisible = (frames: 8, seconds: 0.3)

  /// Of no films.
  public init() {}

  /// What the library's own network finds in a film.
  public init(of film: FlightFilm) { self = Self.accuracies(of: [.bundled], in: film)[0] }

  /// What each of several networks finds in a film, which is drawn once.
  package static func accuracies(
    of networks: [FlightNetwork], in film: FlightFilm
  ) -> [FlightAccuracy] {
    let renderer = FlightFilmRenderer(film)
    var detectors = networks.map { TrajectoryDetector(network: $0) }
    var reports = [[Int: Report]](repeating: [:], count: networks.count)
    for frame in 0..<film.frameCount {
      let picture = renderer.frame(frame)
      for index in detectors.indices {
        do throws(TrajectoryError) {
          try detectors[index].update(with: picture, at: .seconds(film.time(of: frame)))
        } catch { preconditionFailure("frames of one size, one after the other") }
        for trajectory in detectors[index].trajectories {
          reports[index][trajectory.identity] = (
            reports[index][trajectory.identity]?.first ?? frame, trajectory
          )
        }
      }
    }
    return detectors.indices.map { (index) in
      detectors[index].finish()
      for trajectory in detectors[index].trajectories {
        reports[index][trajectory.identity]?.last = trajectory
      }
      var accuracy = FlightAccuracy()
      accuracy.minutes = film.duration / 60
      accuracy.judge(reports[index].keys.sorted().compactMap { reports[index][$0] }, film)
      return accuracy
    }
  }

  /// Adds what was found in other films.
  public mutating func add(_ other: FlightAccuracy) {
    minutes += other.minutes
    thrown += other.thrown
    found += other.found
    wrong += other.wrong
    waits += other.waits
    speedErrors += other.speedErrors
  }

  /// The share of throws that are found, 0...1.
  public var foundShare: Double { Double(found) / Double(max(thrown, 1)) }

  /// Reports that are none, by minute.
  public var wrongByMinute: Double { Double(wrong) / max(minutes, 1e-9) }

  /// The number that a share of some are below; 0 where there are none.
  public static func quantile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  /// A trajectory as it was last told, and when it was told first.
  private typealias Report = (first: Int, last: Trajectory)

  private mutating func judge(_ reports: [Report], _ film: FlightFilm) {
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

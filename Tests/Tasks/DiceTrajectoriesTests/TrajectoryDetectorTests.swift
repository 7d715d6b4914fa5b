import DiceGeometry
import DiceImaging
import DiceTrajectories
import TestSupport
import Testing

@Suite struct TrajectoryDetectorTests {
  /// What became of each identity, with the frame of its first report.
  private struct Report {
    var first: Int
    var states: [Trajectory.State]
    var last: Trajectory
  }

  private func follow(
    _ film: Film, _ options: TrajectoryDetector.Options = .init()
  ) throws -> [Report] {
    var detector = TrajectoryDetector(options)
    var reports: [Int: Report] = [:]
    func note(_ frame: Int) {
      for trajectory in detector.trajectories {
        var report =
          reports[trajectory.identity] ?? Report(first: frame, states: [], last: trajectory)
        report.states.append(trajectory.state)
        report.last = trajectory
        reports[trajectory.identity] = report
      }
    }
    for index in 0..<film.frameCount {
      try detector.update(with: film.frame(index), at: .seconds(Double(index) / film.rate))
      note(index)
    }
    detector.finish()
    note(film.frameCount)
    return reports.values.sorted { $0.last.identity < $1.last.identity }
  }

  /// The share of the frames in the air and in the picture in which a trajectory is near the truth.
  private func share(_ trajectory: Trajectory, of thing: Film.Throw, in film: Film) -> Double {
    let (width, height) = (Double(film.width), Double(film.height))
    var (near, all) = (0.0, 0.0)
    for index in 0..<film.frameCount {
      guard let truth = film.seen(thing, at: Double(index) / film.rate), truth.x > 0, truth.y > 0,
        truth.x < width, truth.y < height
      else { continue }
      all += 1
      guard let point = trajectory.points.first(where: { $0.frame == index }) else { continue }
      let place = point.location.toImageCoordinates(width: width, height: height)
      let (x, y) = (place.x - truth.x, place.y - truth.y)
      if (x * x + y * y).squareRoot() < 0.005 * (width * width + height * height).squareRoot() {
        near += 1
      }
    }
    return near / all
  }

  private static let lob = Film.Throw(start: [-1.6, 0.4, 6], velocity: [3.2, -5, 0])

  @Test(arguments: [25.0, 60.0])
  func aThrowIsFollowedFromItsReleaseToItsEnd(rate: Double) throws {
    var film = Film(rate: rate)
    film.throwsInAir = [Self.lob]
    let report = try #require(follow(film).first)
    try expectEqual(follow(film).count, 1)
    expectEqual(report.states.first, .began)
    expectEqual(report.states.last, .ended)
    #expect(report.states.dropFirst().dropLast().allSatisfy { $0 == .continued })
    #expect(Double(report.first) / rate < 0.6 + 0.3)
    #expect(share(report.last, of: Self.lob, in: film) > 0.85)
    #expect(report.last.confidence > 0.9 && report.last.confidence <= 1)
    // The radius is 6.4 pixels; what is seen is smoothed.
    #expect(abs(report.last.movingAverageRadius - 6.4) < 2.5)
    #expect(report.last.minimumRadius <= report.last.maximumRadius)
    expectEqual(
      report.last.points.map(\.frame),
      Array(report.last.points[0].frame...report.last.points.last!.frame))
    expectEqual(report.last.timeRange.lowerBound, report.last.points[0].time)
  }

  @Test func coefficientsAreThoseOfTheTrueParabola() throws {
    var film = Film()
    film.throwsInAir = [Self.lob]
    let found = try #require(follow(film).first).last.equationCoefficients
    // x = 0.5 + (640 / 6)(−1.6 + 3.2 t) / 640, and so on.
    let (width, height, scale) = (640.0, 360.0, 640.0 / 6)
    let start = 0.5 - 1.6 * scale / width
    let speed = 3.2 * scale / width
    let (up, fall) = (5 * scale / height, 4.905 * scale / height)
    let a = -fall / (speed * speed)
    let b = up / speed - 2 * a * start
    let c = 0.5 - 0.4 * scale / height - up / speed * start + a * start * start
    #expect(abs(found.x - a) < 0.03 * abs(a))
    #expect(abs(found.y - b) < 0.03 * abs(b))
    #expect(abs(found.z - c) < 0.03)
  }

  @Test func whatFliesAwayFromTheCameraIsFollowed() throws {
    // Its speed in the picture halves on its way.
    var film = Film()
    let away = Film.Throw(
      start: [-0.6, 0.5, 3], velocity: [1.4, -4.6, 3.2], radius: 0.1)
    film.throwsInAir = [away]
    let report = try #require(follow(film).first)
    #expect(share(report.last, of: away, in: film) > 0.8)
  }

  @Test func shakeNoiseAndLightDoNotHideAThrow() throws {
    var film = Film(noise: 5, shake: 2, brightening: 8)
    film.throwsInAir = [Self.lob]
    let reports = try follow(film)
    expectEqual(reports.count, 1)
    #expect(share(try #require(reports.first).last, of: Self.lob, in: film) > 0.8)
  }

  @Test func twoInTheAirAreTwo() throws {
    var film = Film()
    let other = Film.Throw(
      start: [1.7, 0.7, 6], velocity: [-3.4, -4.4, 0], radius: 0.05, gray: 15, release: 0.7)
    film.throwsInAir = [Self.lob, other]
    let reports = try follow(film)
    expectEqual(reports.count, 2)
    for thing in film.throwsInAir {
      #expect(reports.contains { share($0.last, of: thing, in: film) > 0.75 })
    }
  }

  @Test func aBounceEndsOneFlightAndBeginsAnother() throws {
    var film = Film(duration: 2.6)
    var thing = Self.lob
    thing.bounce = 1.1
    thing.end = 1.95
    film.throwsInAir = [thing]
    let reports = try follow(film)
    expectEqual(reports.count, 2)
    let (before, after) = (try #require(reports.first).last, try #require(reports.last).last)
    let bounce = Int(1.7 * 60)
    #expect(before.points.last!.frame <= bounce + 3)
    #expect(after.points[0].frame >= bounce - 1)
    expectEqual(reports[0].states.last, .ended)
  }

  @Test func aPostHidesAPartOfAThrow() throws {
    var film = Film()
    film.throwsInAir = [Self.lob]
    film.post = 330...360
    let report = try #require(follow(film).first)
    try expectEqual(follow(film).count, 1)
    let hidden = report.last.points.filter { $0.detected == nil }
    #expect(!hidden.isEmpty)
    #expect(share(report.last, of: Self.lob, in: film) > 0.75)
  }

  @Test func theBeginningBeforeAPostIsFoundLater() throws {
    // It is seen for 0.09 seconds, then hidden for 0.16.
    var film = Film()
    film.throwsInAir = [Self.lob]
    film.post = 180...235
    let reports = try follow(film)
    expectEqual(reports.count, 1)
    let report = try #require(reports.first)
    let frames = report.last.points.map(\.frame)
    #expect(frames[0] <= 38)
    #expect(report.first > 49)
    expectEqual(frames, Array(frames[0]...frames.last!))
    #expect(report.last.points[0].detected != nil)
    #expect(share(report.last, of: Self.lob, in: film) > 0.75)
  }

  @Test func speedAndHeightAreThoseOfTheThrow() throws {
    var film = Film()
    film.throwsInAir = [Self.lob]
    let flight = try #require(follow(film).first).last
    let still = try #require(FlightMeasurement(flight, width: 640, height: 360))
    // 5.94 m/s, 57.4 degrees, 1.27 m, six metres away; what is thrown here has no air to slow it.
    #expect(abs(still.releaseSpeed / 5.936 - 1) < 0.05)
    #expect(abs(still.releaseAngle - 57.4) < 3)
    #expect(abs(still.height / 1.274 - 1) < 0.07)
    #expect(abs(still.metersPerPixel / (6.0 / 640) - 1) < 0.07)
    #expect(still.flightSpeed < still.releaseSpeed)
    film.shake = 2
    let other = try #require(follow(film).first).last
    let shaken = try #require(FlightMeasurement(other, width: 640, height: 360))
    #expect(abs(shaken.releaseSpeed / still.releaseSpeed - 1) < 0.03)
  }

  @Test func aKnownScaleIsTakenForThatOfGravity() throws {
    var film = Film()
    film.throwsInAir = [Self.lob]
    let flight = try #require(follow(film).first).last
    let measured = try #require(FlightMeasurement(flight, width: 640, height: 360))
    let given = try #require(
      FlightMeasurement(
        flight, width: 640, height: 360, metersPerPixel: 2 * measured.metersPerPixel))
    #expect(abs(given.releaseSpeed - 2 * measured.releaseSpeed) < 1e-9)
    #expect(abs(given.height - 2 * measured.height) < 1e-9)
    expectEqual(FlightMeasurement(flight, width: 0, height: 360), nil)
    expectEqual(FlightMeasurement(flight, width: 640, height: 360, focalLength: -1), nil)
  }

  @Test func aMinuteOfWhatDoesNotFlyIsNoTrajectory() throws {
    var film = Film(rate: 20, duration: 60, noise: 4, shake: 1, brightening: 3)
    film.straight = [
      (-900, 200, 40, 0, 9, 20), (700, 120, -20, 2, 14, 230), (-300, 90, 180, -6, 6, 240),
      (640, 300, -15, 0, 20, 10), (-2000, 60, 160, 2, 5, 15), (9000, 200, -250, -3, 8, 240),
    ]
    film.swinging = [
      (200, 150, 12, 0.5, 8, 235), (420, 220, 25, 0.9, 7, 20), (100, 260, 40, 0.6, 9, 225),
      (500, 100, 6, 1.7, 12, 25),
    ]
    #expect(try follow(film).isEmpty)
  }

  @Test func turnedFramesAreFollowedUpright() throws {
    var film = Film(rate: 30)
    film.throwsInAir = [Self.lob]
    let upright = try #require(follow(film).first).last
    for orientation in [ImageOrientation.down, .right, .leftMirrored] {
      var detector = TrajectoryDetector()
      var found: Trajectory?
      for index in 0..<film.frameCount {
        let frame = film.frame(index)
        let turned = Self.stored(frame, orientation)
        try detector.update(with: turned, at: .seconds(Double(index) / film.rate))
        found = detector.trajectories.first ?? found
      }
      #expect(try #require(found).points.count >= upright.points.count - 1)
      try expectEqual(#require(found).equationCoefficients, upright.equationCoefficients)
    }
  }

  /// The picture as a camera stores it that is held so.
  private static func stored(_ image: PixelImage, _ orientation: ImageOrientation) -> PixelImage {
    let (width, height) = (image.width, image.height)
    let swaps = orientation.swapsAxes
    let (columns, rows) = swaps ? (height, width) : (width, height)
    var samples = [UInt8](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width {
        let place: (column: Int, row: Int) =
          switch orientation {
          case .down: (width - 1 - column, height - 1 - row)
          case .right: (row, width - 1 - column)
          case .leftMirrored: (row, column)
          default: (column, row)
          }
        samples[place.row * columns + place.column] = image.samples[row * width + column]
      }
    }
    return PixelImage(
      width: columns, height: rows, format: .gray, samples: samples, orientation: orientation)
  }

  @Test func optionsLeaveOutWhatTheyShould() throws {
    var film = Film(rate: 30)
    film.throwsInAir = [Self.lob]
    var options = TrajectoryDetector.Options()
    options.objectMinimumNormalizedRadius = 0.03
    #expect(try follow(film, options).isEmpty)
    options = .init()
    options.objectMaximumNormalizedRadius = 0.004
    #expect(try follow(film, options).isEmpty)
    options = .init()
    options.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 1, height: 0.2)
    #expect(try follow(film, options).isEmpty)
    options = .init()
    let early = try #require(follow(film).first).first
    options.trajectoryLength = 20
    #expect(try #require(follow(film, options).first).first > early)
  }

  @Test func aFlightEndsAfterTheFramesThatTheOptionsSay() throws {
    var film = Film(rate: 30, duration: 2.4)
    var thing = Self.lob
    thing.end = 1.3
    film.throwsInAir = [thing]
    for patience in [5, 20] {
      var options = TrajectoryDetector.Options()
      options.framesWithoutEvidence = patience
      var detector = TrajectoryDetector(options)
      var ended: Int?
      var last = 0
      for index in 0..<film.frameCount {
        try detector.update(with: film.frame(index), at: .seconds(Double(index) / film.rate))
        for trajectory in detector.trajectories {
          if trajectory.state == .ended { ended = index }
          last = trajectory.points.last!.frame
        }
      }
      expectEqual(ended, last + patience)
    }
  }

  @Test func framesThatBreakARuleChangeNothing() throws {
    var detector = TrajectoryDetector()
    func image(_ width: Int, _ height: Int) -> PixelImage {
      PixelImage(
        width: width, height: height, format: .gray,
        samples: [UInt8](repeating: 90, count: width * height))
    }
    #expect(throws: TrajectoryError.frameSizeOutOfRange(width: 31, height: 64)) {
      try detector.update(with: image(31, 64), at: .zero)
    }
    try detector.update(with: image(64, 48), at: .seconds(1))
    #expect(
      throws: TrajectoryError.frameSizeChanged(
        width: 48, height: 64, previousWidth: 64, previousHeight: 48)
    ) {
      try detector.update(with: image(48, 64), at: .seconds(2))
    }
    for time in [Duration.seconds(1), .zero, .seconds(-5)] {
      #expect(throws: TrajectoryError.timeNotIncreasing(time, previous: .seconds(1))) {
        try detector.update(with: image(64, 48), at: time)
      }
    }
    expectEqual(detector.frameCount, 1)
    try detector.update(with: image(64, 48), at: .seconds(9))
    #expect(detector.frameCount == 2 && detector.trajectories.isEmpty)
    detector.reset()
    try detector.update(with: image(48, 64), at: .zero)
    expectEqual(detector.frameCount, 1)
  }

  @Test func optionsOutOfRangeAreToldByName() throws {
    let image = PixelImage(
      width: 64, height: 48, format: .gray, samples: [UInt8](repeating: 90, count: 64 * 48))
    func error(_ change: (inout TrajectoryDetector.Options) -> Void) -> TrajectoryError? {
      var detector = TrajectoryDetector()
      change(&detector.options)
      do throws(TrajectoryError) { try detector.update(with: image, at: .zero) } catch {
        return error
      }
      return nil
    }
    expectEqual(error { _ in }, nil)
    expectEqual(error { $0.trajectoryLength = 4 }, .trajectoryLengthOutOfRange(4))
    expectEqual(error { $0.framesWithoutEvidence = 0 }, .framesWithoutEvidenceOutOfRange(0))
    expectEqual(
      error { $0.objectMinimumNormalizedRadius = 0.5 },
      .radiiOutOfRange(minimum: 0.5, maximum: 0.06))
    #expect(error { $0.objectMaximumNormalizedRadius = .infinity } != nil)
    #expect(error { $0.objectMinimumNormalizedRadius = .nan } != nil)
    expectEqual(
      error { $0.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 0, height: 1) },
      .regionOfInterestOutOfRange)
    expectEqual(
      error { $0.regionOfInterest = NormalizedRect(x: .nan, y: 0, width: 1, height: 1) },
      .regionOfInterestOutOfRange)
  }

  @Test func aLaterTrajectoryTakesTheMemoryOfOneThatHasEnded() throws {
    var film = Film(width: 320, height: 180, rate: 30, duration: 4.4, focalLength: 320)
    var second = Self.lob
    second.release = 2.8
    film.throwsInAir = [Self.lob, second]
    film.throwsInAir[0].end = 1.6
    var detector = TrajectoryDetector()
    var places: [Int: UInt] = [:]
    var kept: [[UInt8]] = []
    var hasEnded = false
    for index in 0..<film.frameCount {
      // What had been given back would be taken here.
      if hasEnded, places.count == 1 {
        kept.append([UInt8](repeating: 1, count: 600 * MemoryLayout<Trajectory.Point>.stride))
      }
      try detector.update(with: film.frame(index), at: .seconds(Double(index) / film.rate))
      for trajectory in detector.trajectories {
        let place = trajectory.points.withUnsafeBufferPointer { (points) in
          UInt(bitPattern: points.baseAddress)
        }
        // One place for the whole of its life.
        expectEqual(places[trajectory.identity, default: place], place)
        places[trajectory.identity] = place
        if trajectory.state == .ended { hasEnded = true }
      }
    }
    #expect(places.count == 2 && Set(places.values).count == 1)
    #expect(kept.count > 5)
  }

  @Test func aPauseEndsWhatWasInTheAir() throws {
    var film = Film(rate: 30)
    film.throwsInAir = [Self.lob]
    var detector = TrajectoryDetector()
    for index in 0..<35 {
      try detector.update(with: film.frame(index), at: .seconds(Double(index) / film.rate))
    }
    expectEqual(detector.trajectories.map(\.state), [.continued])
    try detector.update(with: film.frame(35), at: .seconds(20))
    expectEqual(detector.trajectories.map(\.state), [.ended])
    try detector.update(with: film.frame(36), at: .seconds(20.1))
    #expect(detector.trajectories.isEmpty)
  }

  @Test func timesBeyondAllComponentsAreTaken() throws {
    var detector = TrajectoryDetector()
    let film = Film()
    let long = Duration.seconds(Int64.max) + .seconds(Int64.max)
    for time in [.zero - long, .zero, long, long + .seconds(1)] {
      try detector.update(with: film.frame(0), at: time)
      #expect(detector.trajectories.isEmpty)
    }
  }
}

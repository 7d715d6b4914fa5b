import DiceGeometry
import DiceImaging
import DiceTrajectories

/// Films of small frames, sizes, times and options of any kind, against what trajectories promise.
enum Target {
  /// Copies of these have no memory of their own until they need it; a new one asks for megabytes.
  private static let usual = TrajectoryDetector()
  /// One that takes every path that a thing can fly for thrown.
  private static let lenient = TrajectoryDetector(
    network: FlightNetwork(bias: 10, least: [], greatest: [], weights: [], units: []))

  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    var options = TrajectoryDetector.Options()
    let flags = reader.byte()
    if flags & 1 == 1 { options.trajectoryLength = Int(reader.byte()) }
    if flags & 2 == 2 { options.framesWithoutEvidence = Int(reader.byte()) }
    if flags & 4 == 4 { options.objectMinimumNormalizedRadius = reader.double() }
    if flags & 8 == 8 { options.objectMaximumNormalizedRadius = reader.double() }
    if flags & 16 == 16 {
      options.regionOfInterest = NormalizedRect(
        x: Double(reader.byte()) / 128, y: Double(reader.byte()) / 128,
        width: Double(reader.byte()) / 255, height: reader.double())
    }
    var detector = flags & 64 == 64 ? lenient : usual
    detector.options = options
    let film = Film(&reader, mayBeWide: flags & 0xF0 == 0xE0)
    // More frames than the tracker remembers only now and then.
    let limit = film.width > 400 ? 24 : flags & 0xA0 == 32 ? 72 : 28
    var time = Duration.zero
    var known: Set<Int> = []
    var ended: Set<Int> = []
    var frameCount = 0
    while !reader.isAtEnd, frameCount < limit {
      let kind = reader.byte()
      let image = film.frame(frameCount, kind: kind, &reader)
      var step = Duration.milliseconds(33)
      if kind == 250 { step = .seconds(Int(reader.byte()) - 100) }
      if kind == 251 { step = .zero }
      if kind == 252 { step = Duration(secondsComponent: .max / 4, attosecondsComponent: 0) }
      time += step
      do throws(TrajectoryError) {
        try detector.update(with: image, at: time)
        frameCount += 1
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
        time -= step
        if case .frameSizeChanged = error { detector.reset() } else { return }
        (known, ended) = ([], [])
      }
      for trajectory in detector.trajectories { check(trajectory, &known, &ended, detector) }
    }
    detector.finish()
    for trajectory in detector.trajectories {
      require(trajectory.state == .ended, "all ends with the film")
    }
  }

  /// A ground that is brighter, darker or shaken from frame to frame, and a thing that flies before it.
  private struct Film {
    let width: Int
    let height: Int
    private let ground: [UInt8]
    private let start: (frame: Int, x: Double, y: Double)
    private let speed: (x: Double, y: Double)
    private let gravity: Double
    private let radius: Double

    /// - Parameter mayBeWide: Whether frames may be so wide that they are reduced by half.
    init(_ reader: inout InputReader, mayBeWide: Bool) {
      let sides = (Int(reader.byte()), Int(reader.byte()))
      let isWide = mayBeWide && sides.1 & 7 == 0
      (width, height) = (isWide ? 450 : 32 + sides.0 % 12, 32 + (isWide ? 0 : sides.1 % 6))
      let (width, height) = (width, height)
      ground = (0..<width * height).map { (index) in
        UInt8(truncatingIfNeeded: (index % width / 5 &* 37 &+ index / width / 5 &* 91) & 63)
      }
      // A detector needs some frames before it sees that something has changed.
      start = (sides.0 / 12, Double(reader.byte()) / 4, Double(reader.byte()) / 4)
      speed = (Double(reader.byte()) - 128, Double(reader.byte()) - 200)
      gravity = Double(reader.byte()) * 2
      radius = 1 + Double(reader.byte()) / 80
    }

    /// A frame as a byte says, which may ask for more of them.
    func frame(_ number: Int, kind: UInt8, _ reader: inout InputReader) -> PixelImage {
      var samples = ground
      let shake = [0, 1, -1, width, -width, 2 + width, -1 - 2 * width, 0][Int(kind >> 5)]
      if shake != 0 {
        let from = max(0, -shake)..<min(ground.count, ground.count - shake)
        samples.replaceSubrange(
          from.lowerBound + shake..<from.upperBound + shake, with: ground[from])
      }
      if kind & 15 != 0 {
        for index in samples.indices { samples[index] &+= kind & 15 }
      }
      draw(number, into: &samples)
      if kind & 16 == 16 {
        let place = Int(reader.word(2)) % samples.count
        for index in place..<min(place + Int(kind), samples.count) {
          samples[index] = reader.byte()
        }
      }
      return PixelImage(
        width: width, height: height, format: .gray, samples: samples,
        orientation: kind & 224 == 224 ? .right : .up)
    }

    private func draw(_ number: Int, into samples: inout [UInt8]) {
      guard number >= start.frame else { return }
      let t = Double(number - start.frame) / 30
      let (x, y) = (start.x + speed.x * t, start.y + speed.y * t + gravity * t * t / 2)
      let (left, top) = (max(0, Int(x - radius)), max(0, Int(y - radius)))
      let (right, bottom) = (min(width - 1, Int(x + radius)), min(height - 1, Int(y + radius)))
      guard left <= right, top <= bottom else { return }
      for row in top...bottom {
        for column in left...right {
          let (dx, dy) = (Double(column) - x, Double(row) - y)
          if dx * dx + dy * dy < radius * radius { samples[row * width + column] = 250 }
        }
      }
    }
  }

  private static func check(
    _ trajectory: Trajectory, _ known: inout Set<Int>, _ ended: inout Set<Int>,
    _ detector: TrajectoryDetector
  ) {
    let isNew = known.insert(trajectory.identity).inserted
    require(isNew == (trajectory.state == .began), "only the new begin")
    require(!ended.contains(trajectory.identity), "what has ended is told once")
    if trajectory.state == .ended { ended.insert(trajectory.identity) }
    require(!trajectory.points.isEmpty, "a trajectory has points")
    require(trajectory.confidence >= 0 && trajectory.confidence <= 1, "a confidence is a share")
    for (point, next) in zip(trajectory.points, trajectory.points.dropFirst()) {
      require(point.frame < next.frame, "points come in the order of frames")
    }
    for point in trajectory.points {
      require(point.frame < detector.frameCount, "points are of frames that were")
      require(point.location.x.isFinite && point.location.y.isFinite, "points are places")
    }
    let equation = trajectory.equationCoefficients
    require((equation.x + equation.y + equation.z).isFinite, "coefficients are numbers")
    if let flight = FlightMeasurement(trajectory, width: 640, height: 360) {
      require(flight.releaseSpeed >= 0 && flight.releaseSpeed.isFinite, "a speed is a number")
    }
  }

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 11)
    return (0..<40).map { (index) in
      // Throws from the lower left, seen after nine frames; every fourth film is long or wide.
      let flags: UInt8 = [0, 64, 64, 32, 0, 64, 64, 0xE0][index % 8]
      let sides: [UInt8] = [9 * 12 + UInt8(index % 12), UInt8(index % 8 == 7 ? 0 : index % 6)]
      let throwing: [UInt8] = [8, 100, UInt8(158 + index), 130, 60, UInt8(40 + index % 3 * 30)]
      let noise = index % 3 == 0 ? 0 : UInt8(index % 3 == 1 ? 3 : 40)
      return [flags] + sides + throwing
        + (0..<(flags == 32 ? 70 : 28)).map { (_) in UInt8.random(in: 0...noise, using: &generator)
        }
    }
  }
}

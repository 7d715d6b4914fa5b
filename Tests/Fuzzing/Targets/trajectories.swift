import DiceGeometry
import DiceImaging
import DiceTrajectories

/// Films of small frames, sizes, times and options of any kind, against what trajectories promise.
enum Target {
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
    var detector = TrajectoryDetector(options)
    let (width, height) = (32 + Int(reader.byte()) % 100, 32 + Int(reader.byte()) % 40)
    var time = Duration.zero
    var known: Set<Int> = []
    var ended: Set<Int> = []
    var frameCount = 0
    // A thing that flies, given by a few bytes, and what else the bytes say.
    let (x, y) = (Double(reader.byte()) / 2, Double(reader.byte()) / 4)
    let (vx, vy) = (Double(reader.byte()) - 128, Double(reader.byte()) - 200)
    let (gravity, radius) = (Double(reader.byte()) * 2, 1 + Double(reader.byte()) / 40)
    while !reader.isAtEnd, frameCount < 60 {
      let kind = reader.byte()
      var samples = [UInt8](repeating: 0, count: width * height)
      let t = Double(frameCount) / 30
      let (middle, row) = (x + vx * t, y + vy * t + gravity * t * t / 2)
      for index in samples.indices {
        let (column, line) = (index % width, index / width)
        let (dx, dy) = (Double(column) - middle, Double(line) - row)
        let ground = UInt8(truncatingIfNeeded: (column / 5 &* 37 &+ line / 5 &* 91) & 63)
        samples[index] = dx * dx + dy * dy < radius * radius ? 250 : ground &+ (kind & 15)
      }
      if kind & 16 == 16 {
        let place = Int(reader.word(2)) % samples.count
        for index in place..<min(place + Int(kind), samples.count) {
          samples[index] = reader.byte()
        }
      }
      let orientation = kind & 224 == 224 ? ImageOrientation.right : .up
      var step = Duration.milliseconds(33)
      if kind == 250 { step = .seconds(Int(reader.byte()) - 100) }
      if kind == 251 { step = .zero }
      if kind == 252 { step = Duration(secondsComponent: .max / 4, attosecondsComponent: 0) }
      time += step
      let image = PixelImage(
        width: width, height: height, format: .gray, samples: samples, orientation: orientation)
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
    var generator = SeededGenerator(state: 11)
    return (0..<30).map { (index) in
      let options: [UInt8] = [0, 60, 30, 10, 100, UInt8(150 + index), 90, 120, 60]
      return options + (0..<60).map { (_) in UInt8.random(in: 0...40, using: &generator) }
    }
  }
}

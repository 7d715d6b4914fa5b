import DiceGeometry
import DiceImaging
import DicePoses
import ThrowVisionKit

/// People of any kind before a `PoseTracker`, and films with a thing that flies before a `ThrowSession`: with poses
/// of any bit pattern or out of a file, times that go back, and frames whose size changes.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    switch reader.byte() & 7 {
    case 0...4: track(&reader)
    case 5:
      // What `dicevision session --poses` reads.
      let isFlying = reader.byte()
      guard let sequences = try? PoseSequence.read(jsonLines: reader.rest()) else { return }
      var calm = InputReader([isFlying, 40, 30, 90, 100, 60, 40])
      play(&calm, sequences)
    default: play(&reader, nil)
    }
  }

  // MARK: - People

  private static func track(_ reader: inout InputReader) {
    var configuration = PoseTracker.Configuration()
    let flags = reader.byte()
    if flags & 1 != 0 { configuration.minimumConfidence = Float(reader.double()) }
    if flags & 2 != 0 { configuration.minimumSimilarity = Double(reader.byte()) / 255 }
    if flags & 4 != 0 { configuration.timeToEnter = .milliseconds(Int(reader.byte()) * 50) }
    if flags & 8 != 0 { configuration.timeToLeave = duration(&reader) }
    if flags & 16 != 0 { configuration.smoothing = nil }
    if flags & 32 != 0 { configuration.smoothing?.minimumCutoff = reader.double() }
    if flags & 64 != 0 { configuration.minimumPersonConfidence = 0 }
    guard var tracker = try? PoseTracker(configuration) else { return }
    var time = Duration.zero
    var known: Set<Int> = []
    for _ in 0..<60 where !reader.isAtEnd {
      let before = tracker
      time = next(time, &reader)
      do throws(PoseTrackerError) {
        for event in try tracker.update(with: people(&reader), at: time) {
          switch event {
          case .entered(let identity):
            require(known.insert(identity).inserted, "who enters was not there")
          case .left(let identity):
            require(known.remove(identity) != nil, "who leaves was there")
          }
        }
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
        require(tracker == before, "a frame that is refused changes nothing")
      }
      require(Set(tracker.people.map(\.identity)) == known, "those are there who have entered")
      require(tracker.people.count <= PoseTracker.personLimit, "there are not too many")
      check(tracker.people)
    }
  }

  private static func check(_ people: [PoseTracker.TrackedPerson]) {
    for person in people {
      require(person.boundingBox.isFinite, "boxes are finite")
      require(person.confidence >= 0 && person.confidence <= 1, "a confidence is a share")
      for joint in person.pose.joints {
        guard let point = person.pose[joint] else { continue }
        require(point.location.isFinite, "places are numbers")
        require(point.confidence > 0 && point.confidence <= 1, "a confidence is a share")
      }
    }
  }

  private static func people(_ reader: inout InputReader) -> [DetectedPerson] {
    let kind = reader.byte()
    let count = kind >= 250 ? 20 : Int(kind % 3)
    return (0..<count).map { _ in
      let flags = reader.byte()
      func number() -> Double { flags & 1 != 0 ? reader.double() : Double(reader.byte()) }
      let box = BoundingBox(x: number(), y: number(), width: number(), height: number())
      var pose = Pose()
      for _ in 0..<Int(reader.byte() % 12) {
        guard let joint = Joint(rawValue: reader.byte() % 20) else { continue }
        pose[joint] = Pose.Point(
          PixelPoint(x: number(), y: number()), confidence: flags & 2 != 0 ? Float(number()) : 0.8)
      }
      return DetectedPerson(
        boundingBox: box, confidence: flags & 4 != 0 ? Float(number()) : 0.9, pose: pose)
    }
  }

  private static func duration(_ reader: inout InputReader) -> Duration {
    let kind = reader.byte()
    switch kind {
    case 255: return .seconds(Int64.max / 2)
    case 254: return .seconds(Int64.min / 2)
    case 253: return .nanoseconds(Int64(truncatingIfNeeded: reader.word(8)))
    default: return .milliseconds(Int(kind))
    }
  }

  /// Mostly a little later; now and then the same, before, or far away.
  private static func next(_ time: Duration, _ reader: inout InputReader) -> Duration {
    let step = reader.byte()
    switch step {
    case 240...255: return duration(&reader)
    case 232...239: return time.components.seconds.magnitude < 1 << 40 ? time - .seconds(1) : .zero
    default:
      return time.components.seconds.magnitude < 1 << 40
        ? time + .milliseconds(Int(step & 63)) : .zero
    }
  }

  // MARK: - Sessions

  private static func play(_ reader: inout InputReader, _ sequences: [PoseSequence]?) {
    let kind = reader.byte()
    let (width, height) = (40 + Int(reader.byte()) % 16, 32 + Int(reader.byte()) % 8)
    guard var session = session(kind, &reader, width, height) else { return }
    // A thing that flies, given by a few bytes.
    let (x, y) = (Double(reader.byte() % 32), Double(reader.byte()) / 6)
    let (vx, vy) = (Double(reader.byte()) - 80, -Double(reader.byte()))
    var time = Duration.zero
    let limit = sequences == nil ? 24 : 32
    for frame in 0..<limit {
      if sequences == nil, reader.isAtEnd { break }
      let step = sequences == nil ? reader.byte() : 0
      let isTurned = step & 0xF8 == 0xF8
      let image = image(
        isTurned ? height : width, isTurned ? width : height, noise: step & 3,
        x: x + vx * Double(frame) / 30,
        y: y + vy * Double(frame) / 30 + 120 * Double(frame * frame) / 900)
      time = sequences == nil && step & 4 != 0 ? next(time, &reader) : time + .milliseconds(33)
      let found =
        sequences.map {
          $0.compactMap { sequence in
            sequence.pose(inFrame: frame, at: Double(frame) / 30).flatMap {
              DetectedPerson(outlining: $0)
            }
          }
        } ?? (step & 8 != 0 ? people(&reader) : nil)
      let count = session.frameCount
      do throws(ThrowSessionError) {
        for event in try session.update(with: image, people: found, at: time) { check(event) }
        require(session.frameCount == count + 1, "a frame counts")
      } catch {
        require(error.description.hasSuffix("."), "an error is a sentence")
        switch error {
        case .frameSizeChanged, .timeNotIncreasing:
          require(session.frameCount == count, "a frame that is refused does not count")
          if case .timeNotIncreasing = error, step & 0x30 == 0x30 { time = .zero }
        default: break
        }
      }
      check(session)
      if step == 0x7F { _ = session.restart() }
      if step == 0x7E { try? session.reset() }
    }
    guard let events = try? session.finish() else { return }
    for event in events { check(event) }
    check(session)
    require(session.game.phase != .inFlight, "nothing flies when the film is over")
  }

  private static func session(
    _ kind: UInt8, _ reader: inout InputReader, _ width: Int, _ height: Int
  ) -> ThrowSession? {
    var rules = kind & 1 == 0 ? ThrowRules.standard : .sample
    rules.throwCount = 1 + Int(kind >> 6)
    rules.requiresPlayer = kind & 2 != 0
    if kind & 4 != 0 {
      rules.direction = .any
      rules.minimumPointCount = 5
      rules.minimumConfidence = 0
      rules.stability = .shifts(count: 1, sum: 1000)
    }
    rules.framesWithoutEvidence = 4
    var configuration = ThrowSession.Configuration(rules)
    // A field of which a view from above takes little time, and is large enough for a thing that lies on it.
    (configuration.fieldWidth, configuration.fieldHeight) = (44, 24)
    configuration.hole = ThrowSession.Hole(center: SIMD2(36, 12), radius: 4)
    if kind & 8 != 0 {
      configuration.fieldWidth = reader.double()
      configuration.focalLength = reader.double()
      configuration.hole = ThrowSession.Hole(
        center: SIMD2(reader.double(), 3), radius: Double(reader.byte()))
    }
    if kind & 16 != 0 {
      configuration.fieldCorners = Quadrilateral(
        corners: (0..<4).map { _ in PixelPoint(x: reader.double(), y: reader.double()) })
    } else if kind & 0x68 != 0x68 {
      let (right, bottom) = (Double(width) - 4, Double(height) - 2)
      configuration.fieldCorners = Quadrilateral(
        corners: [
          (right - 30, bottom - 12), (right - 4, bottom - 14), (right, bottom),
          (right - 34, bottom),
        ]
        .map { PixelPoint(x: $0.0, y: $0.1) })
    }
    return try? ThrowSession(configuration) { (window) throws(ActionClassifierError) in
      window.count < 3
        ? nil : ActionPrediction(labels: ["a", "underleg"], probabilities: [0.2, 0.8])
    }
  }

  /// The gray of blocks of 5 by 5 pixels, 16 in a row.
  private static let ground = (0..<256).map { (block) in
    UInt8(truncatingIfNeeded: (block % 16 &* 37 &+ block / 16 &* 91) & 63)
  }

  private static func image(
    _ width: Int, _ height: Int, noise: UInt8, x: Double, y: Double
  ) -> PixelImage {
    var samples = [UInt8](repeating: 0, count: width * height)
    for row in 0..<height {
      let line = row * width
      for column in 0..<width {
        samples[line + column] = ground[row / 5 * 16 + column / 5] &+ noise
      }
    }
    for row in -2...2 {
      for column in -2...2 where row * row + column * column < 6 {
        let (line, place) = (y + Double(row), x + Double(column))
        guard line >= 0, place >= 0, line < Double(height), place < Double(width) else { continue }
        samples[Int(line) * width + Int(place)] = 250
      }
    }
    return PixelImage(width: width, height: height, format: .gray, samples: samples)
  }

  private static func check(_ session: ThrowSession) {
    check(session.poses.people)
    require(session.game.results.count <= session.game.rules.throwCount, "not too many throws")
    let summary = session.game.summary
    require(summary.meanSpeed?.isFinite ?? true, "a mean speed is a number")
    require(summary.meanAngle?.isFinite ?? true, "a mean angle is a number")
  }

  private static func check(_ event: ThrowGame.Event) {
    guard case .scored(let result) = event else { return }
    let outcome = result.outcome
    require(result.path.count <= ThrowResult.pathLimit, "a path is not too long")
    require(result.path.allSatisfy { $0.location.isFinite }, "a path has places")
    require(outcome.speed.map { $0.isFinite && $0 >= 0 } ?? true, "a speed is a number")
    require(outcome.releaseAngle?.isFinite ?? true, "an angle is a number")
    require(
      outcome.position.map { $0.x.isFinite && $0.y.isFinite } ?? true, "a position is a place")
    require(outcome.releaseTime.isFinite, "a release has a time")
  }

  // MARK: - Seeds

  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 17)
    func random(_ count: Int, _ mask: UInt8 = 0xFF) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) & mask }
    }
    let points = (0..<13).map { "[\(20 + $0), \(10 + $0 * 9 % 40)]" }
    let frames = [String](repeating: "[\(points.joined(separator: ","))]", count: 4)
    let poses = #"{"id":"a","fps":30,"frames":[\#(frames.joined(separator: ","))]}"#
    // Throws that count, with frames without noise at 30 in a second.
    var seeds: [[UInt8]] = []
    for index in 0..<12 as Range<UInt8> {
      let head: [UInt8] = [7, 4 + index % 4 * 64, 40, 20, 4, 150, 150, 40 + index * 4]
      seeds.append(head + [UInt8](repeating: 0, count: 40))
    }
    for kind in [6, 4] as [UInt8] { seeds.append([5, kind] + Array(poses.utf8)) }
    for _ in 0..<12 {
      seeds.append([0] + random(300))
      seeds.append([0, 0] + random(300, 0x3F))
      seeds.append([7] + random(100))
      seeds.append([7, 6] + random(100, 0x0F))
    }
    return seeds
  }
}

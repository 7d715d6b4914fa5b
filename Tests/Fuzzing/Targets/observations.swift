import DiceGeometry
import DiceRegistration
import DiceRolls

/// Observations and times for a `RollTracker`: likely ones, and any bit pattern.
///
/// An input is a configuration and frames, each a byte for the time, one for the number of
/// observations, and those.
enum Target {
  static func run(_ bytes: [UInt8]) {
    var reader = InputReader(bytes)
    guard var tracker = try? RollTracker(configuration: configuration(&reader)) else { return }
    var time = Duration.zero
    var frameCount = 0
    while !reader.isAtEnd && frameCount < 200 {
      time = nextTime(after: time, &reader)
      let observations = (0..<reader.byte() % 9).map { _ in observation(&reader) }
      let flags = reader.byte()
      let motion =
        flags & 15 == 15
        ? CameraMotion(
          x: reader.double(), y: reader.double(), confidence: Float(reader.double())) : .zero
      let before = flags >= 0xFC ? tracker : nil
      let events = tracker.update(with: observations, at: time, cameraMotion: motion)
      check(tracker, events)
      if let before {
        guard var copy = try? RollTracker(encoded: before.encoded()) else {
          fatalError("broken promise: a state can be restored")
        }
        let same = copy.update(with: observations.reversed(), at: time, cameraMotion: motion)
        require(same == events && copy == tracker, "a restored tracker goes on the same way")
      }
      frameCount += 1
    }
    guard let restored = try? RollTracker(encoded: tracker.encoded()) else {
      fatalError("broken promise: a state can be restored")
    }
    require(restored == tracker, "a restored tracker is the same")
  }

  static func check(_ tracker: RollTracker, _ events: [RollTracker.Event]) {
    require(tracker.dice.count <= 2 * tracker.configuration.maximumDiceCount, "few dice")
    for die in tracker.dice {
      require(die.boundingBox.isFinite, "finite boxes")
      require(die.confidence >= 0 && die.confidence <= 1, "confidences are 0 to 1")
    }
    for case .rollEnded(let roll) in events {
      require(roll.dice.allSatisfy { $0.value != nil }, "a roll has values")
      _ = roll.sum
    }
  }

  static func configuration(_ reader: inout InputReader) -> RollTracker.Configuration {
    var configuration = RollTracker.Configuration()
    let flags = reader.byte()
    if flags & 1 != 0 { configuration.requiresMotion = false }
    if flags & 2 != 0 { configuration.maximumDiceCount = Int(reader.byte()) }
    if flags & 4 != 0 {
      configuration.region = BoundingBox(x: 100, y: 100, width: 200, height: 200)
    }
    if flags & 8 != 0 { configuration.expectedDiceCount = Int(reader.byte() & 3) }
    if flags & 16 != 0 { configuration.confirmationObservations = Int(reader.byte() & 3) }
    if flags & 32 != 0 { configuration.minimumStillDuration = .milliseconds(Int(reader.byte())) }
    if flags & 64 != 0 { configuration.stillSpeed = reader.double() }
    return configuration
  }

  static func nextTime(after time: Duration, _ reader: inout InputReader) -> Duration {
    let step = reader.byte()
    switch step {
    case 0xFF:
      return Duration(
        secondsComponent: Int64(bitPattern: reader.word(8)), attosecondsComponent: 0)
    case 0xFE: return .seconds(Int64.max / 2)
    case 0xFD: return .seconds(Int64.min / 2)
    case 0xF0...0xFC: return .nanoseconds(Int64(truncatingIfNeeded: reader.word(8)))
    default:
      let (seconds, attoseconds) = time.components
      guard seconds.magnitude < 1 << 40 else { return .zero }
      return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        + .milliseconds(Int(step) - 4)
    }
  }

  static func observation(_ reader: inout InputReader) -> RollTracker.Observation {
    let kind = reader.byte()
    if kind & 0xF0 == 0xF0 {
      return RollTracker.Observation(
        boundingBox: BoundingBox(
          x: reader.double(), y: reader.double(), width: reader.double(), height: reader.double()),
        confidence: Float(reader.double()),
        values: (0..<kind & 3).map { _ in
          ValueProbability(
            value: Int(Int64(bitPattern: reader.word(8))), confidence: Float(reader.double()))
        })
    }
    let side = 20 + Double(kind & 3) * 20
    return RollTracker.Observation(
      boundingBox: BoundingBox(
        midX: Double(reader.byte()) * 2, midY: Double(reader.byte()) * 2, width: side,
        height: side),
      confidence: Float(1 + reader.byte() & 15) / 16, value: Int(kind >> 2 & 15))
  }

  /// Throws of one to four dice, with flickering values, motion of the camera and bad numbers.
  static func seeds() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 3)
    return (0..<40).map { index in
      var bytes = [UInt8(index % 4 == 3 ? UInt8.random(in: 0...127, using: &generator) : 0)]
      let count = 1 + index % 4
      for frame in 0..<24 {
        bytes += [37, UInt8(count)]
        for die in 0..<count {
          let place = max(0, 60 - frame * 8) + die * 40
          let value = UInt8.random(in: 0...9, using: &generator) == 0 ? 2 : 1 + die % 6
          bytes += [UInt8(value << 2 | 1), UInt8(place), UInt8(die * 10 + 60), 15]
        }
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      }
      return bytes
    }
  }
}

import TestSupport
import DiceGeometry
import Testing

@testable import DiceRegistration
@testable import DiceRolls

/// Saving, restoring, hostile bytes, strange frames and long streams.
@Suite struct StateTests {
  static func clip() -> Clip {
    var clip = Clip.throwing(seed: 12, count: 5)
    clip.dice[1].pushes = [(2.2, 0.2, clip.dice[1].x + 30, clip.dice[1].y)]
    return clip
  }

  @Test func aRestoredTrackerGoesOnWithTheSameEvents() throws {
    let frames = Self.clip().frames()
    var tracker = RollTracker()
    var eventCount = 0
    for (index, frame) in frames.enumerated() {
      var copy = try RollTracker(encoded: tracker.encoded())
      #expect(copy == tracker && copy.encoded() == tracker.encoded())
      if index % 10 == 0 {
        var original = tracker
        for (time, observations, motion) in frames[index...] {
          let events = original.update(with: observations, at: time, cameraMotion: motion)
          expectEqual(copy.update(with: observations, at: time, cameraMotion: motion), events)
          eventCount += events.count
        }
        expectEqual(copy, original)
      }
      _ = tracker.update(with: frame.1, at: frame.0, cameraMotion: frame.2)
    }
    #expect(eventCount > 20)
  }

  @Test func everyTruncationAndEveryFlippedByteThrows() throws {
    var tracker = RollTracker()
    for frame in Self.clip().frames().prefix(45) { _ = tracker.update(with: frame.1, at: frame.0) }
    let bytes = tracker.encoded()
    #expect(bytes.count < 12_000)
    for count in bytes.indices {
      #expect(throws: TrackerStateError.self) { try RollTracker(encoded: Array(bytes[..<count])) }
    }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x81
      #expect(throws: TrackerStateError.self) { try RollTracker(encoded: damaged) }
    }
    #expect(throws: TrackerStateError.self) { try RollTracker(encoded: bytes + [0]) }
  }

  @Test func forgedBytesWithARightChecksumNeverTrap() throws {
    let frames = Self.clip().frames()
    var tracker = RollTracker()
    for frame in frames.prefix(50) { _ = tracker.update(with: frame.1, at: frame.0) }
    let bytes = tracker.encoded()
    var acceptedCount = 0
    var refusedCount = 0
    func attempt(_ damaged: [UInt8]) {
      var damaged = damaged
      let checksum = RollTracker.checksum(of: damaged[16...])
      for place in 0..<8 { damaged[8 + place] = UInt8(truncatingIfNeeded: checksum >> (8 * place)) }
      do throws(TrackerStateError) {
        var restored = try RollTracker(encoded: damaged)
        for frame in frames[50..<56] { _ = restored.update(with: frame.1, at: frame.0) }
        _ = restored.encoded()
        acceptedCount += 1
      } catch {
        #expect(!error.description.isEmpty)
        refusedCount += 1
      }
    }
    for index in stride(from: 16, to: bytes.count, by: 3) {
      for flip in [UInt8(0x01), 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] ^= flip
        attempt(damaged)
      }
    }
    for count in stride(from: 16, to: bytes.count, by: 13) { attempt(Array(bytes[..<count])) }
    #expect(acceptedCount > 100 && refusedCount > 100)
  }

  @Test func strangeFramesAreTakenWithoutATrap() {
    let odd: [Double] = [.nan, .infinity, -.infinity, 0, -1, 1e-300, 1e300, 1e7, -1e7, 50]
    var random = SeededGenerator(seed: 8)
    var tracker = RollTracker()
    for step in 0..<3000 {
      var observations: [RollTracker.Observation] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let pick = { odd[Int.random(in: 0..<odd.count, using: &random)] }
        observations.append(
          RollTracker.Observation(
            boundingBox: BoundingBox(x: pick(), y: pick(), width: pick(), height: pick()),
            confidence: Float(pick()),
            values: [
              ValueProbability(
                value: Bool.random(using: &random) ? .max : .random(in: -40...40, using: &random),
                confidence: Float(pick())),
              ValueProbability(value: 3, confidence: Float(pick())),
            ]))
      }
      var time = Duration.milliseconds(step * 33)
      if step % 97 == 0 { time = .seconds(Int64.min / 2) }
      if step % 89 == 0 { time = .seconds(Int64.max / 2) }
      let motion = CameraMotion(
        x: odd[step % 10], y: odd[step / 10 % 10], confidence: Float(odd[step / 100 % 10]))
      _ = tracker.update(with: observations, at: time, cameraMotion: motion)
      #expect(tracker.tracks.count <= 128 && tracker.faces.count <= FaceScores.faceLimit)
      if step % 200 == 0 {
        expectEqual((try? RollTracker(encoded: tracker.encoded())), tracker, "step \(step)")
      }
    }
  }

  @Test func theOrderWithinAFrameDoesNotMatter() {
    var first = RollTracker()
    var second = RollTracker()
    for (time, observations, _) in Self.clip().frames() {
      let events = first.update(with: observations, at: time)
      expectEqual(second.update(with: observations.reversed(), at: time), events)
    }
    #expect(first == second && first.lastRoll != nil)
  }

  @Test func timesThatDoNotAdvance() {
    var tracker = RollTracker()
    let frames = Self.clip().frames()
    for frame in frames { _ = tracker.update(with: frame.1, at: frame.0) }
    let state = tracker
    let end = frames[frames.count - 1].0
    #expect(tracker.update(with: [], at: end).isEmpty && tracker == state)
    #expect(tracker.update(with: [], at: end - .seconds(1)).isEmpty && tracker == state)
    expectEqual(tracker.update(with: [], at: end - .milliseconds(1001)), [.cleared])
    #expect(tracker.dice.isEmpty && tracker.phase == .idle && tracker.lastRoll == nil)
  }

  @Test func diceKeepTheirIdentityOverAGap() {
    var tracker = RollTracker()
    let clip = Clip(
      dice: [.lying(x: 500, y: 500, value: 3), .lying(x: 800, y: 600, value: 5)], duration: 2,
      missRate: 0, spuriousRate: 0)
    let frames = clip.frames()
    for frame in frames { _ = tracker.update(with: frame.1, at: frame.0) }
    let identifiers = tracker.dice.map(\.identifier)
    for frame in frames {
      #expect(tracker.update(with: frame.1, at: frame.0 + .seconds(3600)).isEmpty)
    }
    #expect(identifiers.count == 2 && tracker.dice.map(\.identifier) == identifiers)
    expectEqual(tracker.dice.map(\.value), [3, 5])
  }

  @Test func memoryStaysBoundedOverAHundredThousandFrames() {
    let clip = Clip.throwing(seed: 3, count: 6)
    let frames = clip.frames()
    var tracker = RollTracker()
    var largest = 0
    var rolls = 0
    var time = Duration.zero
    while time < .seconds(100_000) / 30 {
      for frame in frames {
        for event in tracker.update(with: frame.1, at: time + frame.0) {
          if case .rollEnded = event { rolls += 1 }
        }
        largest = max(largest, tracker.tracks.count)
      }
      time += .milliseconds(5000)
    }
    #expect(largest <= 24 && rolls > 300)
    #expect(tracker.tracks.allSatisfy { $0.samples.count <= Track.capacity })
  }

  @Test func ofTooManyObservationsTheMostConfidentStay() {
    var tracker = RollTracker()
    for frame in 0..<8 {
      let observations = (0..<300).map { index in
        RollTracker.Observation(
          boundingBox: BoundingBox(
            x: Double(index % 20) * 90, y: Double(index / 20) * 60, width: 40, height: 40),
          confidence: index % 5 == 0 ? 0.9 : 0.5, value: 1 + index % 6)
      }
      _ = tracker.update(with: observations, at: .milliseconds(33 * frame))
    }
    expectEqual(tracker.dice.count, 64)
    expectEqual(tracker.dice.filter { $0.confidence > 0.8 }.count, 60)
  }

  @Test func configurationsAreChecked() throws {
    typealias Configuration = RollTracker.Configuration
    let changes: [(inout Configuration) -> Void] = [
      { $0.minimumStillDuration = .milliseconds(49) }, { $0.minimumStillObservations = 1 },
      { $0.stillSpeed = .nan }, { $0.moveDistance = 2 }, { $0.throwSpeed = 0 },
      { $0.expectedDiceCount = 0 }, { $0.region = .zero }, { $0.minimumConfidence = 1.5 },
      { $0.minimumEntryConfidence = -0.1 },
      { $0.confirmationObservations = 31 }, { $0.lostDuration = .seconds(11) },
      { $0.duplicateOverlap = 0 }, { $0.maximumSizeRatio = 1 }, { $0.valueMargin = -1 },
      { $0.unsettledDuration = .zero }, { $0.minimumCameraConfidence = -.infinity },
      { $0.cameraMoveDistance = 0 }, { $0.maximumDiceCount = 65 },
      {
        $0.maximumDiceCount = 3
        $0.expectedDiceCount = 4
      },
    ]
    for (index, change) in changes.enumerated() {
      var configuration = Configuration()
      try configuration.validate()
      change(&configuration)
      #expect(throws: RollTracker.ConfigurationError.self, "change \(index)") {
        try RollTracker(configuration: configuration)
      }
    }
    expectEqual(changes.count, 19)
  }
}

import DiceGeometry
import DicePoses
import TestSupport
import Testing

@Suite struct PoseTrackerTests {
  /// Someone who stands at a place.
  private static func person(
    _ x: Double, _ y: Double = 100, size: Double = 50, confidence: Float = 0.9
  ) -> DetectedPerson {
    var pose = Pose()
    pose[.leftShoulder] = Pose.Point(PixelPoint(x: x + 0.2 * size, y: y - 0.3 * size))
    pose[.rightShoulder] = Pose.Point(PixelPoint(x: x - 0.2 * size, y: y - 0.3 * size))
    pose[.leftWrist] = Pose.Point(PixelPoint(x: x + 0.3 * size, y: y), confidence: 0.8)
    return DetectedPerson(
      boundingBox: BoundingBox(midX: x, midY: y, width: size, height: 2 * size),
      confidence: confidence, pose: pose)
  }

  private static func time(_ frame: Int) -> Duration { .milliseconds(40 * frame) }

  @Test func peopleEnterAndLeaveOnceWithHysteresis() throws {
    var tracker = try PoseTracker()
    var events: [(frame: Int, event: PoseTracker.Event)] = []
    for frame in 0..<100 {
      // There from frame 11 to 49, but for single frames; a false person in frame 80.
      let isThere = (11..<50).contains(frame) && frame % 7 != 3 || frame == 80
      let found = isThere ? [Self.person(200)] : []
      for event in try tracker.update(with: found, at: Self.time(frame)) {
        events.append((frame, event))
      }
    }
    expectEqual(events.map(\.event), [.entered(identity: 1), .left(identity: 1)])
    // 200 ms are five frames; 800 ms after the last one.
    expectEqual(events.map(\.frame), [16, 70])
    #expect(tracker.people.isEmpty)
    expectEqual(tracker.player, nil)
  }

  @Test func aConfidenceAboveOneCountsAsOneAndNoNumberAsNobody() throws {
    var tracker = try PoseTracker()
    for frame in 0..<10 {
      try tracker.update(
        with: [
          Self.person(100, confidence: .infinity), Self.person(300, confidence: 7),
          Self.person(500, confidence: .nan),
        ], at: Self.time(frame))
    }
    expectEqual(tracker.people.map(\.confidence), [1, 1])
  }

  @Test func aBoxThatIsTooFarOffIsNobody() throws {
    var tracker = try PoseTracker()
    for frame in 0..<10 {
      let sign: Double = frame % 2 == 0 ? 1 : -1
      let far = DetectedPerson(
        boundingBox: BoundingBox(x: sign * 1e308, y: 0, width: 1e307, height: 10),
        confidence: 0.9, pose: Pose())
      try tracker.update(with: [far, Self.person(100)], at: Self.time(frame))
    }
    expectEqual(tracker.people.map(\.identity), [1])
    #expect(tracker.people.allSatisfy { $0.boundingBox.isFinite })
  }

  @Test func identitiesStayWhateverTheOrder() throws {
    var tracker = try PoseTracker()
    for frame in 0..<60 {
      let step = Double(frame)
      let first = Self.person(100 + 2 * step)
      let second = Self.person(400 - 2 * step, 160)
      try tracker.update(
        with: frame % 2 == 0 ? [first, second] : [second, first], at: Self.time(frame))
    }
    expectEqual(tracker.people.map(\.identity), [1, 2])
    #expect(abs(tracker.people[0].boundingBox.midX - 218) < 12)
    #expect(abs(tracker.people[1].boundingBox.midX - 282) < 12)
  }

  @Test func someoneWhoIsNotFoundForAWhileKeepsTheIdentity() throws {
    var tracker = try PoseTracker()
    for frame in 0..<40 where !(15..<30).contains(frame) {
      try tracker.update(with: [Self.person(100 + Double(frame))], at: Self.time(frame))
    }
    expectEqual(tracker.people.map(\.identity), [1])
    for frame in 40..<55 { try tracker.update(with: [], at: Self.time(frame)) }
    expectEqual(tracker.people.map(\.isSeen), [false])
    for frame in 55..<80 { try tracker.update(with: [], at: Self.time(frame)) }
    for frame in 80..<100 { try tracker.update(with: [Self.person(140)], at: Self.time(frame)) }
    expectEqual(tracker.people.map(\.identity), [2])
  }

  @Test func whoHasEnteredIsNotReplacedByASecondFinding() throws {
    var tracker = try PoseTracker()
    for frame in 0..<60 {
      // Who walks is smoothed and lies a little behind; once there are two findings of the same person.
      let place = 100 + 6 * Double(frame)
      var found = [Self.person(place)]
      if frame == 30 { found.append(Self.person(place + 6)) }
      try tracker.update(with: found, at: Self.time(frame))
      if frame > 6 { #expect(tracker.player?.identity == 1 && tracker.player?.isSeen == true) }
    }
    expectEqual(tracker.people.map(\.identity), [1])
  }

  @Test func thePlayerStaysThePlayerUntilLeaving() throws {
    var tracker = try PoseTracker()
    for frame in 0..<20 {
      try tracker.update(
        with: [Self.person(100, size: 70), Self.person(400, size: 80)], at: Self.time(frame))
    }
    expectEqual(tracker.player?.identity, 2)
    for frame in 20..<40 {
      try tracker.update(
        with: [Self.person(100, size: 95), Self.person(400, size: 80)], at: Self.time(frame))
    }
    expectEqual(tracker.player?.identity, 2)
    for frame in 40..<80 {
      try tracker.update(with: [Self.person(100, size: 95)], at: Self.time(frame))
    }
    expectEqual(tracker.player?.identity, 1)
  }

  @Test func aMissingJointStaysAShortWhile() throws {
    var tracker = try PoseTracker()
    for frame in 0..<20 {
      var person = Self.person(100)
      if frame >= 12 { person.pose[.leftWrist] = nil }
      try tracker.update(with: [person], at: Self.time(frame))
      let wrist = tracker.player?.pose[.leftWrist]
      // 150 ms are less than four frames.
      if (6..<15).contains(frame) { #expect(wrist != nil, "\(frame)") }
      if frame >= 15 { expectEqual(wrist, nil, "\(frame)") }
      if frame >= 6 { #expect(tracker.player?.pose[.leftShoulder] != nil) }
    }
  }

  @Test func timeMustIncrease() throws {
    var tracker = try PoseTracker()
    try tracker.update(with: [Self.person(100)], at: .seconds(1))
    let before = tracker
    for time in [Duration.seconds(1), .milliseconds(999)] {
      #expect(throws: PoseTrackerError.timeNotIncreasing(time, previous: .seconds(1))) {
        try tracker.update(with: [], at: time)
      }
      expectEqual(tracker, before)
    }
    tracker.reset()
    try tracker.update(with: [], at: .zero)
  }

  @Test func crowdsAndDamagedPeopleDoNoHarm() throws {
    var tracker = try PoseTracker()
    let crowd = (0..<200).map { index in
      Self.person(60 * Double(index), confidence: 0.4 + Float(index) / 400)
    }
    let damaged = [
      DetectedPerson(
        boundingBox: BoundingBox(x: .nan, y: 0, width: 5, height: 5), confidence: 1, pose: Pose()),
      DetectedPerson(
        boundingBox: BoundingBox(x: 0, y: 0, width: 0, height: 5), confidence: 1, pose: Pose()),
      DetectedPerson(
        boundingBox: BoundingBox(x: 0, y: 0, width: 5, height: 5), confidence: .nan, pose: Pose()),
    ]
    for frame in 0..<40 { try tracker.update(with: damaged + crowd, at: Self.time(frame)) }
    expectEqual(tracker.people.count, PoseTracker.personLimit)
    // The most confident ones.
    #expect(tracker.people.allSatisfy { $0.boundingBox.midX > 60 * 183 })
  }

  @Test func smoothingDoesNotDependOnTheFrameRate() throws {
    var places: [Double] = []
    for rate in [30, 120] {
      var tracker = try PoseTracker()
      for frame in 0...rate {
        let time = Double(frame) / Double(rate)
        // Slow, then fast.
        try tracker.update(
          with: [Self.person(100 + 20 * time + 300 * time * time * time)], at: .seconds(time))
      }
      places.append(try #require(tracker.player?.pose[.leftWrist]).location.x)
    }
    #expect(abs(places[0] - places[1]) < 4, "\(places)")
    #expect(abs(places[1] - 435) < 6, "\(places)")
  }

  @Test func numbersOutOfRangeAreRefused() {
    let changes: [(String, (inout PoseTracker.Configuration) -> Void)] = [
      ("minimumConfidence", { $0.minimumConfidence = .nan }),
      ("minimumPersonConfidence", { $0.minimumPersonConfidence = 2 }),
      ("minimumSimilarity", { $0.minimumSimilarity = -1 }),
      ("timeToEnter", { $0.timeToEnter = .seconds(11) }),
      ("timeToLeave", { $0.timeToLeave = .zero }),
      ("timeToForgetJoint", { $0.timeToForgetJoint = .seconds(-1) }),
      ("minimumCutoff", { $0.smoothing?.minimumCutoff = 0 }),
      ("cutoffBySpeed", { $0.smoothing?.cutoffBySpeed = .infinity }),
      ("restingSpeed", { $0.smoothing?.restingSpeed = -1 }),
      ("speedCutoff", { $0.smoothing?.speedCutoff = 0 }),
      ("lead", { $0.smoothing?.lead = 1.5 }),
    ]
    for (name, change) in changes {
      var configuration = PoseTracker.Configuration()
      change(&configuration)
      do throws(PoseTrackerError) {
        _ = try PoseTracker(configuration)
        Issue.record("\(name) was accepted")
      } catch { #expect("\(error)".hasPrefix(name), "\(error)") }
    }
  }

  @Test func aWrittenSequenceIsReadAsItWas() throws {
    var pose = Pose()
    pose[.leftWrist] = Pose.Point(PixelPoint(x: 12.25, y: 7.5), confidence: 0.75)
    pose[.head] = Pose.Point(PixelPoint(x: 1, y: 2), confidence: 1)
    let sequence = PoseSequence(
      id: "a", framesPerSecond: 25, width: 64, height: 48, poses: [pose, Pose(), pose],
      label: "overhand")
    try expectEqual(PoseSequence.read(jsonLines: sequence.jsonLine()), [sequence])
    let nobody = PoseSequence(id: "b", poses: [Pose()])
    try expectEqual(PoseSequence.read(jsonLines: nobody.jsonLine()), [nobody])
  }

  @Test func timesThatSecondsCannotTellApartLeavePlacesFinite() throws {
    var configuration = PoseTracker.Configuration()
    configuration.timeToEnter = .zero
    var tracker = try PoseTracker(configuration)
    let start = Duration.seconds(1 << 60)
    for frame in 0..<3 {
      let x = 200 + 5 * Double(frame)
      try tracker.update(with: [Self.person(x)], at: start + .nanoseconds(frame))
      let player = try #require(tracker.player)
      expectEqual(player.boundingBox, Self.person(x).boundingBox)
      expectEqual(player.pose[.leftWrist]?.location.x, x + 15)
    }
    // Beyond all components of a duration.
    try tracker.update(with: [], at: .seconds(Int64.max) + .seconds(Int64.max))
    #expect(tracker.people.isEmpty)
  }
}

import DiceGeometry
import TestSupport
import Testing

@testable import DicePoses

@Suite struct ActionFeaturesTests {
  /// A body whose wrists circle, at a time of 0...1, at a place and of a size.
  private static func pose(
    _ time: Double, x: Double = 100, y: Double = 80, torso: Double = 40
  ) -> Pose {
    var pose = Pose()
    let places: [(Joint, Double, Double)] = [
      (.head, 0, -1.4), (.leftShoulder, 0.3, -1), (.rightShoulder, -0.3, -1),
      (.leftElbow, 0.5, -0.5), (.rightElbow, -0.5, -0.5), (.leftWrist, 0.5 + time, -time),
      (.rightWrist, -0.6, 0.2 * time), (.leftHip, 0.2, 0), (.rightHip, -0.2, 0),
      (.leftKnee, 0.2, 0.8), (.rightKnee, -0.2, 0.8), (.leftAnkle, 0.2, 1.6),
      (.rightAnkle, -0.2, 1.6),
    ]
    for (joint, dx, dy) in places {
      pose[joint] = Pose.Point(PixelPoint(x: x + torso * dx, y: y + torso * dy))
    }
    return pose
  }

  private static func window(
    count: Int, duration: Double = 1, _ pose: (Double) -> Pose
  ) -> [TimedPose] {
    (0..<count).map { (index) in
      let share = Double(index) / Double(max(1, count - 1))
      return TimedPose(time: 5 + duration * share, pose: pose(share))
    }
  }

  private static func values(_ window: [TimedPose], isMirrored: Bool = false) -> [Float]? {
    var features = ActionFeatures()
    guard features.take(window[...]) else { return nil }
    features.measure(isMirrored: isMirrored)
    return features.values
  }

  private static func distance(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).map { ($0 - $1).magnitude }.max() ?? 0
  }

  @Test func neitherFrameRateNorPlaceNorSizeMatter() throws {
    let plain = try #require(Self.values(Self.window(count: 24) { Self.pose($0) }))
    expectEqual(plain.count, ActionFeatures.count)
    let dense = try #require(Self.values(Self.window(count: 240, duration: 3) { Self.pose($0) }))
    #expect(Self.distance(plain, dense) < 0.06)
    let sparse = try #require(Self.values(Self.window(count: 9) { Self.pose($0) }))
    #expect(Self.distance(plain, sparse) < 0.08)
    let moved = try #require(
      Self.values(Self.window(count: 24) { Self.pose($0, x: 900, y: 400, torso: 130) }))
    #expect(Self.distance(plain, moved) < 1e-3)
    // What does matter.
    let reversed = try #require(Self.values(Self.window(count: 24) { Self.pose(1 - $0) }))
    #expect(Self.distance(plain, reversed) > 0.5)
  }

  @Test func placesAreThoseOfTheWindow() throws {
    let values = try #require(Self.values(Self.window(count: 24) { Self.pose($0) }))
    let width = ActionFeatures.joints.count * 2
    let wrist = 2 * (ActionFeatures.joints.firstIndex(of: .leftWrist) ?? 0)
    #expect((values[wrist] - 0.5).magnitude < 0.03)
    #expect((values[23 * width + wrist] - 1.5).magnitude < 0.03)
    #expect((values[23 * width + wrist + 1] + 1).magnitude < 0.03)
    // Movements: a torso in 23 steps.
    #expect((values[24 * width + 10 * width + wrist] - 3 / 23).magnitude < 1e-3)
  }

  @Test func mirrorsSwapSides() throws {
    let window = Self.window(count: 30) { Self.pose($0) }
    let mirrored = window.map { TimedPose(time: $0.time, pose: $0.pose.mirrored(width: 300)) }
    let one = try #require(Self.values(window, isMirrored: true))
    let other = try #require(Self.values(mirrored))
    #expect(Self.distance(one, other) < 1e-3)
    #expect(Self.distance(one, try #require(Self.values(window))) > 0.5)
  }

  @Test func missingJointsAreTakenFromAround() throws {
    let plain = try #require(Self.values(Self.window(count: 24) { Self.pose($0) }))
    var window = Self.window(count: 24) { Self.pose($0) }
    for index in 8..<14 { window[index].pose[.leftWrist] = nil }
    #expect(Self.distance(plain, try #require(Self.values(window))) < 0.06)
    // A stray place of no confidence to speak of does no harm.
    window[10].pose[.leftWrist] = Pose.Point(PixelPoint(x: 1e6, y: -1e6), confidence: 0.01)
    #expect(Self.distance(plain, try #require(Self.values(window))) < 0.06)
    // A joint that is never there lies on its neighbour.
    for index in window.indices { window[index].pose[.rightWrist] = nil }
    let values = try #require(Self.values(window))
    #expect(values[2 * 6] == values[2 * 4] && values[2 * 6 + 1] == values[2 * 4 + 1])
    for index in window.indices { window[index].pose[.head] = nil }
    #expect((try #require(Self.values(window))[1] + 1.4).magnitude < 0.01)
  }

  @Test func thereIsNothingToMeasureWithoutATorso() {
    expectEqual(Self.values([]), nil)
    var window = Self.window(count: 10) { Self.pose($0) }
    for index in window.indices {
      window[index].pose[.leftHip] = nil
      window[index].pose[.rightHip] = nil
    }
    expectEqual(Self.values(window), nil)
    expectEqual(Self.values([TimedPose(time: 0, pose: Pose())]), nil)
  }

  @Test func numbersStayInRangeForAnyPoses() throws {
    for pose in [Self.pose(0, torso: 0), Self.pose(0, x: 9e5, y: -9e5, torso: 8e4)] {
      for times in [[0.0], [0, 0, 0], [0, 1e-300], [0, 1e300], [-1e308, 1e308]] {
        let window = times.map { TimedPose(time: $0, pose: pose) }
        let values = try #require(Self.values(window))
        #expect(values.allSatisfy { $0.magnitude <= ActionFeatures.greatest }, "\(times)")
      }
    }
  }

  @Test func aWindowAsLongAsNumbersGoIsMeasured() throws {
    let longest = 1.7e308
    let window = (0..<3).map { index in
      TimedPose(time: longest / 2 * Double(index), pose: Self.pose(Double(index) / 2))
    }
    let plain = try #require(Self.values(Self.window(count: 3) { Self.pose($0) }))
    let long = try #require(Self.values(window))
    #expect(Self.distance(plain, long) < 1e-3)
  }
}

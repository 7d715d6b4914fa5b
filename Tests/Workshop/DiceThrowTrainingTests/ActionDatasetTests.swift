import DiceGeometry
import DicePoses
import DiceTraining
import TestSupport
import Testing

@testable import DiceThrowTraining

@Suite struct ActionDatasetTests {
  private static func sequences(_ labels: [String?]) -> [PoseSequence] {
    labels.enumerated().map { (index, label) in
      PoseSequence(id: "\(index)", poses: [Pose()], label: label)
    }
  }

  @Test func otherLabelsAreLeftOut() throws {
    let all = Self.sequences(["b", "a", nil, "serve", "a"])
    let dataset = try ActionDataset(all, labels: ["a", "b"])
    #expect(dataset.sequences.map(\.id) == ["0", "1", "4"] && dataset.classes == [1, 0, 0])
    try expectEqual(ActionDataset(all).labels, ["a", "b", "serve"])
    #expect(throws: ActionDatasetError.labelCount(found: 1)) {
      try ActionDataset(Self.sequences(["a", "a"]))
    }
    #expect(throws: ActionDatasetError.labelTwice) {
      try ActionDataset(all, labels: ["a", "a"])
    }
    #expect(throws: ActionDatasetError.noSequences(label: "underleg")) {
      try ActionTask(ActionDataset(all, labels: ["a", "underleg"]))
    }
    #expect(throws: ActionDatasetError.noSequences(label: "c")) {
      try ActionTask(ActionDataset(all, labels: ["a", "c"]), usesFigures: true)
    }
  }

  @Test func everySequenceIsLeftOutOnce() throws {
    let dataset = try ActionDataset(
      Self.sequences((0..<500).map { $0 % 2 == 0 ? "a" : "b" }))
    var seen: [String] = []
    for fold in 0..<5 {
      let out = dataset.fold(fold, of: 5, isLeftOut: false)
      let rest = dataset.fold(fold, of: 5, isLeftOut: true)
      #expect(out.sequences.count > 60 && out.sequences.count + rest.sequences.count == 500)
      #expect(Set(out.sequences.map(\.id)).isDisjoint(with: rest.sequences.map(\.id)))
      #expect(zip(out.sequences, out.classes).allSatisfy { $0.label == dataset.labels[$1] })
      seen += out.sequences.map(\.id)
    }
    #expect(seen.count == 500 && Set(seen).count == 500)
  }

  @Test func sharesAndIntervalsAreThoseOfTheReadings() {
    var accuracy = ActionAccuracy(labels: ["a", "b", "c"])
    #expect(accuracy.balancedAccuracy == 0 && accuracy.share == 0)
    var readings: [ActionAccuracy.Reading] = []
    for index in 0..<90 {
      let told: [Float] = index < 81 ? [0.8, 0.1, 0.1] : [0, 1, 0]
      readings.append(ActionAccuracy.Reading(id: "a", truth: 0, probabilities: told))
    }
    for index in 0..<10 {
      let told: [Float]? = index < 5 ? [0, 1, 0] : nil
      readings.append(ActionAccuracy.Reading(id: "b", truth: 1, probabilities: told))
    }
    accuracy = ActionAccuracy(labels: accuracy.labels, readings: readings)
    #expect((accuracy.balancedAccuracy - 0.7).magnitude < 1e-9)
    #expect((accuracy.share - 0.86).magnitude < 1e-9)
    expectEqual(accuracy.confusions, [[81, 9, 0], [0, 5, 0], [0, 0, 0]])
    // Wilson: 0.9 in 0.8207...0.9465 for 90, and 0.5 in 0.2366...0.7634 for 10.
    let below = 0.5 * (0.0793 * 0.0793 + 0.2634 * 0.2634).squareRoot()
    let above = 0.5 * (0.0465 * 0.0465 + 0.2634 * 0.2634).squareRoot()
    let interval = accuracy.interval
    #expect((interval.lowerBound - (0.7 - below)).magnitude < 1e-3)
    #expect((interval.upperBound - (0.7 + above)).magnitude < 1e-3)
  }

  @Test func tooSureAnswersNeedAHigherTemperature() {
    // Sure of 98 %, and right in three of four.
    let readings = (0..<400).map { (index) in
      ActionAccuracy.Reading(
        id: "", truth: index % 4 == 0 ? 1 : 0, probabilities: [0.98, 0.02])
    }
    let temperature = ActionAccuracy(labels: ["a", "b"], readings: readings).bestTemperature
    // ln(49) / ln(3) = 3.54.
    #expect(temperature > 3.2 && temperature < 3.9)
  }

  @Test func noiseMovesJointsByItsMeasure() {
    var pose = Pose()
    for joint in ActionFeatures.joints { pose[joint] = Pose.Point(PixelPoint(x: 100, y: 100)) }
    pose[.leftHip]?.location.y = 200
    pose[.rightHip]?.location.y = 200
    let sequence = PoseSequence(id: "", poses: [Pose](repeating: pose, count: 400))
    var random = TrainingRandom(3)
    let noisy = ActionAccuracy.disturbed(sequence, by: 0.15, using: &random)
    var sum = 0.0
    for pose in noisy.poses {
      let x = (pose[.leftWrist]?.location.x ?? 0) - 100
      sum += x * x
    }
    #expect(((sum / 400).squareRoot() - 15).magnitude < 1.5)
  }

  @Test func theFastestFrameIsThatOfTheHand() {
    var poses: [Pose] = []
    for frame in 0..<40 {
      var pose = Pose()
      for (joint, x, y) in [
        (Joint.leftHip, 10.0, 50.0), (.rightHip, 0, 50), (.leftShoulder, 10, 0),
        (.rightShoulder, 0, 0), (.leftWrist, 20, 40),
      ] { pose[joint] = Pose.Point(PixelPoint(x: x + Double(frame), y: y)) }
      let swing = 60 / (1 + Double((frame - 25) * (frame - 25)))
      pose[.rightWrist] = Pose.Point(
        PixelPoint(x: Double(frame) + (frame < 25 ? -60 + swing : 60 - swing), y: 30))
      poses.append(pose)
    }
    #expect((24...26).contains(ThrowWindow.fastestFrame(of: poses)))
    expectEqual(ThrowWindow.fastestFrame(of: [Pose()]), 0)
  }
}

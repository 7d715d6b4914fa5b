import DiceGeometry
import DiceModelImport
import DicePoses
import DiceWeights
import TestSupport
import Testing
import ThrowVisionKit

/// Create ML's classifiers of actions, imported, in `ActionClassifier`.
struct ImportedActionTests {
  /// A classifier whose probabilities are the numbers that it reads: frame by frame, x of all joints, y of all
  /// joints, confidences of all joints.
  private static func mirror(
    frames: Int, joints: Int = 18, labels: Int? = nil
  ) throws -> ImportedModel {
    let count = labels ?? frames * 3 * joints
    let names = (0..<count).flatMap { Message.text(1, "number \($0)") }
    return try ModelImporter.importCoreML(
      CoreMLFile.model(
        inputs: [CoreMLFile.array("poses", [frames, 3, joints])],
        outputs: [
          CoreMLFile.feature("labelProbabilities", kind: 6), CoreMLFile.feature("label", kind: 3),
        ],
        kind: 403,
        content: CoreMLFile.network(
          [CoreMLFile.layer(301, ["poses"], ["labelProbabilities"])], Message.bytes(100, names)),
        description: Message.text(11, "label") + Message.text(12, "labelProbabilities")))
  }

  private static func classifier(
    frames: Int, framesPerSecond: Double = 30, width: Int = 200, height: Int = 100
  ) throws -> ActionClassifier {
    var classifier = try ActionClassifier(
      weights: mirror(frames: frames).weightFile(), framesPerSecond: framesPerSecond)
    (classifier.frameWidth, classifier.frameHeight) = (width, height)
    return classifier
  }

  /// A pose with one joint.
  private static func pose(
    _ joint: Joint, x: Double, y: Double = 0, confidence: Float = 1
  ) -> Pose {
    var pose = Pose()
    pose[joint] = Pose.Point(PixelPoint(x: x, y: y), confidence: confidence)
    return pose
  }

  /// Poses whose nose is at x = 1, 2, 3 and so on, some frames of a second apart.
  private static func noses(_ count: Int, framesPerSecond: Double = 30) -> [TimedPose] {
    (0..<count).map {
      TimedPose(time: 5 + Double($0) / framesPerSecond, pose: pose(.nose, x: Double($0 + 1)))
    }
  }

  /// The noses' x of each frame, in pixels.
  private static func noses(
    _ window: [TimedPose], _ classifier: ActionClassifier
  ) throws -> [Float] {
    let numbers = try #require(try classifier.classify(window)).probabilities
    return stride(from: 0, to: numbers.count, by: 54).map {
      (numbers[$0] * Float(classifier.frameWidth) * 10).rounded() / 10
    }
  }

  @Test func jointsStandInVisionsOrder() throws {
    let order: [Joint] = [
      .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow,
      .leftWrist, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye,
      .leftEye, .rightEar, .leftEar,
    ]
    let classifier = try Self.classifier(frames: 1)
    expectEqual(classifier.labels.count, 54)
    for (place, joint) in order.enumerated() {
      // Frames of 200 x 100 pixels: a quarter from the left, a tenth from the top.
      let window = [
        TimedPose(time: 0, pose: Self.pose(joint, x: 50, y: 10, confidence: 0.5))
      ]
      let numbers = try #require(try classifier.classify(window)).probabilities
      var right = [Float](repeating: 0, count: 18) + [Float](repeating: 1, count: 18)
      right += [Float](repeating: 0, count: 18)
      (right[place], right[18 + place], right[36 + place]) = (0.25, 0.9, 0.5)
      #expect(difference(numbers, right) < 1e-6, "\(joint)")
    }
  }

  @Test func neckAndNoseFollowFromOtherJoints() throws {
    let classifier = try Self.classifier(frames: 1)
    var pose = Self.pose(.head, x: 20, y: 30, confidence: 0.7)
    pose[.leftShoulder] = Pose.Point(PixelPoint(x: 40, y: 60), confidence: 0.9)
    pose[.rightShoulder] = Pose.Point(PixelPoint(x: 60, y: 70), confidence: 0.8)
    let numbers = try #require(try classifier.classify([TimedPose(time: 0, pose: pose)]))
      .probabilities
    #expect(difference([numbers[0], numbers[18], numbers[36]], [0.1, 0.7, 0.7]) < 1e-6)
    #expect(difference([numbers[1], numbers[19], numbers[37]], [0.25, 0.35, 0.8]) < 1e-6)
  }

  @Test func aLongWindowIsReadAtItsEndAndAShortOneFilled() throws {
    let classifier = try Self.classifier(frames: 4)
    try expectEqual(Self.noses(Self.noses(4), classifier), [1, 2, 3, 4])
    try expectEqual(Self.noses(Self.noses(9), classifier), [6, 7, 8, 9])
    try expectEqual(Self.noses(Self.noses(2), classifier), [1, 2, 0, 0])
    // Frames that are filled are 0 throughout, others have 1 for y of missing joints.
    let numbers = try #require(try classifier.classify(Self.noses(2))).probabilities
    #expect(numbers[54 + 19] == 1 && numbers[108...].allSatisfy { $0 == 0 })
  }

  @Test func framesAreThoseNearestToTheirMoments() throws {
    let classifier = try Self.classifier(frames: 4)
    // Twice and half the frame rate that the network has learnt.
    try expectEqual(Self.noses(Self.noses(8, framesPerSecond: 60), classifier), [2, 4, 6, 8])
    let slow = try Self.noses(Self.noses(3, framesPerSecond: 15), classifier)
    #expect(slow.last == 3 && slow[1] == 2 && slow == slow.sorted())
    let other = try Self.classifier(frames: 4, framesPerSecond: 15)
    try expectEqual(Self.noses(Self.noses(8), other), [2, 4, 6, 8])
    // The rest of a window that is no multiple of the frames.
    try expectEqual(Self.noses(Self.noses(7, framesPerSecond: 60), classifier), [1, 3, 5, 7])
  }

  @Test func timesAndPlacesOutOfRangeDoNotTrap() throws {
    let classifier = try Self.classifier(frames: 3)
    let pose = Self.pose(.nose, x: 1e6, y: -1e6)
    for times in [
      [0, Double.infinity], [-Double.infinity, 0], [Double.nan, 1], [1, .nan], [5, 4, 3],
      [-1e308, 1e308], [0, 0], [0, .leastNonzeroMagnitude],
    ] {
      let window = times.map { TimedPose(time: $0, pose: pose) }
      let prediction = try #require(try classifier.classify(window))
      expectEqual(prediction.probabilities.count, 162)
    }
  }

  @Test func nothingIsToldWithoutAnyJoint() throws {
    let classifier = try Self.classifier(frames: 3)
    try expectEqual(classifier.classify([]), nil)
    try expectEqual(classifier.classify([TimedPose(time: 0, pose: Pose())]), nil)
    // One joint is enough, without a trunk.
    let window = [TimedPose(time: 0, pose: Self.pose(.leftWrist, x: 1))]
    #expect(try classifier.classify(window) != nil)
  }

  @Test func theSizeOfFramesMustBeKnown() throws {
    let weights = try Self.mirror(frames: 2).weightFile()
    var classifier = try ActionClassifier(weights: weights)
    let pose = Self.pose(.nose, x: 10, y: 10)
    #expect(throws: ActionClassifierError.frameSize(width: 0, height: 0)) {
      try classifier.classify([TimedPose(time: 0, pose: pose)])
    }
    #expect(throws: ActionClassifierError.frameSize(width: 0, height: 0)) {
      try classifier.classify(PoseSequence(id: "", width: 100, poses: [pose]))
    }
    // A sequence's own size comes before that of the classifier.
    let sized = PoseSequence(id: "", width: 100, height: 50, poses: [pose])
    let own = try #require(try classifier.classify(sized)).probabilities
    #expect(difference([own[0], own[18]], [0.1, 0.8]) < 1e-6)
    (classifier.frameWidth, classifier.frameHeight) = (20, 20)
    try expectEqual(classifier.classify(sized)?.probabilities, own)
    let other = try #require(try classifier.classify(PoseSequence(id: "", poses: [pose])))
    #expect(difference([other.probabilities[0], other.probabilities[18]], [0.5, 0.5]) < 1e-6)
    expectEqual(
      ActionClassifierError.frameSize(width: 0, height: 7).description,
      "The frames are 0 x 7 pixels; a classifier of Create ML must be told their size.")
  }

  @Test func onlyPosesOf18JointsAreActions() throws {
    try expectEqual(Self.mirror(frames: 2).description.task, "actions")
    // Hands have 21 joints.
    let hands = try Self.mirror(frames: 2, joints: 21)
    #expect(hands.description.task.isEmpty)
    #expect(throws: ActionClassifierError.task(found: "", required: "actions")) {
      try ActionClassifier(weights: hands.weightFile())
    }
    // Without labels nobody knows what the numbers are.
    #expect(try Self.mirror(frames: 2, labels: 0).description.task.isEmpty)
  }

  @Test func otherOutputsAreRefused() throws {
    func error(_ change: (inout NetworkDescription) -> Void) throws -> ActionClassifierError? {
      var model = try Self.mirror(frames: 2)
      change(&model.description)
      let bytes = try model.weightFile()
      do throws(ActionClassifierError) { _ = try ActionClassifier(weights: bytes) } catch {
        #expect(error.description.hasSuffix("."))
        return error
      }
      return nil
    }
    try expectEqual(error { (_) in }, nil)
    let name = "labelProbabilities"
    try expectEqual(error { $0.outputs[0].head = nil }, .head(.noHead(output: name)))
    try expectEqual(
      error { $0.outputs[0].head = NetworkHead(kind: "class logits", labels: ["a"]) },
      .head(.wrongKind(output: name, found: "class logits", required: "classes")))
    try expectEqual(
      error { $0.outputs[0].head?.labels.removeLast() },
      .head(.labelCount(output: name, found: 107, valueCount: 108)))
  }

  @Test(.enabled(if: Models.folder != nil, Models.absence))
  func applesClassifierAnswersAsItsLayersSay() throws {
    let folder = "playeraction/PlayerActionClassifier"
    let model = try ModelImporter.importCoreML(Models.bytes("\(folder).mlmodel"))
    let input = try Models.array("\(folder).in.poses.npy")
    let right = try Models.array("\(folder).out.labelProbabilities.npy")
    let classifier = try ActionClassifier(weights: model.weightFile())
    expectEqual(classifier.labels, ["none", "overhand", "underhand", "underleg"])
    let order: [Joint] = [
      .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow,
      .leftWrist, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye,
      .leftEye, .rightEar, .leftEar,
    ]
    let poses = (0..<45).map { (frame) in
      var pose = Pose()
      for (place, joint) in order.enumerated() {
        func number(_ row: Int) -> Float { input.numbers[(frame * 3 + row) * 18 + place] }
        pose[joint] = Pose.Point(
          PixelPoint(x: 1920 * Double(number(0)), y: 1080 * (1 - Double(number(1)))),
          confidence: number(2))
      }
      return pose
    }
    let sequence = PoseSequence(
      id: "", framesPerSecond: 30, width: 1920, height: 1080, poses: poses)
    let prediction = try #require(try classifier.classify(sequence))
    #expect(difference(prediction.probabilities, right.numbers) < 1e-4)
    expectEqual(prediction.label, "underleg")
  }
}

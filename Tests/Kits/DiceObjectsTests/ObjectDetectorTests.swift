import DiceDetectorHeads
import DiceGeometry
import DiceImaging
import DiceObjects
import DiceRolls
import DiceWeights
import TestSupport
import Testing

/// The detector around a network whose boxes are known.
struct ObjectDetectorTests {
  /// A network that says what the mean of each channel is, and these rows of boxes.
  private static func weights(
    _ rows: [[Float]], labels: [String] = ["cat", "dog"],
    content: NetworkInput.Content = .image(ImageRules(cropAndScale: .scaleFit))
  ) throws -> [UInt8] {
    let shape = TensorShape(height: rows.count, width: 1, channels: rows[0].count)
    let network = NetworkDescription(
      name: "test",
      inputs: [
        NetworkInput(
          name: "image", shape: TensorShape(height: 64, width: 64, channels: 3),
          content: content)
      ],
      layers: [
        .constant(Layer.Constant(tensor: 0, shape: shape)),
        .activation(Layer.Pointwise(input: .input(0), function: .relu)),
      ],
      outputs: [
        NetworkOutput(
          name: "boxes", layer: 0,
          head: NetworkHead(kind: DetectorHeadKind.boxRows.rawValue, labels: labels)),
        NetworkOutput(name: "rest", layer: 1),
      ])
    return try WeightFile.encode(
      description: network, tensors: [Array(rows.joined())], storage: .float32)
  }

  private static let picture = PixelImage(
    width: 128, height: 64, format: .rgb,
    samples: [UInt8](repeating: 90, count: 128 * 64 * 3))

  @Test func boxesComeBackToThePicture() throws {
    // A picture of 128 by 64 is halved, with 16 rows of padding above and below.
    let bytes = try Self.weights([
      [32, 32, 16, 8, 0.1, 0.9], [33, 32, 16, 8, 0.8, 0.1], [33, 33, 16, 8, 0.2, 0.7],
      [62, 32, 16, 16, 0.6, 0], [32, 4, 8, 8, 0.5, 0], [10, 32, 8, 8, 0.1, 0.2],
    ])
    let detector = try ObjectDetector(weights: bytes)
    let result = try detector.detect(in: Self.picture)
    #expect(result.uprightWidth == 128 && result.uprightHeight == 64)
    #expect(
      result.objects == [
        DetectedObject(
          label: "dog", classIndex: 1, confidence: 0.9,
          boundingBox: BoundingBox(x: 48, y: 24, width: 32, height: 16)),
        DetectedObject(
          label: "cat", classIndex: 0, confidence: 0.8,
          boundingBox: BoundingBox(x: 50, y: 24, width: 32, height: 16)),
        // Clipped, and the box in the padding is gone.
        DetectedObject(
          label: "cat", classIndex: 0, confidence: 0.6,
          boundingBox: BoundingBox(x: 108, y: 16, width: 20, height: 32)),
      ])
    expectEqual(
      result.normalizedBoundingBox(of: result.objects[0]),
      NormalizedRect(x: 0.375, y: 0.375, width: 0.25, height: 0.25))
    let across = try ObjectDetector(
      weights: bytes, configuration: ObjectDetector.Configuration(competition: .acrossClasses))
    try expectEqual(across.detect(in: Self.picture).objects.count, 2)
    try expectEqual(detector.detect(in: Self.picture, confidenceThreshold: 0.15).objects.count, 4)
    // Stretched, the same numbers are other boxes.
    let stretched = try ObjectDetector(
      weights: bytes, configuration: ObjectDetector.Configuration(cropAndScale: .scaleFill))
    try expectEqual(
      stretched.detect(in: Self.picture).objects[0].boundingBox,
      BoundingBox(x: 48, y: 28, width: 32, height: 8))
  }

  @Test func whatIsNoDetectorIsRefused() throws {
    let rows: [[Float]] = [[32, 32, 16, 8, 0.1, 0.9]]
    #expect(throws: ObjectDetectorError.self) {
      try ObjectDetector(weights: Self.weights(rows, content: .tensor))
    }
    #expect(
      throws: ObjectDetectorError.heads(
        .channelCount(output: "boxes", found: 6, required: 5))
    ) {
      try ObjectDetector(weights: Self.weights(rows, labels: ["cat"]))
    }
    #expect(throws: ObjectDetectorError.self) { try ObjectDetector(weights: [1, 2, 3]) }
    #expect(throws: ObjectDetectorError.invalidThreadCount(0)) {
      try ObjectDetector(
        weights: Self.weights(rows), configuration: .init(threadCount: 0))
    }
    let detector = try ObjectDetector(weights: Self.weights(rows))
    #expect(
      throws: ObjectDetectorError.invalidThreshold(name: "confidenceThreshold", value: 2)
    ) {
      try detector.detect(in: Self.picture, confidenceThreshold: 2)
    }
    #expect(throws: ObjectDetectorError.self) {
      try detector.detect(in: Self.picture, confidenceThreshold: .nan)
    }
    #expect(throws: ObjectDetectorError.self) { try detector.detect(inImageFile: [1, 2, 3]) }
  }

  @Test func diceOfAnObjectDetectorCanBeFollowed() throws {
    let detector = try ObjectDetector(
      weights: Self.weights([[32, 32, 16, 8, 0.1, 0.9]], labels: ["3", "five"]))
    let object = try #require(try detector.detect(in: Self.picture).objects.first)
    expectEqual(object.value, 2)
    let observation = RollTracker.Observation(object)
    expectEqual(observation.values, [ValueProbability(value: 2, confidence: 1)])
    var named = object
    named.label = "5"
    expectEqual(RollTracker.Observation(named).values.first?.value, 5)
  }
}

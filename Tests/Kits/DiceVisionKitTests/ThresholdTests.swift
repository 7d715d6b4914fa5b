import DiceDetection
import DiceWeights
import DiceVisionKit
import Synchronization
import TestSupport
import Testing

@Suite struct ThresholdTests {
  /// Two neighbours of the values 1 and 2, of which the first is more confident.
  ///
  /// Their boxes of 12 by 12 pixels overlap by 4 by 12, an intersection over union of 0.2.
  private let neighbours = PixelImage.blocks(
    [
      Block(value: 1, x: 16, y: 16, width: 8, height: 8),
      Block(value: 2, x: 24, y: 16, width: 8, height: 8, brightness: 85),
    ], width: 64, height: 64)

  @Test func asksForBothThresholdsInEveryFrame() throws {
    let provider = CountingProvider()
    let detector = try PatternNetwork().detector()
    for frame in 1...3 {
      _ = try detector.detect(in: neighbours, thresholds: provider)
      expectEqual(provider.asked.withLock { $0 }.filter { $0 == "iouThreshold" }.count, frame)
      expectEqual(
        provider.asked.withLock { $0 }.filter { $0 == "confidenceThreshold" }.count, frame)
      expectEqual(provider.asked.withLock { $0 }.count, 2 * frame)
    }
  }

  @Test func thresholdsMayChangeFromFrameToFrame() throws {
    let thresholds = AdjustableThresholds()
    let detector = try PatternNetwork(baseSize: 12).detector()
    try expectEqual(detector.detect(in: neighbours, thresholds: thresholds).values, [1, 2])
    thresholds.iouThreshold = 0.19
    try expectEqual(detector.detect(in: neighbours, thresholds: thresholds).values, [1])
    thresholds.iouThreshold = 0.21
    try expectEqual(detector.detect(in: neighbours, thresholds: thresholds).values, [1, 2])
    let second = try detector.detect(in: neighbours, thresholds: thresholds).observations[1]
    thresholds.confidenceThreshold = second.confidence.nextUp
    try expectEqual(detector.detect(in: neighbours, thresholds: thresholds).values, [1])
    // What is as confident as the threshold stays.
    thresholds.confidenceThreshold = second.confidence
    try expectEqual(detector.detect(in: neighbours, thresholds: thresholds).values, [1, 2])
    expectEqual(thresholds.featureNames, ["iouThreshold", "confidenceThreshold"])
    expectEqual(thresholds.featureValue(for: "iouThreshold"), 0.21)
    expectEqual(thresholds.featureValue(for: "somethingElse"), nil)
  }

  @Test func theWeightFilesThresholdsFillTheGaps() throws {
    let network = PatternNetwork(
      baseSize: 12, thresholds: RecommendedThresholds(overlap: 0.1, confidence: 0.2))
    let detector = try network.detector()
    let defaults = detector.defaultThresholds
    #expect(defaults.iouThreshold == 0.1 && defaults.confidenceThreshold == 0.2)
    try expectEqual(detector.detect(in: neighbours).values, [1])
    try expectEqual(detector.detect(in: neighbours, thresholds: Thresholds()).values, [1])
    try expectEqual(detector.detect(in: neighbours, thresholds: AdjustableThresholds()).values, [1])
    try expectEqual(detector.detect(in: neighbours, thresholds: .createML).values, [1, 2])
    try expectEqual(
      detector.detect(in: neighbours, thresholds: Named(["iouThreshold": 0.5])).values, [1, 2])
    #expect(
      try detector.detect(in: neighbours, thresholds: Named(["confidenceThreshold": 0.9999])).count
        <= 1)
    expectEqual(Thresholds().featureNames, [])
    expectEqual(AdjustableThresholds().featureNames, [])
    expectEqual(Named(["confidenceThreshold": 0.3]).featureNames, ["confidenceThreshold"])
  }

  @Test func presetsAreWhatTheyPromise() {
    expectEqual(Thresholds.createML, Thresholds(iouThreshold: 0.45, confidenceThreshold: 0.25))
    expectEqual(Thresholds.dice, Thresholds(iouThreshold: 0.3, confidenceThreshold: 0.2))
    expectEqual(Thresholds.dice.featureValue(for: "confidenceThreshold"), 0.2)
    expectEqual(Thresholds.dice.featureNames, ["iouThreshold", "confidenceThreshold"])
  }

  @Test func whatIsLeftOutFollowsTheWeights() throws {
    let network = PatternNetwork(
      baseSize: 12, thresholds: RecommendedThresholds(overlap: 0.1, confidence: 0.2))
    let detector = try network.detector()
    let both = try network.detector().detect(in: neighbours, thresholds: .with(iouThreshold: 1))
    expectEqual(both.values, [1, 2])
    let second = both.observations[1]
    // The confidence alone is given: the weights' overlap still joins the two.
    try expectEqual(
      detector.detect(in: neighbours, thresholds: .with(confidenceThreshold: 0.01)).values, [1])
    let adjustable = AdjustableThresholds(Thresholds(iouThreshold: 1))
    adjustable.confidenceThreshold = second.confidence.nextUp
    try expectEqual(detector.detect(in: neighbours, thresholds: adjustable).values, [1])
    adjustable.confidenceThreshold = nil
    try expectEqual(detector.detect(in: neighbours, thresholds: adjustable).values, [1, 2])
    // Confidences and thresholds are numbers of one type.
    #expect(second.confidence >= detector.defaultThresholds.confidenceThreshold)
  }

  @Test(arguments: ["iouThreshold", "confidenceThreshold"])
  func refusesThresholdsThatAreNotFrom0To1(_ name: String) throws {
    let detector = try PatternNetwork().detector()
    for value: Float in [-0.001, 1.001, .infinity, -.infinity, .nan, -.leastNonzeroMagnitude] {
      do throws(DetectorError) {
        _ = try detector.detect(in: neighbours, thresholds: Named([name: value]))
        Issue.record("\(value) was taken")
      } catch {
        guard case .invalidThreshold(name, let found) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(found == value || found.isNaN && value.isNaN)
        #expect(error.description.contains("\"\(name)\" is \(value)"))
      }
    }
    for value: Float in [0.0, 1.0, -0.0] {
      _ = try detector.detect(in: neighbours, thresholds: Named([name: value]))
    }
    #expect(throws: DetectorError.invalidThreshold(name: "confidenceThreshold", value: 2)) {
      try detector.candidates(in: neighbours, confidenceThreshold: 2)
    }
  }

  @Test func slidersMayMoveWhileFramesAreLookedAt() async throws {
    let detector = try PatternNetwork(baseSize: 12).detector()
    let thresholds = AdjustableThresholds()
    let image = neighbours
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for task in 0..<4 {
        group.addTask {
          for step in 0..<25 {
            if task == 0 { thresholds.iouThreshold = step % 2 == 0 ? 0.1 : 0.45 }
            let values = try detector.detect(in: image, thresholds: thresholds).values
            #expect(values == [1] || values == [1, 2])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func suppressionIsAcrossClassesUnlessTold() throws {
    let overlap = Thresholds(iouThreshold: 0.1, confidenceThreshold: 0.25)
    let network = PatternNetwork(baseSize: 12)
    let detector = try network.detector()
    try expectEqual(detector.detect(in: neighbours, thresholds: overlap).values, [1])
    let perClass = try network.detector(.init(suppression: .perClass))
    try expectEqual(perClass.detect(in: neighbours, thresholds: overlap).values, [1, 2])
    let same = PixelImage.blocks(
      [Block(value: 5, x: 16, y: 16, width: 16, height: 8)], width: 64, height: 64)
    try expectEqual(perClass.detect(in: same, thresholds: overlap).values, [5])
  }

  @Test func softSuppressionLowersConfidences() throws {
    let network = PatternNetwork(baseSize: 12)
    let soft = try network.detector(.init(suppression: .soft(sigma: 0.5)))
    // The overlap threshold plays no part.
    let thresholds = Thresholds(iouThreshold: 0, confidenceThreshold: 0.25)
    let found = try soft.detect(in: neighbours, thresholds: thresholds).observations
    let plain = try network.detector().detect(in: neighbours).observations
    expectEqual(found.map(\.value), [1, 2])
    try #require(plain.count == 2)
    expectEqual(found[0].confidence, plain[0].confidence)
    // exp(-0.2 * 0.2 / 0.5)
    #expect(abs(found[1].confidence - plain[1].confidence * 0.923_116_35) < 1e-6)
    expectEqual(found[1].objectness, plain[1].objectness)
    let strict = Thresholds(
      iouThreshold: 0, confidenceThreshold: plain[1].confidence * 0.95)
    try expectEqual(soft.detect(in: neighbours, thresholds: strict).values, [1])
  }

  @Test func keepsTheMostConfidentOfTooMany() throws {
    for (limit, values) in [(0, []), (1, [1]), (2, [1, 2]), (3, [1, 2])] {
      let detector = try PatternNetwork().detector(.init(maximumObservationCount: limit))
      try expectEqual(detector.detect(in: neighbours).values, values)
    }
  }

  @Test func reportsTheKindsThatCount() throws {
    var network = PatternNetwork()
    network.labels = ["d6-1", "d20-17", "d10-0", "4", "5", "coin"]
    for (kinds, values) in [
      (nil, [1, 17]), ([.d6, .d10, .d20], [1, 17]), ([.d20], [17]), ([.d6], [1]), ([.d10], []),
      ([], []),
    ] as [(Set<DieKind>?, [Int])] {
      let found = try network.detector(.init(kinds: kinds)).detect(in: neighbours)
      expectEqual(found.values, values, "\(String(describing: kinds))")
      for die in found {
        #expect(die.kind == (die.value == 17 ? .d20 : .d6) && die.labels.count == 6)
        #expect(abs(die.labels.reduce(0) { $0 + $1.confidence } - 1) < 1e-5)
      }
    }
    // Of a die that may be several things, what is left to the kinds that count is told.
    network.decision = 1
    let open = try network.detector().detect(
      in: neighbours, thresholds: Thresholds(confidenceThreshold: 0.02))
    let only = try network.detector(.init(kinds: [.d20])).detect(
      in: neighbours, thresholds: Thresholds(confidenceThreshold: 0.02))
    let die = try #require(only.first)
    let whole = try #require(open.first { $0.boundingBox == die.boundingBox })
    let share = try #require(whole.labels.first { $0.identifier == "d20-17" }?.confidence)
    #expect(die.value == 17 && abs(die.objectness - whole.objectness * share) < 1e-5)
    #expect(abs(die.confidence - die.objectness) < 1e-5)
  }
}

private struct Named: ThresholdProvider {
  var values: [String: Float]

  init(_ values: [String: Float]) { self.values = values }

  func featureValue(for name: String) -> Float? { values[name] }
}

private final class CountingProvider: ThresholdProvider {
  let asked = Mutex<[String]>([])

  func featureValue(for name: String) -> Float? {
    asked.withLock { $0.append(name) }
    return nil
  }
}

import DiceDetection
import DiceVisionKit
import TestSupport
import Testing

/// What thresholds, suppression and sizes of pictures do to what the stages found.
@Suite struct SelectionTests {
  private let blocks = [
    Block(value: 2, x: 0, y: 56, width: 8, height: 8),
    Block(value: 5, x: 16, y: 8, width: 8, height: 8),
  ]

  private func detector(
    _ configuration: DiceDetector.Configuration, secondStageThreshold: Float = 0.25,
    detectorThreshold: Float = 0.25, proposalConfidence: Float = 0.05
  ) throws -> DiceDetector {
    var configuration = configuration
    var secondStage = PatternNetwork.secondStage(shift: 0)
    secondStage.thresholds = RecommendedThresholds(
      overlap: 0.45, confidence: secondStageThreshold)
    secondStage.profile = [("crops.proposalConfidence", proposalConfidence)]
    configuration.secondStage = .weights(try secondStage.weightFile())
    return try PatternNetwork(
      thresholds: RecommendedThresholds(overlap: 0.45, confidence: detectorThreshold),
      decision: 3
    ).detector(configuration)
  }

  /// Every box counts then, and none of them is below what soft suppression keeps.
  @Test func softSuppressionTakesAThresholdOfZero() throws {
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    let soft = try detector(.init(suppression: .soft()), proposalConfidence: 0)
    let all = try soft.detect(
      in: image, thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: 0))
    let sure = try soft.detect(in: image)
    #expect(sure.values == [2, 5] && all.count > sure.count)
    #expect(all.observations.allSatisfy { $0.confidence >= 0 && $0.confidence <= 1 })
  }

  /// Candidates have the detector's own confidences, so its weights say which of them count.
  @Test func candidatesGoByTheDetectorsThreshold() throws {
    let image = PixelImage.blocks(
      [blocks[0], Block(value: 5, x: 16, y: 8, width: 8, height: 8, brightness: 80)], width: 64,
      height: 64)
    let all = try detector(.init()).candidates(in: image, confidenceThreshold: 0)
    let confidences = all.map(\.confidence).sorted(by: >)
    try #require(confidences.count > 2 && confidences[0] > confidences[1])
    let between = (confidences[0] + confidences[1]) / 2
    for (secondStage, own) in [(Float(0.01), between), (0.99, confidences[1])] {
      let detector = try detector(
        .init(), secondStageThreshold: secondStage, detectorThreshold: own)
      expectEqual(detector.defaultThresholds.confidenceThreshold, secondStage)
      let candidates = try detector.candidates(in: image)
      expectEqual(candidates.count, confidences.count { $0 >= own })
    }
  }

  /// Of two faces with centres nearer than 0.8 of their sides the surer one stays, where dice have eight
  /// sides or more.
  @Test(arguments: [("d8", 1), ("d%", 1), ("d20", 1), ("d6", 2), ("", 2)])
  func aDieOfManySidesShowsOneFace(kind: String, count: Int) throws {
    let faces = kind == "d%" ? ["00", "10", "20", "30", "40", "50"] : (1...6).map { "\($0)" }
    var network = PatternNetwork(baseSize: 24)
    network.labels = faces.map { kind.isEmpty ? $0 : "\(kind)-\($0)" }
    for suppression in [DiceDetector.Suppression.acrossClasses, .soft(), .perClass] {
      let detector = try network.detector(.init(suppression: suppression))
      func found(across distance: Int) throws -> [DieObservation] {
        let image = PixelImage.blocks(
          [
            Block(value: 2, x: 16, y: 24, width: 8, height: 8),
            Block(value: 5, x: 16 + distance, y: 24, width: 8, height: 8, brightness: 82),
          ], width: 64, height: 64)
        return try detector.detect(in: image).observations
      }
      let near = try found(across: 16)
      expectEqual(near.count, (suppression == .perClass ? 2 : count), "\(suppression)")
      let surest = try #require(near.max { $0.confidence < $1.confidence })
      expectEqual(surest.label, network.labels[1])
      try expectEqual(found(across: 24).count, 2)
    }
  }

  /// What is in the result depends on the threshold, what is looked at does not.
  @Test func aThresholdChangesNoReading() throws {
    let faint = Block(value: 5, x: 16, y: 8, width: 8, height: 8, brightness: 80)
    let image = PixelImage.blocks([blocks[0], faint], width: 64, height: 64)
    let proposed = try detector(.init()).candidates(in: image, confidenceThreshold: 0)
    let confidences = proposed.map(\.confidence).sorted(by: >)
    try #require(confidences[0] > confidences[1])
    let between = (confidences[0] + confidences[1]) / 2
    let detector = try detector(.init(threadCount: 1), proposalConfidence: between)
    for threshold in [Float(0), 0.2, 0.9] {
      let explanation = try detector.explain(
        image, thresholds: Thresholds(iouThreshold: 0.45, confidenceThreshold: threshold))
      #expect(abs(explanation.leastConfidence - between) < 1e-5)
      expectEqual(explanation.classifications.count, 1)
    }
  }

  /// One box in two spellings, whatever is done to it.
  @Test func normalizedBoxesFollowTheirBoxes() throws {
    var observation = DieObservation(
      identifier: 1, boundingBox: BoundingBox(x: 10, y: 20, width: 30, height: 40),
      uprightWidth: 100, uprightHeight: 200, labels: [], value: 3, confidence: 0.5)
    expectEqual(
      observation.normalizedBoundingBox, NormalizedRect(x: 0.1, y: 0.7, width: 0.3, height: 0.2))
    observation.boundingBox = BoundingBox(x: 0, y: 0, width: 50, height: 100)
    expectEqual(
      observation.normalizedBoundingBox, NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5))
    #expect(observation.uprightWidth == 100 && observation.uprightHeight == 200)
  }
}

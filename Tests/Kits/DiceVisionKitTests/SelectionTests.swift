import DiceDetection
import DiceVisionKit
import Testing

/// What thresholds, suppression and sizes of pictures do to what the stages found.
@Suite struct SelectionTests {
  private let blocks = [
    Block(value: 2, x: 0, y: 56, width: 8, height: 8),
    Block(value: 5, x: 16, y: 8, width: 8, height: 8),
  ]

  private func detector(
    _ configuration: DiceDetector.Configuration, secondStageThreshold: Float = 0.25,
    detectorThreshold: Float = 0.25
  ) throws -> DiceDetector {
    var configuration = configuration
    var secondStage = PatternNetwork.secondStage(shift: 0)
    secondStage.thresholds = RecommendedThresholds(
      overlap: 0.45, confidence: secondStageThreshold)
    configuration.secondStage = .weights(try secondStage.weightFile())
    return try PatternNetwork(
      thresholds: RecommendedThresholds(overlap: 0.45, confidence: detectorThreshold),
      decision: 3
    ).detector(configuration)
  }

  /// Every box counts then, and none of them is below what soft suppression keeps.
  @Test func softSuppressionTakesAThresholdOfZero() throws {
    let image = PixelImage.blocks(blocks, width: 64, height: 64)
    let soft = try detector(.init(suppression: .soft()))
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
      #expect(detector.defaultThresholds.confidenceThreshold == secondStage)
      let candidates = try detector.candidates(in: image)
      #expect(candidates.count == confidences.count { $0 >= own })
    }
  }

  /// One box in two spellings, whatever is done to it.
  @Test func normalizedBoxesFollowTheirBoxes() throws {
    var observation = DieObservation(
      identifier: 1, boundingBox: BoundingBox(x: 10, y: 20, width: 30, height: 40),
      uprightWidth: 100, uprightHeight: 200, labels: [], value: 3, confidence: 0.5)
    #expect(
      observation.normalizedBoundingBox
        == NormalizedRect(x: 0.1, y: 0.7, width: 0.3, height: 0.2))
    observation.boundingBox = BoundingBox(x: 0, y: 0, width: 50, height: 100)
    #expect(
      observation.normalizedBoundingBox == NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5))
    #expect(observation.uprightWidth == 100 && observation.uprightHeight == 200)
  }
}

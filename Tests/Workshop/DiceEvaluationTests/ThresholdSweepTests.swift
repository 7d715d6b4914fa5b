import DiceGeometry
import TestSupport
import Testing

@testable import DiceEvaluation

struct ThresholdSweepTests {
  @Test func everyRowIsTheEvaluationAtItsThreshold() throws {
    let images = try #require(try GoldenMetrics.read("readings").first).images
    let sweep = ThresholdSweep(measuring: images)
    expectEqual(sweep.rows.count, 49)
    for row in sweep.rows {
      let accuracy = ReadingAccuracy(
        measuring: images, classCount: 6, confidenceThreshold: row.threshold)
      expectEqual(row.rightCount, accuracy.rightCount)
      expectEqual(row.confusedCount, accuracy.confusedCount)
      expectEqual(row.missedCount, accuracy.missedCount)
      expectEqual(row.falsePositiveCount, accuracy.falsePositiveCount)
      expectEqual(row.wrongCount, accuracy.readingCount - accuracy.rightCount)
      expectEqual(row.exactPhotoCount, accuracy.photosReadExactlyRight.count)
    }
    expectEqual(sweep.photoCount, images.count)
    #expect(Set(sweep.rows.map { $0.rightCount }).count > 3)
  }

  @Test func reportsHoldTheSweepAndTheSizes() throws {
    let images = try #require(try GoldenMetrics.read("readings").first).images
    let report = EvaluationReport(
      evaluating: [EvaluationSet(name: "a", images: images)],
      classNames: ["1", "2", "3", "4", "5", "6"], confidenceThreshold: 0.5)
    let row = try #require(report.overall.thresholds.rows.first { $0.threshold == 0.5 })
    expectEqual(row.rightCount, report.overall.readings.rightCount)
    let rows = try #require(report.json["overall"]?["thresholds"]?.array)
    #expect(rows.count == 49 && rows[24]["rightCount"]?.integer == row.rightCount)
    expectEqual(report.json["overall"]?["sizes"]?.array?.last?["upperBound"], .null)
  }
}

struct ReadingOutcomeTests {
  static func box(_ x: Double, _ size: Double = 10) -> BoundingBox {
    BoundingBox(x: x, y: 0, width: size, height: size)
  }

  static let image = EvaluatedImage(
    name: "a",
    detections: [
      DetectedObject(boundingBox: box(0), classIndex: 1, confidence: 0.9),
      DetectedObject(boundingBox: box(20), classIndex: 3, confidence: 0.8),
      DetectedObject(boundingBox: box(60), classIndex: 4, confidence: 0.7),
      DetectedObject(boundingBox: box(41), classIndex: 5, confidence: 0.2),
      DetectedObject(boundingBox: box(40), classIndex: 2, confidence: 0.1),
    ],
    groundTruth: [
      GroundTruthObject(boundingBox: box(0), classIndex: 1),
      GroundTruthObject(boundingBox: box(20), classIndex: 2),
      GroundTruthObject(boundingBox: box(40), classIndex: 2),
    ], width: 200, height: 100)

  @Test func saysWhatBecameOfEachReadingAndDie() {
    let outcomes = Self.image.outcomes(confidenceThreshold: 0.5)
    expectEqual(outcomes.map { $0.kind }, [.right, .confused, .falsePositive, .missed])
    #expect(outcomes[1].truth?.classIndex == 2 && outcomes[1].reading?.classIndex == 3)
    expectEqual(outcomes[2].truth, nil)
    // The surest of those below the threshold, whatever its value.
    #expect(outcomes[3].doubtfulReading?.classIndex == 5 && outcomes[3].confidence == 0.2)
    expectEqual(outcomes[0].confidence, 0.9)
  }

  @Test func sizesAreSharesOfTheLongerSide() throws {
    let sizes = SizeAccuracy(measuring: [Self.image], confidenceThreshold: 0.5)
    expectEqual(sizes.bins.count, SizeAccuracy.bounds.count + 1)
    // 10 of 200 pixels.
    let bin = try #require(sizes.bins.first { $0.lowerBound <= 0.05 && 0.05 < $0.upperBound })
    #expect(bin.rightCount == 1 && bin.confusedCount == 1 && bin.missedCount == 1)
    expectEqual(sizes.bins.reduce(0) { $0 + $1.dieCount }, 3)
    var unknown = Self.image
    unknown.width = nil
    let none = SizeAccuracy(measuring: [unknown], confidenceThreshold: 0.5)
    #expect(none.bins.allSatisfy { $0.dieCount == 0 })
  }

  @Test func hostileBoxesFallIntoNoBin() {
    var image = Self.image
    image.groundTruth = [
      GroundTruthObject(
        boundingBox: BoundingBox(x: 0, y: 0, width: .nan, height: .nan), classIndex: 0),
      GroundTruthObject(
        boundingBox: BoundingBox(x: 0, y: 0, width: .infinity, height: 1), classIndex: 0),
    ]
    let sizes = SizeAccuracy(measuring: [image], confidenceThreshold: 0.5)
    expectEqual(sizes.bins.reduce(0) { $0 + $1.dieCount }, 0)
    expectEqual(image.outcomes(confidenceThreshold: 0.5).count, 5)
  }
}

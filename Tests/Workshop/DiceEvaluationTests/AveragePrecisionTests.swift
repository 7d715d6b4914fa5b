import DiceFiles
import DiceGeometry
import DiceEvaluation
import TestSupport
import Testing

struct AveragePrecisionTests {
  /// Sums of the same numbers in another order.
  static let tolerance = 1e-12

  func expectNear(
    _ value: Double?, _ expected: JSONValue?, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    switch (value, expected?.number) {
    case (nil, nil): #expect(expected == .null, "\(what)", sourceLocation: sourceLocation)
    case (let value?, let expected?):
      #expect(abs(value - expected) <= Self.tolerance, "\(what)", sourceLocation: sourceLocation)
    default:
      Issue.record("\(what): \(String(describing: value))", sourceLocation: sourceLocation)
    }
  }

  @Test func equalsPycocotools() throws {
    let cases = try GoldenMetrics.read("average-precision")
    expectEqual(cases.count, 13)
    var comparisons = 0
    for golden in cases {
      for expected in try #require(golden.json["expected"]?.array) {
        let limit = try #require(expected["detectionLimit"]?.integer)
        let found = AveragePrecision(
          measuring: golden.images, classCount: golden.classCount, detectionLimit: limit)
        let what = "\(golden.name), limit \(limit)"
        expectNear(found.at50, expected["at50"], what)
        expectNear(found.at75, expected["at75"], what)
        expectNear(found.at50To95, expected["at50To95"], what)
        expectNear(found.averageRecall, expected["averageRecall"], what)
        let classes = try #require(expected["classes"]?.array)
        expectEqual(found.classes.count, classes.count)
        for (result, expected) in zip(found.classes, classes) {
          guard let result else {
            expectEqual(expected, .null, "\(what)")
            continue
          }
          let precisions = try GoldenMetrics.numbers(expected["averagePrecision"])
          let recalls = try GoldenMetrics.numbers(expected["recall"])
          #expect(precisions.count == 10 && recalls.count == 10)
          for index in 0..<10 {
            #expect(
              abs(result.atThresholds[index] - precisions[index]) <= Self.tolerance, "\(what)")
            #expect(abs(result.recalls[index] - recalls[index]) <= Self.tolerance, "\(what)")
            comparisons += 2
          }
        }
      }
    }
    #expect(comparisons > 1000)
  }

  func box(_ x: Double, _ size: Double = 10) -> BoundingBox {
    BoundingBox(x: x, y: 0, width: size, height: size)
  }

  func image(_ detections: [(BoundingBox, Double)], _ truth: [BoundingBox]) -> EvaluatedImage {
    EvaluatedImage(
      name: "",
      detections: detections.map {
        DetectedObject(boundingBox: $0.0, classIndex: 0, confidence: $0.1)
      },
      groundTruth: truth.map { GroundTruthObject(boundingBox: $0, classIndex: 0) })
  }

  func at50(_ images: [EvaluatedImage]) -> Double? {
    AveragePrecision(measuring: images, classCount: 1).at50
  }

  /// Right, wrong, right of two: precision is 1 up to recall 1/2 (51 levels) and 2/3 after that.
  @Test func followsTheDefinitionByHand() throws {
    let images = [image([(box(0), 0.9), (box(500), 0.8), (box(100), 0.7)], [box(0), box(100)])]
    let found = try #require(at50(images))
    #expect(abs(found - (51 + 50 * 2.0 / 3) / 101) < 1e-12)
  }

  @Test func countsADoubledDetectionOnceAsRight() throws {
    let once = try #require(at50([image([(box(0), 0.9)], [box(0)])]))
    #expect(abs(once - 1) < 1e-12)
    let twiceFirst = try #require(at50([image([(box(0), 0.9), (box(0), 0.8)], [box(0)])]))
    #expect(abs(twiceFirst - 1) < 1e-12)
    // A doubled detection ahead of another object's lowers that one's precision to 2/3.
    let between = try #require(
      at50([image([(box(0), 0.9), (box(0), 0.8), (box(100), 0.7)], [box(0), box(100)])]))
    #expect(abs(between - (51 + 50 * 2.0 / 3) / 101) < 1e-12)
  }

  @Test func hasNothingToSayWithoutGroundTruth() {
    expectEqual(AveragePrecision(measuring: [], classCount: 6).at50, nil)
    #expect(AveragePrecision(measuring: [], classCount: 0).classes.isEmpty)
    let found = AveragePrecision(measuring: [image([(box(0), 1)], [])], classCount: 1)
    #expect(found.at50 == nil && found.at50To95 == nil && found.averageRecall == nil)
    expectEqual(found.classes, [nil])
  }

  @Test func isZeroWithoutDetections() {
    expectEqual(at50([image([], [box(0)])]), 0)
    let limited = AveragePrecision(
      measuring: [image([(box(0), 1)], [box(0)])], classCount: 1, detectionLimit: 0)
    expectEqual(limited.at50, 0)
  }

  @Test func takesNaNConfidencesLast() throws {
    let found = try #require(
      at50([image([(box(500), .nan), (box(0), -.infinity), (box(600), .nan)], [box(0)])]))
    #expect(abs(found - 1) < 1e-12)
    let wrongFirst = try #require(
      at50([image([(box(0), .nan), (box(500), -.infinity)], [box(0)])]))
    #expect(abs(wrongFirst - 0.5) < 1e-12)
  }

  @Test func matchesNoBoxThatHoldsNaN() {
    let strange = [
      BoundingBox(x: .nan, y: 0, width: 10, height: 10),
      BoundingBox(x: 0, y: 0, width: .nan, height: 10),
      BoundingBox(x: 0, y: 0, width: .infinity, height: .infinity),
      BoundingBox(x: -.infinity, y: 0, width: .infinity, height: 10),
      BoundingBox(x: 10, y: 10, width: -10, height: -10),
    ]
    for one in strange {
      expectEqual(at50([image([(one, 0.9)], [box(0)])]), 0)
      expectEqual(at50([image([(box(0), 0.9)], [one])]), 0)
      expectEqual(at50([image([(one, 0.9)], [one])]), 0)
    }
  }

  @Test func listsThresholdsAndLevels() {
    expectEqual(AveragePrecision.overlapThresholds.count, 10)
    expectEqual(AveragePrecision.overlapThresholds.first, 0.5)
    expectEqual(AveragePrecision.overlapThresholds.last, 0.95)
    expectEqual(AveragePrecision.recallLevels.count, 101)
    expectEqual(AveragePrecision.recallLevels.last, 1)
  }
}

import DiceFiles
import DiceGeometry
import DiceRolls
import TestSupport
import Testing

@testable import DiceEvaluation

/// Six dice and a picture without any: two right, a wrong number, a wrong kind, two missed, and a
/// false positive.
@Suite struct KindAccuracyTests {
  let names = ["d6-3", "d6-5", "d10-0", "d%-30", "d20-6", "d20-9"]

  private func box(_ x: Double, _ side: Double) -> BoundingBox {
    BoundingBox(x: x, y: 0, width: side, height: side / 2)
  }

  private func die(_ name: String, _ x: Double, _ side: Double) throws -> GroundTruthObject {
    GroundTruthObject(
      boundingBox: box(x, side), classIndex: try #require(names.firstIndex(of: name)))
  }

  private func reading(
    _ name: String, _ x: Double, _ side: Double, _ confidence: Double, number: Double?
  ) throws -> DetectedObject {
    DetectedObject(
      boundingBox: box(x, side), classIndex: try #require(names.firstIndex(of: name)),
      confidence: confidence, numberConfidence: number)
  }

  private func images() throws -> [EvaluatedImage] {
    [
      EvaluatedImage(
        name: "dice",
        detections: [
          try reading("d6-3", 0, 19, 0.75, number: 1),
          try reading("d20-6", 100, 20, 0.5, number: 0.625),
          try reading("d20-6", 200, 39, 0.5, number: 0.5),
          try reading("d%-30", 300, 40, 0.875, number: 1),
          // Below the threshold.
          try reading("d20-9", 400, 79, 0.25, number: 0.5),
        ],
        groundTruth: [
          try die("d6-3", 0, 19), try die("d20-6", 100, 20), try die("d20-9", 200, 39),
          try die("d10-0", 300, 40), try die("d20-9", 400, 79), try die("d6-5", 500, 80),
        ]),
      EvaluatedImage(
        name: "nothing", detections: [try reading("d10-0", 0, 30, 0.5, number: nil)],
        groundTruth: []),
    ]
  }

  private func report() throws -> EvaluationReport {
    EvaluationReport(
      evaluating: [EvaluationSet(name: "set", images: try images())], classNames: names,
      confidenceThreshold: 0.5)
  }

  @Test func tellsKindsFromNumbers() throws {
    let found = try #require(try report().overall.kinds)
    expectEqual(found.rows.map(\.kind), [.d6, .d10, .percentile, .d20])
    expectEqual(found.rows.map(\.dieCount), [2, 1, 0, 3])
    expectEqual(found.rows.map(\.kindRightCount), [1, 0, 0, 2])
    expectEqual(found.rows.map(\.rightCount), [1, 0, 0, 1])
    expectEqual(found.rows.map(\.missedCount), [1, 0, 0, 1])
    expectEqual(found.rows.map(\.falsePositiveCount), [0, 1, 0, 0])
    expectEqual(
      found.rows.map(\.readCounts), [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
    expectEqual(
      found.wrongNumbers, [KindAccuracy.WrongNumber(classIndex: 5, readClassIndex: 4, count: 1)])
  }

  @Test func kindsAndNumbersHaveConfidencesOfTheirOwn() throws {
    let found = try #require(try report().overall.kinds)
    func counts(_ curve: CalibrationCurve) -> [Int: [Int]] {
      var counts: [Int: [Int]] = [:]
      for (index, bin) in curve.bins.enumerated() where bin.count > 0 {
        counts[index] = [bin.count, bin.rightCount]
      }
      return counts
    }
    // 0.75 right, 0.8 right, 1 right, 0.875 wrong; the false positive's is not known.
    expectEqual(counts(found.kindCalibration), [7: [1, 1], 8: [2, 1], 9: [1, 1]])
    // 0.25 + |0.8 + 0.875 - 1| + 0
    let error = try #require(found.kindCalibration.expectedError)
    #expect(abs(error - 0.925 / 4) < 1e-12)
    // 1 right, 0.625 right, 0.5 wrong; of a die of another kind no number counts.
    expectEqual(counts(found.numberCalibration), [5: [1, 0], 6: [1, 1], 9: [1, 1]])
    #expect(abs(try #require(found.numberCalibration.expectedError) - 0.875 / 3) < 1e-12)
  }

  @Test func sizesAreInPixels() throws {
    let bins = try #require(try report().overall.kinds?.sizes.bins)
    expectEqual(bins.map(\.lowerBound), [0, 20, 40, 80])
    expectEqual(bins.map(\.rightCount), [1, 1, 0, 0])
    expectEqual(bins.map(\.confusedCount), [0, 1, 1, 0])
    expectEqual(bins.map(\.missedCount), [0, 0, 1, 1])
  }

  @Test func theMostFrequentWrongNumbersComeFirst() throws {
    let images = try (0..<3).map { index in
      EvaluatedImage(
        name: "\(index)",
        detections: [
          try reading(index == 0 ? "d20-9" : "d20-6", 0, 20, 0.9, number: nil),
          try reading("d6-5", 100, 20, 0.9, number: nil),
        ],
        groundTruth: [
          try die(index == 0 ? "d20-6" : "d20-9", 0, 20), try die("d6-3", 100, 20),
        ])
    }
    let found = try #require(
      KindAccuracy(measuring: images, classNames: names, confidenceThreshold: 0.5))
    expectEqual(found.wrongNumbers.map(\.count), [3, 2, 1])
    expectEqual(found.wrongNumbers.map { names[$0.classIndex] }, ["d6-3", "d20-9", "d20-6"])
    expectEqual(found.kindCalibration.expectedError, nil)
  }

  @Test func textAndJSONTellKinds() throws {
    let report = try report()
    let lines = report.text.split(separator: "\n")
    for line in [
      "d20      3        66.7                   33.3       1                0",
      "d20               0    0   0    2       1", "d20-9    d20-6      1        2",
      "40–80      2         0.0         1       1",
      "Of kinds: 23.1; of numbers, where the kind is right: 29.2",
    ] {
      #expect(lines.contains { $0 == line }, "\(line)\n\(report.text)")
    }
    #expect(!report.text.contains("Dice (rows)"))
    let kinds = try #require(report.json["overall"]?["kinds"])
    let row = try #require(kinds["kinds"]?.array?.last)
    #expect(row["name"]?.string == "d20" && row["kindRight"]?["count"]?.integer == 2)
    #expect(row["right"]?["count"]?.integer == 1 && row["right"]?["total"]?.integer == 3)
    expectEqual(kinds["wrongNumbers"]?.array?.first?["label"]?.string, "d20-9")
    expectEqual(kinds["pixelSizes"]?.array?.count, 4)
    expectEqual(report.json["sets"]?.array?.first?["kinds"], kinds)
  }

  @Test func valuesOfSixSidesTellNoKind() throws {
    expectEqual(KindAccuracy.kinds(of: ["1", "2", "domino", "d21-1", "d6"]), nil)
    expectEqual(KindAccuracy.kinds(of: ["1", "d20-1", "pawn"]), [.d6, .d20, .d6])
    let report = EvaluationReport(evaluating: [], classNames: ["1", "2"], confidenceThreshold: 0.5)
    #expect(report.overall.kinds == nil && report.json["overall"]?["kinds"] == nil)
    #expect(report.text.contains("Dice (rows)") && !report.text.contains("kind"))
  }

  @Test func pipsAreFacesOfSixSides() throws {
    let image = AnnotatedImage(
      fileName: "a.png", objects: [AnnotatedObject(label: "3", boundingBox: box(0, 10))])
    try expectEqual(
      AnnotationFile.groundTruth(of: [image], classNames: names)[0].map(\.classIndex), [0])
    try expectEqual(
      AnnotationFile.groundTruth(of: [image], classNames: names + ["3"])[0].map(\.classIndex), [6])
    #expect(throws: AnnotationError.self) {
      try AnnotationFile.groundTruth(of: [image], classNames: ["d20-3"])
    }
  }
}

import DiceFiles
import DiceGeometry
import TestSupport
import Testing

@testable import DiceEvaluation

struct ReadingAccuracyTests {
  @Test func countsAsASearchOverAllAssignmentsDoes() throws {
    let cases = try GoldenMetrics.read("readings")
    expectEqual(cases.count, 4)
    for golden in cases {
      let found = ReadingAccuracy(
        measuring: golden.images, classCount: golden.classCount,
        confidenceThreshold: try #require(golden.json["threshold"]?.number))
      let name = golden.name
      expectEqual(found.rightCount, golden.json["right"]?.integer, "\(name)")
      expectEqual(found.dieCount, golden.json["dice"]?.integer, "\(name)")
      expectEqual(found.readingCount, golden.json["readings"]?.integer, "\(name)")
      expectEqual(found.photosReadExactlyRight.total, golden.json["photos"]?.integer, "\(name)")
      expectEqual(found.photosReadExactlyRight.count, golden.json["exact"]?.integer, "\(name)")
      let byClass = try #require(golden.json["byClass"]?.array)
      expectEqual(byClass.count, golden.classCount)
      for (index, expected) in byClass.enumerated() {
        let numbers = try GoldenMetrics.numbers(expected).map { Int($0) }
        expectEqual(found.recall(ofClass: index), Proportion(numbers[0], of: numbers[1]), "\(name)")
        expectEqual(
          found.precision(ofClass: index), Proportion(numbers[0], of: numbers[2]), "\(name)")
      }
      expectConsistent(found)
    }
  }

  /// Every die and every reading is counted once.
  func expectConsistent(_ found: ReadingAccuracy) {
    let pairs = found.confusion.counts.flatMap { $0 }.reduce(0, +)
    expectEqual(pairs + found.confusion.missed.reduce(0, +), found.dieCount)
    expectEqual(pairs + found.confusion.falsePositives.reduce(0, +), found.readingCount)
    expectEqual(found.missedCount, found.confusion.missed.reduce(0, +))
    expectEqual(found.falsePositiveCount, found.confusion.falsePositives.reduce(0, +))
    expectEqual(pairs, found.rightCount + found.confusedCount)
    expectEqual(found.calibration.bins.reduce(0) { $0 + $1.count }, found.readingCount)
    expectEqual(found.calibration.bins.reduce(0) { $0 + $1.rightCount }, found.rightCount)
  }

  func reading(
    _ value: Int, _ x: Double, _ confidence: Double = 0.9, y: Double = 5
  ) -> DetectedObject {
    DetectedObject(
      boundingBox: BoundingBox(midX: x, midY: y, width: 6, height: 6),
      classIndex: value - 1, confidence: confidence)
  }

  /// A die of 10 by 10 pixels from `x` on.
  func die(_ value: Int, _ x: Double, width: Double = 10) -> GroundTruthObject {
    GroundTruthObject(
      boundingBox: BoundingBox(x: x, y: 0, width: width, height: 10), classIndex: value - 1)
  }

  func measure(
    _ readings: [DetectedObject], _ dice: [GroundTruthObject], threshold: Double = 0.5
  ) -> ReadingAccuracy {
    let found = ReadingAccuracy(
      measuring: [EvaluatedImage(name: "photo", detections: readings, groundTruth: dice)],
      classCount: 6, confidenceThreshold: threshold)
    expectConsistent(found)
    return found
  }

  func outcome(_ found: ReadingAccuracy) -> [Int] {
    [found.rightCount, found.confusedCount, found.missedCount, found.falsePositiveCount]
  }

  @Test func aReadingIsRightWithItsCentreInTheBoxEdgesIncluded() {
    for x in [0, 0.001, 5, 9.999, 10] {
      expectEqual(outcome(measure([reading(3, x)], [die(3, 0)])), [1, 0, 0, 0])
    }
    for x in [-0.001, 10.001, 300] {
      expectEqual(outcome(measure([reading(3, x)], [die(3, 0)])), [0, 0, 1, 1])
    }
    expectEqual(outcome(measure([reading(3, 5, y: 10)], [die(3, 0)])), [1, 0, 0, 0])
    expectEqual(outcome(measure([reading(3, 5, y: 10.5)], [die(3, 0)])), [0, 0, 1, 1])
  }

  @Test func aPhotoIsExactlyRightOnlyWithoutFaults() {
    func isExact(_ readings: [DetectedObject], _ dice: [GroundTruthObject]) -> Bool {
      measure(readings, dice).photosReadExactlyRight.count == 1
    }
    #expect(isExact([], []))
    #expect(isExact([reading(1, 5), reading(2, 25)], [die(2, 20), die(1, 0)]))
    #expect(!isExact([reading(1, 5)], [die(1, 0), die(2, 20)]))
    #expect(!isExact([reading(1, 5), reading(1, 50)], [die(1, 0)]))
    #expect(!isExact([reading(1, 5), reading(1, 5)], [die(1, 0)]))
    #expect(!isExact([reading(2, 5)], [die(1, 0)]))
    #expect(!isExact([reading(1, 5)], []))
    // As many readings as dice is not enough.
    #expect(!isExact([reading(1, 5), reading(1, 6)], [die(1, 0), die(2, 20)]))
  }

  @Test func thresholdsIncludeTheirValueAndExcludeNaN() {
    let readings = [reading(1, 5, 0.5), reading(2, 25, 0.499), reading(3, 45, .nan)]
    let dice = [die(1, 0), die(2, 20), die(3, 40)]
    expectEqual(outcome(measure(readings, dice)), [1, 0, 2, 0])
    expectEqual(outcome(measure(readings, dice, threshold: -.infinity)), [2, 0, 1, 0])
    expectEqual(outcome(measure(readings, dice, threshold: .nan)), [0, 0, 3, 0])
  }

  @Test func readingsReplaceDetectionsWhereGiven() {
    let image = EvaluatedImage(
      name: "", detections: [reading(1, 5), reading(2, 5)], readings: [reading(1, 5)],
      groundTruth: [die(1, 0)])
    let found = ReadingAccuracy(measuring: [image], classCount: 6, confidenceThreshold: 0.5)
    expectEqual(found.photosReadExactlyRight, Proportion(1, of: 1))
  }

  @Test func countsConfusedValues() {
    let found = measure(
      [reading(6, 5), reading(6, 25), reading(2, 85)], [die(4, 0), die(6, 20), die(1, 60)])
    expectEqual(outcome(found), [1, 1, 1, 1])
    expectEqual(found.confusion.counts[3][5], 1)
    expectEqual(found.confusion.counts[5][5], 1)
    expectEqual(found.confusion.missed, [1, 0, 0, 0, 0, 0])
    expectEqual(found.confusion.falsePositives, [0, 1, 0, 0, 0, 0])
    expectEqual(found.precision(ofClass: 5), Proportion(1, of: 2))
    expectEqual(found.recall(ofClass: 3), Proportion(0, of: 1))
    expectEqual(found.recall(ofClass: 1).value, nil)
  }

  @Test func pairsAsManyAsPossibleWhereBoxesOverlap() {
    // The first reading could take either die, the second only the one the first lies nearer to.
    let dice = [die(1, 0), die(1, 6)]
    let found = measure([reading(1, 8, 0.95), reading(1, 12, 0.6)], dice)
    expectEqual(outcome(found), [2, 0, 0, 0])
    // A chain of dice where each reading must move one on.
    let chain = (0..<20).map { die(1, Double($0) * 6) }
    let shifted = (0..<20).map { reading(1, Double($0) * 6 + 8, 0.9 - Double($0) * 0.01) }
    let first = [reading(1, 3, 0.55)]
    expectEqual(measure(shifted.dropLast() + first, chain).rightCount, 20)
  }

  @Test func theSurerOfTwoReadingsOfADieIsRight() {
    for order in [[0, 1], [1, 0]] {
      let readings = [reading(1, 5, 0.95), reading(1, 4, 0.65)]
      let found = measure(order.map { readings[$0] }, [die(1, 0)])
      expectEqual(outcome(found), [1, 0, 0, 1])
      expectEqual(found.calibration.bins[9].right, Proportion(1, of: 1))
      expectEqual(found.calibration.bins[6].right, Proportion(0, of: 1))
    }
  }

  @Test func aRightReadingIsPreferredToAConfusion() {
    let found = measure([reading(2, 5, 0.99), reading(1, 5, 0.5)], [die(1, 0)])
    expectEqual(outcome(found), [1, 0, 0, 1])
    expectEqual(found.confusion.falsePositives[1], 1)
  }

  @Test func ignoresBoxesThatAreNoBoxes() {
    let odd = DetectedObject(
      boundingBox: BoundingBox(x: .nan, y: 0, width: 1, height: 1), classIndex: 0, confidence: 1)
    expectEqual(outcome(measure([odd], [die(1, 0)])), [0, 0, 1, 1])
    let everywhere = GroundTruthObject(
      boundingBox: BoundingBox(x: 0, y: 0, width: .infinity, height: 10), classIndex: 0)
    expectEqual(outcome(measure([reading(1, 5)], [everywhere])), [0, 0, 1, 1])
  }

  @Test func worksWithoutImages() {
    let found = ReadingAccuracy(measuring: [], classCount: 6, confidenceThreshold: 0.5)
    expectEqual(found.diceReadRight.value, nil)
    expectEqual(found.photosReadExactlyRight.value, nil)
    expectEqual(found.calibration.expectedError, nil)
  }

  @Test func findsTheThresholdWithMostPhotosRight() throws {
    // Right readings at 0.62 and above, wrong ones up to 0.58.
    let images = (0..<8).map { index in
      EvaluatedImage(
        name: "\(index)",
        detections: [
          reading(1, 5, 0.62 + Double(index) * 0.03), reading(2, 50, 0.58 - Double(index) * 0.05),
        ], groundTruth: [die(1, 0)])
    }
    let best = try #require(ReadingAccuracy.best(measuring: images, classCount: 6))
    expectEqual(best.confidenceThreshold, 0.6)
    expectEqual(best.photosReadExactlyRight, Proportion(8, of: 8))
    expectEqual(ReadingAccuracy.best(measuring: images, classCount: 6, thresholds: []), nil)
    // Where all are equally good, the middle.
    let middle = ReadingAccuracy.best(measuring: [], classCount: 6)
    expectEqual(middle?.confidenceThreshold, 0.5)
  }

  /// Random pictures: never fewer right than a greedy walk, and the same for every order.
  @Test func doesNotDependOnTheOrderOfDice() {
    var state: UInt64 = 3
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<300 {
      let dice = (0..<random(9)).map { _ in
        die(1 + random(2), Double(random(30)), width: Double(5 + random(15)))
      }
      let readings = (0..<random(9)).map {
        reading(1 + random(2), Double(random(45)), 0.5 + Double($0) * 0.03)
      }
      let match = ReadingMatch(readings: readings, dice: dice)
      let reversed = ReadingMatch(readings: readings, dice: dice.reversed())
      for index in readings.indices {
        expectEqual((match.rightDie[index] == nil), (reversed.rightDie[index] == nil))
        if let die = match.rightDie[index] {
          expectEqual(dice[die].classIndex, readings[index].classIndex)
          expectEqual(match.confusedDie[index], nil)
        }
        if let die = match.confusedDie[index] {
          #expect(dice[die].classIndex != readings[index].classIndex)
        }
      }
      let used = (match.rightDie + match.confusedDie).compactMap { $0 }
      expectEqual(Set(used).count, used.count)
    }
  }
}

struct CalibrationCurveTests {
  @Test func sortsConfidencesIntoBins() {
    var curve = CalibrationCurve(binCount: 10)
    for bound in 0...10 { curve.add(confidence: Double(bound) / 10, isRight: bound > 4) }
    expectEqual(curve.bins.map { $0.count }, [1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
    curve.add(confidence: -3, isRight: false)
    curve.add(confidence: .infinity, isRight: true)
    curve.add(confidence: .nan, isRight: true)
    expectEqual(curve.bins.map { $0.count }, [2, 1, 1, 1, 1, 1, 1, 1, 1, 3])
    for count in [1, 3, 7, 49, 1000] {
      var curve = CalibrationCurve(binCount: count)
      for index in 0..<count { curve.add(confidence: Double(index) / Double(count), isRight: true) }
      #expect(curve.bins.allSatisfy { $0.count == 1 })
    }
  }

  /// Two readings at 0.8 of which one is right, two at 0.2 both wrong: (2·0.3 + 2·0.2) / 4.
  @Test func measuresTheExpectedError() throws {
    var curve = CalibrationCurve()
    curve.add(confidence: 0.8, isRight: true)
    curve.add(confidence: 0.8, isRight: false)
    curve.add(confidence: 0.2, isRight: false)
    curve.add(confidence: 0.2, isRight: false)
    let error = try #require(curve.expectedError)
    #expect(abs(error - 0.25) < 1e-12)
    expectEqual(curve.bins[8].meanConfidence, 0.8)
    expectEqual(curve.bins[8].right.value, 0.5)
  }
}

struct ProportionTests {
  /// Values of Wilson's interval from statistical tables (Newcombe 1998, table I, method 3).
  @Test(arguments: [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
  ])
  func givesWilsonsInterval(_ count: Int, _ total: Int, _ lower: Double, _ upper: Double) throws {
    let interval = try #require(Proportion(count, of: total).interval)
    #expect(abs(interval.lowerBound - lower) < 0.00006)
    #expect(abs(interval.upperBound - upper) < 0.00006)
  }

  @Test func isNothingOfNothing() {
    expectEqual(Proportion(0, of: 0).value, nil)
    expectEqual(Proportion(0, of: 0).interval, nil)
    expectEqual(Proportion(5, of: 5).interval?.upperBound, 1)
    expectEqual(Proportion(0, of: 5).interval?.lowerBound, 0)
  }
}

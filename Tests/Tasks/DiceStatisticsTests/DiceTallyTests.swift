import DiceStatistics
import Foundation
import TestSupport
import Testing

@Suite struct DiceTallyTests {
  @Test func countsFacesAndRuns() throws {
    var tally = try DiceTally(values: [3, 3, 5, 1, 1, 1], faceCount: 6)
    #expect(tally.counts == [3, 0, 2, 0, 1, 0] && tally.runCount == 3 && tally.lastValue == 1)
    #expect(tally.rollCount == 6 && tally.faceCount == 6)
    let other = try DiceTally(counts: [1, 2, 3, 4, 5, 6])
    expectEqual(other.runCount, nil)
    try tally.add(other)
    #expect(tally.counts == [4, 2, 5, 4, 6, 6] && tally.runCount == nil && tally.lastValue == nil)
    try tally.add(2)
    #expect(tally.counts[1] == 3 && tally.runCount == nil)
  }

  @Test func refusesWhatBreaksARule() throws {
    #expect(throws: DiceStatisticsError.faceCount(found: 1)) { try DiceTally(faceCount: 1) }
    #expect(throws: DiceStatisticsError.faceCount(found: 101)) {
      try FaceProbabilities.fair(faceCount: 101)
    }
    #expect(throws: DiceStatisticsError.faceCount(found: 0)) { try DiceTally(counts: []) }
    #expect(throws: DiceStatisticsError.faceCount(found: 0)) { try FaceProbabilities([]) }
    #expect(throws: DiceStatisticsError.faceCount(found: .max)) {
      try DiceTally(faceCount: .max)
    }
    #expect(throws: DiceStatisticsError.negativeCount(found: .min, face: 2)) {
      try DiceTally(counts: [1, .min])
    }
    #expect(throws: DiceStatisticsError.tooManyRolls) { try DiceTally(counts: [.max, .max]) }
    var full = try DiceTally(counts: [DiceTally.rollLimit, 0])
    #expect(throws: DiceStatisticsError.tooManyRolls) { try full.add(1) }
    #expect(throws: DiceStatisticsError.tooManyRolls) { try full.add(DiceTally(counts: [0, 1])) }
    var tally = try DiceTally()
    for value in [0, 7, -1, .max, .min] {
      #expect(throws: DiceStatisticsError.value(found: value, faceCount: 6)) {
        try tally.add(value)
      }
    }
    #expect(throws: DiceStatisticsError.facesDiffer(found: 2, required: 6)) {
      try tally.add(DiceTally(counts: [1, 1]))
    }
    expectEqual(tally.rollCount, 0)
    #expect(throws: DiceStatisticsError.noRolls) { try tally.chiSquareTest() }
    #expect(throws: DiceStatisticsError.noRolls) { try tally.exactTest() }
    expectEqual(tally.runsTest(), nil)
    #expect(try tally.faceEstimates().allSatisfy { $0.interval == 0...1 })
    for confidence in [0, 1, -1, .nan, .infinity] {
      #expect(throws: (any Error).self) { try full.faceEstimates(confidence: confidence) }
    }
    for share in [-0.1, 1.1, .nan, .infinity] {
      #expect(throws: (any Error).self) { try FaceProbabilities([share, 0.5]) }
      #expect(throws: (any Error).self) { try BiasDetection(level: share) }
    }
    #expect(throws: DiceStatisticsError.probabilitySum(found: 0.75)) {
      try FaceProbabilities([0.25, 0.5])
    }
    #expect(throws: DiceStatisticsError.facesDiffer(found: 2, required: 6)) {
      try DiceTally(values: [1]).chiSquareTest(against: .fair(faceCount: 2))
    }
    #expect(throws: DiceStatisticsError.facesDiffer(found: 6, required: 2)) {
      try full.exactTest(reader: .validationPhotos)
    }
    #expect(throws: DiceStatisticsError.facesDiffer(found: 6, required: 2)) {
      try full.faceEstimates(reader: .validationPhotos)
    }
  }

  @Test func everyErrorIsASentence() {
    let errors: [DiceStatisticsError] = [
      .faceCount(found: 1), .value(found: 7, faceCount: 6), .negativeCount(found: -1, face: 2),
      .tooManyRolls, .runCount(found: 3, rollCount: 2), .facesDiffer(found: 2, required: 6),
      .probability(found: .nan, face: 1), .probabilitySum(found: 2), .readerOftenWrong(face: 3),
      .noRolls, .share(found: 1), .bias(found: 0),
    ]
    for error in errors { #expect("\(error)".hasSuffix(".") && "\(error)".count > 20) }
  }

  @Test func codesItselfAndChecksWhatItReads() throws {
    for tally in [
      try DiceTally(values: [1, 1, 6]), try DiceTally(counts: [1, 2, 3]), try DiceTally(),
    ] {
      let data = try JSONEncoder().encode(tally)
      try expectEqual(JSONDecoder().decode(DiceTally.self, from: data), tally)
    }
    for text in [
      #"{"counts":[1]}"#, #"{"counts":[1,-1]}"#, #"{"counts":[9223372036854775807,1]}"#,
      #"{"counts":[1,1],"runCount":1,"lastValue":1}"#,
      #"{"counts":[1,1],"runCount":3,"lastValue":1}"#, #"{"counts":[1,1],"runCount":2}"#,
      #"{"counts":[1,0],"runCount":1,"lastValue":2}"#,
      #"{"counts":[1,0],"runCount":1,"lastValue":0}"#, #"{"counts":[1,0],"lastValue":1}"#, #"{}"#,
    ] {
      #expect(throws: (any Error).self, "\(text)") {
        try JSONDecoder().decode(DiceTally.self, from: Data(text.utf8))
      }
    }
  }

  @Test func aFaceThatIsImpossibleDecides() throws {
    let expected = try FaceProbabilities([0.5, 0.5, 0])
    let seen = try DiceTally(counts: [5, 5, 1])
    try expectEqual(seen.chiSquareTest(against: expected).pValue, 0)
    try expectEqual(seen.chiSquareTest(against: expected).statistic, .infinity)
    try expectEqual(seen.exactTest(against: expected).pValue, 0)
    let unseen = try DiceTally(counts: [6, 4, 0])
    try expectEqual(unseen.chiSquareTest(against: expected).degreesOfFreedom, 1)
    try expectEqual(
      unseen.exactTest(against: expected).pValue, DiceTally(counts: [6, 4]).exactTest().pValue)
    let certain = try FaceProbabilities([1, 0])
    try expectEqual(DiceTally(counts: [9, 0]).chiSquareTest(against: certain).pValue, 1)
    try expectEqual(DiceTally(counts: [9, 0]).exactTest(against: certain).pValue, 1)
    #expect(throws: DiceStatisticsError.bias(found: 0)) { try BiasDetection(expected: certain) }
  }

  @Test func largeTalliesStayFinite() throws {
    let tally = try DiceTally(counts: [
      166_666_666_666, 166_666_666_667, 166_666_666_666, 166_666_666_667, 166_666_666_666,
      166_666_666_668,
    ])
    for reader in [nil, ReadingMatrix.validationPhotos] {
      let test = try tally.exactTest(reader: reader)
      #expect(test.method == .approximated && (0...1).contains(test.pValue))
      for estimate in try tally.faceEstimates(reader: reader) {
        #expect(estimate.interval.contains(estimate.share))
      }
    }
  }

  @Test func aMatrixKeepsItsRules() throws {
    #expect(throws: DiceStatisticsError.facesDiffer(found: 1, required: 2)) {
      try ReadingMatrix(counts: [[1], [1, 1]])
    }
    #expect(throws: DiceStatisticsError.readerOftenWrong(face: 2)) {
      try ReadingMatrix(counts: [[9, 0], [5, 5]])
    }
    #expect(throws: DiceStatisticsError.readerOftenWrong(face: 1)) {
      try ReadingMatrix(counts: [[0, 0], [0, 5]])
    }
    #expect(throws: DiceStatisticsError.negativeCount(found: -1, face: 2)) {
      try ReadingMatrix(counts: [[9, -1], [0, 5]])
    }
    let reader = ReadingMatrix.validationPhotos
    #expect(reader.counts.joined().reduce(0, +) == 586 && reader.faceCount == 6)
    #expect((reader.errorShare - 12.0 / 586).magnitude < 1e-12)
    let readings = try reader.readings(of: .fair())
    #expect((readings.shares.reduce(0, +) - 1).magnitude < 1e-12)
    #expect(throws: DiceStatisticsError.facesDiffer(found: 2, required: 6)) {
      try reader.readings(of: .fair(faceCount: 2))
    }
  }

  @Test func aReaderWidensIntervals() throws {
    for counts in [
      [20, 12, 15, 18, 17, 38], [1000, 900, 1100, 1000, 1000, 1000], [0, 0, 0, 0, 0, 9],
    ] {
      let tally = try DiceTally(counts: counts)
      let plain = try tally.faceEstimates()
      let read = try tally.faceEstimates(reader: .validationPhotos)
      for (one, other) in zip(plain, read) where one.share > 0 {
        func width(_ estimate: DiceTally.FaceEstimate) -> Double {
          estimate.interval.upperBound - estimate.interval.lowerBound
        }
        #expect(width(other) > 0.97 * width(one), "\(counts) \(one.value)")
      }
    }
  }

  @Test func errorsOfTheReaderLimitWhatCanBeSeen() throws {
    let plain = try BiasDetection()
    let read = try BiasDetection(reader: .validationPhotos)
    let (few, more) = (
      try #require(try plain.rollsNeeded(bias: 0.05)),
      try #require(try read.rollsNeeded(bias: 0.05))
    )
    #expect(few < more && more < 2 * few)
    try expectEqual(read.rollsNeeded(bias: 0.001), nil)
    #expect(try plain.rollsNeeded(bias: 0.001) != nil)
    try expectEqual(plain.leastBias(rollCount: 1), nil)
    #expect(throws: DiceStatisticsError.noRolls) { try plain.leastBias(rollCount: 0) }
    #expect(throws: DiceStatisticsError.noRolls) { try plain.power(bias: 0.1, rollCount: 0) }
    for bias in [0, -1, 0.9, .nan, .infinity] {
      #expect(throws: (any Error).self) { try plain.rollsNeeded(bias: bias) }
    }
    for power in [0, 0.05, 1, .nan] {
      #expect(throws: DiceStatisticsError.self) { try plain.rollsNeeded(bias: 0.1, power: power) }
    }
    #expect(plain == (try BiasDetection()) && plain != read)
    expectEqual(Set([plain, read, plain]).count, 2)
  }
}

import DiceNumerics
import TestSupport
import Testing

@testable import DiceStatistics

/// Values that SciPy and NumPy computed.
struct StatisticsGolden: Decodable {
  struct Test: Decodable {
    var counts: [Int]
    var shares: [Double]
    var statistic: Double?
    var pValue: Double
    var matrix: [[Int]]?
    var corrected: [Double]?
  }
  struct Runs: Decodable {
    var values: [Int]
    var mean: Double
    var variance: Double
  }
  var logGamma: [[Double]]
  var upperGamma: [[Double]]
  var noncentral: [[Double]]
  var chiSquare: [Test]
  var exact: [Test]
  var wilson: [[Double]]
  var reader: [Test]
  var runs: [Runs]
  var needed: [[Double]]

  static let values: StatisticsGolden = Fixtures.decoded("golden/statistics/values.json")
}

private func isNear(_ one: Double, _ other: Double, _ share: Double) -> Bool {
  (one - other).magnitude <= share * other.magnitude
}

@Suite struct StatisticsGoldenTests {
  let golden = StatisticsGolden.values

  @Test func theGammaFunctionIsSciPys() {
    #expect(!golden.logGamma.isEmpty && !golden.upperGamma.isEmpty)
    for row in golden.logGamma {
      let bound = 4e-15 * max(1, row[0], row[1].magnitude)
      #expect((logGamma(row[0]) - row[1]).magnitude <= bound, "\(row)")
    }
    for row in golden.upperGamma where row[2] > 1e-290 {
      #expect(isNear(upperIncompleteGamma(row[0], row[1]), row[2], 1e-11), "\(row)")
    }
    for bad in [-1.0, 0, .nan, -.infinity] {
      #expect(logGamma(bad).isNaN && upperIncompleteGamma(bad, 1).isNaN)
    }
    #expect(upperIncompleteGamma(1, -1).isNaN && upperIncompleteGamma(1, .nan).isNaN)
    #expect(upperIncompleteGamma(1, 0) == 1 && upperIncompleteGamma(1, .infinity) == 0)
    #expect(logGamma(.infinity) == .infinity && logGamma(Double.leastNonzeroMagnitude) > 744)
    #expect(isNear(normalTails(-1.959963984540054), 0.05, 1e-11) && normalTails(.nan).isNaN)
  }

  @Test func theNoncentralTailIsSciPys() {
    #expect(!golden.noncentral.isEmpty)
    for row in golden.noncentral {
      let tail = ChiSquare.tail(row[0], degreesOfFreedom: Int(row[1]), noncentrality: row[2])
      #expect((tail - row[3]).magnitude < 1e-11, "\(row)")
    }
    expectEqual(ChiSquare.tail(1, degreesOfFreedom: 5, noncentrality: 1e9), 1)
  }

  @Test func theChiSquareTestIsSciPys() throws {
    #expect(!golden.chiSquare.isEmpty)
    for row in golden.chiSquare {
      let test = try DiceTally(counts: row.counts).chiSquareTest(
        against: FaceProbabilities(row.shares))
      #expect((test.statistic - row.statistic!).magnitude < 1e-12 * max(1, row.statistic!))
      #expect(isNear(test.pValue, row.pValue, 1e-11))
    }
  }

  @Test func theExactTestIsTheSumOverAllOutcomes() throws {
    #expect(!golden.exact.isEmpty)
    for row in golden.exact {
      let test = try DiceTally(counts: row.counts).exactTest(against: FaceProbabilities(row.shares))
      #expect(isNear(test.pValue, row.pValue, 1e-9), "\(row.counts)")
      guard case .enumerated(let count) = test.method else {
        Issue.record("\(test.method)")
        continue
      }
      #expect(count > 1)
    }
  }

  @Test func wilsonsIntervalIsSciPys() throws {
    #expect(!golden.wilson.isEmpty)
    for row in golden.wilson {
      let (count, n) = (Int(row[0]), Int(row[1]))
      let estimate = try DiceTally(counts: [count, n - count]).faceEstimates(confidence: row[2])[0]
      #expect((estimate.interval.lowerBound - row[3]).magnitude < 1e-12, "\(row)")
      #expect((estimate.interval.upperBound - row[4]).magnitude < 1e-12, "\(row)")
    }
  }

  @Test func aReadersMatrixIsTakenInAsNumPyDoes() throws {
    #expect(!golden.reader.isEmpty)
    for row in golden.reader {
      let tally = try DiceTally(counts: row.counts)
      let reader = try ReadingMatrix(counts: row.matrix!)
      let test = try tally.chiSquareTest(against: FaceProbabilities(row.shares), reader: reader)
      #expect(isNear(test.statistic, row.statistic!, 1e-9))
      #expect(isNear(test.pValue, row.pValue, 1e-9))
      let kept = row.corrected!.map { min(max($0, 0), 1) }
      let sum = kept.reduce(0, +)
      for (estimate, share) in zip(try tally.faceEstimates(reader: reader), kept) {
        #expect((estimate.share - share / sum).magnitude < 1e-12)
      }
    }
  }

  @Test func runsOfAllOrdersHaveTheseMoments() throws {
    #expect(!golden.runs.isEmpty)
    for row in golden.runs {
      let moments = DiceTally.runMoments(try DiceTally(values: row.values).counts)
      #expect(isNear(moments.mean, row.mean, 1e-12))
      #expect(isNear(moments.variance, row.variance, 1e-12))
    }
  }

  @Test func theNumberOfRollsIsSciPys() throws {
    #expect(!golden.needed.isEmpty)
    for row in golden.needed {
      let detection = try BiasDetection(
        expected: .fair(faceCount: Int(row[0])), level: row[3])
      let count = try #require(try detection.rollsNeeded(bias: row[1], power: row[2]))
      expectEqual(count, Int(row[4]), "\(row)")
      let least = try #require(try detection.leastBias(rollCount: count, power: row[2]))
      #expect(least <= row[1] && isNear(least, row[1], 2 / Double(count)))
      #expect(try detection.power(bias: row[1], rollCount: count) >= row[2])
      #expect(try detection.power(bias: row[1], rollCount: count - 1) < row[2])
    }
  }
}

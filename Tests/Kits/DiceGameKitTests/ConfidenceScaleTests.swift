import TestSupport
import Testing

@testable import DiceGameKit

@Suite struct ConfidenceScaleTests {
  private func finding(_ value: Int, _ probability: Float) -> NumberSearch.Finding {
    NumberSearch.Finding(value: value, words: [], probability: probability)
  }

  @Test func withoutNumbersConfidenceIsTheProbability() {
    let scale = ConfidenceScale()
    for step in 1..<100 {
      let probability = Float(step) / 100
      #expect(abs(scale.confidence(probability) - probability) < 1e-5)
    }
  }

  @Test func confidenceFollowsTheFormula() {
    let scale = ConfidenceScale(slope: 2, offset: -1)
    // ln(p / (1 - p)) is 0 for one half and ln 9 for 0.9: 1 / (1 + e) and 1 / (1 + e / 81).
    #expect(abs(scale.confidence(0.5) - 0.268_941_42) < 1e-5)
    #expect(abs(scale.confidence(0.9) - 0.967_530_8) < 1e-5)
    #expect(abs(scale.confidence(0.1) - 1 / (1 + 2.718_281_8 * 81)) < 1e-5)
  }

  @Test func logarithmsOfOddsAreBoundedAndOdd() {
    let limit: Float = 13.815_51
    for probability: Float in [0, -1, 1e-9] {
      #expect(abs(ConfidenceScale.logOdds(probability) + limit) < 1e-3)
    }
    // 1 - 1e-6 has few digits in single precision.
    for probability: Float in [1, 2] {
      #expect(abs(ConfidenceScale.logOdds(probability) - limit) < 0.1)
    }
    #expect(abs(ConfidenceScale.logOdds(0.5)) < 1e-6)
    #expect(abs(ConfidenceScale.logOdds(0.75) + ConfidenceScale.logOdds(0.25)) < 1e-5)
  }

  @Test func numbersOutsideTheirRangesAreBroughtIntoThem() {
    expectEqual(ConfidenceScale(slope: 0, offset: -100), ConfidenceScale(slope: 0.05, offset: -20))
    expectEqual(ConfidenceScale(slope: 1_000, offset: 100), ConfidenceScale(slope: 20, offset: 20))
  }

  @Test func confidenceRisesWithTheProbability() {
    for (slope, offset) in [(0.05, -20), (0.4, -1), (1, 0), (20, 20)] as [(Float, Float)] {
      let scale = ConfidenceScale(slope: slope, offset: offset)
      var last = scale.confidence(0)
      expectEqual(last, 0)
      for step in 1...100 {
        let next = scale.confidence(Float(step) / 100)
        #expect(next >= last && next <= 1)
        last = next
      }
    }
  }

  @Test func otherFindingsShareWhatTheBestOneLeaves() {
    let findings = [finding(24, 0.8), finding(20, 0.15), finding(4, 0.05)]
    expectEqual(ConfidenceScale().applied(to: findings), findings)
    #expect(ConfidenceScale(slope: 2, offset: 0).applied(to: []).isEmpty)
    let scale = ConfidenceScale(slope: 0.5, offset: 0)
    // ln 4 halved is ln 2: two thirds, and a third for the others, 3 to 1.
    let result = scale.applied(to: findings)
    expectEqual(result.map(\.value), [24, 20, 4])
    for (found, expected) in zip(result, [2.0 / 3, 0.25, 1.0 / 12] as [Float]) {
      #expect(abs(found.probability - expected) < 1e-5)
    }
  }

  @Test func noFindingIsSurerThanTheBest() {
    let scale = ConfidenceScale(slope: 1, offset: -5)
    let result = scale.applied(to: [finding(1, 0.6), finding(2, 0.4)])
    #expect(result[0].probability < 0.02)
    expectEqual(result[1].probability, result[0].probability)
  }
}

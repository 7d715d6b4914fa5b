import Foundation
import TestSupport
import Testing

@testable import DiceDetection

@Suite struct ScoreFusionTests {
  /// The detector's class counts a quarter, whether there is an object both say alike.
  private let rule = ScoreFusion(objectnessWeight: 0.5, classWeight: 0.75)

  /// The odds of an object become the geometric mean of both, those of the classes lean to the
  /// first one's by three to one.
  @Test func scoresAreFusedByTheirWeights() {
    let (high, low) = (Float(log(9.0)), Float(0))
    // The first: objectness 0.9, classes 0.9 and 0.1 (odds 9). The second: the odds of an object
    // are 9, 1, 1/9 and 1/81, those of the classes 1/9.
    for (logit, odds) in [(high, 9.0), (low, 3), (-high, 1), (-2 * high, 1 / 3.0)] {
      var list = CandidateList(
        cells: [[0, 0, 0, 0, logit, low, high], [0, 0, 0, 0, high, high, low]], threshold: 0)
      let own = list[1]
      list.fuse(1, with: 0, by: rule)
      let objectness = Float(odds / (1 + odds))
      // 9^(3/4) / 9^(1/4) = 3 to one.
      #expect(abs(list[1].objectness - objectness) < 1e-5)
      #expect(abs(list[1].confidence - objectness * 0.75) < 1e-5)
      #expect(list[1].classIndex == 0 && list[1].boundingBox == own.boundingBox)
      let probabilities = Array(list.classProbabilities(of: list[1]))
      #expect(abs(probabilities[0] - 0.75) < 1e-6 && abs(probabilities[1] - 0.25) < 1e-6)
    }
  }

  /// A second stage that wavers between values follows a detector that does not.
  @Test func theSecondDecidesWhatTheFirstLeavesOpen() {
    var list = CandidateList(
      cells: [[0, 0, 0, 0, 3, -3, 3], [0, 0, 0, 0, 3, 0.5, 0]], threshold: 0)
    expectEqual(list[1].classIndex, 0)
    list.fuse(1, with: 0, by: rule)
    expectEqual(list[1].classIndex, 1)
  }

  /// Even an objectness of 0 or 1 leaves the other one something to say, and so does a class that
  /// is ruled out.
  @Test func neitherRulesTheOtherOut() {
    for (sure, odds) in [(Float(1000), Float(999)), (-1000, 1 / 999)] {
      var list = CandidateList(
        cells: [[0, 0, 0, 0, sure, 0, 1000], [0, 0, 0, 0, 0, 1000, 0]], threshold: 0)
      list.fuse(1, with: 0, by: rule)
      let objectness = odds.squareRoot() / (1 + odds.squareRoot())
      #expect(abs(list[1].objectness - objectness) < 1e-4)
      // 0.0001^(1/4) and 0.0001^(3/4), made to sum to 1.
      expectEqual(list[1].classIndex, 0)
      #expect(abs(list[1].confidence - objectness * 0.1 / 0.101) < 1e-4)
    }
  }

  /// What a class that does not count takes is lost to the object.
  @Test func classesThatDoNotCountTakeTheirShareAway() {
    // Classes of 0.6, 0.3 and 0.1.
    let logits = [Float(log(6.0)), Float(log(3.0)), 0]
    for (isCounted, best, share, greatest) in [
      ([true, true, true], 0, Float(1), Float(0.6)), ([false, true, true], 1, 0.4, 0.3),
      ([false, false, true], 2, 0.1, 0.1), ([false, false, false], 0, 0, 0),
    ] {
      var list = CandidateList(cells: [[0, 0, 0, 0, Float(log(4.0))] + logits], threshold: 0)
      list.restrict(0, to: isCounted)
      #expect(list[0].classIndex == best && abs(list[0].objectness - 0.8 * share) < 1e-6)
      #expect(abs(list[0].confidence - 0.8 * greatest) < 1e-6)
      let probabilities = list.classProbabilities(of: list[0])
      #expect(abs(probabilities.reduce(0, +) - (share > 0 ? 1 : 0)) < 1e-6)
      for (probability, isCounted) in zip(probabilities, isCounted) {
        #expect(isCounted || probability == 0)
      }
    }
  }

  /// Each view counts as much as it is sure that there is something; where none is, all count alike.
  @Test(arguments: [(Float(log(9.0)), Float(0.9)), (0, 0.5), (-1000, 0)])
  func viewsAreMixedByTheirObjectness(first: Float, objectness: Float) {
    // Objectness 0.9, 0.5 or 0 beside 0.1 or 0; classes 0.8 and 0.2 beside 0.2 and 0.8.
    let second = first == -1000 ? -1000 : Float(-log(9.0))
    let (high, low) = (Float(log(4.0)), Float(0))
    var list = CandidateList(
      cells: [[0, 0, 0, 0, first, high, low], [0, 0, 0, 0, second, low, high]], threshold: 0)
    let box = list[0].boundingBox
    list.mix([0, 1])
    let other: Float = first == -1000 ? 0 : 0.1
    let share = objectness + other > 0 ? objectness / (objectness + other) : 0.5
    let expected = share * 0.8 + (1 - share) * 0.2
    let probabilities = Array(list.classProbabilities(of: list[0]))
    #expect(abs(probabilities[0] - expected) < 1e-6)
    #expect(abs(probabilities[1] - (1 - expected)) < 1e-6)
    #expect(abs(list[0].objectness - objectness) < 1e-6 && list[0].boundingBox == box)
    expectEqual(list[0].classIndex, 0)
    #expect(abs(list[0].confidence - objectness * expected) < 1e-6)
  }

  /// The confidence says what the scores say, as it does of every other candidate.
  @Test func twoPassesCountAlike() {
    let (high, low) = (log(Float(0.9)), log(Float(0.1)))
    for (first, second, share) in [(low, high, Float(0.5)), (high, low, 0.9)] {
      var list = CandidateList(
        cells: [[0, 0, 0, 0, 0, first, second], [0, 0, 0, 0, Float(log(4.0)), high, low]],
        threshold: 0)
      let box = list[1].boundingBox
      list.average(1, with: 0)
      // √(0.5 · 0.8) of the objectnesses; classes that contradict each other are as likely.
      #expect(abs(list[1].objectness - Float(0.4).squareRoot()) < 1e-6)
      let probabilities = Array(list.classProbabilities(of: list[1]))
      #expect(abs(probabilities[0] + probabilities[1] - 1) < 1e-6)
      #expect(abs(probabilities[0] - share) < 1e-6)
      let best = probabilities[list[1].classIndex]
      #expect(best == probabilities.max() && list[1].boundingBox == box)
      #expect(abs(list[1].confidence - list[1].objectness * best) < 1e-7)
    }
  }

  @Test func passesThatRuleEachOtherOutLeaveScoresAllTheSame() {
    var list = CandidateList(
      cells: [[0, 0, 0, 0, 5, 1000, 0], [0, 0, 0, 0, 5, 0, 1000]], threshold: 0)
    list.average(1, with: 0)
    #expect(list[1].confidence >= 0 && list[1].confidence <= 1)
    #expect(list.classProbabilities(of: list[1]).allSatisfy { $0 >= 0 && $0 <= 1 })
  }

  @Test func weightedMeansArePowers() {
    var count = 0
    for step in 0...ScoreFusion.weightSteps {
      let weight = Float(step) / Float(ScoreFusion.weightSteps)
      for (first, second) in [(Float(0.9), Float(0.1)), (0.0001, 1), (0.3, 0.3)] {
        let expected = pow(Double(first), Double(weight)) * pow(Double(second), 1 - Double(weight))
        let mean = Double(ScoreFusion.mean(first, second, weight: weight))
        #expect(abs(mean / expected - 1) < 1e-6, "\(first)^\(weight) \(second)")
        count += 1
      }
    }
    expectEqual(count, 195)
    expectEqual(ScoreFusion.mean(0.9, 0.1, weight: 1), 0.9)
    expectEqual(ScoreFusion.mean(0.9, 0.1, weight: 0), 0.1)
  }

  /// With all the weight on one side that side's scores stand, within the bounds of doubt.
  @Test func aWeightOfOneTakesOneSideAlone() {
    var list = CandidateList(
      cells: [[0, 0, 0, 0, -2, 0, 3], [0, 0, 0, 0, 1, 1, 0]], threshold: 0)
    let own = list[1]
    let probabilities = Array(list.classProbabilities(of: own))
    list.fuse(1, with: 0, by: ScoreFusion(objectnessWeight: 1, classWeight: 1))
    #expect(abs(list[1].objectness - own.objectness) < 1e-6)
    for (one, other) in zip(list.classProbabilities(of: list[1]), probabilities) {
      #expect(abs(one - other) < 1e-6)
    }
  }
}

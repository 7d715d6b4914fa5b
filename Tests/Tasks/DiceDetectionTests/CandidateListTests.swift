import DiceDetection
import DiceKernels
import DiceNetwork
import Foundation
import TestSupport
import Testing

@Suite struct CandidateListTests {
  @Test func followsTheFormulas() {
    // sigmoid(0) = 1/2 puts the centre half a cell in; ln 2 doubles the base size; ln 3 makes 3/4.
    let list = CandidateList(
      cells: [
        [0, 0, 0, 0, -20, 0, 0], [0, Float(log(3.0)), Float(log(2.0)), 0, 0, Float(log(3.0)), 0],
      ],
      threshold: 0.3)
    expectEqual(list.count, 1)
    let candidate = list[0]
    #expect(candidate.column == 1 && candidate.row == 0 && candidate.headIndex == 3)
    #expect(abs(candidate.boundingBox.midX - 12) < 1e-5)
    #expect(abs(candidate.boundingBox.midY - 8) < 1e-5)
    #expect(abs(candidate.boundingBox.width - 20) < 1e-5)
    #expect(abs(candidate.boundingBox.height - 10) < 1e-5)
    expectEqual(candidate.objectness, 0.5)
    expectEqual(candidate.classIndex, 0)
    #expect(abs(candidate.confidence - 0.375) < 1e-6)
    let probabilities = Array(list.classProbabilities(of: candidate))
    #expect(abs(probabilities[0] - 0.75) < 1e-6 && abs(probabilities[1] - 0.25) < 1e-6)
  }

  @Test func clampsSizesToFour() {
    let list = CandidateList(cells: [[0, 0, 100, -100, 5, 0]], threshold: 0)
    #expect(abs(list[0].boundingBox.width - 10 * exp(4)) < 1e-3)
    #expect(abs(list[0].boundingBox.height - 10 * exp(-4)) < 1e-6)
    #expect(
      abs(
        CandidateList(cells: [[0, 0, .infinity, 0, 5, 0]], threshold: 0)[0].boundingBox.width
          - 10 * exp(4)) < 1e-3)
  }

  @Test func theFirstOfSeveralEqualClassesWins() {
    expectEqual(CandidateList(cells: [[0, 0, 0, 0, 3, 1, 2, 2, 0]], threshold: 0)[0].classIndex, 1)
    expectEqual(CandidateList(cells: [[0, 0, 0, 0, 3, 1, 1]], threshold: 0)[0].classIndex, 0)
  }

  @Test func keepsExactlyWhatReachesTheThreshold() {
    var generator = SeededGenerator(seed: 5)
    let cells = (0..<400).map { (_) in generator.floats(8, -9...9) }
    let all = CandidateList(cells: cells, threshold: 0)
    expectEqual(all.count, 400)
    // Also thresholds that are some candidate's confidence, and the next greater number.
    var thresholds: [Float] = [-1, 1e-30, 1e-4, 0.25, 0.5, 0.9, 0.999, 1, 1.5, .infinity]
    for index in stride(from: 0, to: 400, by: 7) {
      thresholds += [all[index].confidence, all[index].confidence.nextUp]
    }
    for threshold in thresholds {
      let expected = all.candidates.filter { (candidate) in candidate.confidence >= threshold }
      let found = CandidateList(cells: cells, threshold: threshold)
      expectEqual(found.candidates.map(\.column), expected.map(\.column), "\(threshold)")
      for candidate in found.candidates {
        expectEqual(
          Array(found.classProbabilities(of: candidate)),
          Array(all.classProbabilities(of: all[candidate.column])))
      }
    }
    #expect(CandidateList(cells: cells, threshold: .nan).isEmpty)
  }

  @Test func certainObjectsPassEveryThresholdUpToOne() {
    let list = CandidateList(cells: [[0, 0, 0, 0, 100, 0]], threshold: 1)
    #expect(list.count == 1 && list[0].confidence == 1)
    expectEqual(CandidateList(cells: [[0, 0, 0, 0, .infinity, 0]], threshold: 1).count, 1)
    expectEqual(CandidateList(cells: [[0, 0, 0, 0, -.infinity, 0]], threshold: 0).count, 1)
  }

  @Test func cellsWithNaNsGiveNoCandidate() {
    for channel in 0..<7 {
      var cell: [Float] = [0, 0, 0, 0, 1, 0, 0]
      cell[channel] = .nan
      let list = CandidateList(cells: [cell, [0, 0, 0, 0, 1, 0, 0]], threshold: 0)
      #expect(list.count == 1 && list[0].column == 1, "channel \(channel)")
      expectEqual(Array(list.classProbabilities(of: list[0])), [0.5, 0.5])
    }
  }

  @Test func headsFollowOneAnotherAndTheListCanBeUsedAgain() {
    var list = CandidateList()
    list.append(cells: [[0, 0, 0, 0, 1, 0, 1]], threshold: 0, stride: 8)
    list.append(cells: [[0, 0, 0, 0, 1, 2, 0]], threshold: 0, stride: 16)
    #expect(list.count == 2 && list.classCount == 2)
    expectEqual(list[1].boundingBox.midX, 8)
    #expect(list.classProbabilities(of: list[0]).first! < 0.5)
    #expect(list.classProbabilities(of: list[1]).first! > 0.5)
    list.removeAll()
    #expect(list.isEmpty)
    list.append(cells: [[0, 0, 0, 0, 1, 0, 0, 0]], threshold: 0)
    #expect(list.count == 1 && list.classCount == 3)
  }
}

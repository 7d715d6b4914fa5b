import DiceKernels
import DiceNetwork
import DiceWeights
import Foundation
import Testing

@Suite struct CandidateListTests {
  /// Decodes cells given one after the other, one row.
  private func decode(
    _ cells: [[Float]], threshold: Float, stride: Int = 8, baseSize: Float = 10,
    into list: inout CandidateList
  ) {
    let channelCount = cells[0].count
    var values = cells.flatMap { (cell) in cell }
    values.withUnsafeMutableBufferPointer { (buffer) in
      list.append(
        Layer.DetectionHead(
          input: .input, stride: stride, baseSize: baseSize, classCount: channelCount - 5),
        index: 3,
        values: HeadValues(
          origin: Address(buffer.baseAddress!), columnStep: channelCount,
          rowStep: channelCount * cells.count, width: cells.count, height: 1,
          slots: Array(0..<channelCount)),
        confidenceThreshold: threshold)
    }
  }

  private func decode(_ cells: [[Float]], threshold: Float) -> CandidateList {
    var list = CandidateList()
    decode(cells, threshold: threshold, into: &list)
    return list
  }

  @Test func followsTheFormulas() {
    // sigmoid(0) = 1/2 puts the centre half a cell in; ln 2 doubles the base size; ln 3 makes 3/4.
    let list = decode(
      [[0, 0, 0, 0, -20, 0, 0], [0, Float(log(3.0)), Float(log(2.0)), 0, 0, Float(log(3.0)), 0]],
      threshold: 0.3)
    #expect(list.count == 1)
    let candidate = list[0]
    #expect(candidate.column == 1 && candidate.row == 0 && candidate.headIndex == 3)
    #expect(abs(candidate.boundingBox.centerX - 12) < 1e-5)
    #expect(abs(candidate.boundingBox.centerY - 8) < 1e-5)
    #expect(abs(candidate.boundingBox.width - 20) < 1e-5)
    #expect(abs(candidate.boundingBox.height - 10) < 1e-5)
    #expect(candidate.objectness == 0.5)
    #expect(candidate.classIndex == 0)
    #expect(abs(candidate.confidence - 0.375) < 1e-6)
    let probabilities = Array(list.classProbabilities(of: candidate))
    #expect(abs(probabilities[0] - 0.75) < 1e-6 && abs(probabilities[1] - 0.25) < 1e-6)
  }

  @Test func clampsSizesToFour() {
    let list = decode([[0, 0, 100, -100, 5, 0]], threshold: 0)
    #expect(abs(list[0].boundingBox.width - 10 * exp(4)) < 1e-3)
    #expect(abs(list[0].boundingBox.height - 10 * exp(-4)) < 1e-6)
    #expect(
      abs(
        decode([[0, 0, .infinity, 0, 5, 0]], threshold: 0)[0].boundingBox.width
          - 10 * exp(4)) < 1e-3)
  }

  @Test func theFirstOfSeveralEqualClassesWins() {
    #expect(decode([[0, 0, 0, 0, 3, 1, 2, 2, 0]], threshold: 0)[0].classIndex == 1)
    #expect(decode([[0, 0, 0, 0, 3, 1, 1]], threshold: 0)[0].classIndex == 0)
  }

  @Test func keepsExactlyWhatReachesTheThreshold() {
    var generator = SeededGenerator(seed: 5)
    let cells = (0..<400).map { (_) in generator.floats(8, -9...9) }
    let all = decode(cells, threshold: 0)
    #expect(all.count == 400)
    // Also thresholds that are some candidate's confidence, and the next greater number.
    var thresholds: [Float] = [-1, 1e-30, 1e-4, 0.25, 0.5, 0.9, 0.999, 1, 1.5, .infinity]
    for index in stride(from: 0, to: 400, by: 7) {
      thresholds += [all[index].confidence, all[index].confidence.nextUp]
    }
    for threshold in thresholds {
      let expected = all.candidates.filter { (candidate) in candidate.confidence >= threshold }
      let found = decode(cells, threshold: threshold)
      #expect(found.candidates.map(\.column) == expected.map(\.column), "\(threshold)")
      for candidate in found.candidates {
        #expect(
          Array(found.classProbabilities(of: candidate))
            == Array(all.classProbabilities(of: all[candidate.column])))
      }
    }
    #expect(decode(cells, threshold: .nan).isEmpty)
  }

  @Test func certainObjectsPassEveryThresholdUpToOne() {
    let list = decode([[0, 0, 0, 0, 100, 0]], threshold: 1)
    #expect(list.count == 1 && list[0].confidence == 1)
    #expect(decode([[0, 0, 0, 0, .infinity, 0]], threshold: 1).count == 1)
    #expect(decode([[0, 0, 0, 0, -.infinity, 0]], threshold: 0).count == 1)
  }

  @Test func cellsWithNaNsGiveNoCandidate() {
    for channel in 0..<7 {
      var cell: [Float] = [0, 0, 0, 0, 1, 0, 0]
      cell[channel] = .nan
      let list = decode([cell, [0, 0, 0, 0, 1, 0, 0]], threshold: 0)
      #expect(list.count == 1 && list[0].column == 1, "channel \(channel)")
      #expect(Array(list.classProbabilities(of: list[0])) == [0.5, 0.5])
    }
  }

  @Test func headsFollowOneAnotherAndTheListCanBeUsedAgain() {
    var list = CandidateList()
    decode([[0, 0, 0, 0, 1, 0, 1]], threshold: 0, stride: 8, into: &list)
    decode([[0, 0, 0, 0, 1, 2, 0]], threshold: 0, stride: 16, into: &list)
    #expect(list.count == 2 && list.classCount == 2)
    #expect(list[1].boundingBox.centerX == 8)
    #expect(list.classProbabilities(of: list[0]).first! < 0.5)
    #expect(list.classProbabilities(of: list[1]).first! > 0.5)
    list.removeAll()
    #expect(list.isEmpty)
    decode([[0, 0, 0, 0, 1, 0, 0, 0]], threshold: 0, into: &list)
    #expect(list.count == 1 && list.classCount == 3)
  }

  /// The odds of an object become the geometric mean of both, those of the classes lean to the
  /// reader's by three to one.
  @Test func aReadingTakesUpItsProposal() {
    let (high, low) = (Float(log(9.0)), Float(0))
    // The reader: objectness 0.9, classes 0.9 and 0.1 (odds 9). The detector: the odds of an object
    // are 9, 1, 1/9 and 1/81, those of the classes 1/9.
    for (logit, odds) in [(high, 9.0), (low, 3), (-high, 1), (-2 * high, 1 / 3.0)] {
      var list = decode(
        [[0, 0, 0, 0, logit, low, high], [0, 0, 0, 0, high, high, low]], threshold: 0)
      let own = list[1]
      list.pool(reading: 1, withProposal: 0)
      let objectness = Float(odds / (1 + odds))
      // 9^(3/4) / 9^(1/4) = 3 to one.
      #expect(abs(list[1].objectness - objectness) < 1e-5)
      #expect(abs(list[1].confidence - objectness * 0.75) < 1e-5)
      #expect(list[1].classIndex == 0 && list[1].boundingBox == own.boundingBox)
      let probabilities = Array(list.classProbabilities(of: list[1]))
      #expect(abs(probabilities[0] - 0.75) < 1e-6 && abs(probabilities[1] - 0.25) < 1e-6)
    }
  }

  /// A reader that wavers between values follows a detector that does not.
  @Test func aProposalDecidesWhatTheReaderLeavesOpen() {
    var list = decode([[0, 0, 0, 0, 3, -3, 3], [0, 0, 0, 0, 3, 0.5, 0]], threshold: 0)
    #expect(list[1].classIndex == 0)
    list.pool(reading: 1, withProposal: 0)
    #expect(list[1].classIndex == 1)
  }

  /// Even an objectness of 0 or 1 leaves the other opinion something to say, and so does a class
  /// that is ruled out.
  @Test func noOpinionRulesTheOtherOneOut() {
    for (sure, odds) in [(Float(1000), Float(999)), (-1000, 1 / 999)] {
      var list = decode([[0, 0, 0, 0, sure, 0, 1000], [0, 0, 0, 0, 0, 1000, 0]], threshold: 0)
      list.pool(reading: 1, withProposal: 0)
      let objectness = odds.squareRoot() / (1 + odds.squareRoot())
      #expect(abs(list[1].objectness - objectness) < 1e-4)
      // 0.0001^(1/4) and 0.0001^(3/4), made to sum to 1.
      #expect(list[1].classIndex == 0)
      #expect(abs(list[1].confidence - objectness * 0.1 / 0.101) < 1e-4)
    }
  }

  @Test func twoLooksCountAlike() {
    let (high, low) = (log(Float(0.8)), log(Float(0.2)))
    var list = decode([[0, 0, 0, 0, 0, high, low], [0, 0, 0, 0, 0, low, high]], threshold: 0)
    list.pool(1, with: 0)
    let probabilities = Array(list.classProbabilities(of: list[1]))
    #expect(abs(probabilities[0] - 0.5) < 1e-6 && abs(probabilities[1] - 0.5) < 1e-6)
    // √(0.8 · 0.2) of an objectness of a half.
    #expect(abs(list[1].objectness - 0.5) < 1e-6)
    #expect(abs(list[1].confidence - 0.2) < 1e-6)
  }

  @Test func opinionsThatRuleEachOtherOutLeaveNothing() {
    var list = decode(
      [[0, 0, 0, 0, 5, 1000, 0], [0, 0, 0, 0, 5, 0, 1000]], threshold: 0)
    list.pool(1, with: 0)
    // A softmax of -1000 is a power of ten or zero, as the exponential's range has it.
    #expect(list[1].confidence < 1e-9)
    #expect(list.classProbabilities(of: list[1]).allSatisfy { $0 >= 0 && $0 <= 1 })
  }
}

import DiceGameTraining
import TestSupport
import Testing

@Suite struct ConnectionistLossTests {
  private let loss = ConnectionistLoss()

  private func logits(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -2...2, using: &generator) }
  }

  /// The probabilities of all paths that become the labels, added up one by one.
  private func enumerated(_ logits: [Float], classCount: Int, labels: [Int]) -> Double {
    let stepCount = logits.count / classCount
    let rows = (0..<stepCount).map { (step) -> [Double] in
      let row = logits[step * classCount..<(step + 1) * classCount].map { power($0) }
      return row.map { $0 / row.reduce(0, +) }
    }
    var sum = 0.0
    var path = [Int](repeating: 0, count: stepCount)
    while true {
      var collapsed: [Int] = []
      for (step, index) in path.enumerated()
      where index != 0 && (step == 0 || path[step - 1] != index) {
        collapsed.append(index)
      }
      if collapsed == labels {
        sum += path.enumerated().reduce(1) { $0 * rows[$1.offset][$1.element] }
      }
      var step = 0
      while step < stepCount {
        path[step] += 1
        if path[step] < classCount { break }
        path[step] = 0
        step += 1
      }
      if step == stepCount { return sum }
    }
  }

  /// `eˣ` from its series.
  private func power(_ x: Float) -> Double {
    var (sum, term) = (1.0, 1.0)
    for n in 1..<40 {
      term *= Double(x) / Double(n)
      sum += term
    }
    return sum
  }

  @Test(arguments: [[], [1], [2, 1], [1, 1], [1, 2, 1]])
  func isThatOfAllPaths(labels: [Int]) throws {
    let logits = logits(5 * 3, seed: 4)
    let (value, _) = try #require(loss.evaluate(logits, classCount: 3, labels: labels))
    let expected = enumerated(logits, classCount: 3, labels: labels)
    #expect(expected > 0)
    // Logarithms are those of single precision.
    #expect(abs(power(Float(-value)) - expected) < 1e-5)
  }

  @Test(arguments: [[], [3], [2, 2], [1, 3, 1], [1, 2, 3, 2]])
  func theGradientIsThatOfDifferences(labels: [Int]) throws {
    var logits = logits(7 * 4, seed: 9)
    let (_, gradient) = try #require(loss.evaluate(logits, classCount: 4, labels: labels))
    for index in logits.indices {
      let original = logits[index]
      logits[index] = original + 0.01
      let above = try #require(loss.evaluate(logits, classCount: 4, labels: labels)).loss
      logits[index] = original - 0.01
      let below = try #require(loss.evaluate(logits, classCount: 4, labels: labels)).loss
      logits[index] = original
      #expect(abs(Float((above - below) / 0.02) - gradient[index]) < 1e-3)
    }
  }

  @Test func tooFewStepsHaveNoLoss() {
    #expect(loss.evaluate([0, 0, 0, 0], classCount: 2, labels: [1, 1]) == nil)
    #expect(loss.evaluate([0, 0, 0, 0, 0, 0], classCount: 2, labels: [1, 1]) != nil)
    #expect(loss.evaluate([], classCount: 2, labels: []) == nil)
  }
}

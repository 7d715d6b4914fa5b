import DiceParallel
import TestSupport
import Testing

@testable import DiceTraining

struct SoftmaxCrossEntropyTests {
  private let pool = WorkerPool(threadCount: 2)

  private func output(height: Int, width: Int, seed: UInt64) -> TrainingOutput {
    func map() -> BatchMap {
      BatchMap(sampleCount: 3, height: height, width: width, channelCount: 5)
    }
    let output = TrainingOutput(name: "classes", values: map(), gradients: map())
    var random = TrainingRandom(seed)
    OperationCheck.forEachNumber(output.values) {
      $0.row($2, of: $1).store(random.normal(), at: $3)
    }
    return output
  }

  @Test(arguments: [Float(0), 0.2])
  func gradientsAgreeWithDifferences(_ smoothing: Float) {
    let output = output(height: 2, width: 3, seed: 6)
    let labels: [[Int?]] = [
      [0, 1, 2, 3, 4, nil], [nil, nil, 1, 1, 0, 4], [2, 2, nil, 3, 0, 1],
    ]
    let entropy = SoftmaxCrossEntropy(smoothing: smoothing)
    func value() -> Float {
      entropy.evaluate(output, labels: labels, weight: 1.5, pool: pool).loss
    }
    _ = value()
    let gradients = OperationCheck.numbers(output.gradients)
    var index = 0
    OperationCheck.forEachNumber(output.values) { map, sample, row, offset in
      let place = map.row(row, of: sample)
      let old = place.scalar(at: offset)
      place.store(old + 1e-2, at: offset)
      let high = value()
      place.store(old - 1e-2, at: offset)
      let low = value()
      place.store(old, at: offset)
      #expect(abs((high - low) / 2e-2 - gradients[index]) < 1e-4)
      index += 1
    }
    #expect(index == 90 && gradients.contains { $0 != 0 })
  }

  @Test func valuesAreThoseOfTheFormula() {
    let output = output(height: 1, width: 1, seed: 9)
    let logits = (0..<3).map { output.numbers(ofSample: $0) }
    var (plain, smoothed) = (Float(0), Float(0))
    for (sample, label) in [1, 4, 0].enumerated() {
      let sum = logits[sample].reduce(0) { $0 + exponential($1) }
      let shares = logits[sample].map { -naturalLogarithm(exponential($0) / sum) }
      plain += shares[label] / 3
      for k in 0..<5 { smoothed += (k == label ? 0.9 + 0.02 : 0.02) * shares[k] / 3 }
    }
    let first = SoftmaxCrossEntropy().evaluate(output, labels: [1, 4, 0], pool: pool)
    let second = SoftmaxCrossEntropy(smoothing: 0.1)
      .evaluate(output, labels: [1, 4, 0], pool: pool)
    #expect(abs(first.loss - plain) < 1e-5 && abs(second.loss - smoothed) < 1e-5)
  }

  @Test func accuracyCountsTheGreatestLogits() {
    let output = output(height: 1, width: 1, seed: 9)
    let best = (0..<3).map { sample in
      let logits = output.numbers(ofSample: sample)
      return logits.firstIndex(of: logits.max() ?? 0) ?? 0
    }
    var labels = best
    expectEqual(SoftmaxCrossEntropy().evaluate(output, labels: labels, pool: pool).accuracy, 1)
    labels[1] = (best[1] + 1) % 5
    #expect(
      abs(SoftmaxCrossEntropy().evaluate(output, labels: labels, pool: pool).accuracy - 2 / 3)
        < 1e-6)
  }

  @Test func greatLogitsDoNotOverflow() {
    let output = output(height: 1, width: 1, seed: 1)
    OperationCheck.forEachNumber(output.values) {
      $0.row($2, of: $1).store($3 == 0 ? 3e38 : -3e38, at: $3)
    }
    let (loss, _) = SoftmaxCrossEntropy().evaluate(output, labels: [0, 0, 0], pool: pool)
    expectEqual(loss, 0)
    #expect(OperationCheck.numbers(output.gradients).allSatisfy { $0 == 0 })
  }

  @Test func nothingLabelledIsNoLoss() {
    let output = output(height: 1, width: 2, seed: 1)
    let none: [[Int?]] = [[nil, nil], [nil, nil], [nil, nil]]
    expectEqual(SoftmaxCrossEntropy().evaluate(output, labels: none, pool: pool).loss, 0)
  }
}

import TestSupport
import Testing

@testable import DiceTraining

struct TrainingRandomTests {
  @Test func everySampleOfARunHasItsOwnNumbers() {
    var firsts: Set<UInt64> = []
    for step in 1...500 {
      for index in 0..<32 {
        var random = TrainingRandom(1, UInt64(step), UInt64(index))
        firsts.insert(random.next())
      }
    }
    expectEqual(firsts.count, 500 * 32)
  }

  @Test func theOrderOfSeedsMatters() {
    #expect(TrainingRandom(1, 2) != TrainingRandom(2, 1))
    expectEqual(TrainingRandom(1, 2), TrainingRandom(1, 2))
  }

  @Test func unitsFillTheirRangeEvenly() {
    var random = TrainingRandom(7)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<10_000 { counts[Int(random.unit() * 10)] += 1 }
    #expect(counts.allSatisfy { (880...1120).contains($0) })
  }

  @Test func normalsHaveMeanZeroAndDeviationOne() {
    var random = TrainingRandom(9)
    let values = (0..<20_000).map { _ in random.normal() }
    let mean = values.reduce(0, +) / Float(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)
    #expect(abs(mean) < 0.03)
    #expect(abs(variance - 1) < 0.05)
  }
}

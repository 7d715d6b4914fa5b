import DiceKernels
import TestSupport
import Testing

@Suite struct PeakTests {
  @Test(arguments: KernelImplementation.allCases.filter { $0.isAvailable })
  func everyMultiplyAddIsDone(implementation: KernelImplementation) {
    let kernels = Kernels(implementation)
    let factors = (0..<16).map { Float($0 % 3) / 2 }
    let terms = (0..<16).map { Float($0) - 4 }
    var values = factors + terms
    let laneCount = kernels.multiplyAddInRegisters(&values, rounds: 1) / 12
    #expect([4, 8, 16].contains(laneCount))
    for rounds in [0, 1, 2, 5] {
      values = factors + terms
      let count = kernels.multiplyAddInRegisters(&values, rounds: rounds)
      expectEqual(count, 12 * laneCount * rounds)
      // Small halves and whole numbers: every sum is exact.
      for lane in 0..<laneCount {
        var total: Float = 0
        for start in [terms[lane]] + (1...11).map({ Float($0) }) {
          var sum = start
          for _ in 0..<rounds { sum = terms[lane] + sum * factors[lane] }
          total += sum
        }
        expectEqual(values[lane], total)
      }
      expectEqual(values[laneCount...], (factors + terms)[laneCount...])
    }
  }
}

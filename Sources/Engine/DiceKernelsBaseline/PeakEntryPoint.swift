public import DiceKernelTemplates

#if arch(arm64)
  private typealias PeakArithmetic = Fused
#else
  private typealias PeakArithmetic = Separate
#endif

/// Multiply-adds on registers alone.
@inline(never)
public func multiplyAddInRegistersBaseline(_ values: Address, rounds: Int) -> Int {
  multiplyAddInRegisters(Vector.self, PeakArithmetic.self, values, rounds: rounds)
}

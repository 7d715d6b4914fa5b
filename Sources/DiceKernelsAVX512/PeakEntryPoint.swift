public import DiceKernelTemplates

/// Multiply-adds on registers alone.
@inline(never)
public func multiplyAddInRegistersAVX512(_ values: Address, rounds: Int) -> Int {
  multiplyAddInRegisters(Vector.self, Fused.self, values, rounds: rounds)
}

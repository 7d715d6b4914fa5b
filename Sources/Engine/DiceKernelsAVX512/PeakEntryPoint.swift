#if arch(x86_64) && os(Linux)
  public import DiceKernelTemplates

  /// Multiply-adds on registers alone.
  @inline(never)
  public func multiplyAddInRegistersAVX512(_ values: Address, rounds: Int) -> Int {
    multiplyAddInRegisters(Vector.self, Fused.self, values, rounds: rounds)
  }
#endif

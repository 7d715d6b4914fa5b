internal import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVX512
#endif

extension Kernels {
  /// Multiply-adds on registers alone, to find out what a core can do at most.
  ///
  /// - Parameters:
  ///   - values: 32 floats that decide what is computed; the first 16 are overwritten.
  ///   - rounds: The length of the work.
  /// - Returns: How many multiply-adds of single numbers were done.
  /// - Precondition: `values` has 32 floats.
  public func multiplyAddInRegisters(_ values: inout [Float], rounds: Int) -> Int {
    precondition(values.count == 32, "16 factors and 16 terms")
    return unsafe values.withUnsafeMutableBufferPointer { (buffer) in
      let address = unsafe Address(buffer.baseAddress!)
      return switch implementation {
      #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
        case .avx512: AVX512Kernels.multiplyAddInRegisters(address, rounds: rounds)
        case .avx2: AVX2Kernels.multiplyAddInRegisters(address, rounds: rounds)
      #endif
      default: BaselineKernels.multiplyAddInRegisters(address, rounds: rounds)
      }
    }
  }
}

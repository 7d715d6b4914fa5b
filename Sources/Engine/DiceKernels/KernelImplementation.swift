/// The instruction set that kernels are compiled for, chosen at run time.
public enum KernelImplementation: String, CaseIterable, Hashable, Sendable {
  /// What every processor of the architecture has: SSE2 or NEON.
  case baseline
  /// AVX2 with fused multiply-add (x86-64-v3).
  case avx2
  /// AVX-512 F, BW, CD, DQ and VL (x86-64-v4).
  case avx512

  /// Whether this build holds the implementation and the processor and operating system offer it.
  public var isAvailable: Bool {
    switch self {
    case .baseline: true
    case .avx2: ProcessorFeatures.current.hasAVX2
    case .avx512: ProcessorFeatures.current.hasAVX512
    }
  }

  /// The widest implementation that is available here.
  public static let best: KernelImplementation =
    avx512.isAvailable ? .avx512 : avx2.isAvailable ? .avx2 : .baseline
}

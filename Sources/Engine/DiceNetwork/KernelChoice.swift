public import DiceKernels

/// Which kernels a plan works with.
public enum KernelChoice: Hashable, Sendable {
  /// The fastest that this machine offers.
  case automatic
  /// The scalar loops that define every kernel: slow, for tests and for finding faults. In WebAssembly
  /// the same as `automatic`.
  case reference
  /// Those of one instruction set, or the fastest ones where it is not available.
  case implementation(KernelImplementation)

  /// The instruction set in use, or nil for the reference.
  public var resolved: KernelImplementation? {
    switch self {
    case .automatic: .best
    case .reference:
      #if arch(wasm32)
        .best
      #else
        nil
      #endif
    case .implementation(let implementation): Kernels(implementation).implementation
    }
  }
}

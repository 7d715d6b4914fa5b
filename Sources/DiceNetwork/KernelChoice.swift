public import DiceKernels

/// Which kernels a plan works with.
public enum KernelChoice: Hashable, Sendable {
  /// The fastest that this machine offers.
  case automatic
  /// The scalar loops that define every kernel: slow, for tests and for finding faults.
  case reference
  /// Those of one instruction set, or the fastest ones where it is not available.
  case implementation(KernelImplementation)

  /// The instruction set in use, or nil for the reference.
  public var resolved: KernelImplementation? {
    switch self {
    case .automatic: .best
    case .reference: nil
    case .implementation(let implementation): Kernels(implementation).implementation
    }
  }
}

/// The kernels of a plan, chosen once.
enum Backend: Sendable {
  case reference
  case fast(Kernels)

  init(_ choice: KernelChoice) {
    if let implementation = choice.resolved {
      self = .fast(Kernels(implementation))
    } else {
      self = .reference
    }
  }

  var name: String {
    switch self {
    case .reference: "reference"
    case .fast(let kernels): kernels.implementation.rawValue
    }
  }

  func convolve(_ task: ConvolutionTask, rows: Range<Int>) {
    switch self {
    case .reference: ReferenceKernels.convolve(task, rows: rows)
    case .fast(let kernels): kernels.convolve(task, rows: rows)
    }
  }

  /// There is no reference of Winograd's method: the reference computes sums as they are defined.
  func convolve(_ task: WinogradTask, tiles: Range<Int>, scratch: Address) {
    guard case .fast(let kernels) = self else { return }
    kernels.convolve(task, tiles: tiles, scratch: scratch)
  }

  func poolMaximum(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
    switch self {
    case .reference: ReferenceKernels.poolMaximum(task, window: window, rows: rows)
    case .fast(let kernels): kernels.poolMaximum(task, window: window, rows: rows)
    }
  }

  func repeatNearest(_ task: MapTask, factor: Int, rows: Range<Int>) {
    switch self {
    case .reference: ReferenceKernels.repeatNearest(task, factor: factor, rows: rows)
    case .fast(let kernels): kernels.repeatNearest(task, factor: factor, rows: rows)
    }
  }

  func addMaps(
    _ task: MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int, rows: Range<Int>
  ) {
    switch self {
    case .reference:
      ReferenceKernels.addMaps(
        task, other: other, otherColumnStep: otherColumnStep, otherRowStep: otherRowStep,
        rows: rows)
    case .fast(let kernels):
      kernels.addMaps(
        task, other: other, otherColumnStep: otherColumnStep, otherRowStep: otherRowStep,
        rows: rows)
    }
  }

  func weightBySigmoid(_ task: MapTask, rows: Range<Int>) {
    switch self {
    case .reference: ReferenceKernels.weightBySigmoid(task, rows: rows)
    case .fast(let kernels): kernels.weightBySigmoid(task, rows: rows)
    }
  }
}

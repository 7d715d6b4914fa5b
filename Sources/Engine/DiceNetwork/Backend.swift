internal import DiceKernels

/// The kernels of a plan, chosen once.
struct Backend: Sendable {
  private let kernels: Kernels
  private let isReferenceChosen: Bool

  init(_ choice: KernelChoice) {
    kernels = Kernels(choice.resolved ?? .best)
    isReferenceChosen = choice.resolved == nil
  }

  /// Whether the reference computes everything; never in a browser, which is spared its size.
  @inline(__always)
  var isReference: Bool {
    #if arch(wasm32)
      false
    #else
      isReferenceChosen
    #endif
  }

  var name: String { isReference ? "reference" : kernels.implementation.rawValue }

  /// There is no reference of Winograd's method: the reference computes sums as they are defined.
  func convolve(_ task: WinogradTask, tiles: Range<Int>, scratch: Address) {
    kernels.convolve(task, tiles: tiles, scratch: scratch)
  }

  func convolve(_ task: ConvolutionTask, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.convolve(task, rows: rows)
    } else {
      kernels.convolve(task, rows: rows)
    }
  }

  /// - Parameters:
  ///   - blocks: Up to `MatrixProductTask.blocksAtOnce` blocks of 16 output channels.
  ///   - scratch: What the kernels may write into.
  func multiply(
    _ task: MatrixProductTask, row: Int, columns: Range<Int>, blocks: Range<Int>,
    scratch: ScratchMemory
  ) {
    if isReference {
      ReferenceKernels.multiply(task, row: row, columns: columns, blocks: blocks)
    } else {
      scratch.withPiece { (piece) in
        kernels.multiply(task, row: row, columns: columns, blocks: blocks, scratch: piece)
      }
    }
  }

  func convolveDepthwise(_ task: DepthwiseTask, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.convolveDepthwise(task, rows: rows)
    } else {
      kernels.convolveDepthwise(task, rows: rows)
    }
  }

  func poolMaximum(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.poolMaximum(task, window: window, rows: rows)
    } else {
      kernels.poolMaximum(task, window: window, rows: rows)
    }
  }

  func poolAverage(_ task: MapTask, window: PoolingWindow, divisor: Float, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.poolAverage(task, window: window, divisor: divisor, rows: rows)
    } else {
      kernels.poolAverage(task, window: window, divisor: divisor, rows: rows)
    }
  }

  func repeatNearest(_ task: MapTask, factor: Int, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.repeatNearest(task, factor: factor, rows: rows)
    } else {
      kernels.repeatNearest(task, factor: factor, rows: rows)
    }
  }

  func interpolate(_ task: InterpolationTask, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.interpolate(task, rows: rows)
    } else {
      kernels.interpolate(task, rows: rows)
    }
  }

  func combine(_ task: CombinationTask, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.combine(task, rows: rows)
    } else {
      kernels.combine(task, rows: rows)
    }
  }

  func activate(_ task: MapTask, _ function: ActivationFunction, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.activate(task, function, rows: rows)
    } else {
      kernels.activate(task, function, rows: rows)
    }
  }

  func softmax(_ task: MapTask, count: Int, rows: Range<Int>) {
    if isReference {
      ReferenceKernels.softmax(task, count: count, rows: rows)
    } else {
      kernels.softmax(task, count: count, rows: rows)
    }
  }
}

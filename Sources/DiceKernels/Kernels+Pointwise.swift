public import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVX512
#endif

/// Layers without weights. All of them give the same bits in every implementation.
extension Kernels {
  /// `output[y, x, c]` is the greatest `input[v, u, c]` in the part of the window that lies inside
  /// the input, over the output rows `rows`; minus infinity where that part is empty.
  ///
  /// A NaN is left out like a place outside the input.
  public func poolMaximum(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: poolMaximumAVX512(task, window: window, rows: rows)
      case .avx2: poolMaximumAVX2(task, window: window, rows: rows)
    #endif
    default: poolMaximumBaseline(task, window: window, rows: rows)
    }
  }

  /// `output[y, x, c] = input[y / factor, x / factor, c]` over the output rows `rows`.
  ///
  /// Factor 1 copies. `task.width` is a multiple of `factor`.
  public func repeatNearest(_ task: MapTask, factor: Int, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: repeatNearestAVX512(task, factor: factor, rows: rows)
      case .avx2: repeatNearestAVX2(task, factor: factor, rows: rows)
    #endif
    default: repeatNearestBaseline(task, factor: factor, rows: rows)
    }
  }

  /// `output[y, x, c] = input[y, x, c] + other[y, x, c]` over the rows `rows`.
  public func addMaps(
    _ task: MapTask, other: Address, otherColumnStep: Int, otherRowStep: Int, rows: Range<Int>
  ) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512:
        addMapsAVX512(
          task, other: other, otherColumnStep: otherColumnStep, otherRowStep: otherRowStep,
          rows: rows)
      case .avx2:
        addMapsAVX2(
          task, other: other, otherColumnStep: otherColumnStep, otherRowStep: otherRowStep,
          rows: rows)
    #endif
    default:
      addMapsBaseline(
        task, other: other, otherColumnStep: otherColumnStep, otherRowStep: otherRowStep,
        rows: rows)
    }
  }

  /// `output[y, x, c] = v * sigmoid(v)` with `v = input[y, x, c]` over the rows `rows`; in place
  /// where output and input are the same.
  public func weightBySigmoid(_ task: MapTask, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: weightBySigmoidAVX512(task, rows: rows)
      case .avx2: weightBySigmoidAVX2(task, rows: rows)
    #endif
    default: weightBySigmoidBaseline(task, rows: rows)
    }
  }
}

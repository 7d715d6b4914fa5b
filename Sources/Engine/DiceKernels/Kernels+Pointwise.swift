public import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVX512
#endif

/// Layers without sums over channels.
///
/// All of them give the same bits in every implementation, those of the reference.
extension Kernels {
  /// `output[y, x, c]` is the greatest `input[v, u, c]` in the part of the window that lies inside
  /// the input, over the output rows `rows`; minus infinity where that part is empty.
  ///
  /// A NaN is left out like a place outside the input.
  public func poolMaximum(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.poolMaximum(task, window: window, rows: rows)
      case .avx2: AVX2Kernels.poolMaximum(task, window: window, rows: rows)
    #endif
    default: BaselineKernels.poolMaximum(task, window: window, rows: rows)
    }
  }

  /// `output[y, x, c]` is the sum of `input[v, u, c]` over the part of the window that lies inside the
  /// input, divided by `divisor`, or by the number of its pixels where `divisor` is 0.
  ///
  /// The sums of the window's rows are added up.
  public func poolAverage(
    _ task: MapTask, window: PoolingWindow, divisor: Float, rows: Range<Int>
  ) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.poolAverage(task, window: window, divisor: divisor, rows: rows)
      case .avx2: AVX2Kernels.poolAverage(task, window: window, divisor: divisor, rows: rows)
    #endif
    default: BaselineKernels.poolAverage(task, window: window, divisor: divisor, rows: rows)
    }
  }

  /// `output[y, x, c] = input[y / factor, x / factor, c]` over the output rows `rows`.
  ///
  /// Factor 1 copies. `task.width` is a multiple of `factor`.
  public func repeatNearest(_ task: MapTask, factor: Int, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.repeatNearest(task, factor: factor, rows: rows)
      case .avx2: AVX2Kernels.repeatNearest(task, factor: factor, rows: rows)
    #endif
    default: BaselineKernels.repeatNearest(task, factor: factor, rows: rows)
    }
  }

  /// The rows `rows` of a bilinear resizing; the formula stands at `InterpolationTask`.
  public func interpolate(_ task: InterpolationTask, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.interpolate(task, rows: rows)
      case .avx2: AVX2Kernels.interpolate(task, rows: rows)
    #endif
    default: BaselineKernels.interpolate(task, rows: rows)
    }
  }

  /// The rows `rows` of two maps combined; the formula stands at `CombinationTask`.
  public func combine(_ task: CombinationTask, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.combine(task, rows: rows)
      case .avx2: AVX2Kernels.combine(task, rows: rows)
    #endif
    default: BaselineKernels.combine(task, rows: rows)
    }
  }

  /// Applies a function to each number over the rows `rows`; in place where output and input are the
  /// same.
  ///
  /// Rare functions have no vector version and are computed as the reference does.
  public func activate(_ task: MapTask, _ function: ActivationFunction, rows: Range<Int>) {
    let isDone =
      switch implementation {
      #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
        case .avx512: AVX512Kernels.activate(task, function, rows: rows)
        case .avx2: AVX2Kernels.activate(task, function, rows: rows)
      #endif
      default: BaselineKernels.activate(task, function, rows: rows)
      }
    if !isDone { ReferenceKernels.activateRarely(task, function, rows: rows) }
  }

  /// The softmax of the first `count` channels over the rows `rows`; channels behind them become 0.
  ///
  /// One NaN or plus infinity makes all of a pixel NaN.
  public func softmax(_ task: MapTask, count: Int, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.softmax(task, count: count, rows: rows)
      case .avx2: AVX2Kernels.softmax(task, count: count, rows: rows)
    #endif
    default: BaselineKernels.softmax(task, count: count, rows: rows)
    }
  }
}

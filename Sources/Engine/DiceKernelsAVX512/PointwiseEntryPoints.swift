#if arch(x86_64) && os(Linux)
  public import DiceKernelTemplates

  // Concrete instances of the templates for layers without sums over channels; see
  // `EntryPoints.swift`.

  /// Maximum pooling over the rows `rows`.
  @inline(never)
  public func poolMaximumAVX512(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
    poolMaximum(Vector.self, task, window: window, rows: rows)
  }

  /// Average pooling over the rows `rows`.
  @inline(never)
  public func poolAverageAVX512(
    _ task: MapTask, window: PoolingWindow, divisor: Float, rows: Range<Int>
  ) {
    poolAverage(Vector.self, task, window: window, divisor: divisor, rows: rows)
  }

  /// Nearest-neighbour enlargement, or a copy, over the rows `rows`.
  @inline(never)
  public func repeatNearestAVX512(_ task: MapTask, factor: Int, rows: Range<Int>) {
    repeatNearest(Vector.self, task, factor: factor, rows: rows)
  }

  /// Bilinear resizing over the rows `rows`.
  @inline(never)
  public func interpolateAVX512(_ task: InterpolationTask, rows: Range<Int>) {
    interpolate(Vector.self, task, rows: rows)
  }

  /// Two maps combined over the rows `rows`.
  @inline(never)
  public func combineAVX512(_ task: CombinationTask, rows: Range<Int>) {
    combine(Vector.self, task, rows: rows)
  }

  /// A function of each number over the rows `rows`; false where there is no vector version.
  @inline(never)
  public func activateAVX512(
    _ task: MapTask, _ function: ActivationFunction, rows: Range<Int>
  ) -> Bool {
    activate(Vector.self, task, function, rows: rows)
  }

  /// The softmax of the channels over the rows `rows`.
  @inline(never)
  public func softmaxAVX512(_ task: MapTask, count: Int, rows: Range<Int>) {
    softmax(Vector.self, task, count: count, rows: rows)
  }

  /// The rows `rows` of a depthwise convolution.
  @inline(never)
  public func convolveDepthwiseAVX512(_ task: DepthwiseTask, rows: Range<Int>) {
    convolveDepthwise(Vector.self, Arithmetic.self, task, rows: rows)
  }
#endif

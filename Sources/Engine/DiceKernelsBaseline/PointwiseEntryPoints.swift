#if !ONLY_X86_64_LINUX || (arch(x86_64) && os(Linux))
  public import DiceKernelTemplates

  // Concrete instances of the templates for layers without sums over channels; see
  // `EntryPoints.swift`.

  extension EntryPoints {
    /// Maximum pooling over the rows `rows`.
    @inline(never)
    public static func poolMaximum(_ task: MapTask, window: PoolingWindow, rows: Range<Int>) {
      DiceKernelTemplates.poolMaximum(Vector.self, task, window: window, rows: rows)
    }

    /// Average pooling over the rows `rows`.
    @inline(never)
    public static func poolAverage(
      _ task: MapTask, window: PoolingWindow, divisor: Float, rows: Range<Int>
    ) {
      DiceKernelTemplates.poolAverage(
        Vector.self, task, window: window, divisor: divisor, rows: rows)
    }

    /// Nearest-neighbour enlargement, or a copy, over the rows `rows`.
    @inline(never)
    public static func repeatNearest(_ task: MapTask, factor: Int, rows: Range<Int>) {
      DiceKernelTemplates.repeatNearest(Vector.self, task, factor: factor, rows: rows)
    }

    /// Bilinear resizing over the rows `rows`.
    @inline(never)
    public static func interpolate(_ task: InterpolationTask, rows: Range<Int>) {
      DiceKernelTemplates.interpolate(Vector.self, task, rows: rows)
    }

    /// Two maps combined over the rows `rows`.
    @inline(never)
    public static func combine(_ task: CombinationTask, rows: Range<Int>) {
      DiceKernelTemplates.combine(Vector.self, task, rows: rows)
    }

    /// A function of each number over the rows `rows`; false where there is no vector version.
    @inline(never)
    public static func activate(
      _ task: MapTask, _ function: ActivationFunction, rows: Range<Int>
    ) -> Bool {
      DiceKernelTemplates.activate(Vector.self, task, function, rows: rows)
    }

    /// The softmax of the channels over the rows `rows`.
    @inline(never)
    public static func softmax(_ task: MapTask, count: Int, rows: Range<Int>) {
      DiceKernelTemplates.softmax(Vector.self, task, count: count, rows: rows)
    }

    /// The rows `rows` of a depthwise convolution.
    @inline(never)
    public static func convolveDepthwise(_ task: DepthwiseTask, rows: Range<Int>) {
      DiceKernelTemplates.convolveDepthwise(Vector.self, Arithmetic.self, task, rows: rows)
    }
  }
#endif

#if arch(x86_64) && os(Linux)
  public import DiceKernelTemplates

  // Never inlined, so that no such instruction gets into a module that must run everywhere.

  /// Rounds floats to bfloat16, with zeros behind them.
  @inline(never)
  public func narrowAMX(_ source: Address, to target: BFloat16Address, count: Int) {
    narrow(source, to: target, count: count)
  }

  /// The rows `rows` of a convolution.
  @inline(never)
  public func convolveAMX(_ task: MatrixConvolutionTask, rows: Range<Int>) {
    convolve(Hardware.self, task, rows: rows)
  }

  /// The rows `rows` of a layer.
  @inline(never)
  public func convolveAMX(_ task: MatrixLayerTask, rows: Range<Int>, scratch: Address) {
    convolve(Hardware.self, task, rows: rows, scratch: scratch)
  }

  /// Adds the weight gradient over all rows.
  @inline(never)
  public func gatherWeightGradientAMX(_ task: MatrixWeightGradientTask, scratch: Address) {
    gatherWeightGradient(Hardware.self, task, scratch: scratch)
  }
#endif

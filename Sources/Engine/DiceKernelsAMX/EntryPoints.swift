#if arch(x86_64) && os(Linux)
  public import DiceKernelTemplates

  // Never inlined, so that no such instruction gets into a module that must run everywhere.

  /// Rounds floats to bfloat16, sixteen at a time.
  @inline(never)
  public func narrowAMX(_ source: Address, to target: BFloat16Address, count: Int) {
    var place = 0
    while place < count {
      let bits = bfloat16Bits(source.vector(at: place, as: SIMD16<Float>.self))
      target.store(SIMD16<UInt16>(truncatingIfNeeded: bits), at: place)
      place += 16
    }
  }

  /// The rows `rows` of a convolution.
  @inline(never)
  public func convolveAMX(_ task: MatrixConvolutionTask, rows: Range<Int>) {
    convolve(task, rows: rows)
  }

  /// The rows `rows` of a layer.
  @inline(never)
  public func convolveAMX(_ task: MatrixLayerTask, rows: Range<Int>, scratch: Address) {
    convolve(task, rows: rows, scratch: scratch)
  }

  /// Adds the weight gradient over all rows.
  @inline(never)
  public func gatherWeightGradientAMX(_ task: MatrixWeightGradientTask, scratch: Address) {
    gatherWeightGradient(task, scratch: scratch)
  }
#endif

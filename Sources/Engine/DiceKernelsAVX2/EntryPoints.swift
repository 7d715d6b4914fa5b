#if arch(x86_64) && os(Linux)
  public import DiceKernelTemplates

  // Concrete instances of the templates, compiled with this module's instruction set. They are never
  // inlined, so that no such instruction gets into a module that must run everywhere.

  /// The rows `rows` of a convolution.
  @inline(never)
  public func convolveAVX2(_ task: ConvolutionTask, rows: Range<Int>) {
    convolve(Tiles.self, task, rows: rows)
  }

  /// The tiles `tiles` of a convolution by Winograd's method.
  @inline(never)
  public func convolveWinogradAVX2(
    _ task: WinogradTask, tiles: Range<Int>, scratch: Address
  ) {
    convolveWinograd(Tiles.self, Arithmetic.self, task, tiles: tiles, scratch: scratch)
  }

  /// Adds the weight gradient over the rows `rows`.
  @inline(never)
  public func gatherWeightGradientAVX2(_ task: WeightGradientTask, rows: Range<Int>) {
    gatherWeightGradient(Tiles.self, task, rows: rows)
  }

  /// Adds the sums of values and of squared values over one row.
  @inline(never)
  public func addMomentsAVX2(
    _ row: Address, width: Int, channelCount: Int, sums: Address, squares: Address
  ) {
    addMoments(
      Vector.self, row, width: width, channelCount: channelCount, sums: sums, squares: squares)
  }

  /// Scales, shifts and rectifies one row.
  @inline(never)
  public func normalizeAVX2(
    _ input: Address, output: Address, width: Int, channelCount: Int, scale: Address,
    shift: Address, slope: Float
  ) {
    normalize(
      Vector.self, input, output: output, width: width, channelCount: channelCount, scale: scale,
      shift: shift, slope: slope)
  }

  /// The gradient before the rectifier, in place, and its sums over one row.
  @inline(never)
  public func backpropagateActivationAVX2(
    gradient: Address, activated: Address, input: Address, width: Int, channelCount: Int,
    slope: Float, sums: Address, products: Address
  ) {
    backpropagateActivation(
      Vector.self, gradient: gradient, activated: activated, input: input, width: width,
      channelCount: channelCount, slope: slope, sums: sums, products: products)
  }

  /// `p * gradient + q * input + r` over one row, in place.
  @inline(never)
  public func combineAVX2(
    gradient: Address, input: Address, width: Int, channelCount: Int, p: Address, q: Address,
    r: Address
  ) {
    combine(
      Vector.self, gradient: gradient, input: input, width: width, channelCount: channelCount,
      p: p, q: q, r: r)
  }
#endif

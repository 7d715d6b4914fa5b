#if !ONLY_X86_64_LINUX || (arch(x86_64) && os(Linux))
  public import DiceKernelTemplates

  // Concrete instances of the templates, compiled with each module's instruction set. They are never
  // inlined, so that no such instruction gets into a module that must run everywhere.
  //
  // The modules of the other instruction sets link to this file.

  extension EntryPoints {
    /// The rows `rows` of a convolution.
    @inline(never)
    public static func convolve(_ task: ConvolutionTask, rows: Range<Int>) {
      DiceKernelTemplates.convolve(Tiles.self, task, rows: rows)
    }

    /// The tiles `tiles` of a convolution by Winograd's method.
    @inline(never)
    public static func convolveWinograd(
      _ task: WinogradTask, tiles: Range<Int>, scratch: Address
    ) {
      DiceKernelTemplates.convolveWinograd(
        Tiles.self, Arithmetic.self, task, tiles: tiles, scratch: scratch)
    }

    /// Adds the weight gradient over the rows `rows`.
    @inline(never)
    public static func gatherWeightGradient(_ task: WeightGradientTask, rows: Range<Int>) {
      DiceKernelTemplates.gatherWeightGradient(Tiles.self, task, rows: rows)
    }

    /// Adds the sums of values and of squared values over one row.
    @inline(never)
    public static func addMoments(
      _ row: Address, width: Int, channelCount: Int, sums: Address, squares: Address
    ) {
      DiceKernelTemplates.addMoments(
        Vector.self, row, width: width, channelCount: channelCount, sums: sums, squares: squares)
    }

    /// Scales, shifts and rectifies one row.
    @inline(never)
    public static func normalize(
      _ input: Address, output: Address, width: Int, channelCount: Int, scale: Address,
      shift: Address, slope: Float
    ) {
      DiceKernelTemplates.normalize(
        Vector.self, input, output: output, width: width, channelCount: channelCount, scale: scale,
        shift: shift, slope: slope)
    }

    /// The gradient before the rectifier, in place, and its sums over one row.
    @inline(never)
    public static func backpropagateActivation(
      gradient: Address, activated: Address, input: Address, width: Int, channelCount: Int,
      slope: Float, sums: Address, products: Address
    ) {
      DiceKernelTemplates.backpropagateActivation(
        Vector.self, gradient: gradient, activated: activated, input: input, width: width,
        channelCount: channelCount, slope: slope, sums: sums, products: products)
    }

    /// `p * gradient + q * input + r` over one row, in place.
    @inline(never)
    public static func combine(
      gradient: Address, input: Address, width: Int, channelCount: Int, p: Address, q: Address,
      r: Address
    ) {
      DiceKernelTemplates.combine(
        Vector.self, gradient: gradient, input: input, width: width, channelCount: channelCount,
        p: p, q: q, r: r)
    }

    /// Multiply-adds on registers alone.
    @inline(never)
    public static func multiplyAddInRegisters(_ values: Address, rounds: Int) -> Int {
      DiceKernelTemplates.multiplyAddInRegisters(
        Vector.self, Arithmetic.self, values, rounds: rounds)
    }
  }
#endif

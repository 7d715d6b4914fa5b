public import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVX512
#endif

/// What only training needs.
extension Kernels {
  /// Adds the weight gradient over the rows `rows`; the formula stands at `WeightGradientTask`.
  public func gatherWeightGradient(_ task: WeightGradientTask, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: gatherWeightGradientAVX512(task, rows: rows)
      case .avx2: gatherWeightGradientAVX2(task, rows: rows)
    #endif
    default: gatherWeightGradientBaseline(task, rows: rows)
    }
  }

  /// `sums[c] += Σ x[c]`, `squares[c] += Σ x[c]²` over one row of `width` pixels.
  public func addMoments(
    _ row: Address, width: Int, channelCount: Int, sums: Address, squares: Address
  ) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512:
        addMomentsAVX512(
          row, width: width, channelCount: channelCount, sums: sums, squares: squares)
      case .avx2:
        addMomentsAVX2(row, width: width, channelCount: channelCount, sums: sums, squares: squares)
    #endif
    default:
      addMomentsBaseline(
        row, width: width, channelCount: channelCount, sums: sums, squares: squares)
    }
  }

  /// `output[c] = leaky(input[c] * scale[c] + shift[c])` over one row of `width` pixels.
  public func normalize(
    _ input: Address, output: Address, width: Int, channelCount: Int, scale: Address,
    shift: Address, slope: Float
  ) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512:
        normalizeAVX512(
          input, output: output, width: width, channelCount: channelCount, scale: scale,
          shift: shift, slope: slope)
      case .avx2:
        normalizeAVX2(
          input, output: output, width: width, channelCount: channelCount, scale: scale,
          shift: shift, slope: slope)
    #endif
    default:
      normalizeBaseline(
        input, output: output, width: width, channelCount: channelCount, scale: scale,
        shift: shift, slope: slope)
    }
  }

  /// The gradient before the leaky rectifier, in place over one row of `width` pixels, with
  /// `sums[c] += g[c]` and `products[c] += g[c] * input[c]`.
  public func backpropagateActivation(
    gradient: Address, activated: Address, input: Address, width: Int, channelCount: Int,
    slope: Float, sums: Address, products: Address
  ) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512:
        backpropagateActivationAVX512(
          gradient: gradient, activated: activated, input: input, width: width,
          channelCount: channelCount, slope: slope, sums: sums, products: products)
      case .avx2:
        backpropagateActivationAVX2(
          gradient: gradient, activated: activated, input: input, width: width,
          channelCount: channelCount, slope: slope, sums: sums, products: products)
    #endif
    default:
      backpropagateActivationBaseline(
        gradient: gradient, activated: activated, input: input, width: width,
        channelCount: channelCount, slope: slope, sums: sums, products: products)
    }
  }

  /// `gradient[c] = p[c] * gradient[c] + q[c] * input[c] + r[c]` over one row, in place.
  public func combine(
    gradient: Address, input: Address, width: Int, channelCount: Int, p: Address, q: Address,
    r: Address
  ) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512:
        combineAVX512(
          gradient: gradient, input: input, width: width, channelCount: channelCount, p: p, q: q,
          r: r)
      case .avx2:
        combineAVX2(
          gradient: gradient, input: input, width: width, channelCount: channelCount, p: p, q: q,
          r: r)
    #endif
    default:
      combineBaseline(
        gradient: gradient, input: input, width: width, channelCount: channelCount, p: p, q: q,
        r: r)
    }
  }
}

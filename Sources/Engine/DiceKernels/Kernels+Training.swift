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
      case .avx512: AVX512Kernels.gatherWeightGradient(task, rows: rows)
      case .avx2: AVX2Kernels.gatherWeightGradient(task, rows: rows)
    #endif
    default: BaselineKernels.gatherWeightGradient(task, rows: rows)
    }
  }

  /// `sums[c] += Σ x[c]`, `squares[c] += Σ x[c]²` over one row of `width` pixels.
  public func addMoments(
    _ row: Address, width: Int, channelCount: Int, sums: Address, squares: Address
  ) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512:
        AVX512Kernels.addMoments(
          row, width: width, channelCount: channelCount, sums: sums, squares: squares)
      case .avx2:
        AVX2Kernels.addMoments(
          row, width: width, channelCount: channelCount, sums: sums, squares: squares)
    #endif
    default:
      BaselineKernels.addMoments(
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
        AVX512Kernels.normalize(
          input, output: output, width: width, channelCount: channelCount, scale: scale,
          shift: shift, slope: slope)
      case .avx2:
        AVX2Kernels.normalize(
          input, output: output, width: width, channelCount: channelCount, scale: scale,
          shift: shift, slope: slope)
    #endif
    default:
      BaselineKernels.normalize(
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
        AVX512Kernels.backpropagateActivation(
          gradient: gradient, activated: activated, input: input, width: width,
          channelCount: channelCount, slope: slope, sums: sums, products: products)
      case .avx2:
        AVX2Kernels.backpropagateActivation(
          gradient: gradient, activated: activated, input: input, width: width,
          channelCount: channelCount, slope: slope, sums: sums, products: products)
    #endif
    default:
      BaselineKernels.backpropagateActivation(
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
        AVX512Kernels.combine(
          gradient: gradient, input: input, width: width, channelCount: channelCount, p: p, q: q,
          r: r)
      case .avx2:
        AVX2Kernels.combine(
          gradient: gradient, input: input, width: width, channelCount: channelCount, p: p, q: q,
          r: r)
    #endif
    default:
      BaselineKernels.combine(
        gradient: gradient, input: input, width: width, channelCount: channelCount, p: p, q: q,
        r: r)
    }
  }
}

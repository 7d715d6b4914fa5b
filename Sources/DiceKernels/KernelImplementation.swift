public import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVX512
#endif

/// The instruction set that kernels are compiled for, chosen at run time.
public enum KernelImplementation: String, CaseIterable, Hashable, Sendable {
  /// What every processor of the architecture has: SSE2 or NEON.
  case baseline
  /// AVX2 with fused multiply-add (x86-64-v3).
  case avx2
  /// AVX-512 F, BW, CD, DQ and VL (x86-64-v4).
  case avx512

  /// Whether this build holds the implementation and the processor and operating system offer it.
  public var isAvailable: Bool {
    switch self {
    case .baseline: true
    case .avx2: ProcessorFeatures.current.hasAVX2
    case .avx512: ProcessorFeatures.current.hasAVX512
    }
  }

  /// The widest implementation that is available here.
  public static let best: KernelImplementation =
    avx512.isAvailable ? .avx512 : avx2.isAvailable ? .avx2 : .baseline
}

/// Channels are stored in groups of this many floats: a feature map's pixel takes
/// `paddedChannelCount(channels)` floats, the last of them zero.
public let channelGranularity = 16

/// The number of channels rounded up to a multiple of 16.
public func paddedChannelCount(_ count: Int) -> Int {
  (count + channelGranularity - 1) / channelGranularity * channelGranularity
}

/// The fast kernels of one instruction set.
///
/// Every function trusts its caller: all offsets that follow from a task's fields lie inside the
/// buffers, and outputs do not overlap inputs unless the function works in place.
public struct Kernels: Hashable, Sendable {
  /// The instruction set in use.
  public let implementation: KernelImplementation

  /// The kernels of an implementation, or of the best one here if it is not available.
  public init(_ implementation: KernelImplementation = .best) {
    self.implementation = implementation.isAvailable ? implementation : .best
  }

  /// The rows `rows` of a convolution; the formula stands at `ConvolutionTask`.
  @inline(__always)
  public func convolve(_ task: ConvolutionTask, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: convolveAVX512(task, rows: rows)
      case .avx2: convolveAVX2(task, rows: rows)
    #endif
    default: convolveBaseline(task, rows: rows)
    }
  }

  /// The tiles `tiles` of a convolution, numbered row by row, by Winograd's method; the formula stands at
  /// `WinogradTask`.
  ///
  /// - Parameter scratch: memory for `WinogradTask.scratchCount` floats that nobody else uses.
  @inline(__always)
  public func convolve(_ task: WinogradTask, tiles: Range<Int>, scratch: Address) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: convolveWinogradAVX512(task, tiles: tiles, scratch: scratch)
      case .avx2: convolveWinogradAVX2(task, tiles: tiles, scratch: scratch)
    #endif
    default: convolveWinogradBaseline(task, tiles: tiles, scratch: scratch)
    }
  }

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

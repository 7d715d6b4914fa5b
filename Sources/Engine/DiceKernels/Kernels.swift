public import DiceKernelTemplates
internal import DiceKernelsBaseline

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
  internal import DiceKernelsAVX2
  internal import DiceKernelsAVX512
#endif

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
      case .avx512: AVX512Kernels.convolve(task, rows: rows)
      case .avx2: AVX2Kernels.convolve(task, rows: rows)
    #endif
    default: BaselineKernels.convolve(task, rows: rows)
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
      case .avx512: AVX512Kernels.convolveWinograd(task, tiles: tiles, scratch: scratch)
      case .avx2: AVX2Kernels.convolveWinograd(task, tiles: tiles, scratch: scratch)
    #endif
    default: BaselineKernels.convolveWinograd(task, tiles: tiles, scratch: scratch)
    }
  }

  /// The rows `rows` of a depthwise convolution; the formula stands at `DepthwiseTask`.
  public func convolveDepthwise(_ task: DepthwiseTask, rows: Range<Int>) {
    switch implementation {
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAVX2)
      case .avx512: AVX512Kernels.convolveDepthwise(task, rows: rows)
      case .avx2: AVX2Kernels.convolveDepthwise(task, rows: rows)
    #endif
    default: BaselineKernels.convolveDepthwise(task, rows: rows)
    }
  }
}

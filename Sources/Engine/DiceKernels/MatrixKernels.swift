public import DiceKernelTemplates

#if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
  internal import DiceKernelsAMX
#endif

/// Convolutions of bfloat16 numbers on a processor's matrix units: many times as fast as those of
/// `Kernels`, with factors of eight significant bits.
///
/// Every function trusts its caller like those of `Kernels`.
public struct MatrixKernels: Sendable {
  /// What computes in place of the processor.
  private let model: MatrixModel?

  #if arch(wasm32)
    /// Whether a build can have them; known to the compiler, which leaves out what works with them.
    @inline(__always)
    public static var areBuilt: Bool { false }
    /// Whether they can be used here.
    @inline(__always)
    public static var areAvailable: Bool { false }
  #else
    /// Whether a build can have them; known to the compiler, which leaves out what works with them.
    @inline(__always)
    public static var areBuilt: Bool { true }
    /// Whether they can be used here.
    public static var areAvailable: Bool { MatrixModel.current != nil || areInHardware }
  #endif

  #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
    /// Whether this build holds the kernels and the processor and operating system offer the units.
    package static let areInHardware = ProcessorFeatures.current.hasAMX
  #else
    /// Whether this build holds the kernels and the processor and operating system offer the units.
    package static var areInHardware: Bool { false }
  #endif

  /// The kernels, or nil where they are not available.
  public init?() {
    guard Self.areAvailable else { return nil }
    model = MatrixModel.current
  }

  /// Rounds floats to bfloat16, and writes 32 zeros behind them; halfway cases go to the number whose last
  /// bit is 0.
  ///
  /// - Parameter count: how many, above 0.
  public func narrow(_ source: Address, to target: BFloat16Address, count: Int) {
    if let model { return model.narrow(source, target, count) }
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
      narrowAMX(source, to: target, count: count)
    #endif
  }

  /// The rows `rows` of a convolution; the formula stands at `MatrixConvolutionTask`.
  ///
  /// Up to 31 values behind each window are read and multiplied by zero.
  public func convolve(_ task: MatrixConvolutionTask, rows: Range<Int>) {
    if let model { return model.convolve(task, rows) }
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
      convolveAMX(task, rows: rows)
    #endif
  }

  /// The rows `rows` of a layer; the formula stands at `MatrixLayerTask`.
  ///
  /// Up to 31 values behind each window are read and multiplied by zero.
  ///
  /// - Parameter scratch: memory for `MatrixLayerTask.scratchCount` floats that nobody else uses.
  @inline(__always)
  public func convolve(_ task: MatrixLayerTask, rows: Range<Int>, scratch: Address) {
    if let model { return model.convolveLayer(task, rows, scratch) }
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
      convolveAMX(task, rows: rows, scratch: scratch)
    #endif
  }

  /// `output[y, x, c] = input[y / factor, x / factor, c]` over the output rows `rows`.
  ///
  /// - Parameter channelCount: a multiple of 16.
  public func repeatNearest(
    _ input: BFloat16Address, columnStep: Int, rowStep: Int, to output: BFloat16Address,
    outputColumnStep: Int, outputRowStep: Int, width: Int, channelCount: Int, factor: Int,
    rows: Range<Int>
  ) {
    for y in rows {
      for x in 0..<width {
        let source = input.advanced(by: y / factor * rowStep + x / factor * columnStep)
        let target = output.advanced(by: y * outputRowStep + x * outputColumnStep)
        var channel = 0
        while channel < channelCount {
          target.store(source.bits(at: channel), at: channel)
          channel += 16
        }
      }
    }
  }

  /// Adds the weight gradient; the formula stands at `MatrixWeightGradientTask`.
  ///
  /// - Parameter scratch: memory for `MatrixWeightGradientTask.scratchCount` floats that nobody else
  ///   uses.
  public func gatherWeightGradient(_ task: MatrixWeightGradientTask, scratch: Address) {
    if let model { return model.gatherWeightGradient(task, scratch) }
    #if arch(x86_64) && os(Linux) && canImport(DiceKernelsAMX)
      gatherWeightGradientAMX(task, scratch: scratch)
    #endif
  }
}

/// The numbers of a convolution's weights as matrix kernels read them.
public func matrixWeightCount(
  outputBlockCount: Int, windowCount: Int, windowLength: Int
) -> Int {
  outputBlockCount * windowCount * matrixStepCount(windowLength: windowLength)
    * MatrixConvolutionTask.stepWeightCount
}

/// The steps in which a window of so many values is read.
public func matrixStepCount(windowLength: Int) -> Int {
  (windowLength + MatrixConvolutionTask.stepLength - 1) / MatrixConvolutionTask.stepLength
}

/// Brings weights into the order that matrix kernels read:
/// `[output block][window][step][16 pairs of values][16 channels][2]`.
///
/// - Parameters:
///   - target: memory for ``matrixWeightCount(outputBlockCount:windowCount:windowLength:)`` numbers.
///   - outputChannelCount: the channels that have weights; those that fill up the last block get 0.
///   - outputBlocks: the blocks to bring into order; nil for all of them.
///   - windowCount: the windows.
///   - windowLength: the values of a window.
///   - weight: the weight of an output channel for a value of a window.
@inline(__always)
public func packMatrixWeights(
  to target: BFloat16Address, outputChannelCount: Int, outputBlocks: Range<Int>? = nil,
  windowCount: Int, windowLength: Int,
  weight: (_ output: Int, _ window: Int, _ value: Int) -> Float
) {
  let steps = matrixStepCount(windowLength: windowLength)
  let blocks = paddedChannelCount(outputChannelCount) / channelGranularity
  for block in outputBlocks ?? 0..<blocks {
    for window in 0..<windowCount {
      for value in 0..<steps * MatrixConvolutionTask.stepLength {
        let place =
          ((block * windowCount + window) * steps * 16 + value / 2) * 32 + value % 2
        for lane in 0..<channelGranularity {
          let output = block * channelGranularity + lane
          let isThere = value < windowLength && output < outputChannelCount
          target.store(isThere ? weight(output, window, value) : 0, at: place + lane * 2)
        }
      }
    }
  }
}

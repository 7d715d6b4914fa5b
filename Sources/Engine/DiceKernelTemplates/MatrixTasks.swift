/// One convolution of bfloat16 numbers over a rectangle of output pixels, in the form that matrix units
/// work on.
///
/// `output[y, x, o] = bias[o] + Σ over windows w, steps s, values v of
/// input[y * inputRowStep + x * inputColumnStep + windowOffsets[w] + 32 s + v]
/// * weights[o, w, s, v]`
///
/// A window is a row of the kernel: the channels of pixels that lie side by side. It is read in steps
/// of 32 values; weights of values behind its end are zero, but what stands there must be finite: another
/// pixel, a border, or zeros that were just written.
/// Products are exact, sums are in single precision and in any order.
///
/// | letter | meaning |
/// |---|---|
/// | y, x | output row and column, `0..<height`, `0..<width` |
/// | o | output channel, `0..<outputBlockCount * 16` |
/// | w, s, v | window, step of the window, value of the step: `0..<32` |
@frozen @safe public struct MatrixConvolutionTask {
  /// What a window with offset 0 begins with for the first output pixel.
  public var input: BFloat16Address
  /// Numbers between the inputs of neighbouring output columns.
  public var inputColumnStep: Int
  /// Numbers between the inputs of neighbouring output rows.
  public var inputRowStep: Int
  /// For each window, the distance of its first value from the output pixel's.
  public var windowOffsets: UnsafePointer<Int>
  /// The number of windows.
  public var windowCount: Int
  /// The steps of a window.
  public var stepCount: Int
  /// The packed weights, `[output block][window][step][16 pairs of values][16 channels][2]`.
  public var weights: BFloat16Address
  /// One value for each output channel.
  public var bias: Address
  /// The first output pixel.
  public var output: Address
  /// Floats between neighbouring output columns.
  public var outputColumnStep: Int
  /// Floats between neighbouring output rows.
  public var outputRowStep: Int
  /// Output channels in blocks of 16.
  public var outputBlockCount: Int
  /// Output columns.
  public var width: Int
  /// Whether sums start with what stands in the output in place of the bias.
  public var accumulates: Bool

  /// A task of the given parts.
  ///
  /// - Parameters:
  ///   - input: what a window with offset 0 begins with, with the steps between the inputs of
  ///     neighbouring output pixels.
  ///   - windows: for each window, the distance of its first value.
  public init(
    input: PixelGrid<BFloat16Address>, windows: OffsetList, stepCount: Int,
    weights: BFloat16Address, bias: Address, output: PixelGrid<Address>, outputBlockCount: Int,
    width: Int, accumulates: Bool = false
  ) {
    self.input = input.start
    inputColumnStep = input.columnStep
    inputRowStep = input.rowStep
    unsafe windowOffsets = windows.first
    windowCount = windows.count
    self.stepCount = stepCount
    self.weights = weights
    self.bias = bias
    self.output = output.start
    outputColumnStep = output.columnStep
    outputRowStep = output.rowStep
    self.outputBlockCount = outputBlockCount
    self.width = width
    self.accumulates = accumulates
  }

  /// The values of a step: 32.
  @_alwaysEmitIntoClient public static var stepLength: Int { 32 }
  /// The numbers of a step's weights for one block of output channels: 512.
  @_alwaysEmitIntoClient public static var stepWeightCount: Int { 512 }

  /// The distance of a window's first value from the output pixel's.
  @_alwaysEmitIntoClient @inline(__always)
  public func windowOffset(_ window: Int) -> Int { unsafe windowOffsets[window] }
}

/// A convolution whose sums are rectified and rounded to bfloat16 numbers again.
///
/// `output[y, x, o] = bfloat16(leaky(sum))` with the sums of `MatrixConvolutionTask`, whose output steps
/// count numbers here, and whose output and `accumulates` are not looked at. Outputs are limited to finite
/// numbers; a NaN stays one.
@frozen @safe public struct MatrixLayerTask {
  /// The convolution.
  public var convolution: MatrixConvolutionTask
  /// The first output pixel.
  public var output: BFloat16Address
  /// The slope of the leaky rectifier below zero; 1 is the identity.
  public var slope: Float

  /// A task of the given parts.
  public init(convolution: MatrixConvolutionTask, output: BFloat16Address, slope: Float) {
    self.convolution = convolution
    self.output = output
    self.slope = slope
  }

  /// The floats of memory that one thread works with.
  public static var scratchCount: Int { 1024 }
}

/// The gradient of a convolution's weights over all output rows, from factors rounded to bfloat16.
///
/// `gradient[o, t, i] += Σ over rows y, columns x of
/// input[(y * stride + ky - padding) * inputRowStep + (x * stride + kx - padding) * inputPixelStep + i]
/// * outputGradient[y * gradientRowStep + x * gradientPixelStep + o]`
///
/// with `t = ky * kernelSize + kx`. Sums are in single precision and in any order.
@frozen @safe public struct MatrixWeightGradientTask {
  /// The first input pixel; a border of zeros wherever taps reach over the edge.
  public var input: Address
  /// Floats between neighbouring input columns.
  public var inputPixelStep: Int
  /// Floats between neighbouring input rows.
  public var inputRowStep: Int
  /// The number of input channels.
  public var inputChannelCount: Int
  /// The gradient of the first output pixel.
  public var outputGradient: Address
  /// Floats between the gradients of neighbouring output columns.
  public var gradientPixelStep: Int
  /// Floats between the gradients of neighbouring output rows.
  public var gradientRowStep: Int
  /// Output channels in blocks of 16.
  public var outputBlockCount: Int
  /// Output rows.
  public var height: Int
  /// Output columns.
  public var width: Int
  /// Rows and columns of the kernel.
  public var kernelSize: Int
  /// Input pixels between neighbouring output pixels.
  public var stride: Int
  /// The pixels of zeros on each side of the input.
  public var padding: Int
  /// Where sums are added, `[output block][tap][input channel][16]`.
  public var weightGradient: Address

  /// Pixels of a row in the working memory: even, with room for what taps reach beyond its end.
  public let rowLength: Int
  /// The channels of the input, rounded up to whole tiles.
  public let inputPlaneCount: Int
  /// Output rows that are worked on at once, so that they stay in a near cache.
  public let groupHeight: Int
  /// Numbers of a group's pixels, rounded up to whole steps.
  public let groupLength: Int
  /// Numbers between the planes of two channels; no multiple of a page.
  public let planeStep: Int

  /// A task of the given parts.
  ///
  /// - Parameters:
  ///   - size: rows and columns of the gradient.
  ///   - window: rows and columns of the kernel, input pixels between two windows, and pixels of
  ///     zeros on each side of the input.
  public init(
    input: PixelGrid<Address>, inputChannelCount: Int, outputGradient: PixelGrid<Address>,
    outputBlockCount: Int, size: (height: Int, width: Int),
    window: (size: Int, stride: Int, padding: Int), weightGradient: Address
  ) {
    let (height, width) = size
    let (kernelSize, stride, padding) = window
    self.input = input.start
    inputPixelStep = input.columnStep
    inputRowStep = input.rowStep
    self.inputChannelCount = inputChannelCount
    self.outputGradient = outputGradient.start
    gradientPixelStep = outputGradient.columnStep
    gradientRowStep = outputGradient.rowStep
    self.outputBlockCount = outputBlockCount
    self.height = height
    self.width = width
    self.kernelSize = kernelSize
    self.stride = stride
    self.padding = padding
    self.weightGradient = weightGradient
    var span = 0
    for phase in 0..<stride {
      guard let reach = Self.reach(kernelSize, stride, padding, ofPhase: phase) else { continue }
      span = max(span, reach.upperBound - reach.lowerBound)
    }
    rowLength = (width + span + 1) / 2 * 2
    inputPlaneCount = (inputChannelCount + 15) / 16 * 16
    let rowByteCount =
      rowLength * 2 * (inputPlaneCount * stride * stride + outputBlockCount * channelBlock)
    groupHeight = max(1, min(height, 393_216 / max(1, rowByteCount)))
    groupLength = (groupHeight * rowLength + 31) / 32 * 32
    planeStep = (groupLength + (span + 1) * rowLength + 64 + 31) / 32 * 32 + 32
  }

  /// The first and last distance, in output pixels, of the taps along one axis that read input pixels
  /// of remainder `phase` modulo the stride; nil where none does.
  public func reach(ofPhase phase: Int) -> ClosedRange<Int>? {
    Self.reach(kernelSize, stride, padding, ofPhase: phase)
  }

  private static func reach(
    _ kernelSize: Int, _ stride: Int, _ padding: Int, ofPhase phase: Int
  ) -> ClosedRange<Int>? {
    var reach: ClosedRange<Int>?
    for tap in 0..<kernelSize {
      let (ownPhase, distance) = phaseAndDistance(tap - padding, stride)
      guard ownPhase == phase else { continue }
      let lower = min(reach?.lowerBound ?? distance, distance)
      reach = lower...max(reach?.upperBound ?? distance, distance)
    }
    return reach
  }

  /// For a tap along one axis, `tap - padding = distance * stride + phase`.
  public func phaseAndDistance(_ tap: Int) -> (phase: Int, distance: Int) {
    Self.phaseAndDistance(tap - padding, stride)
  }

  private static func phaseAndDistance(
    _ offset: Int, _ stride: Int
  ) -> (phase: Int, distance: Int) {
    let distance = offset >= 0 ? offset / stride : -((stride - 1 - offset) / stride)
    return (offset - distance * stride, distance)
  }

  /// The floats of memory that one thread works with.
  public var scratchCount: Int {
    let planes = stride * stride * inputPlaneCount * planeStep
    let gradients = groupLength * outputBlockCount * channelBlock
    return (planes + gradients) / 2 + 2 * 512
  }
}

internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork

/// A convolution that learns, with batch normalisation and a leaky rectifier or with a bias.
///
/// With normalisation `z = W * x`, `a = leaky(γ (z - μ) / √(σ² + ε) + β)`; without `a = W * x + b`.
/// A dense layer is a convolution of a value of one pixel.
final class ConvolutionOperation: Operation {
  /// The tensors of a weight file.
  struct Tensors: Hashable {
    /// `[KH, KW, I / groups, O]`.
    var weights: Int
    /// `[O]`.
    var bias: Int
  }

  /// How random weights are drawn.
  enum Beginning: Hashable {
    /// So that the variance of values stays about the same behind a rectifier of a slope (He).
    case rectified(slope: Float)
    /// With a deviation of 0.01, so that an output begins near its bias.
    case small
  }

  let input: Value
  let output: Value
  let weights: ConvolutionWeights
  /// Nil where there is a bias.
  let normalization: BatchNormalization?
  /// The bias, or β, among the learnt values.
  let shiftRange: Range<Int>

  private let tensors: Tensors
  private let store: ParameterStore
  private let slope: Float
  private let beginning: Beginning
  private let convolver: any Convolver
  private let channels: Int
  private let zeros: FloatBuffer
  private let placesBetweenGroups: [Int]
  /// How many pixels of the input an output pixel follows from.
  private let tapsOfOutput: Float
  /// What is computed before the normalisation; the output itself without one.
  private var sum = BatchMap.empty()
  private var sums: ChannelSums
  private var sampleGradients: SampleGradients

  /// - Parameters:
  ///   - geometry: from the input to the output; of a transposed convolution, from the output to the
  ///     input.
  ///   - slope: of the rectifier after the normalisation, above 0; 1 is none.
  ///   - beginning: how random weights are drawn.
  ///   - matrixKernels: what it is computed with where they can and are given.
  init(
    _ geometry: ConvolutionGeometry, groups: Int = 1, isTransposed: Bool = false,
    tensors: Tensors, from input: Value, to output: Value, isNormalized: Bool, slope: Float = 1,
    beginning: Beginning, store: ParameterStore, matrixKernels: MatrixKernels?
  ) {
    precondition(slope > 0 && (isNormalized || slope == 1), "a rectifier keeps signs")
    self.input = input
    self.output = output
    self.tensors = tensors
    self.store = store
    self.slope = slope
    self.beginning = beginning
    channels = paddedChannelCount(output.shape.channelCount)
    weights = ConvolutionWeights(
      tapCount: geometry.tapCount, inputChannels: input.shape.channelCount,
      outputChannels: output.shape.channelCount, groups: groups, isTransposed: isTransposed,
      store: store)
    normalization =
      isNormalized
      ? BatchNormalization(channelCount: output.shape.channelCount, store: store) : nil
    shiftRange = normalization?.shiftRange ?? store.reserve(count: channels, decays: false)
    zeros = FloatBuffer(count: channels)
    placesBetweenGroups = weights.placesBetweenGroups()
    let (wide, narrow) = isTransposed ? (output, input) : (input, output)
    let borders = (
      geometry.inputBorder(input: wide.shape, output: narrow.shape),
      geometry.gradientBorder(input: wide.shape, output: narrow.shape)
    )
    input.needBorder(isTransposed ? borders.1 : borders.0)
    output.needGradientBorder(isTransposed ? borders.0 : borders.1)
    switch weights.layout {
    case .depthwise: convolver = DepthwiseConvolver(geometry, weights: weights)
    case .transposed: convolver = TransposedConvolver(geometry, weights: weights)
    case .blocks:
      if let matrixKernels, geometry.isSquare {
        convolver = MatrixConvolver(geometry, weights: weights, matrixKernels: matrixKernels)
        input.needBorder(geometry.squareBorder)
        output.needGradientBorder(geometry.squareBorder)
      } else {
        convolver = VectorConvolver(geometry, weights: weights)
      }
    }
    // Of a transposed convolution only some taps reach an output.
    tapsOfOutput =
      Float(geometry.tapCount) / Float(isTransposed ? geometry.strideY * geometry.strideX : 1)
    sums = ChannelSums(sampleCount: 0, channelCount: channels)
    sampleGradients = SampleGradients(sampleCount: 0, count: weights.range.count)
  }

  // MARK: Beginning

  /// Weights of mean 0; γ = 1 and β = 0, or no bias.
  ///
  /// Source: He et al., Delving Deep into Rectifiers, 2015.
  func initialize(using random: inout TrainingRandom) {
    let fanIn = tapsOfOutput * Float(weights.groupInputs)
    let deviation: Float
    switch beginning {
    case .rectified(let slope): deviation = (2 / (1 + slope * slope) / fanIn).squareRoot()
    case .small: deviation = 0.01
    }
    weights.initialize(deviation: deviation, using: &random)
    normalization?.initialize()
  }

  func load(_ tensor: (Int) -> [Float]) {
    weights.load(tensor(tensors.weights))
    for (channel, bias) in tensor(tensors.bias).enumerated() {
      store.values[shiftRange.lowerBound + channel] = bias
    }
  }

  func prepare(sampleCount: Int) -> Int {
    sum =
      normalization == nil
      ? output.map
      : BatchMap(
        sampleCount: sampleCount, height: output.shape.height, width: output.shape.width,
        channelCount: output.shape.channelCount)
    if let normalization {
      normalization.prepare(sampleCount: sampleCount)
    } else {
      sums = ChannelSums(sampleCount: sampleCount, channelCount: channels)
    }
    sampleGradients = SampleGradients(sampleCount: sampleCount, count: weights.range.count)
    return convolver.prepare(
      input: input.map, output: sum, outputGradient: output.gradient,
      inputGradient: input.learns ? input.gradient : nil)
  }

  func use(_ scratch: ScratchMemory) { convolver.use(scratch) }

  // MARK: Passes

  private func pixelCount(_ pass: Pass) -> Int {
    pass.sampleCount * output.shape.height * output.shape.width
  }

  func forward(_ pass: Pass) {
    convolver.packForward(pool: pass.pool)
    let bias =
      normalization == nil
      ? store.values.address.advanced(by: shiftRange.lowerBound) : zeros.address
    pass.forEachSample { sample in
      convolver.convolve(sample, bias: bias, kernels: pass.kernels)
      normalization?.gatherMoments(of: sum, sample: sample, kernels: pass.kernels)
    }
    guard let normalization else { return }
    normalization.updateStatistics(
      pixelCount: pixelCount(pass), isCalibrating: pass.isCalibrating)
    pass.forEachSample { sample in
      normalization.normalize(
        sum, to: output.map, sample: sample, slope: slope, kernels: pass.kernels)
    }
  }

  func backward(_ pass: Pass) {
    let gradient = output.gradient
    pass.forEachSample { sample in
      if let normalization {
        normalization.gatherGradients(
          gradient, input: sum, output: output.map, sample: sample, slope: slope,
          kernels: pass.kernels)
      } else {
        let (first, second) = sums.begin(sample)
        for row in 0..<gradient.height {
          pass.kernels.addMoments(
            gradient.row(row, of: sample), width: gradient.width, channelCount: channels,
            sums: first, squares: second)
        }
      }
    }
    if let normalization {
      normalization.updateGradients(pixelCount: pixelCount(pass))
    } else {
      for channel in 0..<channels {
        store.gradient[shiftRange.lowerBound + channel] = Float(sums.totals(channel).first)
      }
    }
    let target = input.gradientTarget()
    if target != nil { convolver.packBackward(pool: pass.pool) }
    sampleGradients.gather(pool: pass.pool) { (sample, total) in
      normalization?.backpropagate(
        gradient, input: sum, sample: sample, kernels: pass.kernels)
      convolver.gatherWeights(sample, total: total, kernels: pass.kernels)
      if let target {
        convolver.backpropagate(sample, accumulates: target.adds, kernels: pass.kernels)
      }
    }
    sampleGradients.sum(to: weights.gradient, pool: pass.pool)
    for place in placesBetweenGroups { store.gradient[weights.range.lowerBound + place] = 0 }
  }

  // MARK: Export

  var statistics: FloatBuffer? { normalization?.statistics }

  func averageStatistics(decay: Float) { normalization?.averageStatistics(decay: decay) }

  /// `w' = w γ/√(σ² + ε)`, `b' = β - μ γ/√(σ² + ε)`, from the averaged parameters and statistics.
  func export(to tensors: inout [[Float]]) {
    let outputs = output.shape.channelCount
    let (scales, shifts) =
      normalization?.folded() ?? (
        [Float](repeating: 1, count: outputs),
        store.averaged.floats(shiftRange.lowerBound..<shiftRange.lowerBound + outputs)
      )
    tensors[self.tensors.weights] = weights.export(scales: scales)
    tensors[self.tensors.bias] = shifts
  }
}

internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A convolution that learns: convolution, batch normalisation, leaky rectifier.
///
/// `z = W * x`, `a = leaky(γ (z - μ) / √(σ² + ε) + β)` with mean and variance over all pixels of the
/// batch. The convolution that feeds a detection head has a bias in place of the normalisation.
///
/// Source: Ioffe and Szegedy, Batch Normalization, 2015.
final class ConvolutionBlock {
  /// ε of the normalisation.
  static let varianceFloor: Float = 1e-3
  /// The share of a new batch in the running mean and variance.
  static let statisticsMomentum: Float = 0.03

  let layer: Layer.Convolution
  let isNormalized: Bool
  let weightRange: Range<Int>
  /// γ, or empty without normalisation.
  let scaleRange: Range<Int>
  /// β, or the bias.
  let shiftRange: Range<Int>
  /// Running mean and variance, and their moving averages for export, `[4, channels]`.
  let statistics: FloatBuffer

  private let geometry: ConvolutionGeometry
  private let store: ParameterStore
  private let slope: Float
  private let channels: Int
  private let blockCount: Int
  private var forwardTaps: TapOffsets
  private var phases: [Phase] = []
  private var sums: FloatBuffer
  private var coefficients: FloatBuffer
  private var pictureGradients: FloatBuffer
  private let zeros: FloatBuffer
  private let matrixKernels: MatrixKernels?
  /// The passes on matrix units, where there are any.
  private var matrix: MatrixConvolution?

  /// What the backward pass does for input pixels of one remainder modulo the stride.
  private struct Phase {
    var row: Int
    var column: Int
    var taps: [(tap: Int, row: Int, column: Int)]
    var offsets: TapOffsets
    var weights: FloatBuffer
  }

  init(
    _ layer: Layer.Convolution, isNormalized: Bool, slope: Float, store: ParameterStore,
    matrixKernels: MatrixKernels? = nil
  ) {
    self.matrixKernels = matrixKernels
    self.layer = layer
    self.isNormalized = isNormalized
    self.slope = slope
    self.store = store
    geometry = ConvolutionGeometry(layer)
    channels = paddedChannelCount(layer.outputChannels)
    blockCount = channels / channelGranularity
    weightRange = store.reserve(
      count: channels * geometry.tapCount * layer.inputChannels, decays: true)
    scaleRange = isNormalized ? store.reserve(count: channels, decays: false) : 0..<0
    shiftRange = store.reserve(count: channels, decays: false)
    statistics = FloatBuffer(count: 4 * channels)
    forwardTaps = TapOffsets([])
    sums = FloatBuffer(count: 0)
    coefficients = FloatBuffer(count: 3 * channels)
    pictureGradients = FloatBuffer(count: 0)
    zeros = FloatBuffer(count: max(channels, paddedChannelCount(layer.inputChannels)))
  }

  var reach: Int { geometry.reach }

  /// Takes weights `[KH, KW, I, O]` and a bias `[O]`, which becomes the shift.
  func load(weights: [Float], bias: [Float]) {
    let (inputs, outputs) = (layer.inputChannels, layer.outputChannels)
    precondition(weights.count == geometry.tapCount * inputs * outputs, "weights fit the layer")
    for o in 0..<outputs {
      for tap in 0..<geometry.tapCount {
        for i in 0..<inputs {
          let packed =
            ((o / channelGranularity * geometry.tapCount + tap) * inputs + i) * channelGranularity
            + o % channelGranularity
          store.values[weightRange.lowerBound + packed] = weights[(tap * inputs + i) * outputs + o]
        }
      }
      store.values[shiftRange.lowerBound + o] = bias[o]
    }
  }

  /// He initialisation for leaky rectifiers; γ = 1, β = 0, running variance 1.
  func initialize(using random: inout TrainingRandom) {
    let taps = geometry.tapCount
    let fanIn = Float(taps * layer.inputChannels)
    let deviation = isNormalized ? (2 / (1 + slope * slope) / fanIn).squareRoot() : 0.01
    for o in 0..<layer.outputChannels {
      for index in 0..<taps * layer.inputChannels {
        let offset =
          (o / channelGranularity * taps * layer.inputChannels + index) * channelGranularity
          + o % channelGranularity
        store.values[weightRange.lowerBound + offset] = random.normal() * deviation
      }
      if isNormalized { store.values[scaleRange.lowerBound + o] = 1 }
    }
    for channel in 0..<channels {
      statistics[channels + channel] = 1
      statistics[3 * channels + channel] = 1
    }
  }

  /// Fits tap offsets and scratch to the maps of a batch.
  ///
  /// - Returns: the floats of memory that one thread needs for ``share(_:)``.
  func prepare(input: FeatureMap, output: FeatureMap, inputGradient: FeatureMap?) -> Int {
    var sharedCount = 0
    if let matrixKernels {
      let matrix = MatrixConvolution(
        matrixKernels, layer,
        values: store.values.address.advanced(by: weightRange.lowerBound))
      sharedCount = matrix.prepare(input: input, output: output, inputGradient: inputGradient)
      self.matrix = matrix
    }
    forwardTaps = TapOffsets(
      geometry.offsets(rowStep: input.rowStep, pixelStep: input.pixelStep))
    sums = FloatBuffer(count: output.pictureCount * 2 * channels)
    pictureGradients = FloatBuffer(count: output.pictureCount * weightRange.count)
    phases = []
    guard inputGradient != nil, matrix == nil else { return sharedCount }
    for row in 0..<geometry.stride {
      for column in 0..<geometry.stride {
        let taps = geometry.backwardTaps(phaseRow: row, phaseColumn: column)
        let inputBlocks = paddedChannelCount(layer.inputChannels)
        phases.append(
          Phase(
            row: row, column: column, taps: taps,
            offsets: TapOffsets(
              taps.map { $0.row * output.rowStep + $0.column * output.pixelStep }),
            weights: FloatBuffer(count: inputBlocks * taps.count * layer.outputChannels)))
      }
    }
    return sharedCount
  }

  /// Takes memory that all blocks work with, one after the other.
  func share(_ scratch: ScratchMemory) { matrix?.use(scratch) }

  // MARK: Forward

  /// `output = leaky(normalised(W * input))`; `sum` keeps `W * input` for the backward pass.
  func forward(
    input: FeatureMap, sum: FeatureMap, output: FeatureMap, isCalibrating: Bool = false,
    kernels: Kernels, pool: WorkerPool
  ) {
    let pixels = output.pictureCount * output.height * output.width
    matrix?.packForward(pixelStep: input.pixelStep)
    pool.run(count: output.pictureCount) { picture in
      let bias =
        isNormalized ? zeros.address : store.values.address.advanced(by: shiftRange.lowerBound)
      if let matrix {
        matrix.convolve(input: input, output: sum, picture: picture, bias: bias)
      } else {
        kernels.convolve(
          task(input: input, output: sum, picture: picture, bias: bias), rows: 0..<sum.height)
      }
      guard isNormalized else { return }
      let sums = self.sums.address.advanced(by: picture * 2 * channels)
      self.sums.clear(picture * 2 * channels..<(picture + 1) * 2 * channels)
      for row in 0..<sum.height {
        kernels.addMoments(
          sum.row(row, of: picture), width: sum.width, channelCount: channels, sums: sums,
          squares: sums.advanced(by: channels))
      }
    }
    guard isNormalized else { return }

    for channel in 0..<channels {
      let (total, squares) = totals(channel, pictureCount: output.pictureCount)
      let mean = total / Double(pixels)
      let variance = max(0, squares / Double(pixels) - mean * mean)
      if isCalibrating {
        let deviation = (variance + Double(Self.varianceFloor)).squareRoot()
        store.values[scaleRange.lowerBound + channel] = Float(deviation)
        store.values[shiftRange.lowerBound + channel] += Float(mean)
        statistics[channel] = Float(mean)
        statistics[channels + channel] = Float(variance)
      }
      let scale =
        Double(store.values[scaleRange.lowerBound + channel])
        / (variance + Double(Self.varianceFloor)).squareRoot()
      coefficients[channel] = Float(scale)
      coefficients[channels + channel] = Float(
        Double(store.values[shiftRange.lowerBound + channel]) - mean * scale)
      batchMean[channel] = Float(mean)
      batchVariance[channel] = Float(variance)
      let momentum = Self.statisticsMomentum
      statistics[channel] += momentum * (Float(mean) - statistics[channel])
      statistics[channels + channel] +=
        momentum * (Float(variance) - statistics[channels + channel])
    }
    pool.run(count: output.pictureCount) { picture in
      for row in 0..<output.height {
        kernels.normalize(
          sum.row(row, of: picture), output: output.row(row, of: picture), width: output.width,
          channelCount: channels, scale: coefficients.address,
          shift: coefficients.address.advanced(by: channels), slope: slope)
      }
    }
  }

  private lazy var batchMean = [Float](repeating: 0, count: channels)
  private lazy var batchVariance = [Float](repeating: 1, count: channels)

  private func totals(_ channel: Int, pictureCount: Int) -> (Double, Double) {
    var first = 0.0
    var second = 0.0
    for picture in 0..<pictureCount {
      first += Double(sums[picture * 2 * channels + channel])
      second += Double(sums[picture * 2 * channels + channels + channel])
    }
    return (first, second)
  }

  private func task(
    input: FeatureMap, output: FeatureMap, picture: Int, bias: Address
  ) -> ConvolutionTask {
    unsafe ConvolutionTask(
      input: input.origin(of: picture), inputColumnStep: layer.stride * input.pixelStep,
      inputRowStep: layer.stride * input.rowStep, tapOffsets: forwardTaps.address,
      tapCount: forwardTaps.count, inputChannelCount: layer.inputChannels,
      weights: store.values.address.advanced(by: weightRange.lowerBound), bias: bias,
      output: output.origin(of: picture), outputColumnStep: output.pixelStep,
      outputRowStep: output.rowStep, outputBlockCount: blockCount, width: output.width, slope: 1,
      accumulates: false)
  }

  // MARK: Backward

  /// The gradients of the parameters and, where `inputGradient` is given, of the input.
  ///
  /// `gradient` holds the gradient of `output` and is overwritten with that of `sum`.
  func backward(
    input: FeatureMap, sum: FeatureMap, output: FeatureMap, gradient: FeatureMap,
    inputGradient: FeatureMap?, accumulates: Bool, kernels: Kernels, pool: WorkerPool
  ) {
    pool.run(count: output.pictureCount) { picture in
      let sums = self.sums.address.advanced(by: picture * 2 * channels)
      self.sums.clear(picture * 2 * channels..<(picture + 1) * 2 * channels)
      for row in 0..<output.height {
        if isNormalized {
          kernels.backpropagateActivation(
            gradient: gradient.row(row, of: picture), activated: output.row(row, of: picture),
            input: sum.row(row, of: picture), width: output.width, channelCount: channels,
            slope: slope, sums: sums, products: sums.advanced(by: channels))
        } else {
          kernels.addMoments(
            gradient.row(row, of: picture), width: output.width, channelCount: channels,
            sums: sums, squares: sums.advanced(by: channels))
        }
      }
    }
    gatherScaleAndShift(
      pixels: output.pictureCount * output.height * output.width,
      pictureCount: output.pictureCount)
    if inputGradient != nil {
      if let matrix {
        matrix.packBackward(pixelStep: gradient.pixelStep)
      } else {
        packBackwardWeights()
      }
    }

    pool.run(count: output.pictureCount) { picture in
      if isNormalized {
        for row in 0..<output.height {
          kernels.combine(
            gradient: gradient.row(row, of: picture), input: sum.row(row, of: picture),
            width: output.width, channelCount: channels, p: coefficients.address,
            q: coefficients.address.advanced(by: channels),
            r: coefficients.address.advanced(by: 2 * channels))
        }
      }
      gatherWeights(input: input, gradient: gradient, picture: picture, kernels: kernels)
      if let inputGradient {
        backpropagate(
          gradient, to: inputGradient, picture: picture, accumulates: accumulates,
          kernels: kernels)
      }
    }
    sumPictureGradients(pictureCount: output.pictureCount, pool: pool)
  }

  /// From Σg and Σg·z: the gradients of γ and β, and the factors of
  /// `∂z = γ/s (g - mean(g) - ẑ mean(g ẑ))` with `ẑ = (z - μ) / s`, `s = √(σ² + ε)`, written as
  /// `p g + q z + r`.
  private func gatherScaleAndShift(pixels: Int, pictureCount: Int) {
    for channel in 0..<channels {
      let (total, products) = totals(channel, pictureCount: pictureCount)
      store.gradient[shiftRange.lowerBound + channel] = Float(total)
      guard isNormalized else { continue }
      let mean = Double(batchMean[channel])
      let inverse = 1 / (Double(batchVariance[channel]) + Double(Self.varianceFloor)).squareRoot()
      let normalizedTotal = (products - mean * total) * inverse
      store.gradient[scaleRange.lowerBound + channel] = Float(normalizedTotal)
      let factor = Double(store.values[scaleRange.lowerBound + channel]) * inverse
      let slopeOfInput = factor * inverse * normalizedTotal / Double(pixels)
      coefficients[channel] = Float(factor)
      coefficients[channels + channel] = Float(-slopeOfInput)
      coefficients[2 * channels + channel] = Float(
        slopeOfInput * mean - factor * total / Double(pixels))
    }
  }

  private func gatherWeights(
    input: FeatureMap, gradient: FeatureMap, picture: Int, kernels: Kernels
  ) {
    let range = picture * weightRange.count..<(picture + 1) * weightRange.count
    pictureGradients.clear(range)
    if let matrix {
      return matrix.gatherWeights(
        input: input, gradient: gradient, picture: picture,
        total: pictureGradients.address.advanced(by: range.lowerBound))
    }
    let task = unsafe WeightGradientTask(
      input: input.origin(of: picture), inputColumnStep: layer.stride * input.pixelStep,
      inputRowStep: layer.stride * input.rowStep, tapOffsets: forwardTaps.address,
      tapCount: forwardTaps.count, inputChannelCount: layer.inputChannels,
      outputGradient: gradient.origin(of: picture), gradientColumnStep: gradient.pixelStep,
      gradientRowStep: gradient.rowStep, outputBlockCount: blockCount, width: gradient.width,
      weightGradient: pictureGradients.address.advanced(by: range.lowerBound))
    kernels.gatherWeightGradient(task, rows: 0..<gradient.height)
  }

  private func backpropagate(
    _ gradient: FeatureMap, to inputGradient: FeatureMap, picture: Int, accumulates: Bool,
    kernels: Kernels
  ) {
    if let matrix {
      return matrix.backpropagate(
        gradient, to: inputGradient, picture: picture, accumulates: accumulates,
        zeros: zeros.address)
    }
    for phase in phases {
      let task = unsafe ConvolutionTask(
        input: gradient.origin(of: picture), inputColumnStep: gradient.pixelStep,
        inputRowStep: gradient.rowStep, tapOffsets: phase.offsets.address,
        tapCount: phase.offsets.count, inputChannelCount: layer.outputChannels,
        weights: phase.weights.address, bias: zeros.address,
        output: inputGradient.row(phase.row, of: picture).advanced(
          by: phase.column * inputGradient.pixelStep),
        outputColumnStep: layer.stride * inputGradient.pixelStep,
        outputRowStep: layer.stride * inputGradient.rowStep,
        outputBlockCount: paddedChannelCount(layer.inputChannels) / channelGranularity,
        width: inputGradient.width / layer.stride, slope: 1, accumulates: accumulates)
      kernels.convolve(task, rows: 0..<inputGradient.height / layer.stride)
    }
  }

  /// Packs the weights `[input block][tap][output channel][16]` for every phase.
  private func packBackwardWeights() {
    let source = store.values.address.advanced(by: weightRange.lowerBound)
    let (inputs, outputs) = (layer.inputChannels, layer.outputChannels)
    let tapCount = geometry.tapCount
    for phase in phases {
      let target = phase.weights.address
      let count = phase.taps.count
      for i in 0..<inputs {
        let block = i / channelGranularity * count
        for (index, tap) in phase.taps.enumerated() {
          let row = (block + index) * outputs * channelGranularity + i % channelGranularity
          for o in 0..<outputs {
            let packed = (o / channelGranularity * tapCount + tap.tap) * inputs + i
            target.store(
              source.scalar(at: packed * channelGranularity + o % channelGranularity),
              at: row + o * channelGranularity)
          }
        }
      }
    }
  }

  /// Adds up the pictures' gradients in their order, so that the sum does not depend on threads.
  private func sumPictureGradients(pictureCount: Int, pool: WorkerPool) {
    let count = weightRange.count
    let chunk = 4096
    let total = store.gradient.address.advanced(by: weightRange.lowerBound)
    pool.run(count: (count + chunk - 1) / chunk) { part in
      var offset = part * chunk
      let end = min(count, offset + chunk)
      while offset < end {
        var sum = SIMD16<Float>(repeating: 0)
        for picture in 0..<pictureCount {
          sum += pictureGradients.address.vector(
            at: picture * count + offset, as: SIMD16<Float>.self)
        }
        total.store(sum, at: offset)
        offset += channelGranularity
      }
    }
  }

  // MARK: Export

  /// Follows the running statistics with an exponential moving average.
  func averageStatistics(decay: Float) {
    for channel in 0..<2 * channels {
      statistics[2 * channels + channel] =
        decay * statistics[2 * channels + channel] + (1 - decay) * statistics[channel]
    }
  }

  /// Weights `[KH, KW, I, O]` and bias `[O]` with the normalisation folded in.
  ///
  /// `w' = w γ/√(σ² + ε)`, `b' = β - μ γ/√(σ² + ε)`, from the averaged parameters and statistics.
  func folded() -> (weights: [Float], bias: [Float]) {
    let taps = geometry.tapCount
    let (inputs, outputs) = (layer.inputChannels, layer.outputChannels)
    var weights = [Float](repeating: 0, count: taps * inputs * outputs)
    var bias = [Float](repeating: 0, count: outputs)
    for o in 0..<outputs {
      var scale: Float = 1
      let shift = store.averaged[shiftRange.lowerBound + o]
      bias[o] = shift
      if isNormalized {
        scale =
          store.averaged[scaleRange.lowerBound + o]
          / (max(0, statistics[3 * channels + o]) + Self.varianceFloor).squareRoot()
        bias[o] = shift - statistics[2 * channels + o] * scale
      }
      for tap in 0..<taps {
        for i in 0..<inputs {
          let packed =
            ((o / channelGranularity * taps + tap) * inputs + i) * channelGranularity
            + o % channelGranularity
          weights[(tap * inputs + i) * outputs + o] =
            store.averaged[weightRange.lowerBound + packed] * scale
        }
      }
    }
    return (weights, bias)
  }
}

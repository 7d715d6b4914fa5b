internal import DiceKernelTemplates
internal import DiceKernels

/// The normalisation of a value by the mean and variance of each channel over a batch.
///
/// `a = leaky(γ (z - μ) / √(σ² + ε) + β)` with mean and variance over all pixels of the batch. What
/// is exported takes averages of the means and variances in their place.
///
/// Source: Ioffe and Szegedy, Batch Normalization, 2015.
final class BatchNormalization {
  /// The share of a new batch in the running mean and variance.
  static let statisticsMomentum: Float = 0.03

  /// ε.
  let epsilon: Float
  /// γ among the learnt values.
  let scaleRange: Range<Int>
  /// β among the learnt values.
  let shiftRange: Range<Int>
  /// Running mean and variance, and their moving averages for export, `[4, channels]`.
  let statistics: FloatBuffer

  private let store: ParameterStore
  private let channelCount: Int
  /// The channels rounded up to a multiple of 16.
  private let channels: Int
  private var sums: ChannelSums
  private let coefficients: FloatBuffer
  private var batchMean: [Float]
  private var batchVariance: [Float]

  init(channelCount: Int, epsilon: Float = 1e-3, store: ParameterStore) {
    self.channelCount = channelCount
    self.epsilon = epsilon
    self.store = store
    channels = paddedChannelCount(channelCount)
    scaleRange = store.reserve(count: channels, decays: false)
    shiftRange = store.reserve(count: channels, decays: false)
    statistics = FloatBuffer(count: 4 * channels)
    coefficients = FloatBuffer(count: 3 * channels)
    sums = ChannelSums(sampleCount: 0, channelCount: channels)
    batchMean = [Float](repeating: 0, count: channels)
    batchVariance = [Float](repeating: 1, count: channels)
  }

  /// γ = 1, β = 0, running variance 1.
  func initialize() {
    for channel in 0..<channelCount { store.values[scaleRange.lowerBound + channel] = 1 }
    for channel in 0..<channels {
      statistics[channels + channel] = 1
      statistics[3 * channels + channel] = 1
    }
  }

  /// Takes over what a weight file says of a channel.
  func load(channel: Int, scale: Float, shift: Float, mean: Float, variance: Float) {
    store.values[scaleRange.lowerBound + channel] = scale
    store.values[shiftRange.lowerBound + channel] = shift
    statistics[channel] = mean
    statistics[channels + channel] = variance
  }

  func prepare(sampleCount: Int) {
    sums = ChannelSums(sampleCount: sampleCount, channelCount: channels)
  }

  // MARK: Forward

  /// Gathers the sums of a sample.
  func gatherMoments(of input: BatchMap, sample: Int, kernels: Kernels) {
    let (first, second) = sums.begin(sample)
    for row in 0..<input.height {
      kernels.addMoments(
        input.row(row, of: sample), width: input.width, channelCount: channels, sums: first,
        squares: second)
    }
  }

  /// Finds mean and variance after all samples' sums have been gathered.
  ///
  /// - Parameters:
  ///   - pixelCount: pixels of the batch.
  ///   - isCalibrating: sets γ and β so that the output, but for the rectifier, is the input plus
  ///     what β was before.
  func updateStatistics(pixelCount: Int, isCalibrating: Bool) {
    for channel in 0..<channels {
      let (total, squares) = sums.totals(channel)
      let mean = total / Double(pixelCount)
      let variance = max(0, squares / Double(pixelCount) - mean * mean)
      if isCalibrating {
        let deviation = (variance + Double(epsilon)).squareRoot()
        store.values[scaleRange.lowerBound + channel] = Float(deviation)
        store.values[shiftRange.lowerBound + channel] += Float(mean)
        statistics[channel] = Float(mean)
        statistics[channels + channel] = Float(variance)
      }
      let scale =
        Double(store.values[scaleRange.lowerBound + channel])
        / (variance + Double(epsilon)).squareRoot()
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
  }

  /// Takes the running mean and variance in place of the batch's.
  func useRunningStatistics() {
    for channel in 0..<channels {
      let scale =
        store.values[scaleRange.lowerBound + channel]
        / (max(0, statistics[channels + channel]) + epsilon).squareRoot()
      coefficients[channel] = scale
      coefficients[channels + channel] =
        store.values[shiftRange.lowerBound + channel] - statistics[channel] * scale
    }
  }

  /// Normalises a sample, and rectifies it with a slope above 0; 1 is no rectifier.
  func normalize(
    _ input: BatchMap, to output: BatchMap, sample: Int, slope: Float, kernels: Kernels
  ) {
    for row in 0..<output.height {
      kernels.normalize(
        input.row(row, of: sample), output: output.row(row, of: sample), width: output.width,
        channelCount: channels, scale: coefficients.address,
        shift: coefficients.address.advanced(by: channels), slope: slope)
    }
  }

  // MARK: Backward

  /// Gathers the sums of a sample's gradient, after the rectifier, which is overwritten with the
  /// gradient before it.
  func gatherGradients(
    _ gradient: BatchMap, input: BatchMap, output: BatchMap, sample: Int, slope: Float,
    kernels: Kernels
  ) {
    let (first, second) = sums.begin(sample)
    for row in 0..<output.height {
      kernels.backpropagateActivation(
        gradient: gradient.row(row, of: sample), activated: output.row(row, of: sample),
        input: input.row(row, of: sample), width: output.width, channelCount: channels,
        slope: slope, sums: first, products: second)
    }
  }

  /// From Σg and Σg·z: the gradients of γ and β, and the factors of
  /// `∂z = γ/s (g - mean(g) - ẑ mean(g ẑ))` with `ẑ = (z - μ) / s`, `s = √(σ² + ε)`, written as
  /// `p g + q z + r`.
  func updateGradients(pixelCount: Int) {
    for channel in 0..<channels {
      let (total, products) = sums.totals(channel)
      store.gradient[shiftRange.lowerBound + channel] = Float(total)
      let mean = Double(batchMean[channel])
      let inverse = 1 / (Double(batchVariance[channel]) + Double(epsilon)).squareRoot()
      let normalizedTotal = (products - mean * total) * inverse
      store.gradient[scaleRange.lowerBound + channel] = Float(normalizedTotal)
      let factor = Double(store.values[scaleRange.lowerBound + channel]) * inverse
      let slopeOfInput = factor * inverse * normalizedTotal / Double(pixelCount)
      coefficients[channel] = Float(factor)
      coefficients[channels + channel] = Float(-slopeOfInput)
      coefficients[2 * channels + channel] = Float(
        slopeOfInput * mean - factor * total / Double(pixelCount))
    }
  }

  /// Overwrites a sample's gradient with that of the input.
  func backpropagate(
    _ gradient: BatchMap, input: BatchMap, sample: Int, kernels: Kernels
  ) {
    for row in 0..<gradient.height {
      kernels.combine(
        gradient: gradient.row(row, of: sample), input: input.row(row, of: sample),
        width: gradient.width, channelCount: channels, p: coefficients.address,
        q: coefficients.address.advanced(by: channels),
        r: coefficients.address.advanced(by: 2 * channels))
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

  /// γ, β, mean and variance of each channel, averaged.
  func exported() -> (scales: [Float], shifts: [Float], means: [Float], variances: [Float]) {
    func averaged(_ range: Range<Int>) -> [Float] {
      store.averaged.floats(range.lowerBound..<range.lowerBound + channelCount)
    }
    return (
      averaged(scaleRange), averaged(shiftRange),
      statistics.floats(2 * channels..<2 * channels + channelCount),
      statistics.floats(3 * channels..<3 * channels + channelCount).map { max(0, $0) }
    )
  }

  /// The factor and offset of each channel: `γ/√(σ² + ε)` and `β - μ γ/√(σ² + ε)`, from the averaged
  /// parameters and statistics.
  func folded() -> (scales: [Float], shifts: [Float]) {
    var scales = [Float](repeating: 1, count: channelCount)
    var shifts = [Float](repeating: 0, count: channelCount)
    for channel in 0..<channelCount {
      scales[channel] =
        store.averaged[scaleRange.lowerBound + channel]
        / (max(0, statistics[3 * channels + channel]) + epsilon).squareRoot()
      shifts[channel] =
        store.averaged[shiftRange.lowerBound + channel]
        - statistics[2 * channels + channel] * scales[channel]
    }
    return (scales, shifts)
  }
}

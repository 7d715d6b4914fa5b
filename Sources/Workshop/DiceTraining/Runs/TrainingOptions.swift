/// How a run learns, whatever its task is.
public struct TrainingOptions: Hashable, Sendable {
  /// Samples for each step, 1...256.
  public var batchSize = 16
  /// Samples that the run makes in all, 1...1 000 000 000.
  public var sampleCount = 100_000
  /// The greatest learning rate, above 0, at most 1.
  public var learningRate: Float = 2e-3
  /// The share of the learning rate that is left at the end, 0...1.
  public var finalLearningRateShare: Float = 0.02
  /// Steps over which the learning rate rises from 0; at most a tenth of the run.
  public var warmUpStepCount = 300
  /// The decay of weights, relative to the learning rate, 0...10.
  public var weightDecay: Float = 0.02
  /// The longest gradient that is taken as it is, above 0; longer ones are shortened to it.
  public var maximumGradientNorm: Float = 20
  /// The decay of the exponential moving average that is exported, 0..<1.
  public var averageDecay: Float = 0.999
  /// The seed of everything random.
  public var seed: UInt64 = 1
  /// Whether convolutions multiply numbers rounded to bfloat16 where the processor has units for
  /// matrices of them; everything that is added up stays in single precision.
  public var usesMatrixUnits = true
  /// What the network's description leaves open: normalisation and dropout of single layers, and
  /// numbers of constants.
  public var layers = LayerOptions()

  /// What serves most networks.
  public init() {}

  /// The number of steps.
  public var stepCount: Int { max(1, sampleCount / max(1, batchSize)) }

  /// The options as text that is the same for equal options.
  var identity: String {
    var others = self
    others.layers = LayerOptions()
    return "\(others) \(layers.identity)"
  }

  /// Checks the ranges; those of layers are checked with the network.
  func validate() throws(TrainingError) {
    try TrainingError.require((1...256).contains(batchSize), "batchSize", batchSize, "1 to 256")
    try TrainingError.require(
      (1...1_000_000_000).contains(sampleCount), "sampleCount", sampleCount, "1 to 1000000000")
    try TrainingError.require(
      learningRate > 0 && learningRate <= 1, "learningRate", learningRate, "above 0, at most 1")
    try TrainingError.require(
      (0...1).contains(finalLearningRateShare), "finalLearningRateShare", finalLearningRateShare,
      "0 to 1")
    try TrainingError.require(
      (0...1_000_000).contains(warmUpStepCount), "warmUpStepCount", warmUpStepCount,
      "0 to 1000000")
    try TrainingError.require(
      (0...10).contains(weightDecay), "weightDecay", weightDecay, "0 to 10")
    try TrainingError.require(
      maximumGradientNorm > 0, "maximumGradientNorm", maximumGradientNorm, "more than 0")
    try TrainingError.require(
      (0..<1).contains(averageDecay), "averageDecay", averageDecay, "0 up to, not with, 1")
  }
}

extension TrainingError {
  /// Throws the error for an option unless its rule holds.
  package static func require(
    _ holds: Bool, _ name: String, _ found: some CustomStringConvertible, _ required: String
  ) throws(TrainingError) {
    if !holds {
      throw .invalidOption(name: name, found: found.description, required: required)
    }
  }
}

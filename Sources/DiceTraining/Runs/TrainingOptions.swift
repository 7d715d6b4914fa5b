/// What a network is trained to do.
public enum TrainingTask: Hashable, Sendable {
  /// To find and read all dice of a picture.
  case detection
  /// To say whether there is a top face in the middle of its input, where exactly, and its value.
  case reading
}

/// How a run learns.
public struct TrainingOptions: Hashable, Sendable {
  /// What the network is to do.
  public var task = TrainingTask.detection
  /// Samples for each step, 1...256.
  public var batchSize = 16
  /// Samples that the run makes in all.
  public var sampleCount = 100_000
  /// The width and height of samples in pixels, a multiple of 32.
  public var inputSize = 416
  /// The greatest learning rate, more than 0.
  public var learningRate: Float = 2e-3
  /// The share of the learning rate that is left at the end, 0...1.
  public var finalLearningRateShare: Float = 0.02
  /// Steps over which the learning rate rises from 0.
  public var warmUpStepCount = 300
  /// The decay of weights, relative to the learning rate.
  public var weightDecay: Float = 0.02
  /// The longest gradient that is taken as it is.
  public var maximumGradientNorm: Float = 20
  /// The decay of the exponential moving average that is exported, 0..<1.
  public var averageDecay: Float = 0.999
  /// The share of the run, at its end, without mosaics and with little change of scale: samples as
  /// they look in use.
  public var plainShare: Float = 0.1
  /// The seed of everything random.
  public var seed: UInt64 = 1
  /// Whether convolutions multiply numbers rounded to bfloat16 where the processor has units for
  /// matrices of them; everything that is added up stays in single precision.
  public var usesMatrixUnits = true
  /// How samples are varied.
  public var augmentation = Augmentation()

  /// The recipe for the standard detector's weights.
  public init() {}

  /// The number of steps.
  public var stepCount: Int { max(1, sampleCount / max(1, batchSize)) }

  /// Checks the ranges.
  func validate() throws(TrainingError) {
    func require(
      _ holds: Bool, _ name: String, _ found: some CustomStringConvertible, _ required: String
    ) throws(TrainingError) {
      if !holds {
        throw .invalidOption(name: name, found: found.description, required: required)
      }
    }
    try require((1...256).contains(batchSize), "batchSize", batchSize, "1 to 256")
    try require(
      (1...1_000_000_000).contains(sampleCount), "sampleCount", sampleCount, "1 to 1000000000")
    try require(
      (64...2048).contains(inputSize) && inputSize.isMultiple(of: 32), "inputSize", inputSize,
      "a multiple of 32 from 64 to 2048")
    try require(
      learningRate > 0 && learningRate <= 1, "learningRate", learningRate, "above 0, at most 1")
    try require(
      (0...1).contains(finalLearningRateShare), "finalLearningRateShare", finalLearningRateShare,
      "0 to 1")
    try require(
      (0...1_000_000).contains(warmUpStepCount), "warmUpStepCount", warmUpStepCount,
      "0 to 1000000")
    try require((0...10).contains(weightDecay), "weightDecay", weightDecay, "0 to 10")
    try require(
      maximumGradientNorm > 0, "maximumGradientNorm", maximumGradientNorm, "more than 0")
    try require(
      (0..<1).contains(averageDecay), "averageDecay", averageDecay, "0 up to, not with, 1")
    try require((0...1).contains(plainShare), "plainShare", plainShare, "0 to 1")
  }
}

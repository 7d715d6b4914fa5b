internal import DiceGameKit
public import DiceParallel
public import DiceTraining

/// Teaches a network to read digits: varied pictures of a set, and the cross entropy of their digits.
public struct DigitTask: LearningTask {
  /// What the network is to say of a sample: its digit.
  public typealias Target = Int

  /// The pictures to learn from; at least one.
  public let dataset: DigitDataset
  /// How they are varied.
  public let distortion: DigitDistortion
  /// The share of a run, at its end, in which pictures are varied half as much.
  public let plainShare: Float
  /// How samples and loss come about, as text.
  public let identity: String
  /// The pictures and digits.
  public let parts: [TrainingPart]
  private let loss: SoftmaxCrossEntropy

  /// A task.
  ///
  /// - Parameters:
  ///   - dataset: the pictures to learn from.
  ///   - distortion: how they are varied.
  ///   - smoothing: the share that all digits have in what is asked for, 0..<1.
  ///   - plainShare: the share of a run, at its end, in which pictures are varied half as much, 0...1.
  /// - Precondition: there is a picture.
  public init(
    _ dataset: DigitDataset, distortion: DigitDistortion = DigitDistortion(),
    smoothing: Float = 0.05, plainShare: Float = 0.2
  ) {
    precondition(dataset.count > 0, "there is a picture to learn from")
    self.dataset = dataset
    self.distortion = distortion
    self.plainShare = plainShare
    loss = SoftmaxCrossEntropy(smoothing: smoothing)
    identity = "digits \(distortion) \(smoothing) \(plainShare)"
    parts = [TrainingPart("pictures or digits", fingerprint: dataset.fingerprint)]
  }

  /// Draws a picture of the set and varies it.
  public func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Int {
    let index = random.index(dataset.count)
    let sampler = DigitSampler(
      distortion: moment.isInLast(share: plainShare) ? distortion.halved : distortion)
    var values = [Float](repeating: 0, count: DigitBitmap.side * DigitBitmap.side)
    sampler.sample(dataset.bitmaps[index], using: &random, into: &values)
    for place in values.indices { values[place] *= 1 / 255 }
    inputs[0].write(values)
    return Int(dataset.digits[index])
  }

  /// The cross entropy, and the share of samples that are read right.
  public func loss(
    of outputs: [TrainingOutput], targets: [Int], pool: WorkerPool
  ) -> LossParts {
    loss.parts(of: outputs[0], labels: targets, pool: pool)
  }
}

public import DiceParallel

/// What a network is to learn: where samples come from, and what is to become small.
///
/// A ``Trainer`` knows nothing of samples and outputs but what its task says. For every step it asks
/// for a batch of samples, runs the network, asks for the loss and its gradient by the outputs, and
/// changes the weights.
public protocol LearningTask: Sendable {
  /// What a sample should make the network say.
  associatedtype Target: Sendable

  /// How samples and loss come about, besides the network and the run's options, as text.
  ///
  /// A checkpoint is only taken up by a run whose task has the same.
  var identity: String { get }

  /// What samples are made from, in parts that change by themselves, such as pictures and labels: a
  /// checkpoint of a run with others is refused, and the error names them.
  var parts: [TrainingPart] { get }

  /// The rows and columns of the samples for an input.
  ///
  /// - Parameters:
  ///   - input: the index of the input in the network's description.
  ///   - height: the rows of the description.
  ///   - width: the columns of the description.
  func sampleSize(ofInput input: Int, height: Int, width: Int) -> (height: Int, width: Int)

  /// The bias that the convolution or dense layer in front of an output begins with, one number for
  /// each channel; nil for zeros.
  ///
  /// - Parameter output: the index of the output in the network's description.
  func initialBias(ofOutput output: Int) -> [Float]?

  /// Makes one sample; called for several samples at once.
  ///
  /// - Parameters:
  ///   - inputs: where the sample is written, one for each input of the network; what the last sample
  ///     left stands there.
  ///   - moment: how far the run is.
  ///   - random: the only source of chance, so that the same run gives the same samples.
  /// - Returns: What the network should say.
  func makeSample(
    into inputs: [SampleInput], at moment: TrainingMoment, using random: inout TrainingRandom
  ) -> Target

  /// The loss over a batch; writes its gradient by the outputs.
  ///
  /// - Parameters:
  ///   - outputs: the outputs of the network, whose gradients are zero.
  ///   - targets: what ``makeSample(into:at:using:)`` returned for each sample of the batch.
  ///   - pool: threads to work on.
  func loss(of outputs: [TrainingOutput], targets: [Target], pool: WorkerPool) -> LossParts
}

extension LearningTask {
  /// None.
  public var parts: [TrainingPart] { [] }

  /// The size of the description.
  public func sampleSize(
    ofInput input: Int, height: Int, width: Int
  ) -> (height: Int, width: Int) {
    (height, width)
  }

  /// Zeros.
  public func initialBias(ofOutput output: Int) -> [Float]? { nil }
}

/// How far a run is.
public struct TrainingMoment: Hashable, Sendable {
  /// The step that a sample is for, from 1; 0 for samples that a run from given weights sets its
  /// normalisations by.
  public var step: Int
  /// The steps of the run.
  public var stepCount: Int

  /// A moment of a run.
  public init(step: Int, stepCount: Int) {
    self.step = step
    self.stepCount = stepCount
  }

  /// Whether the moment lies in the last part of the run, of the given share, 0...1.
  public func isInLast(share: Float) -> Bool {
    Float(step) > Float(stepCount) * (1 - share)
  }
}

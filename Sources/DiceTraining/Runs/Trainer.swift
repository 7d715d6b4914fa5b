internal import DiceKernels
internal import DiceParallel
public import DiceWeights

/// Teaches a network to find and read dice, step by step.
///
/// The same pictures, options and seed give the same weights, at any number of threads, and whether
/// or not the run was interrupted and resumed from a checkpoint (on the same kind of processor).
public final class Trainer {
  /// What a step did.
  public struct Progress: Hashable, Sendable {
    /// The step, from 1.
    public var step: Int
    /// The steps of the run.
    public var stepCount: Int
    /// The learning rate of the step.
    public var learningRate: Float
    /// The loss of the boxes, of the objectness and of the classes.
    public var boxLoss: Float
    /// The loss of the objectness.
    public var objectnessLoss: Float
    /// The loss of the values.
    public var classificationLoss: Float
    /// The mean overlap of predicted boxes with the dice they were given.
    public var meanOverlap: Float
    /// The number of cells that were given a die.
    public var positiveCount: Int

    /// The sum of the three losses.
    public var loss: Float { boxLoss + objectnessLoss + classificationLoss }
  }

  /// The network that is trained.
  public let description: NetworkDescription
  /// How it learns.
  public let options: TrainingOptions
  /// The steps done so far.
  public internal(set) var step = 0

  let network: TrainingNetwork
  /// What, besides network and options, the run's samples and beginning follow from.
  let origin: String
  /// A number that changes with the network, every option, the sets of pictures and the beginning.
  lazy var fingerprint = XXHash64.hash(
    Array("\(description.input) \(description.layers) \(options) \(origin)".utf8))
  private let pool: WorkerPool
  private let optimizer: Adam
  private let schedule: LearningRateSchedule
  private let pictures: [[TrainingPicture]]
  /// For each source, the sum of its weight and of those before it.
  private let cumulativeWeights: [Float]
  private let workspace: TrainingNetwork.Workspace
  private let loss: DetectionLoss

  /// Prepares a run from random weights.
  ///
  /// - Parameters:
  ///   - description: the network; convolutions with leaky rectifiers, detection heads after
  ///     convolutions without activation.
  ///   - sources: pictures and the weight with which a source is drawn; sources without pictures
  ///     are passed over.
  ///   - options: how it learns.
  ///   - initialWeights: what to begin with in place of random weights; a network with the same
  ///     layers, whose recommended thresholds are kept.
  ///   - threadCount: threads that work on a step.
  public init(
    _ description: NetworkDescription, sources: [(pictures: [TrainingPicture], weight: Float)],
    options: TrainingOptions = TrainingOptions(), initialWeights: WeightFile? = nil,
    threadCount: Int? = nil
  ) throws(TrainingError) {
    try options.validate()
    var description = description
    if let initialWeights { description.thresholds = initialWeights.description.thresholds }
    self.description = description
    self.options = options
    pool = WorkerPool(threadCount: threadCount ?? WorkerPool.processorCount)
    network = try TrainingNetwork(
      description, seed: options.seed, kernels: Kernels(),
      matrixKernels: options.usesMatrixUnits ? MatrixKernels() : nil, pool: pool)
    optimizer = Adam(
      weightDecay: options.weightDecay, maximumGradientNorm: options.maximumGradientNorm)
    schedule = LearningRateSchedule(
      peak: options.learningRate, finalShare: options.finalLearningRateShare,
      warmUpStepCount: min(options.warmUpStepCount, options.stepCount / 10),
      stepCount: options.stepCount)
    let usable = sources.filter { !$0.pictures.isEmpty && $0.weight > 0 }
    guard !usable.isEmpty else { throw .noPictures }
    origin =
      usable.map { "\($0.pictures.count) pictures, weight \($0.weight); " }.joined()
      + "from \(initialWeights?.checksum ?? 0)"
    pictures = usable.map(\.pictures)
    var total: Float = 0
    cumulativeWeights = usable.map {
      total += $0.weight
      return total
    }
    workspace = network.makeWorkspace(
      pictureCount: options.batchSize, height: options.inputSize, width: options.inputSize)
    network.prepare(workspace)
    loss = DetectionLoss(task: options.task, heads: network.heads(of: workspace), pool: pool)
    if let initialWeights { try begin(with: initialWeights) }
  }

  /// Takes over the convolutions of a weight file and finds the normalisation that they had.
  ///
  /// A weight file holds convolutions with their normalisation folded in. A forward pass over the
  /// first samples sets each block's scale and shift so that the normalised sum is the sum itself.
  private func begin(with file: WeightFile) throws(TrainingError) {
    guard file.description.layers == description.layers else {
      throw .otherLayers(found: file.description.name, required: description.name)
    }
    for block in network.orderedBlocks {
      block.load(
        weights: file.floats(of: block.layer.weights), bias: file.floats(of: block.layer.bias))
    }
    _ = makeSamples(step: 0)
    network.forward(workspace, isCalibrating: true)
    network.store.averaged.write(network.store.values.floats(0..<network.store.count), at: 0)
    for block in network.orderedBlocks { block.averageStatistics(decay: 0) }
  }

  /// Fills the input map with the samples of a step, and returns their dice.
  private func makeSamples(step: Int) -> [[TruthBox]] {
    let maker = sampleMaker(at: step)
    return pool.map(count: options.batchSize) { index in
      var random = TrainingRandom(options.seed, UInt64(step), UInt64(index))
      return maker.make(into: workspace.input, index: index, using: &random) { random in
        pick(using: &random)
      }
    }
  }

  /// Whether all steps are done.
  public var isFinished: Bool { step >= options.stepCount }

  /// One step: samples, forward, loss, backward, update.
  @discardableResult
  public func advance() throws(TrainingError) -> Progress {
    let step = self.step + 1
    let truths = makeSamples(step: step)
    network.forward(workspace)
    let parts = loss.evaluate(truths)
    guard parts.total.isFinite else { throw .diverged(step: step) }
    network.backward(workspace)
    let rate = schedule.rate(at: step)
    // The average starts short, so that it soon forgets the random beginning.
    let averageDecay = min(options.averageDecay, Float(1 + step) / Float(10 + step))
    optimizer.update(
      network.store, step: step, learningRate: rate, averageDecay: averageDecay, pool: pool)
    for block in network.orderedBlocks where block.isNormalized {
      block.averageStatistics(decay: averageDecay)
    }
    self.step = step
    return Progress(
      step: step, stepCount: options.stepCount, learningRate: rate, boxLoss: parts.box,
      objectnessLoss: parts.objectness, classificationLoss: parts.classification,
      meanOverlap: parts.meanOverlap, positiveCount: parts.positiveCount)
  }

  private func sampleMaker(at step: Int) -> SampleMaker {
    var augmentation = options.augmentation
    if Float(step) > Float(options.stepCount) * (1 - options.plainShare) {
      augmentation.mosaic = 0
      augmentation.scale =
        max(augmentation.scale.lowerBound, 0.8)...min(augmentation.scale.upperBound, 1.25)
    }
    return SampleMaker(
      task: options.task, augmentation: augmentation,
      referenceSide: min(description.input.width, description.input.height),
      paddingValue: description.input.paddingValue,
      scales: description.input.scales, biases: description.input.biases,
      isBlueFirst: description.input.channelOrder == .bgr)
  }

  private func pick(using random: inout TrainingRandom) -> TrainingPicture {
    let place = random.unit() * (cumulativeWeights.last ?? 0)
    let source = cumulativeWeights.firstIndex { place < $0 } ?? pictures.count - 1
    return pictures[source][random.index(pictures[source].count)]
  }

  /// The weight file of the averaged weights, normalisation folded into the convolutions.
  ///
  /// - Parameter provenance: what to say of the weights' origin, after the description's own.
  public func export(
    storage: WeightStorage = .float16, provenance: [ProvenanceEntry] = []
  ) throws(WeightFileError) -> [UInt8] {
    var description = self.description
    description.provenance += provenance
    let shapes = try description.validated()
    var tensors = [[Float]](repeating: [], count: shapes.tensors.count)
    for block in network.orderedBlocks {
      let (weights, bias) = block.folded()
      tensors[block.layer.weights] = weights
      tensors[block.layer.bias] = bias
    }
    return try WeightFile.encode(description: description, tensors: tensors, storage: storage)
  }
}

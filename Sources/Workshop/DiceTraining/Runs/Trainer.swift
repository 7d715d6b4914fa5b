internal import DiceKernels
internal import DiceParallel
public import DiceWeights

/// Teaches a network a task, step by step.
///
/// The same task, options and seed give the same weights, at any number of threads, and whether or not
/// the run was interrupted and resumed from a checkpoint (on the same kind of processor).
public final class Trainer<Task: LearningTask> {
  /// The network that is trained.
  public let description: NetworkDescription
  /// What it learns.
  public let task: Task
  /// How it learns.
  public let options: TrainingOptions
  /// The steps done so far.
  public internal(set) var step = 0

  let network: TrainingNetwork
  /// All that the run follows from: the network, the beginning, every option and the task.
  let parts: [TrainingPart]
  private let pool: WorkerPool
  private let optimizer: Adam
  private let schedule: LearningRateSchedule
  private let outputs: [TrainingOutput]

  /// Prepares a run from random weights, or from given ones.
  ///
  /// - Parameters:
  ///   - description: the network.
  ///   - task: what it learns.
  ///   - options: how it learns.
  ///   - initialWeights: what to begin with in place of random weights; a network with the same
  ///     layers.
  ///   - threadCount: threads that work on a step; nil for one for each processor.
  /// - Throws: `TrainingError` for a network that cannot be trained, options outside their ranges, and
  ///   weights of other layers.
  public init(
    _ description: NetworkDescription, task: Task, options: TrainingOptions = TrainingOptions(),
    initialWeights: WeightFile? = nil, threadCount: Int? = nil
  ) throws(TrainingError) {
    try options.validate()
    self.description = description
    self.task = task
    self.options = options
    pool = WorkerPool(threadCount: threadCount ?? WorkerPool.processorCount)
    if let initialWeights, initialWeights.description.layers != description.layers {
      throw .otherLayers(found: initialWeights.description.name, required: description.name)
    }
    let sizes = description.inputs.enumerated().map { (index, input) in
      let size = task.sampleSize(
        ofInput: index, height: input.shape.height, width: input.shape.width)
      return TensorShape(
        height: size.height, width: size.width, channels: input.shape.channels)
    }
    network = try TrainingNetwork(
      description, sampleCount: options.batchSize, sizes: sizes, options: options.layers,
      seed: options.seed, kernels: Kernels(),
      matrixKernels: options.usesMatrixUnits ? MatrixKernels() : nil, pool: pool,
      constants: { initialWeights?.floats(of: $0) },
      initialBias: { task.initialBias(ofOutput: $0) })
    outputs = network.outputs.map {
      TrainingOutput(name: $0.name, values: $0.value.map, gradients: $0.value.gradient)
    }
    optimizer = Adam(
      weightDecay: options.weightDecay, maximumGradientNorm: options.maximumGradientNorm)
    schedule = LearningRateSchedule(
      peak: options.learningRate, finalShare: options.finalLearningRateShare,
      warmUpStepCount: min(options.warmUpStepCount, options.stepCount / 10),
      stepCount: options.stepCount)
    parts =
      [
        TrainingPart(
          "inputs, layers or outputs",
          of: "\(description.inputs) \(description.layers) \(description.outputs)"),
        TrainingPart("weights to begin with", fingerprint: initialWeights?.checksum ?? 0),
        TrainingPart("options of learning", of: options.identity),
        TrainingPart("options of samples", of: task.identity),
      ] + task.parts
    if let initialWeights { begin(with: initialWeights) }
  }

  /// Takes over the layers of a weight file and finds the normalisation that they had.
  ///
  /// A weight file holds convolutions with their normalisation folded in. A forward pass over the
  /// first samples sets each one's scale and shift so that the normalised sum is the sum itself.
  private func begin(with file: WeightFile) {
    network.load(file)
    _ = makeSamples(step: 0)
    network.forward(isCalibrating: true)
    network.store.averaged.write(network.store.values.floats(0..<network.store.count), at: 0)
    network.averageStatistics(decay: 0)
  }

  /// Fills the inputs with the samples of a step, and returns their targets.
  private func makeSamples(step: Int) -> [Task.Target] {
    let moment = TrainingMoment(step: step, stepCount: options.stepCount)
    return pool.map(count: options.batchSize) { sample in
      var random = TrainingRandom(options.seed, UInt64(step), UInt64(sample))
      return task.makeSample(
        into: network.inputs.map { SampleInput(map: $0.map, sample: sample) }, at: moment,
        using: &random)
    }
  }

  /// Whether all steps are done.
  public var isFinished: Bool { step >= options.stepCount }

  /// One step: samples, forward, loss, backward, update.
  ///
  /// - Throws: `TrainingError.diverged` where the loss is not finite.
  @discardableResult
  public func advance() throws(TrainingError) -> TrainingProgress {
    let step = self.step + 1
    let targets = makeSamples(step: step)
    network.forward(step: step)
    network.clearOutputGradients()
    let loss = task.loss(of: outputs, targets: targets, pool: pool)
    guard loss.total.isFinite else { throw .diverged(step: step) }
    network.backward(step: step)
    let rate = schedule.rate(at: step)
    // The average starts short, so that it soon forgets the random beginning.
    let averageDecay = min(options.averageDecay, Float(1 + step) / Float(10 + step))
    optimizer.update(
      network.store, step: step, learningRate: rate, averageDecay: averageDecay, pool: pool)
    network.averageStatistics(decay: averageDecay)
    self.step = step
    return TrainingProgress(
      step: step, stepCount: options.stepCount, learningRate: rate, loss: loss)
  }

  /// The weight file of the averaged weights, normalisation folded into the convolutions.
  ///
  /// - Parameters:
  ///   - storage: how the numbers are stored.
  ///   - provenance: what to say of the weights' origin, after the description's own.
  public func export(
    storage: WeightStorage = .float16, provenance: [ProvenanceEntry] = []
  ) throws(WeightFileError) -> [UInt8] {
    var description = self.description
    description.provenance += provenance
    let shapes = try description.validated()
    return try WeightFile.encode(
      description: description, tensors: network.tensors(count: shapes.tensors.count),
      storage: storage)
  }
}

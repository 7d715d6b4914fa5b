internal import DiceKernelTemplates
internal import DiceKernels
internal import DiceNetwork
internal import DiceParallel
internal import DiceWeights

/// A network that learns, for batches of one shape: the layers of a description as operations, with
/// batch normalisation behind its convolutions.
final class TrainingNetwork {
  /// An output of the network.
  struct Output {
    let name: String
    let value: Value
  }

  let store: ParameterStore
  let inputs: [Value]
  let outputs: [Output]
  let operations: [any Operation]
  let sampleCount: Int

  private let values: [Value]
  private let seed: UInt64
  private let kernels: Kernels
  private let pool: WorkerPool

  /// - Parameters:
  ///   - sampleCount: the samples of a batch.
  ///   - sizes: the shape of the samples for each input.
  ///   - options: what the description leaves open.
  ///   - constants: the numbers of tensors that are not learnt, where the options have none.
  ///   - kernels: what it is computed with.
  ///   - matrixKernels: what convolutions are computed with in place of `kernels`, where given.
  ///   - initialBias: for each output the bias that the convolution in front of it begins with; nil
  ///     for zeros.
  /// - Throws: `TrainingError` for a description that breaks a rule or holds what training does not
  ///   know.
  init(
    _ description: NetworkDescription, sampleCount: Int, sizes: [TensorShape]? = nil,
    options: LayerOptions = LayerOptions(), seed: UInt64, kernels: Kernels,
    matrixKernels: MatrixKernels? = nil, pool: WorkerPool,
    constants: @escaping (_ tensor: Int) -> [Float]? = { _ in nil },
    initialBias: (_ output: Int) -> [Float]? = { _ in nil }
  ) throws(TrainingError) {
    let (shapes, defaults): (NetworkShapes, NetworkShapes)
    do throws(WeightFileError) {
      defaults = try description.validated()
      shapes =
        try sizes.map { (sizes) throws(WeightFileError) in
          try description.shapes(inputs: sizes)
        } ?? defaults
    } catch { throw .invalidNetwork(error) }
    let assembly = try NetworkAssembly(
      description, shapes: shapes, defaults: defaults, options: options,
      constants: { options.constants[$0] ?? constants($0) }, matrixKernels: matrixKernels)
    store = assembly.store
    inputs = assembly.inputs
    outputs = assembly.outputs
    operations = assembly.operations
    values = assembly.inputs + assembly.operations.map(\.output)
    self.sampleCount = sampleCount
    self.seed = seed
    self.kernels = kernels
    self.pool = pool

    store.allocate()
    var random = TrainingRandom(seed, 0x57E1_6875)
    for operation in operations { operation.initialize(using: &random) }
    for index in outputs.indices {
      if let bias = initialBias(index) { try setBias(bias, ofOutput: index) }
    }
    store.averaged.write(store.values.floats(0..<store.count), at: 0)

    for value in values { value.allocate(sampleCount: sampleCount) }
    var scratchCount = 0
    for operation in operations {
      scratchCount = max(scratchCount, operation.prepare(sampleCount: sampleCount))
    }
    let scratch = ScratchMemory(floatCount: scratchCount, threadCount: pool.threadCount)
    for operation in operations { operation.use(scratch) }
  }

  private func setBias(_ bias: [Float], ofOutput index: Int) throws(TrainingError) {
    let value = outputs[index].value
    for operation in operations where operation.output === value {
      guard let convolution = operation as? ConvolutionOperation,
        convolution.normalization == nil, bias.count == value.shape.channelCount
      else { break }
      store.values.write(bias, at: convolution.shiftRange.lowerBound)
      return
    }
    throw .outputWithoutBias(output: outputs[index].name)
  }

  // MARK: Passes

  private func pass(step: Int?, isCalibrating: Bool = false) -> Pass {
    Pass(
      kernels: kernels, pool: pool, sampleCount: sampleCount, isCalibrating: isCalibrating,
      chance: step.map { Pass.Chance(seed: seed, step: $0) })
  }

  /// From the inputs to the outputs, with the statistics of the batch.
  ///
  /// - Parameters:
  ///   - step: what the chance of dropout follows from; nil for none.
  ///   - isCalibrating: sets each normalisation's scale and shift so that its output is that of the
  ///     convolution with its bias.
  func forward(step: Int? = nil, isCalibrating: Bool = false) {
    let pass = pass(step: step, isCalibrating: isCalibrating)
    for operation in operations { operation.forward(pass) }
  }

  /// Makes the outputs' gradients ready for the loss: zero everywhere.
  func clearOutputGradients() {
    for value in values { value.beginBackward() }
    for output in outputs {
      guard let target = output.value.gradientTarget() else { continue }
      pool.run(count: sampleCount) { sample in target.map.clear(sample) }
    }
  }

  /// From the gradients of the outputs, written after ``clearOutputGradients()``, to those of all that
  /// is learnt.
  ///
  /// - Parameter step: that of the forward pass.
  func backward(step: Int? = nil) {
    let pass = pass(step: step)
    for operation in operations.reversed() where operation.output.hasGradient {
      operation.backward(pass)
    }
  }

  // MARK: Export

  /// Takes over the tensors of a weight file of the same layers.
  func load(_ file: WeightFile) {
    for operation in operations { operation.load { file.floats(of: $0) } }
  }

  /// Follows the statistics with an exponential moving average.
  func averageStatistics(decay: Float) {
    for operation in operations { operation.averageStatistics(decay: decay) }
  }

  /// The tensors of a weight file, from the averaged values.
  func tensors(count: Int) -> [[Float]] {
    var tensors = [[Float]](repeating: [], count: count)
    for operation in operations { operation.export(to: &tensors) }
    return tensors
  }
}

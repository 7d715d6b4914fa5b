import DiceNetwork
import DiceWeights
import MatrixModel
import TestSupport
import Testing

@testable import DiceTraining

struct TrainerTests {
  /// The whole way: samples, training, folding, weight file, inference.
  @Test(arguments: [Layer.Activation.relu, .hardSwish])
  func learnsToTellBars(_ activation: Layer.Activation) throws {
    let trainer = try Trainer(
      BarTask.network(activation: activation), task: BarTask(smoothing: 0.05),
      options: BarTask.options(steps: 150))
    var last: LossParts?
    while !trainer.isFinished { last = try trainer.advance().loss }
    #expect((try #require(last)["accuracy"] ?? 0) > 0.9)

    let runner = try NetworkRunner(
      NetworkPlan(WeightFile(bytes: trainer.export(storage: .float32))))
    let input = Value(
      ValueShape(height: 12, width: 12, channelCount: 1), learns: false, pixelStep: 4)
    input.allocate(sampleCount: 1)
    var random = TrainingRandom(77)
    var rightCount = 0
    for _ in 0..<60 {
      let label = BarTask().makeSample(
        into: [SampleInput(map: input.map, sample: 0)],
        at: TrainingMoment(step: 1, stepCount: 1), using: &random)
      runner.setInput(0, OperationCheck.numbers(input.map))
      runner.run()
      let shares = runner.output(0).values
      let sum = shares.reduce(0, +)
      #expect(abs(sum - 1) < 1e-4)
      if shares.firstIndex(of: shares.max() ?? 0) == label { rightCount += 1 }
    }
    #expect(rightCount >= 57)
  }

  @Test func learnsFromTwoInputs() throws {
    var options = BarTask.options(steps: 400)
    options.weightDecay = 0
    options.learningRate = 2e-2
    let trainer = try Trainer(ProductTask.network(), task: ProductTask(), options: options)
    let first = try trainer.advance().loss.total
    var last = first
    while !trainer.isFinished { last = try trainer.advance().loss.total }
    #expect(first > 0.3 && last < 1e-3)
    let file = try WeightFile(bytes: trainer.export(storage: .float32))
    for weight in file.floats(of: 0) { #expect(abs(weight - 1) < 0.05) }
    #expect(abs(file.floats(of: 1)[0]) < 0.05)
  }

  @Test(.modelledMatrixUnits) func aResumedRunGivesTheSameBytes() throws {
    for layers in [LayerOptions(), LayerOptions(normalization: [5: true], dropout: [2: 0.3])] {
      let whole = try BarTask.trainer(steps: 12, layers: layers)
      for _ in 0..<12 { try whole.advance() }
      let first = try BarTask.trainer(steps: 12, layers: layers)
      for _ in 0..<5 { try first.advance() }
      let second = try BarTask.trainer(steps: 12, layers: layers)
      try second.resume(from: first.checkpoint())
      expectEqual(second.step, 5)
      while !second.isFinished { try second.advance() }
      try expectEqual(second.export(), whole.export())
      expectEqual(second.checkpoint(), whole.checkpoint())
    }
  }

  @Test(.modelledMatrixUnits) func theNumberOfThreadsDoesNotMatter() throws {
    var exports: [[UInt8]] = []
    for threadCount in [1, 2, 5] {
      let trainer = try BarTask.trainer(
        steps: 4, layers: LayerOptions(dropout: [0: 0.2]), threadCount: threadCount)
      for _ in 0..<4 { try trainer.advance() }
      exports.append(try trainer.export(storage: .float32))
    }
    expectEqual(exports[0], exports[1])
    expectEqual(exports[0], exports[2])
  }

  @Test func seedAndOptionsOfLayersGiveOtherWeights() throws {
    func weights(_ trainer: Trainer<BarTask>) throws -> [UInt8] {
      try trainer.advance()
      return try trainer.export(storage: .float32)
    }
    let first = try weights(BarTask.trainer(steps: 2))
    try expectEqual(first, weights(BarTask.trainer(steps: 2)))
    #expect(try first != weights(BarTask.trainer(steps: 2, seed: 2)))
    #expect(
      try first != weights(BarTask.trainer(steps: 2, layers: LayerOptions(dropout: [0: 0.5]))))
    #expect(
      try first
        != weights(BarTask.trainer(steps: 2, layers: LayerOptions(normalization: [0: false]))))
  }

  @Test func aCheckpointKeepsTheCallersNotes() throws {
    let first = try BarTask.trainer(steps: 3)
    try first.advance()
    for notes in [
      [], [1], [0.1, -.infinity, .leastNonzeroMagnitude, .pi], [Double](repeating: 7, count: 64),
    ] {
      let second = try BarTask.trainer(steps: 3)
      try expectEqual(second.resume(from: first.checkpoint(notes: notes)), notes)
      expectEqual(second.checkpoint(), first.checkpoint())
    }
  }

  @Test func whatDiffersIsNamed() throws {
    let trainer = try BarTask.trainer(steps: 3)
    for (other, names) in [
      (try BarTask.trainer(steps: 4), "options of learning"),
      (
        try Trainer(
          BarTask.network(), task: BarTask(smoothing: 0.1), options: BarTask.options(steps: 3)),
        "options of samples"
      ),
      (
        try Trainer(
          BarTask.network(activation: .tanh), task: BarTask(smoothing: 0.1),
          options: BarTask.options(steps: 4)),
        "inputs, layers or outputs, options of learning and options of samples"
      ),
    ] {
      #expect(
        throws: TrainingError.checkpointMismatch(
          found: "a run with other \(names)", required: "this run")
      ) { try other.resume(from: trainer.checkpoint()) }
    }
    var old = trainer.checkpoint()
    old[7] = UInt8(ascii: "1")
    #expect(throws: TrainingError.checkpointDamaged(reason: "an earlier version wrote it")) {
      try trainer.resume(from: old)
    }
  }

  @Test func aCheckpointOfAnotherRunIsRefused() throws {
    let trainer = try BarTask.trainer(steps: 3)
    var otherTask = BarTask.options(steps: 3)
    otherTask.seed = 1
    let others = [
      try BarTask.trainer(steps: 4), try BarTask.trainer(steps: 3, seed: 2),
      try BarTask.trainer(steps: 3, layers: LayerOptions(dropout: [0: 0.5])),
      try Trainer(BarTask.network(), task: BarTask(smoothing: 0.1), options: otherTask),
      try Trainer(
        BarTask.network(activation: .tanh), task: BarTask(), options: otherTask),
    ]
    for other in others {
      do throws(TrainingError) {
        try other.resume(from: trainer.checkpoint())
        Issue.record("a checkpoint of another run was accepted")
      } catch {
        guard case .checkpointMismatch = error else {
          Issue.record("unexpected error \(error)")
          continue
        }
      }
    }
    try BarTask.trainer(steps: 3).resume(from: trainer.checkpoint())
  }

  @Test(.modelledMatrixUnits) func aRunThatBeginsWithAWeightFileBeginsWhereThatEnded() throws {
    let first = try BarTask.trainer(steps: 100)
    while !first.isFinished { try first.advance() }
    let file = try WeightFile(bytes: first.export(storage: .float32))
    let second = try Trainer(
      BarTask.network(), task: BarTask(), options: BarTask.options(steps: 40),
      initialWeights: file)
    let after = try WeightFile(bytes: second.export(storage: .float32))
    #expect(file.tensorCount == after.tensorCount && file.tensorCount > 0)
    for index in 0..<file.tensorCount {
      let scale = file.floats(of: index).reduce(Float(0)) { max($0, abs($1)) }
      for (a, b) in zip(file.floats(of: index), after.floats(of: index)) {
        #expect(abs(a - b) <= 1e-4 * max(scale, 1))
      }
    }
    let fresh = try BarTask.trainer(steps: 40)
    #expect(try second.advance().loss.total < fresh.advance().loss.total / 2)
    #expect(throws: TrainingError.otherLayers(found: "bars", required: "bars")) {
      _ = try Trainer(
        BarTask.network(activation: .tanh), task: BarTask(), initialWeights: file)
    }
  }

  @Test func optionsOutsideTheirRangesAreNamed() throws {
    let changes: [(String, (inout TrainingOptions) -> Void)] = [
      ("batchSize", { $0.batchSize = 0 }), ("batchSize", { $0.batchSize = 100_000 }),
      ("sampleCount", { $0.sampleCount = -3 }), ("learningRate", { $0.learningRate = .nan }),
      ("learningRate", { $0.learningRate = 0 }), ("weightDecay", { $0.weightDecay = -1 }),
      ("averageDecay", { $0.averageDecay = 1 }),
      ("warmUpStepCount", { $0.warmUpStepCount = -1 }),
      ("maximumGradientNorm", { $0.maximumGradientNorm = 0 }),
      ("finalLearningRateShare", { $0.finalLearningRateShare = .infinity }),
      ("layers.dropout", { $0.layers.dropout = [0: 1] }),
      ("layers.dropout", { $0.layers.dropout = [0: .nan] }),
      ("layers.dropout", { $0.layers.dropout = [99: 0.5] }),
      ("layers.normalization", { $0.layers.normalization = [1: true] }),
      ("layers.normalization", { $0.layers.normalization = [-1: true] }),
    ]
    for (name, change) in changes {
      var options = BarTask.options(steps: 2)
      change(&options)
      do throws(TrainingError) {
        _ = try Trainer(BarTask.network(), task: BarTask(), options: options)
        Issue.record("\(name) was accepted")
      } catch {
        guard case .invalidOption(name, _, _) = error else {
          Issue.record("unexpected error \(error)")
          continue
        }
        #expect(error.description.hasSuffix("."))
      }
    }
  }
}

/// What a description may have and training refuses by name.
struct NetworkAssemblyTests {
  private func assemble(
    _ description: NetworkDescription, options: LayerOptions = LayerOptions(),
    initialBias: [Float]? = nil
  ) throws(TrainingError) -> TrainingNetwork {
    try TrainingNetwork(
      description, sampleCount: 1, options: options, seed: 1, kernels: .init(),
      pool: .init(threadCount: 1), initialBias: { _ in initialBias })
  }

  @Test func aBrokenDescriptionIsRefused() {
    var description = BarTask.network()
    description.outputs = []
    do throws(TrainingError) {
      _ = try assemble(description)
      Issue.record("a network without outputs was accepted")
    } catch {
      guard case .invalidNetwork = error else {
        Issue.record("unexpected error \(error)")
        return
      }
    }
  }

  @Test func whatHasNoDerivativeIsRefused() {
    var network = NetworkBuilder()
    let input = network.tensor("numbers", height: 1, width: 1, channels: 4)
    let dense = network.dense(input, 4)
    network.output("whole", network.activation(dense, .floor))
    #expect(
      throws: TrainingError.unsupportedLayer(layer: 1, what: "a function without a derivative")
    ) {
      _ = try assemble(network.description(name: "floor"))
    }
    var other = NetworkBuilder()
    let numbers = other.tensor("numbers", height: 1, width: 1, channels: 4)
    let sums = other.dense(numbers, 4)
    let place = other.append(
      .reduction(
        Layer.Reduction(
          input: sums.source, kind: .indexOfMaximum, overHeight: false, overWidth: false,
          overChannels: true)), shape: TensorShape(height: 1, width: 1, channels: 1))
    other.output("place", place)
    #expect(
      throws: TrainingError.unsupportedLayer(layer: 1, what: "a place of the greatest number")
    ) {
      _ = try assemble(other.description(name: "place"))
    }
  }

  @Test func aChoiceByComputedNumbersIsRefused() {
    var network = NetworkBuilder()
    let input = network.tensor("numbers", height: 1, width: 6, channels: 1)
    let sums = network.convolution(input, 1, size: 1)
    let best = network.append(
      .ranking(Layer.Ranking(input: sums.source, count: 2)),
      shape: TensorShape(height: 1, width: 2, channels: 1))
    let chosen = network.append(
      .selection(Layer.Selection(input: sums.source, places: best.source)),
      shape: TensorShape(height: 1, width: 2, channels: 1))
    network.output("chosen", network.convolution(chosen, 1, size: 1))
    #expect(
      throws: TrainingError.unsupportedLayer(layer: 1, what: "a choice by computed numbers")
    ) {
      _ = try assemble(network.description(name: "choice"))
    }
  }

  @Test func sharedTensorsAndMissingConstantsAreRefused() {
    var network = NetworkBuilder()
    let input = network.tensor("numbers", height: 1, width: 1, channels: 4)
    let (weights, bias) = (network.makeTensor(), network.makeTensor())
    var value = input
    for _ in 0..<2 {
      value = network.append(
        .dense(
          Layer.Dense(input: value.source, outputChannels: 4, weights: weights, bias: bias)),
        shape: TensorShape(height: 1, width: 1, channels: 4))
    }
    network.output("sums", value)
    #expect(throws: TrainingError.sharedTensor(tensor: 0)) {
      _ = try assemble(network.description(name: "shared"))
    }
    let everything = TestNetworks.everything()
    let constants = TestNetworks.constants(of: everything)
    for broken in [[:], constants.mapValues { Array($0.dropLast()) }] {
      #expect(throws: TrainingError.missingConstant(tensor: constants.keys.first ?? -1)) {
        _ = try assemble(everything, options: LayerOptions(constants: broken))
      }
    }
  }

  @Test func outputsThatLearnNothingOrHaveNoBiasAreRefused() {
    var network = NetworkBuilder()
    let input = network.tensor("numbers", height: 1, width: 1, channels: 4)
    let dense = network.dense(input, 4)
    network.output("sums", dense)
    network.output("half", network.activation(input, .linear(scale: 0.5, offset: 0)))
    #expect(throws: TrainingError.outputLearnsNothing(output: "half")) {
      _ = try assemble(network.description(name: "half"))
    }
    #expect(throws: TrainingError.outputWithoutBias(output: "kind")) {
      _ = try assemble(BarTask.network(), initialBias: [1, 2])
    }
    #expect(throws: Never.self) { _ = try assemble(BarTask.network(), initialBias: [1, 2, 3]) }
  }

  @Test func normalizationsAreDecidedLayerByLayer() throws {
    func isNormalized(_ options: LayerOptions) throws -> [Bool] {
      try assemble(BarTask.network(), options: options).operations.compactMap {
        ($0 as? ConvolutionOperation).map { $0.normalization != nil }
      }
    }
    // Three convolutions, a dense layer of one pixel, and one that feeds the output.
    try expectEqual(isNormalized(LayerOptions()), [true, true, true, false, false])
    try expectEqual(
      isNormalized(LayerOptions(normalization: [2: false, 5: true])),
      [true, false, true, true, false])
    var network = NetworkBuilder()
    let image = network.image(width: 32, height: 32)
    let normalized = network.convolution(image, 4, size: 3, activation: .identity)
    let tensors = (0..<4).map { _ in network.makeTensor() }
    let value = network.append(
      .batchNormalization(
        Layer.BatchNormalization(
          input: normalized.source, scale: tensors[0], shift: tensors[1], mean: tensors[2],
          variance: tensors[3], epsilon: 1e-3)), shape: normalized.shape)
    let last = network.convolution(value, 4, size: 1, activation: .identity)
    network.output("map", network.activation(last, .sigmoid))
    let found = try assemble(network.description(name: "own")).operations.compactMap {
      ($0 as? ConvolutionOperation).map { $0.normalization != nil }
    }
    expectEqual(found, [false, false])
  }
}

import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights
import TestSupport
import Testing

@testable import DiceTraining

/// What is trained computes what is run.
struct InferenceAgreementTests {
  private let description = TestNetworks.everything()

  private func network(
    normalization: [Int: Bool] = [:], implementation: KernelImplementation = .best
  ) throws -> TrainingNetwork {
    try TrainingNetwork(
      description, sampleCount: 3,
      options: LayerOptions(
        normalization: normalization, constants: TestNetworks.constants(of: description)),
      seed: 21, kernels: Kernels(implementation), pool: WorkerPool(threadCount: 2))
  }

  private func fill(_ network: TrainingNetwork) {
    var random = TrainingRandom(4)
    for input in network.inputs {
      let shape = input.shape
      for sample in 0..<network.sampleCount {
        SampleInput(map: input.map, sample: sample).write(
          (0..<shape.height * shape.width * shape.channelCount).map { _ in random.between(-1, 1) })
      }
    }
  }

  /// A weight file whose numbers are all away from their beginning, without any normalisation but
  /// that of the layer that is one.
  private func file() throws -> WeightFile {
    let plain = try network(
      normalization: [Int: Bool](
        uniqueKeysWithValues: TestNetworks.sums(of: description).map { ($0, false) }))
    var random = TrainingRandom(8)
    var tensors = plain.tensors(count: try description.validated().tensors.count)
    for index in tensors.indices where tensors[index].allSatisfy({ $0 == 0 }) {
      tensors[index] = tensors[index].map { _ in random.between(-0.3, 0.3) }
    }
    for case .batchNormalization(let layer) in description.layers {
      tensors[layer.scale] = tensors[layer.scale].map { _ in random.between(0.5, 1.5) }
      tensors[layer.variance] = tensors[layer.variance].map { _ in random.between(0.5, 1.5) }
    }
    // The weights in front of outputs begin so small that differences would not be seen.
    for index in TestNetworks.sums(of: description) {
      guard case .convolution(let layer) = description.layers[index] else { continue }
      let greatest = tensors[layer.weights].reduce(Float(0)) { max($0, abs($1)) }
      if greatest < 0.1 { tensors[layer.weights] = tensors[layer.weights].map { $0 * 30 } }
    }
    return try WeightFile(
      bytes: WeightFile.encode(description: description, tensors: tensors, storage: .float32))
  }

  /// The outputs of every sample as the engine computes them; logits in place of a softmax.
  private func expected(_ file: WeightFile, _ network: TrainingNetwork) throws -> [[[Float]]] {
    let runner = try NetworkRunner(NetworkPlan(file, kernels: .reference))
    return (0..<network.sampleCount).map { sample in
      for (index, input) in network.inputs.enumerated() {
        let numbers = OperationCheck.numbers(input.map)
        let count = numbers.count / network.sampleCount
        runner.setInput(index, Array(numbers[sample * count..<(sample + 1) * count]))
      }
      runner.run()
      return description.outputs.indices.map { runner.output($0).values }
    }
  }

  private func compare(_ network: TrainingNetwork, _ expected: [[[Float]]], tolerance: Float) {
    var count = 0
    for (index, output) in network.outputs.enumerated() {
      let numbers = OperationCheck.numbers(output.value.map)
      let length = numbers.count / network.sampleCount
      for sample in 0..<network.sampleCount {
        var found = Array(numbers[sample * length..<(sample + 1) * length])
        if output.name == "digit" {
          let sum = found.reduce(0) { $0 + DiceTraining.exponential($1) }
          found = found.map { DiceTraining.exponential($0) / sum }
        }
        let wanted = expected[sample][index]
        expectEqual(found.count, wanted.count)
        let greatest = wanted.reduce(Float(0)) { max($0, abs($1)) }
        let spread = (wanted.max() ?? 0) - (wanted.min() ?? 0)
        #expect(spread > 1e-3, "the output says something")
        for (a, b) in zip(found, wanted) {
          if abs(a - b) > tolerance * max(greatest, 0.1) {
            Issue.record("\(output.name), sample \(sample): \(a), not \(b)")
            break
          }
        }
        count += 1
      }
    }
    expectEqual(count, 15)
  }

  @Test(arguments: KernelImplementation.allCases.filter(\.isAvailable))
  func loadedWeightsGiveTheSameOutputs(implementation: KernelImplementation) throws {
    let file = try file()
    let normalization = [Int: Bool](
      uniqueKeysWithValues: TestNetworks.sums(of: description).map { ($0, false) })
    let network = try network(normalization: normalization, implementation: implementation)
    fill(network)
    network.load(file)
    network.forward(isCalibrating: true)
    compare(network, try expected(file, network), tolerance: 1e-4)
  }

  @Test func calibratedNormalizationsKeepTheOutputsOfLoadedWeights() throws {
    let file = try file()
    let network = try network()
    fill(network)
    network.load(file)
    network.forward(isCalibrating: true)
    let isNormalized = network.operations.contains {
      ($0 as? ConvolutionOperation)?.normalization != nil
    }
    #expect(isNormalized)
    compare(network, try expected(file, network), tolerance: 2e-3)
  }

  @Test func whatIsExportedGivesTheOutputsOfTheAverages() throws {
    let network = try network()
    fill(network)
    network.load(try file())
    network.forward(isCalibrating: true)
    let store = network.store
    store.averaged.write(store.values.floats(0..<store.count), at: 0)
    network.averageStatistics(decay: 0)
    let exported = try WeightFile(
      bytes: WeightFile.encode(
        description: description,
        tensors: network.tensors(count: try description.validated().tensors.count),
        storage: .float32))
    compare(network, try expected(exported, network), tolerance: 2e-3)
  }
}

import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights
import MatrixModel
import TestSupport
import Testing

/// Networks drawn at random, against a plain computation that shares no code with the library.
@Suite struct RandomNetworkTests {
  private func inputs(_ network: RandomNetwork, seed: UInt64) -> [[Float]] {
    var generator = SeededGenerator(seed: seed)
    return network.description.inputs.map { (input) in
      generator.floats(input.shape.elementCount, -1...1)
    }
  }

  @Test(arguments: 0..<40)
  func everyLayerAgreesWithThePlainComputation(seed: Int) throws {
    let network = try RandomNetwork(seed: UInt64(seed))
    let inputs = inputs(network, seed: UInt64(seed) + 500)
    let expected = NaiveNetwork(description: network.description, tensors: network.tensors)
      .run(
        zip(network.description.inputs, inputs).map { (input, values) in Map(input.shape, values) })
    for kernels in kernelChoices {
      let plan = try NetworkPlan(
        description: network.description, tensors: network.tensors, kernels: kernels)
      let keeping = try NetworkRunner(plan, keepsFeatureMaps: true)
      for (index, values) in inputs.enumerated() { keeping.setInput(index, values) }
      keeping.run()
      var readCount = 0
      for (index, map) in expected.enumerated() {
        guard let found = keeping.featureMap(ofLayer: index) else { continue }
        readCount += 1
        #expect(map.hasShape(of: found))
        let difference = relativeDifference(found.values, map.values.map(Float.init)[...])
        #expect(difference <= 1e-4, "seed \(seed), layer \(index): \(plan)")
      }
      #expect(readCount > expected.count / 2 || kernels != .reference)
      if kernels == .reference { expectEqual(readCount, expected.count) }
      // Shared memory and threads change no bit; a second run meets what the first one left.
      let sharing = try NetworkRunner(plan, pool: WorkerPool(threadCount: 3))
      for (index, values) in inputs.enumerated() { sharing.setInput(index, values) }
      for _ in 0..<2 {
        sharing.run()
        for index in plan.layers.indices {
          if let map = sharing.featureMap(ofLayer: index) {
            expectEqual(map, keeping.featureMap(ofLayer: index), "seed \(seed), layer \(index)")
          }
        }
        for index in plan.outputs.indices {
          expectEqual(sharing.output(index), keeping.output(index))
        }
      }
      for index in inputs.indices {
        expectEqual(sharing.inputFeatureMap(index).values, inputs[index])
      }
    }
  }

  @Test(.modelledMatrixUnits, arguments: 0..<12)
  func bfloat16AgreesWithSinglePrecisionWithinItsRounding(seed: Int) throws {
    let network = try RandomNetwork(seed: UInt64(seed) + 40, suitsMatrices: true)
    let inputs = inputs(network, seed: UInt64(seed) + 900)
    func runner(
      _ precision: NetworkPrecision, keepsFeatureMaps: Bool, threadCount: Int = 1
    ) throws -> NetworkRunner {
      let plan = try NetworkPlan(
        description: network.description, tensors: network.tensors, precision: precision)
      expectEqual(plan.precision, precision)
      let runner = try NetworkRunner(
        plan, pool: WorkerPool(threadCount: threadCount), keepsFeatureMaps: keepsFeatureMaps)
      runner.setInput(inputs[0])
      runner.run()
      return runner
    }
    let single = try runner(.single, keepsFeatureMaps: true)
    let narrow = try runner(.bfloat16, keepsFeatureMaps: true)
    let sharing = try runner(.bfloat16, keepsFeatureMaps: false, threadCount: 3)
    // What an earlier run left must not be seen.
    sharing.run()
    var mapCount = 0
    for index in single.plan.layers.indices {
      let expected = try #require(single.featureMap(ofLayer: index))
      let found = try #require(narrow.featureMap(ofLayer: index))
      let greatest = expected.values.reduce(Float(0)) { max($0, $1.magnitude) }
      let difference = zip(expected.values, found.values).reduce(Float(0)) {
        max($0, ($1.0 - $1.1).magnitude)
      }
      // Each layer adds roundings of 2⁻⁹.
      #expect(difference <= 0.03 * greatest, "seed \(seed), layer \(index)")
      if let map = sharing.featureMap(ofLayer: index) {
        expectEqual(map, found, "seed \(seed), layer \(index)")
        mapCount += 1
      }
    }
    #expect(mapCount > 2)
    for index in single.plan.outputs.indices {
      expectEqual(sharing.output(index), narrow.output(index))
    }
  }

  /// A network with the ranges of its values in its profile.
  private func measured(
    _ network: RandomNetwork, _ input: [Float]
  ) throws -> (description: NetworkDescription, single: NetworkRunner) {
    let runner = try NetworkRunner(
      NetworkPlan(description: network.description, tensors: network.tensors),
      keepsFeatureMaps: true)
    runner.setInput(input)
    runner.run()
    var description = network.description
    description.profile += runner.activationRanges().profile
    return (description, runner)
  }

  @Test(.modelledMatrixUnits, arguments: 0..<12)
  func integersAgreeWithSinglePrecisionAndWithEachOther(seed: Int) throws {
    let network = try RandomNetwork(seed: UInt64(seed) + 40, suitsMatrices: true)
    let input = inputs(network, seed: UInt64(seed) + 900)[0]
    let (description, single) = try measured(network, input)
    func runner(
      _ kernels: KernelChoice, keepsFeatureMaps: Bool = true, threadCount: Int = 1
    ) throws -> NetworkRunner {
      let plan = try NetworkPlan(
        description: description, tensors: network.tensors, kernels: kernels, precision: .int8)
      expectEqual(plan.precision, .int8)
      let runner = try NetworkRunner(
        plan, pool: WorkerPool(threadCount: threadCount), keepsFeatureMaps: keepsFeatureMaps)
      runner.setInput(input)
      runner.run()
      return runner
    }
    let plain = try runner(.implementation(.baseline))
    let others = try [
      runner(.reference), runner(.automatic), runner(.implementation(.avx2)),
      runner(.implementation(.avx512)),
    ]
    let sharing = try runner(.automatic, keepsFeatureMaps: false, threadCount: 3)
    // What an earlier run left must not be seen.
    sharing.run()
    var mapCount = 0
    for index in single.plan.layers.indices {
      let expected = try #require(single.featureMap(ofLayer: index))
      let found = try #require(plain.featureMap(ofLayer: index))
      let greatest = expected.values.reduce(Float(0)) { max($0, $1.magnitude) }
      let difference = zip(expected.values, found.values).reduce(Float(0)) {
        max($0, ($1.0 - $1.1).magnitude)
      }
      // Each layer adds roundings of half a step of 255, of its inputs and of its weights.
      #expect(difference <= 0.1 * greatest, "seed \(seed), layer \(index)")
      for other in others { expectEqual(other.featureMap(ofLayer: index), found) }
      if let map = sharing.featureMap(ofLayer: index) {
        expectEqual(map, found, "seed \(seed), layer \(index)")
        mapCount += 1
      }
    }
    #expect(mapCount > 2)
    for index in single.plan.outputs.indices {
      expectEqual(sharing.output(index), plain.output(index))
    }
  }

  @Test func networksWithoutRangesKeepSinglePrecision() throws {
    let network = try RandomNetwork(seed: 41, suitsMatrices: true)
    let plan = try NetworkPlan(
      description: network.description, tensors: network.tensors, precision: .int8)
    expectEqual(plan.precision, .single)
    var description = network.description
    description.profile = [
      NamedValues("activations.least", [0]), NamedValues("activations.greatest", [1]),
    ]
    expectEqual(ActivationRanges(description), nil)
  }

  /// Every layer, at each precision, whatever memory held before.
  @Test(.modelledMatrixUnits, arguments: 0..<12)
  func noResultDependsOnWhatMemoryHeld(seed: Int) throws {
    for precision in [NetworkPrecision.bfloat16, .single, .int8] {
      let suits = precision != .single
      let network = try RandomNetwork(seed: UInt64(seed) + 40, suitsMatrices: suits)
      let inputs = inputs(network, seed: UInt64(seed) + 900)
      let description =
        precision == .int8
        ? try measured(network, inputs[0]).description : network.description
      let plan = try NetworkPlan(
        description: description, tensors: network.tensors, precision: precision)
      expectEqual(plan.precision, precision)
      for keepsFeatureMaps in [true, false] {
        let results = try freshPatterns.map { (pattern) in
          try FreshMemory.$pattern.withValue(pattern) {
            let runner = try NetworkRunner(
              plan, pool: WorkerPool(threadCount: 2), keepsFeatureMaps: keepsFeatureMaps)
            for (index, values) in inputs.enumerated() { runner.setInput(index, values) }
            runner.run()
            return plan.outputs.indices.map { runner.output($0).values.map(\.bitPattern) }
              + plan.layers.indices.compactMap {
                runner.featureMap(ofLayer: $0)?.values.map(\.bitPattern)
              }
          }
        }
        expectEqual(results[0], results[1], "seed \(seed), \(precision)")
      }
    }
  }

  /// A NaN is seen in the outputs and is gone with the next input.
  @Test(.modelledMatrixUnits, arguments: 0..<12)
  func aNaNLeavesNothingBehind(seed: Int) throws {
    let network = try RandomNetwork(seed: UInt64(seed) + 40, suitsMatrices: true)
    let input = inputs(network, seed: UInt64(seed) + 900)[0]
    let plan = try NetworkPlan(
      description: network.description, tensors: network.tensors, precision: .bfloat16)
    let runner = try NetworkRunner(plan)
    func outputs() -> [[Float]] {
      runner.run()
      return plan.outputs.indices.map { runner.output($0).values }
    }
    runner.setInput(input)
    let before = outputs()
    runner.setInput([Float](repeating: .nan, count: input.count))
    #expect(outputs().joined().contains { $0.isNaN })
    runner.setInput(input)
    expectEqual(outputs(), before)
  }

  @Test func layersWithoutKernelsOfBfloat16KeepSinglePrecision() throws {
    for seed in 0..<12 {
      let network = try RandomNetwork(seed: UInt64(seed))
      let plan = try NetworkPlan(
        description: network.description, tensors: network.tensors, precision: .bfloat16)
      expectEqual(plan.precision, .single)
    }
  }

  @Test func theNetworksHaveEveryKindOfLayerAndOfJoin() throws {
    var kinds = [Int](repeating: 0, count: 18)
    var places: [String: Int] = [:]
    for seed in 0..<40 {
      let network = try RandomNetwork(seed: UInt64(seed))
      let plan = try NetworkPlan(description: network.description, tensors: network.tensors)
      for layer in plan.layers { kinds[Self.number(of: layer)] += 1 }
      for words in ["copied", "in place", "part of a later layer"]
      where plan.description.contains(words) { places[words, default: 0] += 1 }
    }
    for (kind, count) in kinds.enumerated() { #expect(count > 3, "kind \(kind)") }
    #expect(places.count == 3 && places.values.allSatisfy { (count) in count > 1 })
  }

  private static func number(of layer: Layer) -> Int {
    switch layer {
    case .convolution: 0
    case .transposedConvolution: 1
    case .dense: 2
    case .pooling: 3
    case .reduction: 4
    case .elementwise: 5
    case .concatenation: 6
    case .slice: 7
    case .resizing: 8
    case .padding: 9
    case .rearrangement: 10
    case .activation: 11
    case .softmax: 12
    case .batchNormalization: 13
    case .constant: 14
    case .matrixProduct: 15
    case .ranking: 16
    case .selection: 17
    }
  }
}

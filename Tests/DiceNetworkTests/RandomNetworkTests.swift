import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights
import Testing

/// Networks drawn at random, against a plain computation that shares no code with the library.
@Suite struct RandomNetworkTests {
  @Test(arguments: 0..<12)
  func everyLayerAgreesWithThePlainComputation(seed: Int) throws {
    let network = RandomNetwork(seed: UInt64(seed))
    let (width, height) = seed % 2 == 0 ? (32, 32) : (64, 32)
    var generator = SeededGenerator(seed: UInt64(seed) + 500)
    let input = generator.floats(width * height * 3, 0...1)
    let expected = NaiveNetwork(layers: network.description.layers, tensors: network.tensors)
      .run(input, height: height, width: width)
    for implementation in KernelImplementation.allCases where implementation.isAvailable {
      let plan = try NetworkPlan(
        description: network.description, tensors: network.tensors,
        kernels: .implementation(implementation))
      let keeping = try NetworkRunner(plan, width: width, height: height, keepsFeatureMaps: true)
      keeping.setInput(input)
      keeping.run()
      for (index, map) in expected.enumerated() {
        let found = try #require(keeping.featureMap(ofLayer: index))
        #expect(found.height == map.height && found.width == map.width)
        #expect(found.channelCount == map.channels)
        let difference = relativeDifference(found.values, map.values.map(Float.init)[...])
        #expect(difference <= 2e-5, "seed \(seed), layer \(index): \(plan)")
      }
      // Shared memory and threads change no bit; a second run meets what the first one left.
      let sharing = try NetworkRunner(
        plan, width: width, height: height, pool: WorkerPool(threadCount: 2))
      sharing.setInput(input)
      for _ in 0..<2 {
        sharing.run()
        for index in plan.layers.indices {
          if let map = sharing.featureMap(ofLayer: index) {
            #expect(map == keeping.featureMap(ofLayer: index), "seed \(seed), layer \(index)")
          }
        }
        for index in plan.heads.indices {
          #expect(sharing.headFeatureMap(index) == keeping.headFeatureMap(index))
        }
      }
    }
  }

  @Test(arguments: 0..<12)
  func bfloat16AgreesWithSinglePrecisionWithinItsRounding(seed: Int) throws {
    let network = RandomNetwork(seed: UInt64(seed) + 40, suitsMatrices: true)
    let (width, height) = seed % 2 == 0 ? (96, 64) : (64, 160)
    var generator = SeededGenerator(seed: UInt64(seed) + 900)
    let input = generator.floats(width * height * 3, 0...1)
    func runner(
      _ precision: NetworkPrecision, keepsFeatureMaps: Bool, threadCount: Int = 1
    ) throws -> NetworkRunner {
      let plan = try NetworkPlan(
        description: network.description, tensors: network.tensors, precision: precision)
      #expect(plan.precision == (NetworkPrecision.bfloat16.isAvailable ? precision : .single))
      let runner = try NetworkRunner(
        plan, width: width, height: height, pool: WorkerPool(threadCount: threadCount),
        keepsFeatureMaps: keepsFeatureMaps)
      runner.setInput(input)
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
        #expect(map == found, "seed \(seed), layer \(index)")
        mapCount += 1
      }
    }
    #expect(mapCount > 2)
    for index in single.plan.heads.indices {
      #expect(sharing.headFeatureMap(index) == narrow.headFeatureMap(index))
    }
  }

  @Test func layersWithoutKernelsOfBfloat16KeepSinglePrecision() throws {
    let counts = try (0..<12).reduce(into: [NetworkPrecision: Int]()) { (counts, seed) in
      let network = RandomNetwork(seed: UInt64(seed))
      let plan = try NetworkPlan(
        description: network.description, tensors: network.tensors, precision: .bfloat16)
      counts[plan.precision, default: 0] += 1
    }
    #expect(counts[.single] == 12)
  }

  @Test func theNetworksHaveEveryKindOfLayerAndOfJoin() throws {
    var kinds: [String: Int] = [:]
    var copies = 0
    var slices = 0
    for seed in 0..<12 {
      let network = RandomNetwork(seed: UInt64(seed))
      let plan = try NetworkPlan(description: network.description, tensors: network.tensors)
      for layer in plan.layers {
        switch layer {
        case .convolution: kinds["convolution", default: 0] += 1
        case .maxPooling: kinds["pooling", default: 0] += 1
        case .upsampling: kinds["upsampling", default: 0] += 1
        case .concatenation: kinds["concatenation", default: 0] += 1
        case .addition: kinds["addition", default: 0] += 1
        case .detectionHead: kinds["head", default: 0] += 1
        }
      }
      if plan.description.contains("copied") { copies += 1 }
      if plan.description.contains("in place") { slices += 1 }
    }
    #expect(kinds.count == 6)
    #expect(copies > 1 && slices > 1)
  }
}

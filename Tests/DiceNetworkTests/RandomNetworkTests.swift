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

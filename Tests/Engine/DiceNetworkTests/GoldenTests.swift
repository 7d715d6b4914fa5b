import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights
import TestSupport
import Testing

/// Against what ONNX Runtime computes.
@Suite struct GoldenTests {
  private func runner(
    _ plan: NetworkPlan, _ golden: Golden, threadCount: Int = 1, keepsFeatureMaps: Bool
  ) throws -> NetworkRunner {
    let runner = try NetworkRunner(
      plan, inputs: golden.shapes(),
      pool: threadCount == 1 ? nil : WorkerPool(threadCount: threadCount),
      keepsFeatureMaps: keepsFeatureMaps)
    for (index, values) in try golden.inputs().enumerated() { runner.setInput(index, values) }
    runner.run()
    return runner
  }

  @Test(arguments: Golden.all, kernelChoices)
  func agreesWithONNXRuntimeWithEveryNumberOfThreads(
    _ golden: Golden, _ kernels: KernelChoice
  ) throws {
    let plan = try NetworkPlan(golden.file(), kernels: kernels)
    let outputs = try golden.outputs()
    var first: [FeatureMap] = []
    // The reference is slow, and one pool shows that it can be shared out.
    for threadCount in kernels == .reference ? [1, 3] : [1, 2, 3] {
      let runner = try runner(
        plan, golden, threadCount: threadCount, keepsFeatureMaps: golden.hasAllLayers)
      let layers =
        golden.hasAllLayers
        ? Array(plan.layers.indices) : plan.outputs.map { (output) in output.layer }
      var maps: [FeatureMap] = []
      var start = 0
      for layer in layers {
        let map = try #require(runner.featureMap(ofLayer: layer))
        try #require(start + map.values.count <= outputs.count)
        let expected = outputs[start..<start + map.values.count]
        start += map.values.count
        let difference = relativeDifference(map.values, expected)
        #expect(
          difference <= 1e-4,
          "\(plan.layers[layer]) (\(layer)) differs by \(difference) of its range")
        maps.append(map)
      }
      expectEqual(start, outputs.count)
      #expect(!maps.isEmpty)
      if first.isEmpty { first = maps }
      expectEqual(maps, first, "other bits with \(threadCount) threads")
    }
  }

  @Test(arguments: Golden.all, kernelChoices)
  func sharedMemoryGivesTheSameBitsAsMemoryOfItsOwn(
    _ golden: Golden, _ kernels: KernelChoice
  ) throws {
    let plan = try NetworkPlan(golden.file(), kernels: kernels)
    let keeping = try runner(plan, golden, keepsFeatureMaps: true)
    let sharing = try runner(plan, golden, keepsFeatureMaps: false)
    // All layers of `layers` are outputs.
    #expect(
      golden.name == "layers" || sharing.activationByteCount < keeping.activationByteCount)
    // The second run meets what the first one has left in the shared memory.
    for _ in 0..<2 {
      for index in plan.outputs.indices {
        expectEqual(sharing.output(index), keeping.output(index))
      }
      sharing.run()
    }
    for index in plan.inputs.indices {
      expectEqual(sharing.inputFeatureMap(index), keeping.inputFeatureMap(index))
    }
  }

  @Test(arguments: Golden.all)
  func anOutputInPlaceHasTheValuesOfItsCopy(_ golden: Golden) throws {
    let plan = try NetworkPlan(golden.file())
    let runner = try runner(plan, golden, keepsFeatureMaps: false)
    for index in plan.outputs.indices {
      let copy = runner.output(index)
      runner.withOutput(index) { (region) in
        #expect(region.height == copy.height && region.width == copy.width)
        expectEqual(region.slots.count, copy.channelCount)
        var values: [Float] = []
        for row in 0..<region.height {
          for column in 0..<region.width {
            for channel in region.slots.indices { values.append(region[row, column, channel]) }
          }
        }
        expectEqual(values, copy.values)
      }
    }
  }

  @Test func aNetworkWithTwoInputsHasItsOutputsByName() throws {
    let plan = try NetworkPlan(Golden(name: "pair").file())
    expectEqual(plan.inputIndex(named: "map"), 1)
    expectEqual(plan.inputIndex(named: "picture"), nil)
    expectEqual(plan.outputIndex(named: "whole"), 2)
    expectEqual(plan.outputs.map(\.name), ["attention", "steps", "whole"])
    expectEqual(plan.input.name, "sequence")
  }
}

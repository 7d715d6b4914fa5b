import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights
import Testing

/// Against what ONNX Runtime computes.
@Suite struct GoldenTests {
  static let threadCounts = [1, 2, 3]

  @Test(arguments: Golden.all, kernelChoices)
  func agreesWithONNXRuntimeAtEveryLayerAndThreadCount(
    _ golden: Golden, _ kernels: KernelChoice
  ) throws {
    let plan = try NetworkPlan(golden.file(), kernels: kernels)
    let input = try golden.input()
    let outputs = try golden.outputs()
    var first: [FeatureMap] = []
    // The reference is slow, and one pool shows that it can be shared out.
    for threadCount in kernels == .reference ? [1, 3] : Self.threadCounts {
      let runner = try NetworkRunner(
        plan, width: golden.width, height: golden.height,
        pool: threadCount == 1 ? nil : WorkerPool(threadCount: threadCount),
        keepsFeatureMaps: true)
      runner.setInput(input)
      runner.run()
      var maps: [FeatureMap] = []
      var start = 0
      for (index, layer) in plan.layers.enumerated() {
        var isHead = false
        if case .detectionHead = layer { isHead = true }
        guard isHead != golden.hasAllLayers else { continue }
        let map = try #require(runner.featureMap(ofLayer: index))
        try #require(start + map.values.count <= outputs.count)
        let expected = outputs[start..<start + map.values.count]
        start += map.values.count
        let difference = relativeDifference(map.values, expected)
        #expect(difference <= 1e-4, "layer \(index) differs by \(difference) of its range")
        maps.append(map)
      }
      #expect(start == outputs.count)
      #expect(!maps.isEmpty)
      if first.isEmpty { first = maps }
      #expect(maps == first, "other bits with \(threadCount) threads")
    }
  }

  @Test(arguments: Golden.all, kernelChoices.dropFirst())
  func sharedMemoryGivesTheSameBitsAsMemoryOfItsOwn(
    _ golden: Golden, _ kernels: KernelChoice
  ) throws {
    let plan = try NetworkPlan(golden.file(), kernels: kernels)
    let keeping = try NetworkRunner(
      plan, width: golden.width, height: golden.height, keepsFeatureMaps: true)
    let sharing = try NetworkRunner(plan, width: golden.width, height: golden.height)
    #expect(sharing.activationByteCount < keeping.activationByteCount)
    for runner in [keeping, sharing] { runner.setInput(try golden.input()) }
    keeping.run()
    // The second run meets what the first one has left in the shared memory.
    for _ in 0..<2 {
      sharing.run()
      for index in plan.heads.indices {
        #expect(sharing.headFeatureMap(index) == keeping.headFeatureMap(index))
      }
    }
    #expect(sharing.inputFeatureMap() == keeping.inputFeatureMap())
  }

  @Test(arguments: Golden.all, kernelChoices.dropFirst())
  func decodesTheCellsThatNumPyDecodes(_ golden: Golden, _ kernels: KernelChoice) throws {
    let plan = try NetworkPlan(golden.file(), kernels: kernels)
    let runner = try NetworkRunner(plan, width: golden.width, height: golden.height)
    runner.setInput(try golden.input())
    runner.run()
    let cells = try golden.cells()
    let size = 5 + plan.labels.count
    var list = CandidateList()
    runner.decode(into: &list, confidenceThreshold: 0)
    try #require(list.count * size == cells.count)
    for (index, candidate) in list.candidates.enumerated() {
      let cell = cells[index * size..<(index + 1) * size].map { (value) in Double(value) }
      let box = candidate.boundingBox
      #expect(abs(box.centerX - cell[0]) < 2e-3)
      #expect(abs(box.centerY - cell[1]) < 2e-3)
      #expect(abs(box.width - cell[2]) < 2e-4 * cell[2])
      #expect(abs(box.height - cell[3]) < 2e-4 * cell[3])
      #expect(abs(Double(candidate.objectness) - cell[4]) < 1e-4)
      let probabilities = list.classProbabilities(of: candidate)
      for (found, expected) in zip(probabilities, cell[5...]) {
        #expect(abs(Double(found) - expected) < 1e-4)
      }
      #expect(probabilities.count == plan.labels.count)
      let best = probabilities.max() ?? 0
      #expect(candidate.confidence == candidate.objectness * best)
      #expect(probabilities[probabilities.startIndex + candidate.classIndex] == best)
    }
    // A higher threshold keeps exactly the candidates that reach it.
    for threshold: Float in [0.05, 0.1, 0.2, 0.3, 0.5, 0.7] {
      var kept = CandidateList()
      runner.decode(into: &kept, confidenceThreshold: threshold)
      let expected = list.candidates.filter { (candidate) in candidate.confidence >= threshold }
      #expect(kept.candidates.map(\.confidence) == expected.map(\.confidence))
      #expect(kept.candidates.map(\.boundingBox) == expected.map(\.boundingBox))
    }
  }
}

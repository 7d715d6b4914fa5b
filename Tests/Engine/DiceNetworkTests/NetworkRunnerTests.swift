import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights
import Foundation
import TestSupport
import Testing

@Suite struct NetworkRunnerTests {
  private func input(_ width: Int, _ height: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return generator.floats(width * height * 3, 0...1)
  }

  private func outputs(_ runner: NetworkRunner) -> [FeatureMap] {
    runner.plan.outputs.indices.map { (index) in runner.output(index) }
  }

  @Test(arguments: ["small", "edges"])
  func changingTheSizeLeavesNoTrace(name: String) throws {
    let plan = try NetworkPlan(WeightFile(bytes: bytes(name)))
    let runner = try NetworkRunner(plan, width: 64, height: 64)
    for (width, height) in [(64, 64), (32, 32), (96, 32), (64, 64), (32, 96), (32, 32)] {
      try runner.resize(width: width, height: height)
      #expect(runner.width == width && runner.height == height)
      let values = input(width, height, seed: UInt64(width + height))
      runner.setInput(values)
      runner.run()
      let fresh = try NetworkRunner(plan, width: width, height: height)
      fresh.setInput(values)
      fresh.run()
      expectEqual(outputs(runner), outputs(fresh))
      #expect(!outputs(fresh).isEmpty)
    }
  }

  @Test func measuringLayersChangesNothing() throws {
    let plan = try NetworkPlan(WeightFile(bytes: bytes("small")))
    let runner = try NetworkRunner(plan, pool: WorkerPool(threadCount: 2))
    runner.setInput(input(runner.width, runner.height, seed: 3))
    runner.run()
    let expected = outputs(runner)
    runner.setInput(input(runner.width, runner.height, seed: 4))
    runner.run()
    runner.setInput(input(runner.width, runner.height, seed: 3))
    let times = runner.runTimed()
    expectEqual(outputs(runner), expected)
    expectEqual(times.count, plan.layers.count)
    for (time, layer) in zip(times, plan.layers) {
      if case .convolution = layer { #expect(time > .zero) }
      #expect(time >= .zero)
    }
  }

  @Test func keepsItsSizeWhereANewOneIsRefused() throws {
    let runner = try NetworkRunner(NetworkPlan(WeightFile(bytes: bytes("small"))))
    runner.setInput(input(64, 32, seed: 1))
    runner.run()
    let before = outputs(runner)
    #expect(throws: NetworkError.self) { try runner.resize(width: 65, height: 32) }
    #expect(runner.width == 64 && runner.height == 32)
    runner.run()
    expectEqual(outputs(runner), before)
  }

  /// Maps of so few tiles of Winograd's method that threads share their output channels, too.
  @Test(arguments: [48, 80])
  func threadsShareTheChannelsOfSmallMaps(channels: Int) throws {
    var generator = SeededGenerator(seed: 4)
    let tensors = [
      generator.floats(9 * 16 * channels, -1...1), generator.floats(channels, -1...1),
      generator.floats(9 * channels * 33, -1...1), generator.floats(33, -1...1),
    ]
    func layer(_ input: Layer.Source, _ inputs: Int, _ outputs: Int, _ weights: Int) -> Layer {
      .convolution(
        Layer.Convolution(
          input: input, inputChannels: inputs, outputChannels: outputs,
          window: Layer.Window(size: 3, padding: 1), activation: .leakyReLU(slope: 0.1),
          weights: weights, bias: weights + 1))
    }
    let description = NetworkDescription(
      name: "small maps",
      inputs: [
        NetworkInput(name: "input", shape: TensorShape(height: 13, width: 18, channels: 16))
      ],
      layers: [layer(.input(0), 16, channels, 0), layer(.layer(0), channels, 33, 2)],
      outputs: [NetworkOutput(name: "last", layer: 1)])
    let values = generator.floats(13 * 18 * 16, -1...1)
    let expected = NaiveNetwork(description: description, tensors: tensors)
      .run([Map(description.inputs[0].shape, values)])
    let plan = try NetworkPlan(description: description, tensors: tensors)
    var first: FeatureMap?
    for threadCount in 1...6 {
      let runner = try NetworkRunner(plan, pool: WorkerPool(threadCount: threadCount))
      runner.setInput(values)
      for _ in 0..<3 {
        runner.run()
        let output = runner.output(0)
        let exact = expected[1].values.map(Float.init)
        #expect(relativeDifference(output.values, exact[...]) <= 1e-5)
        expectEqual(output, first ?? output, "\(threadCount) threads")
        first = output
      }
    }
  }

  /// Layers of stride 2 by Winograd's method, with inputs of even and odd sizes and any padding.
  @Test(arguments: [
    Layer.Edges(), Layer.Edges(top: 1, left: 1, bottom: 1, right: 1),
    Layer.Edges(top: 0, left: 0, bottom: 1, right: 1),
    Layer.Edges(top: 2, left: 1, bottom: 0, right: 2),
  ])
  func layersOfStrideTwo(padding: Layer.Edges) throws {
    var generator = SeededGenerator(seed: 5)
    let tensors = [generator.floats(9 * 32 * 33, -1...1), generator.floats(33, -1...1)]
    var window = Layer.Window(size: 3, stride: 2)
    window.padding = padding
    func description(_ shape: TensorShape) -> NetworkDescription {
      NetworkDescription(
        name: "stride 2", inputs: [NetworkInput(name: "input", shape: shape)],
        layers: [
          .convolution(
            Layer.Convolution(
              input: .input(0), inputChannels: 32, outputChannels: 33, window: window,
              activation: .leakyReLU(slope: 0.1), weights: 0, bias: 1))
        ],
        outputs: [NetworkOutput(name: "last", layer: 0)])
    }
    func output(_ shape: TensorShape, _ values: [Float], threadCount: Int) throws -> [Float] {
      let plan = try NetworkPlan(description: description(shape), tensors: tensors)
      let runner = try NetworkRunner(plan, pool: WorkerPool(threadCount: threadCount))
      runner.setInput(values)
      runner.run()
      return runner.output(0).values
    }
    for (height, width) in [(31, 34), (32, 31), (41, 42)] {
      let shape = TensorShape(height: height, width: width, channels: 32)
      let values = generator.floats(shape.elementCount, -1...1)
      let exact = NaiveNetwork(description: description(shape), tensors: tensors)
        .run([Map(shape, values)])[0].values.map(Float.init)
      for threadCount in 1...3 {
        let found = try output(shape, values, threadCount: threadCount)
        #expect(relativeDifference(found, exact[...]) <= 1e-5)
        // A corner of few pixels is computed directly: the same sums, rounded in another way.
        let corner = (0..<10).flatMap { (row) in values[row * width * 32..<(row * width + 10) * 32]
        }
        let direct = try output(
          TensorShape(height: 10, width: 10, channels: 32), corner, threadCount: threadCount)
        #expect(relativeDifference(Array(found[..<33]), direct[..<33]) <= 1e-5)
        #expect(found[..<33] != direct[..<33])
      }
    }
  }

  @Test func whatStandsInTheInputStays() throws {
    let runner = try NetworkRunner(NetworkPlan(WeightFile(bytes: bytes("small"))))
    #expect(runner.inputFeatureMap().values.allSatisfy { (value) in value == 0 })
    let values = input(64, 32, seed: 2)
    runner.setInput(values)
    for _ in 0..<2 { runner.run() }
    expectEqual(runner.inputFeatureMap().values, values)
    runner.withInput { (region) in
      #expect(region.width == 64 && region.height == 32 && region.channelCount == 3)
      region.pointer[3 * region.rowStride + 5 * region.pixelStride + 2] = 7
    }
    expectEqual(runner.inputFeatureMap()[3, 5, 2], 7)
    expectEqual(runner.inputFeatureMap()[3, 5, 1], values[(3 * 64 + 5) * 3 + 1])
  }

  @Test func outputsWhoseMemoryWasUsedAgainCannotBeRead() throws {
    let plan = try NetworkPlan(WeightFile(bytes: bytes("small")))
    let runner = try NetworkRunner(plan)
    runner.run()
    let readable = plan.layers.indices.filter { (index) in
      runner.featureMap(ofLayer: index) != nil
    }
    #expect(readable.count < plan.layers.count)
    for output in plan.outputs { #expect(readable.contains(output.layer)) }
  }

  @Test func manyRunnersMayUseOnePlanAndOnePoolAtOnce() throws {
    let plan = try NetworkPlan(WeightFile(bytes: bytes("small")))
    let pool = WorkerPool(threadCount: 2)
    let expected = try (0..<4).map { (index) in
      let runner = try NetworkRunner(plan)
      runner.setInput(input(64, 32, seed: UInt64(index)))
      runner.run()
      return outputs(runner)
    }
    let failures = Failures()
    DispatchQueue.concurrentPerform(iterations: 4) { (index) in
      guard let runner = try? NetworkRunner(plan, pool: pool) else { return failures.add() }
      runner.setInput(input(64, 32, seed: UInt64(index)))
      for _ in 0..<5 {
        runner.run()
        if outputs(runner) != expected[index] { failures.add() }
      }
    }
    expectEqual(failures.count, 0)
  }

  @Test func aNaNInTheInputReachesTheOutputs() throws {
    let runner = try NetworkRunner(NetworkPlan(WeightFile(bytes: bytes("small"))))
    runner.setInput([Float](repeating: .nan, count: 64 * 32 * 3))
    runner.run()
    #expect(outputs(runner)[0].values.allSatisfy { (value) in value.isNaN })
    // Nothing of it is left for the next picture.
    let values = input(64, 32, seed: 3)
    runner.setInput(values)
    runner.run()
    let fresh = try NetworkRunner(runner.plan)
    fresh.setInput(values)
    fresh.run()
    expectEqual(outputs(runner), outputs(fresh))
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Golden.all.first { (golden) in golden.name == name }!.file().bytes
  }
}

/// Counts failures from several threads.
private final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var failureCount = 0

  func add() { lock.withLock { failureCount += 1 } }

  var count: Int { lock.withLock { failureCount } }
}

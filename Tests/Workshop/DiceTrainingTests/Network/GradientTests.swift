import DiceKernels
import DiceParallel
import DiceWeights
import MatrixModel
import TestSupport
import Testing

@testable import DiceTraining

/// A network with its inputs drawn at random, and factors for each number of its outputs.
private struct Setting {
  let network: TrainingNetwork
  let factors: [[Float]]

  /// - Parameter disturbance: how far scales and shifts are moved from their start.
  init(
    _ description: NetworkDescription, sampleCount: Int, sizes: [TensorShape]? = nil,
    kernels: Kernels = Kernels(), matrixKernels: MatrixKernels? = nil, threadCount: Int,
    disturbance: Float = 0
  ) throws {
    network = try TrainingNetwork(
      description, sampleCount: sampleCount, sizes: sizes,
      options: LayerOptions(constants: TestNetworks.constants(of: description)), seed: 11,
      kernels: kernels, matrixKernels: matrixKernels, pool: WorkerPool(threadCount: threadCount))
    var random = TrainingRandom(5)
    if disturbance > 0 {
      for convolution in network.convolutions {
        for index in convolution.normalization?.scaleRange ?? 0..<0 {
          network.store.values[index] *= random.between(1 - disturbance, 1 + disturbance)
        }
        for index in convolution.shiftRange.prefix(convolution.output.shape.channelCount) {
          network.store.values[index] += random.between(-disturbance, disturbance)
        }
      }
    }
    for input in network.inputs {
      let shape = input.shape
      for sample in 0..<sampleCount {
        SampleInput(map: input.map, sample: sample).write(
          (0..<shape.height * shape.width * shape.channelCount).map { _ in random.unit() })
      }
    }
    factors = network.outputs.map { output in
      let shape = output.value.shape
      return (0..<sampleCount * shape.height * shape.width * shape.channelCount).map { _ in
        random.normal()
      }
    }
  }

  /// `Σ c · output` over all outputs after a forward pass: a loss whose gradient by the outputs is
  /// `c` itself.
  func value() -> Double {
    network.forward(step: 1)
    var total = 0.0
    for (output, factors) in zip(network.outputs, factors) {
      for (value, factor) in zip(OperationCheck.numbers(output.value.map), factors) {
        total += Double(value * factor)
      }
    }
    return total
  }

  /// The gradients of all that is learnt.
  func gradient() -> [Float] {
    network.forward(step: 1)
    network.clearOutputGradients()
    for (output, factors) in zip(network.outputs, factors) {
      var index = 0
      OperationCheck.forEachNumber(output.value.gradient) {
        $0.row($2, of: $1).store(factors[index], at: $3)
        index += 1
      }
    }
    network.backward(step: 1)
    return network.store.gradient.floats(0..<network.store.count)
  }

  /// Compares the gradient of every learnt tensor with differences along it.
  ///
  /// - Returns: how many tensors there are whose gradient is not next to nothing.
  func compare(_ gradient: [Float], steps: [Double], tolerance: Double) throws -> Int {
    let store = network.store
    var count = 0
    for range in store.slots.map(\.range) {
      // Along the gradient itself the derivative is its length: the best conditioned direction.
      let length = range.reduce(0.0) { $0 + Double(gradient[$1]) * Double(gradient[$1]) }
        .squareRoot()
      if length > 0.01 { count += 1 }
      let start = store.values.floats(range)
      let magnitude = start.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
      func difference(_ step: Double) -> Double {
        func moved(_ sign: Double) -> Double {
          for (offset, index) in range.enumerated() {
            store.values[index] =
              start[offset] + Float(sign * step * Double(gradient[index]) / length)
          }
          return value()
        }
        return (moved(1) - moved(-1)) / (2 * step)
      }
      // Long steps cross kinks of the rectifier, short ones drown in rounding: one of them agrees.
      let differences = steps.map { difference($0 * max(magnitude, 0.1)) }
      for (offset, index) in range.enumerated() { store.values[index] = start[offset] }
      #expect(
        differences.contains { abs($0 - length) <= tolerance * length + 1e-4 },
        "tensor at \(range): \(differences) against \(length)")
    }
    return count
  }
}

extension TrainingNetwork {
  fileprivate var convolutions: [ConvolutionOperation] {
    operations.compactMap { $0 as? ConvolutionOperation }
  }
}

struct GradientTests {
  @Test(arguments: KernelImplementation.allCases.filter(\.isAvailable))
  func everyTensorOfAPicturesNetworkAgreesWithDifferences(implementation: KernelImplementation)
    throws
  {
    let setting = try Setting(
      TestNetworks.convolutions(), sampleCount: 3, kernels: Kernels(implementation),
      threadCount: 2, disturbance: 0.35)
    let count = try setting.compare(
      setting.gradient(), steps: [4e-4, 1e-3, 2e-3, 5e-3], tolerance: 0.02)
    expectEqual(count, setting.network.convolutions.count * 3 - 2)
  }

  @Test func everyTensorOfEveryLayerAgreesWithDifferences() throws {
    let setting = try Setting(
      TestNetworks.everything(), sampleCount: 4, threadCount: 2, disturbance: 0.2)
    let count = try setting.compare(
      setting.gradient(), steps: [2e-4, 1e-3, 4e-3, 1e-2], tolerance: 0.03)
    // A shift of all scores changes nothing behind the softmax.
    expectEqual(count, setting.network.store.slots.count - 1)
  }

  @Test(.modelledMatrixUnits) func matrixUnitsGiveNearlyTheSameGradients() throws {
    let matrixKernels = try #require(MatrixKernels())
    let sizes = [TensorShape(height: 64, width: 32, channels: 3)]
    let setting = try Setting(
      TestNetworks.convolutions(), sampleCount: 4, sizes: sizes, threadCount: 2)
    let single = setting.gradient()
    let reduced = try Setting(
      TestNetworks.convolutions(), sampleCount: 4, sizes: sizes, matrixKernels: matrixKernels,
      threadCount: 2
    ).gradient()
    let ranges = setting.network.store.slots.map(\.range)
    expectEqual(ranges.count, 25)
    for range in ranges {
      func product(_ a: [Float], _ b: [Float]) -> Double {
        range.reduce(0) { $0 + Double(a[$1]) * Double(b[$1]) }
      }
      let lengths = (product(single, single), product(reduced, reduced))
      let cosine = product(single, reduced) / (lengths.0 * lengths.1).squareRoot()
      #expect(cosine > 0.98, "\(range)")
      #expect(abs((lengths.1 / lengths.0).squareRoot() - 1) < 0.1, "\(range)")
    }
  }

  @Test(.modelledMatrixUnits, arguments: [true, false])
  func isTheSameForEveryNumberOfThreads(usesMatrixUnits: Bool) throws {
    // Of 35 samples pairs share a gradient in memory.
    for (description, sampleCount) in [
      (TestNetworks.convolutions(), 35), (TestNetworks.everything(), 4),
    ] {
      let results = try [1, 2, 3].map {
        try Setting(
          description, sampleCount: sampleCount,
          matrixKernels: usesMatrixUnits ? MatrixKernels() : nil,
          threadCount: $0
        ).gradient()
      }
      #expect(results[0].contains { $0 != 0 })
      expectEqual(results[0], results[1])
      expectEqual(results[0], results[2])
    }
  }

  /// Sizes whose narrowed maps end close to what gradients left in the same memory.
  static func smallConvolutions(middle: Int, channels: Int) -> NetworkDescription {
    var network = NetworkBuilder()
    let image = network.tensor("image", height: 16, width: 16, channels: 3)
    let first = network.convolution(image, channels, size: 3, stride: 2)
    let second = network.convolution(first, 8, size: middle)
    network.output("map", network.convolution(second, 8, size: 1, activation: .identity))
    return network.description(name: "small")
  }

  static let networksForMemory = [
    (smallConvolutions(middle: 1, channels: 3), 2), (smallConvolutions(middle: 5, channels: 8), 2),
    (smallConvolutions(middle: 5, channels: 20), 2), (TestNetworks.convolutions(), 35),
    (TestNetworks.everything(), 4),
  ]

  @Test(.modelledMatrixUnits, arguments: networksForMemory.indices, [true, false])
  func noGradientDependsOnWhatMemoryHeld(network: Int, usesMatrixUnits: Bool) throws {
    let (description, sampleCount) = Self.networksForMemory[network]
    let results = try freshPatterns.map { (pattern) in
      try FreshMemory.$pattern.withValue(pattern) {
        try Setting(
          description, sampleCount: sampleCount,
          matrixKernels: usesMatrixUnits ? MatrixKernels() : nil, threadCount: 1
        ).gradient()
      }
    }
    let areFinite = results[0].allSatisfy { $0.isFinite }
    #expect(areFinite)
    expectEqual(results[0].map(\.bitPattern), results[1].map(\.bitPattern))
  }
}

import DiceKernelTemplates
import DiceKernels
import DiceParallel
import DiceWeights
import Testing

@testable import DiceTraining

/// A network with every kind of layer that training knows, small enough for finite differences.
private func everyLayer() -> NetworkDescription {
  var network = NetworkBuilder(classCount: 3)
  let stem = network.convolution(.picture, 8, size: 3, stride: 2)
  let second = network.convolution(stem, 20, size: 3, stride: 2)
  let pooled = network.maxPooling(second, size: 3, stride: 1)
  let wide = network.convolution(pooled, 20, size: 5)
  let summed = network.addition(second, wide)
  let third = network.convolution(summed, 24, size: 3, stride: 2)
  let narrow = network.convolution(third, 16, size: 1)
  let coarse = network.convolution(narrow, 16, size: 2 + 1, stride: 2)
  let enlarged = network.upsampling(coarse)
  let joined = network.concatenation([enlarged, third, narrow])
  let read = network.convolution(joined, 32, size: 3)
  network.head(read, stride: 8, baseSize: 16)
  network.head(coarse, stride: 16, baseSize: 32)
  return NetworkDescription(
    name: "every-layer", input: InputRules(width: 64, height: 64), layers: network.layers,
    labels: ["1", "2", "3"],
    thresholds: DefaultThresholds(intersectionOverUnion: 0.45, confidence: 0.25))
}

struct GradientTests {
  /// `Σ c · output` over all heads: a loss whose gradient by the outputs is `c` itself.
  private func value(_ heads: [TrainingNetwork.Head], _ factors: [[Float]]) -> Double {
    var total = 0.0
    for (head, factors) in zip(heads, factors) {
      visit(head) { index, picture, row, offset in
        total += Double(head.output.row(row, of: picture).scalar(at: offset) * factors[index])
      }
    }
    return total
  }

  private func visit(
    _ head: TrainingNetwork.Head,
    _ body: (_ index: Int, _ picture: Int, _ row: Int, _ offset: Int) -> Void
  ) {
    var index = 0
    for picture in 0..<head.output.pictureCount {
      for row in 0..<head.output.height {
        for column in 0..<head.output.width {
          for channel in 0..<head.output.channelCount {
            body(index, picture, row, column * head.output.pixelStep + channel)
            index += 1
          }
        }
      }
    }
  }

  @Test(arguments: KernelImplementation.allCases.filter(\.isAvailable))
  func everyParameterTensorAgreesWithFiniteDifferences(implementation: KernelImplementation) throws
  {
    let description = everyLayer()
    _ = try description.validated()
    let pool = WorkerPool(threadCount: 2)
    let network = try TrainingNetwork(
      description, seed: 11, kernels: Kernels(implementation), pool: pool)
    var random = TrainingRandom(5)
    // Scales and shifts away from their start, so that their gradients are tested too.
    for block in network.orderedBlocks {
      for index in block.scaleRange { network.store.values[index] *= random.between(0.6, 1.4) }
      for index in block.shiftRange
      where index < block.shiftRange.lowerBound + block.layer.outputChannels {
        network.store.values[index] += random.between(-0.3, 0.3)
      }
    }
    let workspace = network.makeWorkspace(pictureCount: 3, height: 64, width: 64)
    for picture in 0..<3 {
      for row in 0..<64 {
        for column in 0..<64 {
          for channel in 0..<3 {
            workspace.input.row(row, of: picture).store(random.unit(), at: column * 4 + channel)
          }
        }
      }
    }
    network.prepare(workspace)
    let heads = network.heads(of: workspace)
    try #require(heads.count == 2)
    let factors = heads.map { head in
      (0..<3 * head.output.height * head.output.width * head.output.channelCount).map { _ in
        random.normal()
      }
    }
    network.forward(workspace)
    for (head, factors) in zip(heads, factors) {
      visit(head) { index, picture, row, offset in
        head.gradient.row(row, of: picture).store(factors[index], at: offset)
      }
    }
    network.backward(workspace)
    let gradient = network.store.gradient.floats(0..<network.store.count)

    var testedCount = 0
    for block in network.orderedBlocks {
      for range in [block.weightRange, block.scaleRange, block.shiftRange] where !range.isEmpty {
        // Along the gradient itself the derivative is its length: the best conditioned direction.
        let length = range.reduce(0.0) { $0 + Double(gradient[$1]) * Double(gradient[$1]) }
          .squareRoot()
        try #require(length > 0)
        let start = network.store.values.floats(range)
        let magnitude = start.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        func difference(_ step: Double) -> Double {
          func moved(_ sign: Double) -> Double {
            for (offset, index) in range.enumerated() {
              network.store.values[index] =
                start[offset] + Float(sign * step * Double(gradient[index]) / length)
            }
            network.forward(workspace)
            return value(heads, factors)
          }
          return (moved(1) - moved(-1)) / (2 * step)
        }
        // Long steps cross kinks of the rectifier, short ones drown in rounding: one of them agrees.
        let differences = [4e-4, 1e-3, 2e-3, 5e-3].map { difference($0 * max(magnitude, 0.1)) }
        for (offset, index) in range.enumerated() { network.store.values[index] = start[offset] }
        #expect(
          differences.contains { abs($0 - length) <= 0.02 * length },
          "layer with \(block.layer.outputChannels) channels: \(differences) against \(length)")
        testedCount += 1
      }
    }
    #expect(testedCount == network.orderedBlocks.count * 3 - 2)
  }

  @Test func matrixUnitsGiveNearlyTheSameGradients() throws {
    guard let matrixKernels = MatrixKernels() else { return }
    let single = try gradients(matrixKernels: nil, threadCount: 2)
    let reduced = try gradients(matrixKernels: matrixKernels, threadCount: 2)
    #expect(single.ranges.count == 25)
    for range in single.ranges {
      func product(_ a: [Float], _ b: [Float]) -> Double {
        range.reduce(0) { $0 + Double(a[$1]) * Double(b[$1]) }
      }
      let lengths = (product(single.values, single.values), product(reduced.values, reduced.values))
      let cosine = product(single.values, reduced.values) / (lengths.0 * lengths.1).squareRoot()
      #expect(cosine > 0.98, "\(range)")
      #expect(abs((lengths.1 / lengths.0).squareRoot() - 1) < 0.1, "\(range)")
    }
  }

  @Test(arguments: [true, false])
  func isTheSameForEveryNumberOfThreads(usesMatrixUnits: Bool) throws {
    let results = try [1, 2, 3].map {
      try gradients(
        matrixKernels: usesMatrixUnits ? MatrixKernels() : nil, threadCount: $0
      ).values
    }
    #expect(results[0].contains { $0 != 0 })
    #expect(results[0] == results[1])
    #expect(results[0] == results[2])
  }

  /// The gradients of one step, and the ranges of the parameter tensors.
  private func gradients(
    matrixKernels: MatrixKernels?, threadCount: Int
  ) throws -> (values: [Float], ranges: [Range<Int>]) {
    let network = try TrainingNetwork(
      everyLayer(), seed: 3, kernels: Kernels(), matrixKernels: matrixKernels,
      pool: WorkerPool(threadCount: threadCount))
    let workspace = network.makeWorkspace(pictureCount: 4, height: 64, width: 32)
    var random = TrainingRandom(9)
    for picture in 0..<4 {
      for row in 0..<64 {
        for offset in 0..<32 * 4 where offset % 4 < 3 {
          workspace.input.row(row, of: picture).store(random.unit(), at: offset)
        }
      }
    }
    network.prepare(workspace)
    network.forward(workspace)
    for head in network.heads(of: workspace) {
      visit(head) { index, picture, row, offset in
        head.gradient.row(row, of: picture).store(Float(index % 7) - 3, at: offset)
      }
    }
    network.backward(workspace)
    let ranges = network.orderedBlocks.flatMap { [$0.weightRange, $0.scaleRange, $0.shiftRange] }
    return (network.store.gradient.floats(0..<network.store.count), ranges.filter { !$0.isEmpty })
  }
}

extension NetworkBuilder {
  mutating func maxPooling(_ input: Features, size: Int, stride: Int) -> Features {
    append(
      .maxPooling(
        Layer.MaxPooling(input: input.source, size: size, stride: stride, padding: size / 2)),
      channelCount: input.channelCount)
  }

  mutating func addition(_ first: Features, _ second: Features) -> Features {
    append(
      .addition(Layer.Addition(first.source, second.source)), channelCount: first.channelCount)
  }
}

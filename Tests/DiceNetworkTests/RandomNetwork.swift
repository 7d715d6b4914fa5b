import DiceNetwork
import DiceWeights

/// A generator with a fixed seed: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func floats(_ count: Int, _ range: ClosedRange<Float>) -> [Float] {
    (0..<count).map { (_) in Float.random(in: range, using: &self) }
  }
}

/// A valid network with layers drawn at random: every kind, odd channels, joins of joins.
struct RandomNetwork {
  private(set) var description: NetworkDescription
  private(set) var tensors: [[Float]] = []
  private var generator: SeededGenerator
  private var shapes: [(channels: Int, downsampling: Int)] = []
  private var layers: [Layer] = []
  private let suitsMatrices: Bool

  /// - Parameter suitsMatrices: Only layers that can be computed with bfloat16 numbers.
  init(seed: UInt64, layerCount: Int = 14, suitsMatrices: Bool = false) {
    self.suitsMatrices = suitsMatrices
    generator = SeededGenerator(seed: seed)
    description = NetworkDescription(
      name: "random \(seed)", input: InputRules(width: 32, height: 32), layers: [],
      labels: ["a", "b"], thresholds: DefaultThresholds(intersectionOverUnion: 0.5, confidence: 0.5)
    )
    appendConvolution(.input, 3, 1, outputs: generator.int(1...20), stride: 2)
    while layers.count < layerCount { appendLayer() }
    // Everything that nothing reads gets a head of its own.
    for index in layers.indices where !isRead(index) {
      let (channels, downsampling) = shapes[index]
      appendConvolution(
        .layer(index), channels, downsampling, outputs: 7, stride: 1, isLast: suitsMatrices)
      append(
        .detectionHead(
          Layer.DetectionHead(
            input: .layer(layers.count - 1), stride: downsampling, baseSize: 20, classCount: 2)),
        7, downsampling)
    }
    description.layers = layers
  }

  private func isRead(_ index: Int) -> Bool {
    layers.contains { (layer) in layer.sources.contains(.layer(index)) }
  }

  private mutating func append(_ layer: Layer, _ channels: Int, _ downsampling: Int) {
    layers.append(layer)
    shapes.append((channels, downsampling))
  }

  private mutating func appendConvolution(
    _ source: Layer.Source, _ channels: Int, _ downsampling: Int, outputs: Int, stride: Int,
    isLast: Bool = false
  ) {
    // Kernel sizes and paddings that divide the size exactly.
    var (size, padding) = (0, 0)
    repeat {
      size = generator.int(1...5)
      padding = generator.int(0...2)
    } while !(2 * padding <= size - 1 && 2 * padding >= size - stride)
    let activations: [Layer.Activation] = [
      .identity, .leakyReLU(slope: 0.1), .leakyReLU(slope: 0), .sigmoidWeighted,
    ]
    let weights = size * size * channels * outputs
    let limit = (3 / Float(size * size * channels)).squareRoot()
    tensors.append(generator.floats(weights, -limit...limit))
    tensors.append(generator.floats(outputs, -0.5...0.5))
    append(
      .convolution(
        Layer.Convolution(
          input: source, inputChannels: channels, outputChannels: outputs, kernelSize: size,
          stride: stride, padding: padding,
          activation: isLast
            ? .identity
            : activations[generator.int(0...activations.count - (suitsMatrices ? 2 : 1))],
          weights: tensors.count - 2, bias: tensors.count - 1)),
      outputs, downsampling * stride)
  }

  private mutating func appendLayer() {
    let index = generator.int(0...layers.count - 1)
    let (channels, downsampling) = shapes[index]
    let stride = downsampling < 16 ? generator.int(1...2) : 1
    switch generator.int(0...9) {
    case 0...3:
      appendConvolution(
        .layer(index), channels, downsampling, outputs: generator.int(1...24), stride: stride)
    case 4 where !suitsMatrices:
      let reads = generator.int(0...3) == 0
      let (source, depth, factor): (Layer.Source, Int, Int) =
        reads ? (.input, 3, 1) : (.layer(index), channels, downsampling)
      let step = reads ? 4 : stride
      let size = step == 1 ? 3 : step
      append(
        .maxPooling(
          Layer.MaxPooling(input: source, size: size, stride: step, padding: step == 1 ? 1 : 0)),
        depth, factor * step)
    case 5 where downsampling >= 4:
      append(
        .upsampling(Layer.Upsampling(input: .layer(index), factor: 2)), channels,
        downsampling / 2)
    case 6 where !suitsMatrices:
      let others = shapes.indices.filter { (other) in
        shapes[other].channels == channels && shapes[other].downsampling == downsampling
      }
      let other = others[generator.int(0...others.count - 1)]
      append(.addition(Layer.Addition(.layer(index), .layer(other))), channels, downsampling)
    default:
      let others = shapes.indices.filter { (other) in shapes[other].downsampling == downsampling }
      var inputs: [Layer.Source] = [.layer(index)]
      var total = channels
      for _ in 0..<generator.int(1...3) {
        let other = others[generator.int(0...others.count - 1)]
        guard total + shapes[other].channels <= 60 else { continue }
        inputs.append(.layer(other))
        total += shapes[other].channels
      }
      guard inputs.count > 1 else { return }
      append(.concatenation(Layer.Concatenation(inputs: inputs)), total, downsampling)
    }
  }
}

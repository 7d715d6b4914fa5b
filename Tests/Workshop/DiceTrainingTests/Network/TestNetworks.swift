import DiceWeights

@testable import DiceTraining

/// Networks with layers of every kind.
enum TestNetworks {
  /// Convolutions of every geometry that a picture goes through, with two outputs.
  static func convolutions() -> NetworkDescription {
    var network = NetworkBuilder()
    let image = network.image(width: 64, height: 64)
    let stem = network.convolution(image, 8, size: 3, stride: 2)
    let second = network.convolution(stem, 20, size: 3, stride: 2)
    let pooled = network.pooling(second, window: Layer.Window(size: 3, padding: 1))
    let wide = network.convolution(pooled, 20, size: 5)
    let summed = network.elementwise(.addition, second, wide)
    let third = network.convolution(summed, 24, size: 3, stride: 2)
    let narrow = network.convolution(third, 16, size: 1)
    let coarse = network.convolution(narrow, 16, size: 3, stride: 2)
    let enlarged = network.upsampling(coarse)
    let joined = network.concatenation([enlarged, third, narrow])
    let read = network.convolution(joined, 32, size: 3)
    network.output("fine", network.convolution(read, 8, size: 1, activation: .identity))
    network.output("coarse", network.convolution(coarse, 8, size: 1, activation: .identity))
    return network.description(name: "convolutions")
  }

  /// Every layer, activation and option that can be trained, with three inputs and four outputs.
  static func everything() -> NetworkDescription {
    var network = NetworkBuilder()
    let image = network.image(width: 13, height: 11, isResizable: false)
    let gray = network.tensor("gray", height: 28, width: 28, channels: 1)
    let sequence = network.tensor("frames", height: 12, width: 1, channels: 10)

    // A picture through rectangles, groups, dilation and any padding.
    var value = network.convolution(
      image, 12,
      window: Layer.Window(
        height: 3, width: 5, strideY: 2, padding: Layer.Edges(top: 2, left: 1, right: 3)),
      activation: .relu)
    value = network.convolution(value, 12, size: 3, groups: 3, activation: .hardSwish)
    value = network.depthwise(value, size: 3, activation: .silu)
    let dilated = network.convolution(
      value, 9,
      window: Layer.Window(
        height: 2, width: 3, dilationY: 2, dilationX: 3,
        padding: Layer.Edges(top: 1, left: 3, bottom: 1, right: 3)), activation: .relu6)
    // Squeeze and excite.
    let squeezed = network.dense(network.globalPooling(dilated), 4, activation: .relu)
    let gates = network.dense(squeezed, 9, activation: .sigmoid)
    let gated = network.elementwise(.multiplication, dilated, gates)
    let weights = (network.makeTensor(), network.makeTensor())
    let enlarged = network.append(
      .transposedConvolution(
        Layer.TransposedConvolution(
          input: gated.source, inputChannels: 9, outputChannels: 6,
          window: Layer.Window(size: 3, stride: 2, padding: 1), extraRows: 1,
          activation: .parametricReLU(slopes: network.makeTensor()), weights: weights.0,
          bias: weights.1)),
      shape: TensorShape(
        height: 2 * gated.shape.height, width: 2 * gated.shape.width - 1, channels: 6))
    let bilinear = network.append(
      .resizing(
        Layer.Resizing(
          input: enlarged.source, extent: .size(height: 9, width: 7), interpolation: .bilinear,
          coordinates: .halfPixel)), shape: TensorShape(height: 9, width: 7, channels: 6))
    let padded = network.append(
      .padding(
        Layer.Padding(
          input: bilinear.source, edges: Layer.Edges(top: 1, left: 2, right: 1),
          channelsAfter: 2, mode: .constant(0.5))),
      shape: TensorShape(height: 10, width: 10, channels: 8))
    let reflected = network.append(
      .padding(
        Layer.Padding(
          input: padded.source, edges: Layer.Edges(left: 1, bottom: 2), mode: .reflection)),
      shape: TensorShape(height: 12, width: 11, channels: 8))
    let sliced = network.append(
      .slice(Layer.Slice(input: reflected.source, axis: .width, start: 1, count: 5, step: 2)),
      shape: TensorShape(height: 12, width: 5, channels: 8))
    let tensors = (0..<4).map { _ in network.makeTensor() }
    let normalized = network.append(
      .batchNormalization(
        Layer.BatchNormalization(
          input: sliced.source, scale: tensors[0], shift: tensors[1], mean: tensors[2],
          variance: tensors[3], epsilon: 1e-3)), shape: sliced.shape)
    network.output(
      "map", network.convolution(normalized, 5, size: 1, activation: .identity))

    // Handwriting.
    var digit = network.convolution(
      gray, 8, window: Layer.Window(size: 5), activation: .relu)
    digit = network.pooling(digit, .maximum, window: Layer.Window(size: 2, stride: 2))
    digit = network.convolution(digit, 16, size: 3, activation: .elu(alpha: 1))
    digit = network.pooling(
      digit, .averageWithPadding, window: Layer.Window(size: 3, stride: 2, padding: 1))
    digit = network.pooling(digit, .average, window: Layer.Window(size: 3, padding: 1))
    digit = network.dense(digit, 24, activation: .tanh)
    network.output("digit", network.softmax(network.dense(digit, 10)))

    // A sequence with attention over its frames.
    var frames = network.convolution(
      sequence, 16,
      window: Layer.Window(
        height: 3, width: 1, dilationY: 2, padding: Layer.Edges(top: 4)), activation: .gelu)
    frames = network.convolution(
      frames, 16,
      window: Layer.Window(height: 9, width: 1, padding: Layer.Edges(top: 4, bottom: 4)),
      groups: 16, activation: .softplus)
    let offsets = network.makeTensor()
    let constant = network.append(
      .constant(
        Layer.Constant(tensor: offsets, shape: TensorShape(height: 12, width: 1, channels: 1))),
      shape: TensorShape(height: 12, width: 1, channels: 1))
    frames = network.elementwise(.subtraction, frames, constant, activation: .leakyReLU(slope: 0.2))
    let scores = network.convolution(frames, 1, size: 1, activation: .identity)
    let attention = network.append(
      .softmax(Layer.Softmax(input: scores.source, axis: .height)), shape: scores.shape)
    let attended = network.elementwise(.multiplication, frames, attention)
    // Two heads: every frame with every other one, and what it sees of them.
    let heads = network.append(
      .rearrangement(
        Layer.Rearrangement(
          input: attended.source, dimensions: [12, 2, 8], permutation: [1, 0, 2],
          output: TensorShape(height: 2, width: 12, channels: 8))),
      shape: TensorShape(height: 2, width: 12, channels: 8))
    let pairs = network.append(
      .matrixProduct(Layer.MatrixProduct(heads.source, heads.source, transposesSecond: true)),
      shape: TensorShape(height: 2, width: 12, channels: 12))
    let seen = network.append(
      .matrixProduct(
        Layer.MatrixProduct(
          network.softmax(pairs).source, heads.source, transposesFirst: true)),
      shape: TensorShape(height: 2, width: 12, channels: 8))
    network.output("seen", network.convolution(seen, 3, size: 1, activation: .identity))
    let summary = network.append(
      .reduction(Layer.Reduction(input: attended.source, kind: .sum)),
      shape: TensorShape(height: 1, width: 1, channels: 16))
    let greatest = network.append(
      .reduction(Layer.Reduction(input: frames.source, kind: .maximum, overWidth: false)),
      shape: TensorShape(height: 1, width: 1, channels: 16))
    let word = network.concatenation([summary, greatest])
    network.output("word", network.dense(word, 6))

    let turned = network.append(
      .rearrangement(
        Layer.Rearrangement(
          input: frames.source, dimensions: [4, 3, 16], permutation: [2, 0, 1],
          output: TensorShape(height: 16, width: 4, channels: 3))),
      shape: TensorShape(height: 16, width: 4, channels: 3))
    let functions: [Layer.Activation] = [
      .hardSigmoid(scale: 0.2, offset: 0.4), .linear(scale: 0.5, offset: 0.1), .absolute,
      .power(exponent: 1.5), .squareRoot, .exponential, .logarithm(lower: 0.01),
      .clamp(lower: -3, upper: 3),
    ]
    let applied = functions.map { network.activation(turned, $0) }
    let positive = network.activation(
      network.activation(turned, .absolute), .linear(scale: 1, offset: 1))
    let inverted = network.activation(positive, .reciprocal)
    let quotient = network.elementwise(.division, turned, positive)
    let least = network.elementwise(.minimum, inverted, quotient)
    let most = network.elementwise(.maximum, least, turned)
    let all = network.concatenation(applied + [most], axis: .channels)
    let tall = network.concatenation([all, all], axis: .height)
    network.output("functions", network.convolution(tall, 4, size: 1, activation: .identity))
    return network.description(name: "everything")
  }

  /// The numbers of the constant of ``everything()``, by tensor index.
  static func constants(of description: NetworkDescription) -> [Int: [Float]] {
    var constants: [Int: [Float]] = [:]
    for case .constant(let layer) in description.layers {
      constants[layer.tensor] = (0..<layer.shape.elementCount).map { Float($0 % 5) * 0.1 - 0.2 }
    }
    return constants
  }

  /// The layers that may be normalised.
  static func sums(of description: NetworkDescription) -> [Int] {
    description.layers.indices.filter {
      switch description.layers[$0] {
      case .convolution, .transposedConvolution, .dense: true
      default: false
      }
    }
  }
}

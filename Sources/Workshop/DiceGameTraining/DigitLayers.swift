internal import DiceNetwork
internal import DiceGameKit
internal import DiceWeights

extension NetworkDescription {
  /// A network of convolutions, one behind the other with leaky rectifiers, and a dense layer that makes a
  /// logit for each label of them: what the networks of digits share.
  ///
  /// - Parameters:
  ///   - task: what a weight file says under "task".
  ///   - input: the only input.
  ///   - convolutions: the windows and the channels that come out, first to last.
  ///   - labels: the labels of the output "digit".
  static func digitClassifier(
    name: String, task: String, input: NetworkInput,
    convolutions: [(outputChannels: Int, window: Layer.Window)], labels: [String]
  ) -> NetworkDescription {
    var layers: [Layer] = []
    var source = Layer.Source.input(0)
    var inputChannels = input.shape.channels
    for (outputChannels, window) in convolutions {
      layers.append(
        .convolution(
          Layer.Convolution(
            input: source, inputChannels: inputChannels, outputChannels: outputChannels,
            window: window, activation: .leakyReLU(slope: 0.1), weights: 2 * layers.count,
            bias: 2 * layers.count + 1)))
      source = .layer(layers.count - 1)
      inputChannels = outputChannels
    }
    layers.append(
      .dense(
        Layer.Dense(
          input: source, outputChannels: labels.count, weights: 2 * layers.count,
          bias: 2 * layers.count + 1)))
    return NetworkDescription(
      name: name, task: task, inputs: [input], layers: layers,
      outputs: [
        NetworkOutput(
          name: "digit", layer: layers.count - 1, head: ClassHead.head(labels: labels))
      ])
  }
}

extension NetworkInput {
  /// A digit's picture of 28 by 28 samples, which become 0...1.
  static var digitBitmap: NetworkInput {
    NetworkInput(
      name: "bitmap",
      shape: TensorShape(height: DigitBitmap.side, width: DigitBitmap.side, channels: 1),
      content: .image(
        ImageRules(
          channelOrder: .gray, scales: SIMD3(1 / 255, 1, 1), cropAndScale: .scaleFit,
          paddingValue: 0)))
  }
}

internal import DiceClassification
internal import DiceGameKit
public import DiceWeights

extension NetworkDescription {
  /// The network that reads a pen's way: convolutions along 64 places, then a dense layer.
  public static var penWays: NetworkDescription {
    var layers: [Layer] = []
    var source = Layer.Source.input(0)
    var inputChannels = PenPath.channelCount
    for (outputChannels, span, stride) in [
      (32, 5, 1), (48, 5, 2), (64, 5, 2), (64, 3, 1), (80, 3, 2),
    ] {
      let edge = span / 2
      layers.append(
        .convolution(
          Layer.Convolution(
            input: source, inputChannels: inputChannels, outputChannels: outputChannels,
            window: Layer.Window(
              height: 1, width: span, strideX: stride,
              padding: Layer.Edges(top: 0, left: edge, bottom: 0, right: edge)),
            activation: .leakyReLU(slope: 0.1), weights: 2 * layers.count,
            bias: 2 * layers.count + 1)))
      source = .layer(layers.count - 1)
      inputChannels = outputChannels
    }
    layers.append(
      .dense(
        Layer.Dense(
          input: source, outputChannels: 11, weights: 2 * layers.count,
          bias: 2 * layers.count + 1)))
    return NetworkDescription(
      name: "pen ways", task: DigitClassifier.penTask,
      inputs: [
        NetworkInput(
          name: "way",
          shape: TensorShape(
            height: 1, width: PenPath.placeCount, channels: PenPath.channelCount))
      ], layers: layers,
      outputs: [
        NetworkOutput(
          name: "digit", layer: layers.count - 1,
          head: ClassHead.head(labels: (0..<10).map { "\($0)" } + ["none"]))
      ])
  }
}

internal import DiceClassification
internal import DiceGameKit
public import DiceWeights

extension NetworkDescription {
  /// The network that reads digits: 4.7 million multiply-adds and 0.16 million parameters.
  ///
  /// Five convolutions of three by three without padding, of which the second and the fourth halve
  /// the picture, bring 28 by 28 samples to 2 by 2 of 96 channels; a dense layer makes ten logits of
  /// these.
  public static var digits: NetworkDescription {
    var layers: [Layer] = []
    var source = Layer.Source.input(0)
    var inputChannels = 1
    for (outputChannels, stride) in [(24, 1), (48, 2), (48, 1), (96, 2), (96, 1)] {
      layers.append(
        .convolution(
          Layer.Convolution(
            input: source, inputChannels: inputChannels, outputChannels: outputChannels,
            window: Layer.Window(size: 3, stride: stride), activation: .leakyReLU(slope: 0.1),
            weights: 2 * layers.count, bias: 2 * layers.count + 1)))
      source = .layer(layers.count - 1)
      inputChannels = outputChannels
    }
    layers.append(
      .dense(
        Layer.Dense(
          input: source, outputChannels: 10, weights: 2 * layers.count,
          bias: 2 * layers.count + 1)))
    let side = DigitBitmap.side
    return NetworkDescription(
      name: "digits", task: DigitClassifier.task,
      inputs: [
        NetworkInput(
          name: "bitmap", shape: TensorShape(height: side, width: side, channels: 1),
          content: .image(
            ImageRules(
              channelOrder: .gray, scales: SIMD3(1 / 255, 1, 1), cropAndScale: .scaleFit,
              paddingValue: 0)))
      ], layers: layers,
      outputs: [
        NetworkOutput(
          name: "digit", layer: layers.count - 1,
          head: ClassHead.head(labels: (0..<10).map { "\($0)" }))
      ])
  }
}

internal import DiceClassification
internal import DiceGameKit
public import DiceWeights

extension NetworkDescription {
  /// The network that tells a digit's picture from that of something else: 1.9 million multiply-adds
  /// and 65,000 parameters.
  ///
  /// Four convolutions of three by three without padding, of which the first and the third halve the
  /// picture, bring 28 by 28 samples to 3 by 3 of 48 channels; a dense layer makes eleven logits of
  /// these: the digits and none.
  public static var digitOrNone: NetworkDescription {
    var layers: [Layer] = []
    var source = Layer.Source.input(0)
    var inputChannels = 1
    for (outputChannels, stride) in [(24, 2), (40, 1), (64, 2), (48, 1)] {
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
          input: source, outputChannels: 11, weights: 2 * layers.count,
          bias: 2 * layers.count + 1)))
    let side = DigitBitmap.side
    return NetworkDescription(
      name: "digit or none", task: DigitClassifier.orNoneTask,
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
          head: ClassHead.head(labels: (0..<10).map { "\($0)" } + ["none"]))
      ])
  }
}

internal import DiceGameKit
public import DiceWeights

extension NetworkDescription {
  private static let spokenNumberDilations = [1, 2, 4, 1, 2, 4, 2, 1]

  /// The layer in front of the last, of whose numbers some are left out while training.
  package static var lastSpokenNumberBlock: Int { 2 + 2 * spokenNumberDilations.count }

  /// The network that hears numbers: bands are rows and time runs along the columns, and each output stands
  /// for 30 ms.
  ///
  /// Two convolutions read patterns wherever they lie among the 40 bands, as mouths are of all lengths, and
  /// halve the bands twice and the frames once; one brings the ten rows that are left to 128 channels. Eight
  /// residual convolutions of three outputs with dilations of 1, 2, 4, 1, 2, 4, 2 and 1 see half a second
  /// on either side; two last ones tell the words and the sounds.
  public static var spokenNumbers: NetworkDescription {
    let channels = 128
    var layers: [Layer] = []
    var tensors = 0
    func convolution(
      _ source: Layer.Source, _ input: Int, _ output: Int, window: Layer.Window,
      activation: Layer.Activation = .relu
    ) -> Layer.Source {
      layers.append(
        .convolution(
          Layer.Convolution(
            input: source, inputChannels: input, outputChannels: output, window: window,
            activation: activation, weights: tensors, bias: tensors + 1)))
      tensors += 2
      return .layer(layers.count - 1)
    }
    var value = convolution(
      .input(0), 1, 16,
      window: Layer.Window(
        height: 5, width: 5, strideY: 2, strideX: SpeechTask.stride,
        padding: Layer.Edges(top: 2, left: 2, bottom: 1, right: 1)))
    value = convolution(
      value, 16, 32,
      window: Layer.Window(
        height: 3, width: 3, strideY: 2, padding: Layer.Edges(top: 1, left: 1, right: 1)))
    // A stride as long as the window says that there is one row only.
    let rowCount = SpeechFeatures.bandCount / 4
    value = convolution(
      value, 32, channels, window: Layer.Window(height: rowCount, width: 1, strideY: rowCount))
    for dilation in spokenNumberDilations {
      let inner = convolution(
        value, channels, channels,
        window: Layer.Window(
          height: 1, width: 3, dilationX: dilation,
          padding: Layer.Edges(left: dilation, right: dilation)))
      layers.append(.elementwise(Layer.Elementwise(.addition, value, inner)))
      value = .layer(layers.count - 1)
    }
    for count in [SpeechClass.count, SpokenSound.count] {
      _ = convolution(
        value, channels, count, window: Layer.Window(height: 1, width: 1), activation: .identity)
    }
    return NetworkDescription(
      name: "spoken numbers", task: SpeechTask.taskName,
      inputs: [
        NetworkInput(
          name: "bands",
          shape: TensorShape(
            height: SpeechFeatures.bandCount, width: SpeechTask.frameCount, channels: 1),
          isResizable: true)
      ], layers: layers,
      outputs: [
        NetworkOutput(
          name: "words", layer: layers.count - 2,
          head: NetworkHead(kind: "word logits", labels: SpeechClass.labels)),
        NetworkOutput(
          name: "sounds", layer: layers.count - 1,
          head: NetworkHead(kind: "sound logits", labels: SpokenSound.labels)),
      ])
  }
}

internal import DiceGameKit
public import DiceWeights

extension NetworkDescription {
  private static let spokenNumberDilations = [1, 2, 4, 1, 2, 4, 2, 1]

  /// The layer in front of the last, of whose numbers some are left out while training.
  package static var lastSpokenNumberBlock: Int { 2 * spokenNumberDilations.count }

  /// The network that hears numbers: time runs along the columns, and each output stands for 30 ms.
  ///
  /// A convolution of five frames with a stride of two brings 40 bands to 96 channels; eight residual
  /// convolutions of three outputs with dilations of 1, 2, 4, 1, 2, 4, 2 and 1 see half a second on
  /// either side; a last one tells the classes.
  public static var spokenNumbers: NetworkDescription {
    let channels = 96
    var layers: [Layer] = []
    var tensors = 0
    func convolution(
      _ source: Layer.Source, _ input: Int, _ output: Int, width: Int, stride: Int = 1,
      dilation: Int = 1, activation: Layer.Activation
    ) -> Layer.Source {
      let padding = (width - 1) / 2 * dilation
      layers.append(
        .convolution(
          Layer.Convolution(
            input: source, inputChannels: input, outputChannels: output,
            window: Layer.Window(
              height: 1, width: width, strideY: 1, strideX: stride, dilationX: dilation,
              padding: Layer.Edges(left: padding, right: padding - stride + 1)),
            activation: activation, weights: tensors, bias: tensors + 1)))
      tensors += 2
      return .layer(layers.count - 1)
    }
    var value = convolution(
      .input(0), SpeechFeatures.bandCount, channels, width: 5, stride: SpeechTask.stride,
      activation: .relu)
    for dilation in spokenNumberDilations {
      let inner = convolution(
        value, channels, channels, width: 3, dilation: dilation, activation: .relu)
      layers.append(.elementwise(Layer.Elementwise(.addition, value, inner)))
      value = .layer(layers.count - 1)
    }
    _ = convolution(value, channels, SpeechClass.count, width: 1, activation: .identity)
    return NetworkDescription(
      name: "spoken numbers", task: SpeechTask.taskName,
      inputs: [
        NetworkInput(
          name: "bands",
          shape: TensorShape(
            height: 1, width: SpeechTask.frameCount, channels: SpeechFeatures.bandCount),
          isResizable: true)
      ], layers: layers,
      outputs: [
        NetworkOutput(
          name: "words", layer: layers.count - 1,
          head: NetworkHead(kind: "word logits", labels: SpeechClass.labels))
      ])
  }
}

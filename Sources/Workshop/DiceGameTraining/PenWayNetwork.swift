internal import DiceGameKit
public import DiceWeights

extension NetworkDescription {
  /// The network that reads a pen's way: convolutions along 64 places, then a dense layer.
  public static var penWays: NetworkDescription {
    digitClassifier(
      name: "pen ways", task: DigitClassifier.penTask,
      input: NetworkInput(
        name: "way",
        shape: TensorShape(height: 1, width: PenPath.placeCount, channels: PenPath.channelCount)),
      convolutions: [(32, 5, 1), (48, 5, 2), (64, 5, 2), (64, 3, 1), (80, 3, 2)].map {
        (outputChannels, span, stride) in
        let edge = span / 2
        return (
          outputChannels,
          Layer.Window(
            height: 1, width: span, strideX: stride,
            padding: Layer.Edges(top: 0, left: edge, bottom: 0, right: edge))
        )
      }, labels: DigitClassifier.digitsOrNone)
  }
}

internal import DiceGameKit
public import DiceWeights

extension NetworkDescription {
  /// The network that reads digits: 4.7 million multiply-adds and 0.16 million parameters.
  ///
  /// Five convolutions of three by three without padding, of which the second and the fourth halve
  /// the picture, bring 28 by 28 samples to 2 by 2 of 96 channels; a dense layer makes ten logits of
  /// these.
  public static var digits: NetworkDescription {
    digitClassifier(
      name: "digits", task: DigitClassifier.task, input: .digitBitmap,
      convolutions: [(24, 1), (48, 2), (48, 1), (96, 2), (96, 1)].map {
        ($0, Layer.Window(size: 3, stride: $1))
      }, labels: DigitClassifier.digits)
  }
}

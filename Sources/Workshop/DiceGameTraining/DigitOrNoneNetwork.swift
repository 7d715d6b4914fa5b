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
    digitClassifier(
      name: "digit or none", task: DigitClassifier.orNoneTask, input: .digitBitmap,
      convolutions: [(24, 2), (40, 1), (64, 2), (48, 1)].map {
        ($0, Layer.Window(size: 3, stride: $1))
      }, labels: DigitClassifier.digitsOrNone)
  }
}

internal import DiceDetection
internal import DiceVisionTraining
public import DiceWeights
internal import ThrowVisionKit

extension NetworkDescription {
  /// The network that finds people: that of the fast detector of dice with one class, 0.2 million parameters and
  /// 51 million multiply-adds at 224 by 224.
  ///
  /// - Parameter inputSide: the width and height of its input, a multiple of 32.
  public static func people(inputSide: Int = 224) -> NetworkDescription {
    var description = NetworkDescription.fast(
      labels: [PersonFinder.label], inputSide: inputSide)
    description.name = "people"
    description.task = PersonFinder.task
    description.recommend(overlap: 0.5, confidence: 0.1)
    return description
  }
}

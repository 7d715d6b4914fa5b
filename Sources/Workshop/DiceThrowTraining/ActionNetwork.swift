internal import DiceNetwork
public import DiceWeights
internal import ThrowVisionKit

extension NetworkDescription {
  /// The network that tells actions apart: 0.17 million parameters and as many multiply-adds.
  ///
  /// Two hidden layers of 128 and 64 numbers between the features of a window and one logit for each label.
  ///
  /// - Parameters:
  ///   - labels: the labels, two at least.
  ///   - temperature: what logits are divided by.
  ///   - priors: what the probability of each label is multiplied with; nil for ones.
  public static func actions(
    labels: [String], temperature: Float = 1, priors: [Float]? = nil
  ) -> NetworkDescription {
    var layers: [Layer] = []
    for (index, (channels, activation)) in [
      (128, Layer.Activation.relu), (64, .relu), (labels.count, .identity),
    ].enumerated() {
      layers.append(
        .dense(
          Layer.Dense(
            input: index == 0 ? .input(0) : .layer(index - 1), outputChannels: channels,
            activation: activation, weights: 2 * index, bias: 2 * index + 1)))
    }
    let constants = ActionConstants(
      temperature: temperature,
      priors: priors ?? [Float](repeating: 1, count: labels.count))
    return NetworkDescription(
      name: "actions", task: ActionConstants.task,
      inputs: [NetworkInput(name: "window", shape: ActionConstants.inputShape)],
      layers: layers,
      outputs: [NetworkOutput(name: "action", layer: 2, head: ClassHead.head(labels: labels))],
      profile: constants.profile)
  }
}

package import DiceWeights
internal import DiceNetwork
internal import DiceNumerics
internal import DicePoses

/// What a weight file says about actions besides its network.
package struct ActionConstants: Hashable, Sendable {
  /// What a weight file for actions says under "task".
  package static let task = "actions"

  /// What the logits are divided by in the end, so that confidences are the shares that are right; it does not
  /// change which label is the most likely one.
  package var temperature: Float
  /// What probabilities are multiplied with before that, by label.
  package var priors: [Float]

  /// Groups the constants.
  package init(temperature: Float, priors: [Float]) {
    self.temperature = temperature
    self.priors = priors
  }

  /// The constants of a file's profile.
  package init(
    _ profile: [NamedValues], labelCount: Int
  ) throws(ActionClassifierError) {
    func values(
      _ name: StaticString, _ count: Int, _ range: ClosedRange<Float>
    ) throws(ActionClassifierError) -> [Float] {
      try profile.values(named: name, count: count, in: range) {
        ActionClassifierError.constant(name: $0, found: $1, required: $2)
      }
    }
    // What the features are made with is part of the code; a file tells it, so that one for other
    // features is not taken for one of these.
    for (name, number) in Self.features {
      let found = try values(name, 1, -.greatestFiniteMagnitude ... .greatestFiniteMagnitude)
      guard found[0] == number else {
        throw .constant(name: "\(name)", found: found, required: "\(number)")
      }
    }
    temperature = try values("temperature", 1, 0.01...100)[0]
    priors = try values("priors", labelCount, 0.001...1000)
  }

  private static let features: [(StaticString, Float)] = [
    ("moments", Float(ActionFeatures.momentCount)),
    ("movement scale", ActionFeatures.movementScale),
    ("path scale", ActionFeatures.pathScale),
  ]

  /// The constants as a profile.
  package var profile: [NamedValues] {
    Self.features.map { NamedValues("\($0.0)", [$0.1]) } + [
      NamedValues("temperature", [temperature]), NamedValues("priors", priors),
    ]
  }

  /// The shape of the network's input.
  package static let inputShape = TensorShape(
    height: 1, width: 1, channels: ActionFeatures.count)

  /// Turns logits into probabilities, in place; all alike where a logit is no number.
  package func calibrate(_ values: inout [Float]) {
    guard values.allSatisfy({ $0.isFinite }) else {
      for index in values.indices { values[index] = 1 / Float(values.count) }
      return
    }
    for index in values.indices {
      let prior = Float(naturalLogarithm(Double(priors[index])))
      values[index] = (values[index] + prior) / temperature
    }
    ClassHead.softmax(&values)
  }
}

/// A loss with its parts by name, and what else there is to tell of a step.
public struct LossParts: Hashable, Sendable {
  /// A number with a name.
  public struct Part: Hashable, Sendable {
    /// What the number is: "box", "overlap".
    public var name: String
    /// The number.
    public var value: Float

    /// Pairs a name with its number.
    public init(_ name: String, _ value: Float) {
      self.name = name
      self.value = value
    }
  }

  /// The parts whose sum is made small.
  public var terms: [Part]
  /// Numbers that tell how it goes and are not made small: shares, counts.
  public var measures: [Part]

  /// Groups terms and measures.
  public init(terms: [Part], measures: [Part] = []) {
    self.terms = terms
    self.measures = measures
  }

  /// The sum of the terms, in their order.
  public var total: Float { terms.reduce(0) { $0 + $1.value } }

  /// The term or measure of a name, or nil where there is none.
  public subscript(name: String) -> Float? {
    (terms.first { $0.name == name } ?? measures.first { $0.name == name })?.value
  }
}

/// What a step did.
public struct TrainingProgress: Hashable, Sendable {
  /// The step, from 1.
  public var step: Int
  /// The steps of the run.
  public var stepCount: Int
  /// The learning rate of the step.
  public var learningRate: Float
  /// The loss of the step's samples, before the weights were changed.
  public var loss: LossParts

  /// Groups the parts.
  public init(step: Int, stepCount: Int, learningRate: Float, loss: LossParts) {
    self.step = step
    self.stepCount = stepCount
    self.learningRate = learningRate
    self.loss = loss
  }
}

internal import DiceNumerics

/// A small network that says how likely a path is a thrown thing's.
///
/// With inputs `x` inside their ranges, and `σ(z) = 1 / (1 + e⁻ᶻ)`,
///
///     score = bias + w · x + Σ vⱼ σ(bⱼ + Wⱼ · x)
///
/// It allocates nothing after it was made.
package struct FlightNetwork: Hashable, Sendable {
  /// How many inputs there are.
  package static let inputCount = 50

  /// The inputs, in the order in which ``FlightVerdict`` and ``FlightTracker`` append them.
  struct Inputs: Sendable {
    private(set) var values = SIMD64<Double>.zero
    private(set) var count = 0

    /// Takes the next input.
    mutating func append(_ value: Double) {
      values[count] = value
      count += 1
    }
  }

  /// A unit of the hidden layer.
  package struct Unit: Hashable, Sendable {
    /// Is added to what comes in.
    package var bias: Double
    /// What its output counts in the score.
    package var weight: Double
    /// A weight for each input.
    package var inputs: [Double]

    /// Groups the numbers.
    package init(bias: Double, weight: Double, inputs: [Double]) {
      self.bias = bias
      self.weight = weight
      self.inputs = inputs
    }
  }

  /// Is added to the score.
  package var bias: Double
  /// The least values of the inputs among the paths that it has learnt from; what is less counts as much.
  package var least: [Double]
  /// The greatest values.
  package var greatest: [Double]
  /// A weight for each input beside the hidden layer.
  package var weights: [Double]
  /// The hidden layer.
  package var units: [Unit]

  /// Groups the numbers.
  package init(
    bias: Double, least: [Double], greatest: [Double], weights: [Double], units: [Unit]
  ) {
    self.bias = bias
    self.least = least
    self.greatest = greatest
    self.weights = weights
    self.units = units
  }

  /// A network that takes nothing for thrown.
  package static let refusing = FlightNetwork(
    bias: -1e9, least: [], greatest: [], weights: [], units: [])

  /// The score of a path.
  ///
  /// - Precondition: there are ``inputCount`` inputs.
  func score(_ inputs: Inputs) -> Double {
    precondition(inputs.count == Self.inputCount, "a network of flights has 50 inputs")
    var values = inputs.values
    var score = bias
    for index in weights.indices {
      values[index] = min(max(values[index], least[index]), greatest[index])
      score += weights[index] * values[index]
    }
    for unit in units {
      var sum = unit.bias
      for index in unit.inputs.indices { sum += unit.inputs[index] * values[index] }
      score += unit.weight / (1 + exponential(-sum))
    }
    return score
  }
}

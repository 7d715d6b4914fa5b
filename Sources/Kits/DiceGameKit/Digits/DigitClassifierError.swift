public import DiceNetwork
public import DiceWeights

/// Why a weight file cannot be used to read digits.
public enum DigitClassifierError: Error, Hashable, Sendable {
  /// The file breaks a rule of the weight format.
  case weights(WeightFileError)
  /// The network cannot be planned.
  case network(NetworkError)
  /// The network has not one input, a gray picture of 28 by 28 pixels.
  case input(found: TensorShape, required: TensorShape)
  /// The network's first output is not that of a classifier.
  case head(ClassHeadError)
  /// The labels are not "0" to "9".
  case labels(found: [String])
}

extension DigitClassifierError: CustomStringConvertible {
  /// One sentence that says what was found and what is required.
  public var description: String {
    switch self {
    case .weights(let error): "\(error)"
    case .network(let error): "\(error)"
    case .input(let found, let required):
      "The network's input is \(found); a classifier of digits has one input, a gray picture of \(required)."
    case .head(let error): "\(error)"
    case .labels(let found):
      "The network's \(found.count) labels are others; those of digits are \"0\" to \"9\" in this order."
    }
  }
}

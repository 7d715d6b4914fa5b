public import DiceWeights

/// Why a network cannot be planned or run.
public enum NetworkError: Error, Hashable, Sendable {
  /// The shapes given for the inputs are not those that the network takes.
  case inputShapes(WeightFileError)
  /// The activations for inputs of this size need more memory than `limit`.
  case activationsTooLarge(byteCount: Int64, limit: Int64)
  /// The packed weights need more memory than `limit`.
  case weightsTooLarge(byteCount: Int64, limit: Int64)
  /// A description that was built by hand breaks a rule.
  case invalidDescription(WeightFileError)
  /// The number of tensors is not the one that the description calls for.
  case tensorCount(found: Int, required: Int)
  /// The number of values of a tensor is not the one that the description calls for.
  case valueCount(tensor: Int, found: Int, required: Int64)
}

extension NetworkError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .inputShapes(let error): "The network does not take inputs of this size: \(error)"
    case .activationsTooLarge(let byteCount, let limit):
      "Inputs of this size need \(byteCount) bytes for activations; at most \(limit) are allowed."
    case .weightsTooLarge(let byteCount, let limit):
      "The network's packed weights need \(byteCount) bytes; at most \(limit) are allowed."
    case .invalidDescription(let error):
      "The network's description is not valid: \(error)"
    case .tensorCount(let found, let required):
      "The network was given \(found) tensors; its description calls for \(required)."
    case .valueCount(let tensor, let found, let required):
      "Tensor \(tensor) has \(found) values; the network's description calls for \(required)."
    }
  }
}

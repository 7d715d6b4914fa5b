public import DiceWeights

/// Why a network cannot be planned or run.
public enum NetworkError: Error, Hashable, Sendable {
  /// The input's width or height is not a multiple of `multiple` in `allowed`.
  case inputSize(width: Int, height: Int, multiple: Int, allowed: ClosedRange<Int>)
  /// The activations for an input of this size need more memory than `limit`.
  case activationsTooLarge(width: Int, height: Int, byteCount: Int64, limit: Int64)
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
    case .inputSize(let width, let height, let multiple, let allowed):
      "The network's input is \(width) by \(height) pixels; each side must be a multiple of "
        + "\(multiple) from \(allowed.lowerBound) to \(allowed.upperBound)."
    case .activationsTooLarge(let width, let height, let byteCount, let limit):
      "An input of \(width) by \(height) pixels needs \(byteCount) bytes for activations; at most "
        + "\(limit) are allowed."
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

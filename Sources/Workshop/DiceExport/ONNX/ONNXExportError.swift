public import DiceWeights

/// Why a network cannot be written as an ONNX model.
public enum ONNXExportError: Error, Hashable, Sendable {
  /// The network cannot have inputs of the sizes that are asked for.
  case inputShapes(WeightFileError)
  /// Sizes are to stay open, but no input is resizable.
  case fixedInputs
  /// A layer resizes a value of open size to a stated size, taking the nearest numbers.
  ///
  /// Which are nearest is exact only where both sizes are known: engines round places between pixels
  /// differently.
  case nearestOfOpenSize(layer: Int)
  /// The model would have more bytes than is allowed.
  case modelTooLarge(byteCount: Int, limit: Int)
}

extension ONNXExportError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .inputShapes(let error): error.description
    case .fixedInputs: "The network takes inputs of one size only."
    case .nearestOfOpenSize(let layer):
      "Layer \(layer) takes the nearest numbers of a value whose size is open; choose a size."
    case .modelTooLarge(let byteCount, let limit):
      "The model would have \(byteCount) bytes; \(limit) are allowed."
    }
  }
}

/// Why a network cannot be written as an ONNX model.
public enum ONNXExportError: Error, Hashable, Sendable {
  /// The width or the height of the input is no multiple of 32 in 32...4096.
  case inputSize(width: Int, height: Int)
  /// The model would have more bytes than is allowed.
  case modelTooLarge(byteCount: Int, limit: Int)
}

extension ONNXExportError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .inputSize(let width, let height):
      "The input is to be \(width) by \(height) pixels; each must be a multiple of 32 from 32 to "
        + "4096."
    case .modelTooLarge(let byteCount, let limit):
      "The model would have \(byteCount) bytes; \(limit) are allowed."
    }
  }
}

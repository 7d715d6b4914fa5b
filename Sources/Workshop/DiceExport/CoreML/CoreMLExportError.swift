/// Why a network cannot be written as a Core ML model.
public enum CoreMLExportError: Error, Hashable, Sendable {
  /// A rearrangement has more axes than Core ML's tensors.
  case rearrangementRank(layer: Int, rank: Int, limit: Int)
  /// The model would have more bytes than is allowed.
  case modelTooLarge(byteCount: Int, limit: Int)
}

extension CoreMLExportError: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    switch self {
    case .rearrangementRank(let layer, let rank, let limit):
      "Layer \(layer) rearranges numbers along \(rank) axes; Core ML's tensors have \(limit) at most."
    case .modelTooLarge(let byteCount, let limit):
      "The model would have \(byteCount) bytes; \(limit) are allowed."
    }
  }
}

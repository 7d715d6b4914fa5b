/// Why bytes are no flatbuffer that can be read.
public enum FlatbufferError: Error, Hashable, Sendable {
  /// The file does not have the identifier of its kind behind the first offset.
  case wrongIdentifier(required: String)
  /// Something at this offset reaches beyond the file's last byte.
  case outOfBounds(offset: Int)
  /// The table at this offset has no list of fields, or one of an impossible length.
  case fieldList(offset: Int)
  /// A list has more elements than a file of this kind may have.
  case tooLong(count: Int, limit: Int)
}

extension FlatbufferError: CustomStringConvertible {
  /// One sentence that says what was found and what was required.
  public var description: String {
    switch self {
    case .wrongIdentifier(let required):
      "The file does not have the identifier \(required)."
    case .outOfBounds(let offset):
      "What begins at byte \(offset) reaches beyond the end of the file."
    case .fieldList(let offset):
      "The table at byte \(offset) has a damaged list of fields."
    case .tooLong(let count, let limit):
      "A list has \(UInt(bitPattern: count)) elements; it must have no more than \(limit)."
    }
  }
}

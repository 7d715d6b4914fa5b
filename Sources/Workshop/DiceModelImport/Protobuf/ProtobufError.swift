/// Why bytes are no protocol buffers message.
public enum ProtobufError: Error, Hashable, Sendable {
  /// A number has more than 64 bits.
  case varintTooLong(offset: Int)
  /// A field reaches beyond the end of its message.
  case truncated(offset: Int)
  /// A field's number is 0 or too large.
  case fieldNumber(offset: Int)
  /// A field has a type that is not in use.
  case wireType(offset: Int, found: Int)
  /// A field has another type than its format gives it.
  case fieldType(offset: Int, field: Int)
  /// Messages within messages are too many.
  case tooDeep(offset: Int, limit: Int)
  /// A text is not UTF-8.
  case textNotUTF8(offset: Int)
}

extension ProtobufError: CustomStringConvertible {
  /// One sentence that names the rule.
  public var description: String {
    switch self {
    case .varintTooLong(let offset): "The number at byte \(offset) has more than 64 bits."
    case .truncated(let offset): "The field at byte \(offset) reaches beyond its message's end."
    case .fieldNumber(let offset): "The field at byte \(offset) has no number in 1...536870911."
    case .wireType(let offset, let found):
      "The field at byte \(offset) has the unknown type \(found)."
    case .fieldType(let offset, let field):
      "Field \(field) at byte \(offset) has another type than its format gives it."
    case .tooDeep(let offset, let limit):
      "The message at byte \(offset) is nested deeper than \(limit) messages."
    case .textNotUTF8(let offset): "The text at byte \(offset) is not UTF-8."
    }
  }
}

/// Which rule the bytes of a WebSocket's client break.
public enum WebSocketError: Error, Hashable, Sendable {
  /// The three bits for extensions are 0.
  case reservedBits
  /// The kind of a frame is known.
  case unknownKind(found: UInt8)
  /// A client's frame is masked.
  case missingMask
  /// A frame that controls is not cut in parts.
  case fragmentedControl
  /// A frame that controls has 125 bytes at most.
  case controlTooLong(found: Int)
  /// A length is written in as few bytes as it needs, and is below 2^63.
  case invalidLength
  /// A message is not too long, all its parts together.
  case messageTooLong(limit: Int)
  /// A part that goes on has a message before it.
  case nothingToContinue
  /// A message is whole before the next one begins.
  case unfinishedMessage
  /// A text is UTF-8.
  case invalidText
  /// What ends the connection is empty, or a code and a text.
  case invalidClose
  /// A code for the end is one that may be sent.
  case invalidCloseCode(found: UInt16)
}

extension WebSocketError: CustomStringConvertible {
  /// The code with which the connection ends.
  ///
  /// Source: RFC 6455, section 7.4.1.
  public var closeCode: UInt16 {
    switch self {
    case .messageTooLong: 1009
    case .invalidText: 1007
    default: 1002
    }
  }

  /// One sentence for the client.
  public var description: String {
    switch self {
    case .reservedBits: "A frame has bits of an extension."
    case .unknownKind(let found): "There are no frames of the kind \(found)."
    case .missingMask: "A client's frame must be masked."
    case .fragmentedControl: "A control frame may not be cut in parts."
    case .controlTooLong(let found): "A control frame may have 125 bytes, not \(found)."
    case .invalidLength: "A length is not written in as few bytes as it needs."
    case .messageTooLong(let limit): "A message may have \(limit) bytes at most."
    case .nothingToContinue: "A part goes on with a message that has not begun."
    case .unfinishedMessage: "A message begins inside another one."
    case .invalidText: "A text is not UTF-8."
    case .invalidClose: "A close frame must be empty, or a code and a text."
    case .invalidCloseCode(let found): "A connection may not end with the code \(found)."
    }
  }
}

/// What a client sends over a WebSocket.
public enum WebSocketMessage: Hashable, Sendable {
  /// A text.
  case text(String)
  /// Bytes.
  case binary([UInt8])
}

/// What is done with a WebSocket.
///
/// All closures are called on the server's thread, one at a time, and return at once.
public struct WebSocketHandler: Sendable {
  /// The most messages that a client may send in a second, in the mean; a few more may come together.
  public var messagesPerSecond: Int
  /// Called first: it keeps the stream, to send with.
  public var opened: @Sendable (ClientStream) -> Void
  /// Called for each message.
  public var received: @Sendable (ClientStream, WebSocketMessage) -> Void

  /// A handler.
  ///
  /// - Parameters:
  ///   - messagesPerSecond: the most messages that a client may send in a second, at least 1.
  ///   - opened: called first: it keeps the stream, to send with.
  ///   - received: called for each message.
  public init(
    messagesPerSecond: Int = 60, opened: @escaping @Sendable (ClientStream) -> Void,
    received: @escaping @Sendable (ClientStream, WebSocketMessage) -> Void = { _, _ in }
  ) {
    self.messagesPerSecond = messagesPerSecond
    self.opened = opened
    self.received = received
  }
}

/// Frames as a server sends them: whole, without a mask.
///
/// Source: RFC 6455, section 5.2.
enum WebSocketFrame {
  enum Kind: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  /// The bytes of a frame.
  static func bytes(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x80 | kind.rawValue]
    bytes.reserveCapacity(payload.count + 10)
    if payload.count < 126 {
      bytes.append(UInt8(payload.count))
    } else {
      let byteCount = payload.count < 1 << 16 ? 2 : 8
      bytes.append(byteCount == 2 ? 126 : 127)
      for place in (0..<byteCount).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: UInt64(payload.count) >> UInt64(8 * place)))
      }
    }
    return bytes + payload
  }

  /// The bytes of a frame that ends the connection.
  ///
  /// - Parameter reason: 123 bytes of it are sent at most.
  static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
    var text = ""
    for character in reason where text.utf8.count + character.utf8.count <= 123 {
      text.append(character)
    }
    return bytes(.close, [UInt8(code >> 8), UInt8(code & 255)] + Array(text.utf8))
  }
}

internal import DiceNumerics

/// How a request becomes a WebSocket.
///
/// Source: RFC 6455, section 4.2.
enum WebSocketHandshake {
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The headers that accept a request.
  ///
  /// - Throws: `HTTPError`: 400 for what asks for no WebSocket, 426 for another version than 13.
  static func accept(_ request: HTTPRequest) throws(HTTPError) -> [HTTPHeader] {
    guard request.method == "GET", request.hasWord("websocket", in: "upgrade"),
      request.hasWord("upgrade", in: "connection")
    else { throw HTTPError(400, "This path is for WebSockets: ask for an upgrade.") }
    guard request.header("sec-websocket-version") == "13" else {
      throw HTTPError(426, "The version of the WebSocket must be 13.")
    }
    let keys = request.headers.filter { $0.name == "sec-websocket-key" }
    guard keys.count == 1, isKey(keys[0].value) else {
      throw HTTPError(400, "Sec-WebSocket-Key must be 16 bytes in Base64.")
    }
    let digest = SHA1.digest(Array((keys[0].value + suffix).utf8))
    return [
      HTTPHeader("Sec-WebSocket-Accept", String(decoding: Base64.encode(digest), as: UTF8.self))
    ]
  }

  /// Whether a text is that of 16 bytes: 22 characters and two signs that fill up.
  private static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[22] == 0x3D, bytes[23] == 0x3D else { return false }
    return bytes[..<22].allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
      default: false
      }
    }
  }
}

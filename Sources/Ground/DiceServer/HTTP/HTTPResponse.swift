internal import DiceFiles

/// A response; the connection ends with it.
public struct HTTPResponse: Sendable {
  /// What follows the headers.
  public enum Content: Sendable {
    /// These bytes, and the end.
    case bytes([UInt8])
    /// Bytes that come as they are made, until one side ends the connection.
    ///
    /// - Parameters:
    ///   - heartbeat: What is sent to a client that gets nothing for a while, so that one that has gone is
    ///     noticed; empty for nothing.
    ///   - opened: Called once, on the server's thread, as soon as the headers are on the way; it
    ///     keeps the stream and returns at once.
    case stream(heartbeat: [UInt8], opened: @Sendable (ClientStream) -> Void)
    /// Messages in both directions; for a request that asks for a WebSocket.
    case webSocket(WebSocketHandler)
  }

  /// The status, 200...599.
  public var status: Int
  /// What the content is.
  public var contentType: String
  /// Headers besides `Content-Type`, `Content-Length` and `Connection`.
  public var headers: [HTTPHeader]
  /// What follows the headers.
  public var content: Content

  /// A response with a body.
  public init(
    status: Int, contentType: String = "application/json", headers: [HTTPHeader] = [],
    body: [UInt8]
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
    content = .bytes(body)
  }

  /// A response whose content comes as it is made.
  ///
  /// - Parameters:
  ///   - contentType: what the content is.
  ///   - heartbeat: see ``Content/stream(heartbeat:opened:)``.
  ///   - opened: see ``Content/stream(heartbeat:opened:)``.
  public static func stream(
    contentType: String, heartbeat: [UInt8] = [], opened: @escaping @Sendable (ClientStream) -> Void
  ) -> HTTPResponse {
    var response = HTTPResponse(status: 200, contentType: contentType, body: [])
    response.content = .stream(heartbeat: heartbeat, opened: opened)
    return response
  }

  /// A stream of server-sent events.
  ///
  /// - Parameter opened: Called once with the stream; see ``ServerSentEvent`` for what to send.
  public static func events(
    opened: @escaping @Sendable (ClientStream) -> Void
  ) -> HTTPResponse {
    stream(contentType: "text/event-stream", heartbeat: Array(":\n\n".utf8), opened: opened)
  }

  /// The answer to a request for a WebSocket.
  public static func webSocket(_ handler: WebSocketHandler) -> HTTPResponse {
    var response = HTTPResponse(status: 101, body: [])
    response.content = .webSocket(handler)
    return response
  }

  /// The response to a request that cannot be served: an object with the sentence as `error`.
  public static func refusal(_ error: HTTPError) -> HTTPResponse {
    let body = JSONWriter.write(["error": .string(error.sentence)])
    return HTTPResponse(status: error.status, body: body + [0x0A])
  }

  /// The body; empty where the content is none.
  public var body: [UInt8] {
    if case .bytes(let bytes) = content { bytes } else { [] }
  }

  /// The reason of a status.
  private static func reason(_ status: Int) -> String {
    switch status {
    case 101: "Switching Protocols"
    case 200: "OK"
    case 202: "Accepted"
    case 204: "No Content"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Unknown"
    }
  }

  /// The bytes before the content.
  var head: [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
    switch content {
    case .bytes(let bytes):
      text += "Content-Type: \(contentType)\r\nContent-Length: \(bytes.count)\r\n"
      text += "Connection: close\r\n"
    case .stream:
      text += "Content-Type: \(contentType)\r\nConnection: close\r\n"
    case .webSocket:
      text += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    }
    if status == 503 || status == 429 { text += "Retry-After: 2\r\n" }
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }
}

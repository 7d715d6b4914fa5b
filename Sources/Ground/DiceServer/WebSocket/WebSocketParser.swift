/// Reads the frames of a WebSocket's client from bytes that come in pieces of any size.
///
/// Events and errors do not depend on how the bytes are cut. Memory is that of one message and one
/// control frame, within the limit.
///
/// Source: RFC 6455, section 5.
public struct WebSocketParser: Sendable {
  /// What a client sent.
  public enum Event: Hashable, Sendable {
    /// A whole message.
    case message(WebSocketMessage)
    /// A question whether anybody is there, which a pong with the same bytes answers.
    case ping([UInt8])
    /// The answer to a ping.
    case pong([UInt8])
    /// The end, with a code where there is one; nothing is read behind it.
    case close(code: UInt16?)
  }

  /// A frame whose payload is being read.
  private struct Frame {
    var kind: WebSocketFrame.Kind
    var isFinal: Bool
    var mask: [UInt8]
    var missingByteCount: Int
    var readByteCount = 0
  }

  private let messageByteCount: Int
  /// The first bytes of a frame, until all that say how long it is are there.
  private var head: [UInt8] = []
  private var frame: Frame?
  /// The kind of a message whose end has not come.
  private var messageKind: WebSocketFrame.Kind?
  private var message: [UInt8] = []
  private var control: [UInt8] = []
  private var hasEnded = false
  private var error: WebSocketError?

  /// A parser at the beginning of a connection.
  ///
  /// - Parameter messageByteCount: the most bytes of a message, at least 0.
  public init(messageByteCount: Int) { self.messageByteCount = messageByteCount }

  /// Reads up to the end of a message or of a frame that controls.
  ///
  /// - Parameter bytes: The next bytes; those that were read are removed.
  /// - Returns: nil where more bytes are needed, and for ever after `close`.
  /// - Throws: the broken rule, and the same each time from then on.
  public mutating func next(from bytes: inout ArraySlice<UInt8>) throws(WebSocketError) -> Event? {
    if let error { throw error }
    do throws(WebSocketError) { return try read(&bytes) } catch {
      self.error = error
      (message, control) = ([], [])
      throw error
    }
  }

  private mutating func read(_ bytes: inout ArraySlice<UInt8>) throws(WebSocketError) -> Event? {
    if hasEnded {
      bytes = []
      return nil
    }
    while true {
      if frame == nil {
        guard try readHead(&bytes) else { return nil }
      }
      guard var current = frame else { return nil }
      let piece = bytes.prefix(current.missingByteCount)
      var plain = Array(piece)
      for index in plain.indices {
        plain[index] ^= current.mask[(current.readByteCount + index) & 3]
      }
      bytes = bytes.dropFirst(piece.count)
      current.readByteCount += piece.count
      current.missingByteCount -= piece.count
      if current.kind.isControl { control += plain } else { message += plain }
      frame = current
      if current.missingByteCount > 0 { return nil }
      frame = nil
      if let event = try finish(current) { return event }
    }
  }

  /// Reads what stands before a payload.
  ///
  /// - Returns: whether it is whole.
  private mutating func readHead(_ bytes: inout ArraySlice<UInt8>) throws(WebSocketError) -> Bool {
    while let byte = bytes.first {
      head.append(byte)
      bytes = bytes.dropFirst()
      if let found = try Self.frame(head) {
        try check(found)
        head.removeAll(keepingCapacity: true)
        frame = found
        return true
      }
    }
    return false
  }

  /// The frame that a head announces; nil where the head is not whole.
  private static func frame(_ head: [UInt8]) throws(WebSocketError) -> Frame? {
    guard head[0] & 0x70 == 0 else { throw .reservedBits }
    guard let kind = WebSocketFrame.Kind(rawValue: head[0] & 15) else {
      throw .unknownKind(found: head[0] & 15)
    }
    let isFinal = head[0] & 0x80 != 0
    if kind.isControl, !isFinal { throw .fragmentedControl }
    guard head.count > 1 else { return nil }
    guard head[1] & 0x80 != 0 else { throw .missingMask }
    let short = Int(head[1] & 0x7F)
    let lengthByteCount = short == 127 ? 8 : short == 126 ? 2 : 0
    guard head.count >= 2 + lengthByteCount else { return nil }
    var length = UInt64(short)
    if lengthByteCount > 0 {
      length = head[2..<(2 + lengthByteCount)].reduce(0) { $0 << 8 | UInt64($1) }
      let least: UInt64 = lengthByteCount == 2 ? 126 : 1 << 16
      guard length >= least, length < 1 << 63 else { throw .invalidLength }
    }
    if kind.isControl, length > 125 { throw .controlTooLong(found: Int(length)) }
    guard head.count == 6 + lengthByteCount else { return nil }
    return Frame(
      kind: kind, isFinal: isFinal, mask: Array(head.suffix(4)), missingByteCount: Int(length))
  }

  /// Checks a frame against those before it.
  private mutating func check(_ frame: Frame) throws(WebSocketError) {
    if frame.kind.isControl { return }
    if frame.kind == .continuation {
      if messageKind == nil { throw .nothingToContinue }
    } else {
      if messageKind != nil { throw .unfinishedMessage }
      messageKind = frame.kind
    }
    guard frame.missingByteCount <= messageByteCount - message.count else {
      throw .messageTooLong(limit: messageByteCount)
    }
  }

  private mutating func finish(_ frame: Frame) throws(WebSocketError) -> Event? {
    if frame.kind.isControl {
      let payload = control
      control = []
      switch frame.kind {
      case .ping: return .ping(payload)
      case .pong: return .pong(payload)
      default:
        let code = try Self.closeCode(payload)
        hasEnded = true
        return .close(code: code)
      }
    }
    guard frame.isFinal, let kind = messageKind else { return nil }
    let payload = message
    (messageKind, message) = (nil, [])
    if kind == .binary { return .message(.binary(payload)) }
    guard let text = String(validating: payload, as: UTF8.self) else { throw .invalidText }
    return .message(.text(text))
  }

  /// The code of a payload that ends the connection; nil where it is empty.
  private static func closeCode(_ payload: [UInt8]) throws(WebSocketError) -> UInt16? {
    if payload.isEmpty { return nil }
    guard payload.count >= 2 else { throw .invalidClose }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: break
    default: throw .invalidCloseCode(found: code)
    }
    guard String(validating: payload[2...], as: UTF8.self) != nil else { throw .invalidText }
    return code
  }
}

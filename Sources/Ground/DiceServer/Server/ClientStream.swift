#if canImport(DiceSystem)
  internal import Synchronization

  /// The way to a client that gets bytes or messages as they are made.
  ///
  /// Sending never waits. What a client does not take is kept for it up to a limit; then it is dropped.
  /// Any thread may send.
  public final class ClientStream: Sendable {
    /// Names the connection; never used again by the same server.
    public let identifier: UInt64
    private let outbox: Outbox
    private let isWebSocket: Bool

    init(_ identifier: UInt64, _ outbox: Outbox, isWebSocket: Bool) {
      self.identifier = identifier
      self.outbox = outbox
      self.isWebSocket = isWebSocket
    }

    /// Whether the client is there, as far as is known.
    public var isOpen: Bool { outbox.status.isOpen }

    /// Sends a text: as it is, or over a WebSocket as a message.
    ///
    /// - Returns: false where the client has gone or was dropped.
    @discardableResult
    public func send(text: String) -> Bool { send(.text, Array(text.utf8)) }

    /// Sends bytes: as they are, or over a WebSocket as a binary message.
    ///
    /// - Returns: false where the client has gone or was dropped.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool { send(.binary, bytes) }

    /// Sends bytes unless others still wait, for what is worth nothing later: the next picture.
    ///
    /// - Returns: false where the client has gone or was dropped.
    @discardableResult
    public func offer(_ bytes: [UInt8]) -> Bool {
      let status = outbox.status
      return status.isOpen && (status.hasWaiting || send(bytes))
    }

    /// Sends a text unless something else still waits.
    ///
    /// - Returns: false where the client has gone or was dropped.
    @discardableResult
    public func offer(text: String) -> Bool {
      let status = outbox.status
      return status.isOpen && (status.hasWaiting || send(text: text))
    }

    /// Ends the connection behind what waits.
    public func close() {
      if isWebSocket { _ = outbox.append(WebSocketFrame.close(1000)) }
      outbox.end()
    }

    private func send(_ kind: WebSocketFrame.Kind, _ bytes: [UInt8]) -> Bool {
      outbox.append(isWebSocket ? WebSocketFrame.bytes(kind, bytes) : bytes)
    }
  }

  /// What waits to be sent to a client.
  final class Outbox: Sendable {
    /// How it stands.
    struct Status {
      var hasWaiting = false
      var isOpen = true
      /// Whether nothing comes behind what waits.
      var isEnding = false
      /// Whether more waited than may.
      var isOverfull = false
    }

    private struct State {
      var status = Status()
      var chunks: [[UInt8]] = []
      /// How many bytes of the first chunk are sent.
      var offset = 0
      var byteCount = 0
    }

    private let state = Mutex(State())
    private let byteLimit: Int
    private let waker: Waker

    init(byteLimit: Int, waker: Waker) {
      self.byteLimit = byteLimit
      self.waker = waker
    }

    var status: Status { state.withLock { $0.status } }

    /// Adds bytes.
    ///
    /// - Parameter isBounded: whether the limit holds; a response to a request has one of its own.
    /// - Returns: false where they will not be sent.
    func append(_ bytes: [UInt8], isBounded: Bool = true) -> Bool {
      let isTaken = state.withLock { state in
        guard state.status.isOpen, !state.status.isEnding, !state.status.isOverfull else {
          return false
        }
        if isBounded, state.byteCount + bytes.count > byteLimit {
          state.status.isOverfull = true
          return false
        }
        if bytes.isEmpty { return true }
        state.chunks.append(bytes)
        state.byteCount += bytes.count
        state.status.hasWaiting = true
        return true
      }
      waker.wake()
      return isTaken
    }

    /// Says that nothing more comes.
    func end() {
      state.withLock { $0.status.isEnding = true }
      waker.wake()
    }

    /// Says that the connection is gone.
    func close() {
      state.withLock { state in
        state.status.isOpen = false
        state.status.hasWaiting = false
        (state.chunks, state.byteCount) = ([], 0)
      }
    }

    /// Sends what there is room for.
    ///
    /// - Returns: how many bytes were sent; nil where the connection is gone.
    func flush(to socket: Int32) -> Int? {
      state.withLock { state in
        var total = 0
        sending: while let chunk = state.chunks.first {
          switch Sockets.send(socket, chunk, from: state.offset) {
          case .done(let count):
            total += count
            state.offset += count
            state.byteCount -= count
            guard state.offset == chunk.count else { break sending }
            state.chunks.removeFirst()
            state.offset = 0
          case .later: break sending
          case .failed: return nil
          }
        }
        state.status.hasWaiting = !state.chunks.isEmpty
        return total
      }
    }
  }
#endif

#if canImport(DiceSystem)
  internal import DiceParallel
  internal import DiceSystem
  internal import Synchronization

  /// A small HTTP/1.1 server: requests, streams of server-sent events, and WebSockets.
  ///
  ///     let server = try Server(ServerAccess(port: 8080), limits: ServerLimits())
  ///     server.run { request in HTTPResponse(status: 200, contentType: "text/plain", body: Array("ok".utf8)) }
  ///
  /// A connection has one request. One thread reads and sends for all clients and never waits for one;
  /// each answer is made on a thread of its own. Everything that a client can make grow has a limit
  /// (``ServerLimits``). It does not speak TLS: put a proxy in front that does.
  public final class Server: Sendable {
    /// Figures since the start.
    public struct Statistics: Hashable, Sendable {
      /// The connections that are open now.
      public var connectionCount = 0
      /// The connections and requests that were refused.
      public var refusedCount = 0
      /// The clients that were cut off because they took or said nothing.
      public var droppedCount = 0
    }

    private struct State {
      var answers: [(identifier: UInt64, response: HTTPResponse)] = []
      var statistics = Statistics()
      var isStopping = false
    }

    /// The port in use.
    public let port: UInt16
    let access: ServerAccess
    let limits: ServerLimits
    let listener: Int32
    let waker: Waker
    private let state = Mutex(State())

    /// Opens a port.
    ///
    /// Clients can connect from now on and wait until ``run(_:)``.
    ///
    /// - Throws: the broken rule: an address that is none, a missing or short token, a port in use.
    public init(_ access: ServerAccess, limits: ServerLimits = ServerLimits()) throws(ServerError) {
      guard let address = SocketAddress(access.address, port: access.port) else {
        throw .invalidAddress(found: access.address)
      }
      if let token = access.token {
        let isUsable = token.utf8.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
          default: false
          }
        }
        guard isUsable, token.utf8.count >= ServerAccess.tokenLength else {
          throw .unusableToken(required: ServerAccess.tokenLength)
        }
      } else if !address.isLoopback {
        throw .missingToken(address: access.address)
      }
      self.access = access
      self.limits = limits
      waker = try Waker()
      let listening = try address.listen()
      listener = listening.socket
      port = listening.address.port
    }

    deinit { close(listener) }

    /// What every request must bring; nil for nothing.
    public var token: String? { access.token }

    /// How the server fares.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// Serves until ``stop()``; once.
    ///
    /// - Parameter respond: Gives the answer to a request; several threads call it at once.
    public func run(_ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
      ServerLoop(self, respond).run()
    }

    /// Serves on a thread of its own until ``stop()``; once.
    ///
    /// - Parameter respond: as for ``run(_:)``.
    /// - Throws: `ServerError.failed` where the system has no thread left.
    public func start(
      _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws(ServerError) {
      guard DetachedThread.start({ self.run(respond) }) else { throw .system("thread", EAGAIN) }
    }

    /// Ends all connections soon, and takes no more.
    public func stop() {
      state.withLock { $0.isStopping = true }
      waker.wake()
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func note(_ change: (inout Statistics) -> Void) {
      state.withLock { change(&$0.statistics) }
    }

    /// Hands over an answer.
    func finish(_ identifier: UInt64, _ response: HTTPResponse) {
      state.withLock { $0.answers.append((identifier, response)) }
      waker.wake()
    }

    func takeAnswers() -> [(identifier: UInt64, response: HTTPResponse)] {
      state.withLock { state in
        defer { state.answers = [] }
        return state.answers
      }
    }
  }
#endif

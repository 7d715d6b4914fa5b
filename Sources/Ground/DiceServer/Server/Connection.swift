#if canImport(DiceSystem)
  /// A client's connection: one request, and its answer.
  final class Connection {
    /// What is going on.
    enum Phase {
      /// The request is being read.
      case reading
      /// The program makes the answer.
      case answering
      /// The answer is sent, and then the connection ends.
      case sending
      /// The client gets bytes as they are made.
      case streaming(heartbeat: [UInt8])
      /// Messages go in both directions.
      case webSocket(WebSocketHandler)
      /// Our side has ended; what the client still sends is thrown away.
      case draining
    }

    let identifier: UInt64
    let socket: Int32
    let address: String
    let outbox: Outbox
    var phase = Phase.reading
    var requestParser: HTTPRequestParser
    var webSocketParser: WebSocketParser
    /// What a client sent behind its request.
    var rest: ArraySlice<UInt8> = []
    /// The request without its body.
    var request: HTTPRequest?
    var isHeadRequest = false
    var hasReceived = false
    /// How many bytes of memory are set aside for the body.
    var reservedByteCount = 0
    var isAdmitted = false
    var stream: ClientStream?
    /// When the phase has to be over; nil for never.
    var deadline: ContinuousClock.Instant?
    /// Since when the client takes nothing of what waits for it.
    var blockedSince: ContinuousClock.Instant?
    var lastHeard: ContinuousClock.Instant
    var lastSent: ContinuousClock.Instant
    /// How many messages the client may send now.
    var messageTokens = 0.0
    var messageTime: ContinuousClock.Instant

    init(
      _ identifier: UInt64, socket: Int32, address: String, limits: ServerLimits, waker: Waker,
      now: ContinuousClock.Instant
    ) {
      self.identifier = identifier
      self.socket = socket
      self.address = address
      outbox = Outbox(byteLimit: limits.queuedByteCount, waker: waker)
      requestParser = HTTPRequestParser(limits: limits)
      webSocketParser = WebSocketParser(messageByteCount: limits.messageByteCount)
      deadline = now + limits.transferTime
      (lastHeard, lastSent, messageTime) = (now, now, now)
    }

    /// Whether the client's bytes are read.
    var isListening: Bool {
      switch phase {
      case .reading, .streaming, .webSocket, .draining: true
      case .answering, .sending: false
      }
    }

    /// Whether another message is within the rate.
    func admitsMessage(_ rate: Int, at now: ContinuousClock.Instant) -> Bool {
      let elapsed: Double = (now - messageTime) / .seconds(1)
      messageTime = now
      messageTokens = min(2 * Double(rate), messageTokens + elapsed * Double(rate))
      guard messageTokens >= 1 else { return false }
      messageTokens -= 1
      return true
    }

    /// When the connection has to be looked at, whatever happens; nil for never.
    func nextLook(_ limits: ServerLimits) -> ContinuousClock.Instant? {
      var instants: [ContinuousClock.Instant] = []
      if let deadline { instants.append(deadline) }
      if let blockedSince { instants.append(blockedSince + limits.transferTime) }
      switch phase {
      case .streaming: instants.append(lastSent + limits.heartbeatTime)
      case .webSocket:
        instants.append(lastSent + limits.heartbeatTime)
        instants.append(lastHeard + limits.idleTime)
      default: break
      }
      return instants.min()
    }
  }
#endif

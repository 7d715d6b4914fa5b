#if canImport(DiceSystem)
  internal import DiceParallel
  internal import DiceSystem

  /// The thread of a server: it waits for sockets, reads requests and sends answers.
  ///
  /// Answers are made on other threads, one for each request.
  final class ServerLoop {
    private let server: Server
    private let respond: @Sendable (HTTPRequest) -> HTTPResponse
    private let limits: ServerLimits
    private var connections: [UInt64: Connection] = [:]
    private var countsByAddress: [String: Int] = [:]
    private var nextIdentifier: UInt64 = 0
    private var limiter: RateLimiter
    /// The bytes that are set aside for bodies.
    private var pendingByteCount = 0
    private let start = ContinuousClock.now
    private var now = ContinuousClock.now
    /// Until when no connections are taken, because the system has no room for more.
    private var pauseEnd: ContinuousClock.Instant?

    init(_ server: Server, _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
      self.server = server
      self.respond = respond
      limits = server.limits
      limiter = RateLimiter(
        rate: Double(limits.requestsPerSecond), burst: 4 * Double(limits.requestsPerSecond))
    }

    func run() {
      while !server.isStopping { turn() }
      for connection in connections.values {
        if case .webSocket = connection.phase {
          _ = connection.outbox.append(WebSocketFrame.close(1001), isBounded: false)
        }
        _ = connection.outbox.flush(to: connection.socket)
        end(connection)
      }
    }

    /// Waits, and does what there is to do.
    private func turn() {
      now = .now
      var wait: Duration = .seconds(10)
      for connection in connections.values {
        lookAfter(connection)
        if let look = connection.nextLook(limits) { wait = min(wait, look - now) }
      }
      if let pauseEnd {
        if now >= pauseEnd { self.pauseEnd = nil } else { wait = min(wait, pauseEnd - now) }
      }
      var entries = [
        pollfd(fd: server.waker.reader, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pauseEnd == nil ? server.listener : -1, events: Int16(POLLIN), revents: 0),
      ]
      var order: [Connection] = []
      for connection in connections.values {
        var events: Int32 = 0
        if connection.isListening { events |= Int32(POLLIN) }
        if connection.outbox.status.hasWaiting { events |= Int32(POLLOUT) }
        entries.append(pollfd(fd: connection.socket, events: Int16(events), revents: 0))
        order.append(connection)
      }
      let milliseconds: Double = (wait / .milliseconds(1)).rounded(.up)
      let found = unsafe poll(
        &entries, nfds_t(entries.count), Int32(min(max(0, milliseconds), 10_000)))
      now = .now
      if found <= 0 { return }
      if entries[0].revents != 0 { server.waker.drain() }
      for (identifier, response) in server.takeAnswers() {
        if let connection = connections[identifier] { answer(connection, response) }
      }
      for (index, connection) in order.enumerated() {
        let events = Int32(entries[index + 2].revents)
        if events != 0, connections[connection.identifier] != nil { handle(connection, events) }
      }
      if entries[1].revents != 0 { acceptAll() }
    }

    private func handle(_ connection: Connection, _ events: Int32) {
      let isBroken = events & (Int32(POLLERR) | Int32(POLLNVAL)) != 0
      let isOver = events & Int32(POLLHUP) != 0 && !connection.isListening
      if isBroken || isOver {
        end(connection)
        return
      }
      if connection.isListening, events & (Int32(POLLIN) | Int32(POLLHUP)) != 0 {
        receive(connection)
      }
      if events & Int32(POLLOUT) != 0, connections[connection.identifier] != nil {
        flush(connection)
      }
    }

    // MARK: - Beginnings and ends

    private func acceptAll() {
      for _ in 0..<64 {
        guard let (socket, address) = SocketAddress.accept(server.listener) else {
          // A client that left before it was taken, or a shortage that passes.
          let hasShortage =
            errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM
          if hasShortage { pauseEnd = now + .milliseconds(100) }
          return
        }
        guard connections.count < 2 * limits.connectionCount else {
          close(socket)
          server.note { $0.refusedCount += 1 }
          continue
        }
        nextIdentifier += 1
        let connection = Connection(
          nextIdentifier, socket: socket, address: address.text, limits: limits,
          waker: server.waker, now: now)
        let isFull = connections.count >= limits.connectionCount
        let ownCount = countsByAddress[connection.address, default: 0]
        connections[connection.identifier] = connection
        countsByAddress[connection.address] = ownCount + 1
        server.note { $0.connectionCount = connections.count }
        let seconds: Double = (now - start) / .seconds(1)
        if isFull || ownCount >= limits.connectionsPerAddress {
          refuse(connection, HTTPError(503, "Too many connections: please come again."))
        } else if !limiter.admits(connection.address, at: seconds) {
          refuse(connection, HTTPError(429, "Too many requests: please come again later."))
        }
      }
    }

    private func end(_ connection: Connection) {
      guard connections.removeValue(forKey: connection.identifier) != nil else { return }
      let count = countsByAddress[connection.address, default: 1] - 1
      countsByAddress[connection.address] = count > 0 ? count : nil
      release(connection)
      connection.outbox.close()
      close(connection.socket)
      server.note { $0.connectionCount = connections.count }
    }

    /// Cuts off a client that takes nothing, or says nothing.
    private func drop(_ connection: Connection) {
      server.note { $0.droppedCount += 1 }
      end(connection)
    }

    /// Does what time asks for.
    private func lookAfter(_ connection: Connection) {
      let isLate = connection.deadline.map { now >= $0 } ?? false
      let isStuck = connection.blockedSince.map { now >= $0 + limits.transferTime } ?? false
      if connection.outbox.status.isOverfull || isStuck {
        drop(connection)
        return
      }
      switch connection.phase {
      case .reading: if isLate { refuse(connection, HTTPError(.tooSlow)) }
      case .answering: break
      case .sending: if isLate { drop(connection) }
      case .draining: if isLate { end(connection) }
      case .streaming(let heartbeat):
        if now - connection.lastSent >= limits.heartbeatTime {
          connection.lastSent = now
          _ = connection.outbox.append(heartbeat)
        }
      case .webSocket:
        if now - connection.lastHeard >= limits.idleTime {
          drop(connection)
        } else if now - connection.lastSent >= limits.heartbeatTime {
          connection.lastSent = now
          _ = connection.outbox.append(WebSocketFrame.bytes(.ping, []))
        }
      }
      if connection.outbox.status.isEnding, !connection.outbox.status.hasWaiting {
        flush(connection)
      }
    }

    // MARK: - Receiving

    private func receive(_ connection: Connection) {
      var bytes: [UInt8] = []
      switch Sockets.receive(connection.socket, into: &bytes) {
      case .later: return
      case .failed: end(connection)
      case .done(0):
        // A client may end its side and still wait for the answer to half a request.
        if case .reading = connection.phase, connection.hasReceived {
          refuse(connection, HTTPError(.incomplete))
        } else {
          end(connection)
        }
      case .done:
        connection.lastHeard = now
        connection.hasReceived = true
        take(bytes[...], from: connection)
      }
    }

    private func take(_ bytes: ArraySlice<UInt8>, from connection: Connection) {
      switch connection.phase {
      case .reading: read(bytes, of: connection)
      case .webSocket(let handler): read(bytes, of: connection, for: handler)
      default: break
      }
    }

    private func read(_ bytes: ArraySlice<UInt8>, of connection: Connection) {
      var bytes = bytes
      do throws(HTTPRequestError) {
        if let request = try connection.requestParser.next(from: &bytes) {
          connection.rest = bytes
          begin(connection, request)
        } else if let announced = connection.requestParser.announced, !connection.isAdmitted {
          admit(connection, announced)
        }
      } catch {
        refuse(connection, HTTPError(error))
      }
    }

    private func read(
      _ bytes: ArraySlice<UInt8>, of connection: Connection, for handler: WebSocketHandler
    ) {
      guard let stream = connection.stream else { return }
      var bytes = bytes
      do throws(WebSocketError) {
        while case .webSocket = connection.phase,
          let event = try connection.webSocketParser.next(from: &bytes)
        {
          guard connection.admitsMessage(handler.messagesPerSecond, at: now) else {
            endWebSocket(connection, 1008, "Too many messages.")
            return
          }
          switch event {
          case .message(let message): handler.received(stream, message)
          case .ping(let payload):
            _ = connection.outbox.append(WebSocketFrame.bytes(.pong, payload))
          case .pong: break
          case .close(let code): endWebSocket(connection, code ?? 1000, "")
          }
        }
      } catch {
        endWebSocket(connection, error.closeCode, error.description)
      }
    }

    // MARK: - Answering

    /// Lets a client send the body of its request, or refuses it before the body is read.
    private func admit(_ connection: Connection, _ request: HTTPRequest) {
      connection.isAdmitted = true
      let byteCount = connection.requestParser.missingByteCount
      if let refusal = server.access.refusal(of: request) {
        refuse(connection, refusal)
      } else if byteCount > limits.pendingByteCount - pendingByteCount {
        refuse(connection, HTTPError(503, "Too much is being sent at once: please come again."))
      } else {
        connection.reservedByteCount = byteCount
        pendingByteCount += byteCount
        guard connection.requestParser.wantsContinue else { return }
        _ = connection.outbox.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      }
    }

    /// Gives back the memory that was set aside for a body.
    private func release(_ connection: Connection) {
      pendingByteCount -= connection.reservedByteCount
      connection.reservedByteCount = 0
    }

    private func begin(_ connection: Connection, _ request: HTTPRequest) {
      var request = request
      request.address = connection.address
      connection.isHeadRequest = request.method == "HEAD"
      if connection.isHeadRequest { request.method = "GET" }
      if let refusal = server.access.refusal(of: request) {
        refuse(connection, refusal)
        return
      }
      connection.phase = .answering
      connection.deadline = nil
      let (identifier, server, respond, whole) = (connection.identifier, server, respond, request)
      request.body = []
      connection.request = request
      let isStarted = DetachedThread.start { server.finish(identifier, respond(whole)) }
      if !isStarted {
        refuse(connection, HTTPError(503, "Too many requests: please come again."))
      }
    }

    private func refuse(_ connection: Connection, _ error: HTTPError) {
      server.note { $0.refusedCount += 1 }
      var response = HTTPResponse.refusal(error)
      if error.status == 426 { response.headers.append(HTTPHeader("Sec-WebSocket-Version", "13")) }
      send(response, to: connection)
    }

    private func answer(_ connection: Connection, _ response: HTTPResponse) {
      guard case .answering = connection.phase, let request = connection.request else { return }
      release(connection)
      var response = response
      response.headers += server.access.headers(for: request)
      switch response.content {
      case .bytes: send(response, to: connection)
      case .stream(let heartbeat, let opened):
        if connection.isHeadRequest {
          response.content = .bytes([])
          send(response, to: connection)
          return
        }
        open(connection, response, isWebSocket: false)
        connection.phase = .streaming(heartbeat: heartbeat)
        if let stream = connection.stream { opened(stream) }
      case .webSocket(let handler):
        do throws(HTTPError) {
          response.headers += try WebSocketHandshake.accept(request)
        } catch {
          refuse(connection, error)
          return
        }
        open(connection, response, isWebSocket: true)
        connection.phase = .webSocket(handler)
        connection.messageTokens = 2 * Double(handler.messagesPerSecond)
        if let stream = connection.stream { handler.opened(stream) }
        let rest = connection.rest
        connection.rest = []
        read(rest, of: connection, for: handler)
      }
      flush(connection)
    }

    /// Sends the head of an answer that goes on.
    private func open(_ connection: Connection, _ response: HTTPResponse, isWebSocket: Bool) {
      _ = connection.outbox.append(response.head, isBounded: false)
      connection.stream = ClientStream(
        connection.identifier, connection.outbox, isWebSocket: isWebSocket)
      (connection.lastHeard, connection.lastSent, connection.messageTime) = (now, now, now)
    }

    /// Sends a whole answer.
    private func send(_ response: HTTPResponse, to connection: Connection) {
      var response = response
      response.headers.append(HTTPHeader("X-Content-Type-Options", "nosniff"))
      _ = connection.outbox.append(response.head, isBounded: false)
      if !connection.isHeadRequest {
        _ = connection.outbox.append(response.body, isBounded: false)
      }
      connection.outbox.end()
      connection.phase = .sending
      connection.deadline = now + limits.transferTime
      flush(connection)
    }

    private func endWebSocket(_ connection: Connection, _ code: UInt16, _ reason: String) {
      _ = connection.outbox.append(WebSocketFrame.close(code, reason), isBounded: false)
      connection.outbox.end()
      connection.phase = .sending
      connection.deadline = now + .seconds(1)
      flush(connection)
    }

    private func flush(_ connection: Connection) {
      guard let count = connection.outbox.flush(to: connection.socket) else {
        end(connection)
        return
      }
      let status = connection.outbox.status
      if count > 0 { (connection.lastSent, connection.blockedSince) = (now, nil) }
      if status.hasWaiting {
        if connection.blockedSince == nil { connection.blockedSince = now }
      } else {
        connection.blockedSince = nil
      }
      guard status.isEnding, !status.hasWaiting else { return }
      if case .draining = connection.phase { return }
      // Closing at once, with bytes of the client's still on the way, would throw the answer away.
      Sockets.finish(connection.socket)
      connection.phase = .draining
      connection.deadline = now + .seconds(1)
    }
  }
#endif

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DiceServer

struct ServerTests {
  private static let upgrade =
    "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

  @Test func answersRequests() throws {
    let running = try RunningServer()
    let client = try TestClient(running.port)
    client.send("POST /a?b HTTP/1.1\r\nContent-Length: 3\r\n\r\nab")
    client.send("c")
    let answer = client.receiveAll()
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("\r\n\r\nPOST /a 3"))
    let head = try TestClient(running.port)
    head.send("HEAD / HTTP/1.1\r\n\r\n")
    let headAnswer = head.receiveAll()
    #expect(headAnswer.contains("Content-Length: 7\r\n"))
    #expect(headAnswer.hasSuffix("\r\n\r\n"))
  }

  @Test func saysContinueAndThenReadsTheBody() throws {
    let running = try RunningServer()
    let client = try TestClient(running.port)
    client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(client.receive(until: "100 Continue\r\n\r\n"))
    client.send("abc")
    #expect(client.receiveAll().hasSuffix("POST / 3"))
  }

  @Test func survivesHostileRequests() throws {
    let running = try RunningServer()
    for hostile in HostileRequests.all {
      try expectEqual(TestClient.status(running.port, hostile.text), hostile.status, "\(hostile)")
    }
    for part in [
      "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nshort", "\u{0}",
    ] {
      try expectEqual(TestClient.status(running.port, part, finishes: true), 400)
    }
    // Those that come and go, and those that send on and on.
    for _ in 0..<20 { _ = try TestClient(running.port) }
    let flood = try TestClient(running.port)
    flood.send([UInt8](repeating: 65, count: 1 << 20))
    try expectEqual(TestClient.status(running.port, "GET / HTTP/1.1\r\n\r\n"), 200)
  }

  @Test func aSlowRequestIsCutOff() throws {
    var limits = ServerLimits()
    limits.transferTime = .milliseconds(30)
    let running = try RunningServer(limits: limits)
    try expectEqual(TestClient.status(running.port, "GET / HT"), 408)
    try expectEqual(
      TestClient.status(running.port, "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\na"), 408)
  }

  @Test func asksForTheTokenBeforeTheBody() throws {
    let access = ServerAccess(token: "abcdefghijklmnop")
    let running = try RunningServer(access)
    try expectEqual(TestClient.status(running.port, "GET / HTTP/1.1\r\n\r\n"), 401)
    // The body never comes.
    let post = "HTTP/1.1\r\nContent-Length: 100\r\n\r\n"
    try expectEqual(TestClient.status(running.port, "POST /?token=wrong \(post)"), 401)
    try expectEqual(
      TestClient.status(running.port, "GET /?token=abcdefghijklmnop HTTP/1.1\r\n\r\n"), 200)
  }

  @Test func bodiesShareOneLimit() throws {
    var limits = ServerLimits()
    limits.pendingByteCount = 1000
    let running = try RunningServer(limits: limits)
    let first = try TestClient(running.port)
    first.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 900\r\n\r\n")
    #expect(first.receive(until: "100 Continue"))
    let second = "POST / HTTP/1.1\r\nContent-Length: 200\r\n\r\n"
    try expectEqual(TestClient.status(running.port, second), 503)
    first.send([UInt8](repeating: 1, count: 900))
    #expect(first.receiveAll().hasSuffix("POST / 900"))
    try expectEqual(
      TestClient.status(running.port, second + String(repeating: "a", count: 200)), 200)
  }

  @Test func thereAreOnlySoManyConnections() throws {
    var limits = ServerLimits()
    limits.connectionCount = 4
    let running = try RunningServer(limits: limits)
    var clients: [TestClient] = []
    for _ in 0..<4 { clients.append(try TestClient(running.port)) }
    #expect(eventually { running.server.statistics.connectionCount == 4 })
    try expectEqual(TestClient.status(running.port, "GET / HTTP/1.1\r\n\r\n"), 503)
    clients.removeAll()
    #expect(eventually { running.server.statistics.connectionCount == 0 })
    try expectEqual(TestClient.status(running.port, "GET / HTTP/1.1\r\n\r\n"), 200)
  }

  @Test func oneAddressHasOnlySoManyConnectionsAndRequests() throws {
    var limits = ServerLimits()
    limits.connectionsPerAddress = 2
    let running = try RunningServer(limits: limits)
    let clients = [try TestClient(running.port), try TestClient(running.port)]
    #expect(eventually { running.server.statistics.connectionCount == 2 })
    try expectEqual(TestClient.status(running.port, "GET / HTTP/1.1\r\n\r\n"), 503)
    _ = clients
    limits.connectionsPerAddress = 100
    limits.requestsPerSecond = 1
    let slow = try RunningServer(limits: limits)
    let statuses = try (0..<6).map { _ in
      try TestClient.status(slow.port, "GET / HTTP/1.1\r\n\r\n")
    }
    expectEqual(Array(statuses.prefix(4)), [200, 200, 200, 200])
    #expect(statuses.contains(429))
  }

  @Test func manyAskAtOnce() throws {
    let running = try RunningServer()
    let port = running.port
    // -1 where there is no answer.
    let answers = Mutex<[Int: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: 60) { _ in
      let status = (try? TestClient.status(port, "GET / HTTP/1.1\r\n\r\n")) ?? -1
      answers.withLock { $0[status, default: 0] += 1 }
    }
    expectEqual(answers.withLock { $0 }, [200: 60])
  }

  // MARK: - Streams

  /// A server whose streams are kept.
  private final class Streams: Sendable {
    let all = Mutex<[ClientStream]>([])

    func add(_ stream: ClientStream) { all.withLock { $0.append(stream) } }
    var first: ClientStream? { all.withLock { $0.first } }
  }

  @Test func sendsEventsAsTheyHappen() throws {
    let streams = Streams()
    var limits = ServerLimits()
    limits.heartbeatTime = .milliseconds(20)
    let running = try RunningServer(limits: limits) { _ in .events { streams.add($0) } }
    let client = try TestClient(running.port)
    client.send("GET /events HTTP/1.1\r\n\r\n")
    #expect(client.receive(until: "text/event-stream"))
    // A sign of life.
    #expect(client.receive(until: "\n:\n\n"))
    #expect(eventually { streams.first != nil })
    let stream = try #require(streams.first)
    #expect(stream.send(ServerSentEvent(identifier: "1", data: "a").bytes))
    #expect(client.receive(until: "id: 1\ndata: a\n\n"))
    stream.close()
    _ = client.receiveAll()
    #expect(eventually { !stream.isOpen })
    #expect(!stream.send(text: "b"))
  }

  @Test func aClientThatReadsNothingIsDroppedAndNotWaitedFor() throws {
    let streams = Streams()
    var limits = ServerLimits()
    limits.queuedByteCount = 100_000
    let running = try RunningServer(limits: limits) { _ in .events { streams.add($0) } }
    let idle = try TestClient(running.port)
    idle.send("GET /events HTTP/1.1\r\n\r\n")
    #expect(eventually { streams.first != nil })
    let stream = try #require(streams.first)
    let chunk = [UInt8](repeating: 65, count: 10_000)
    let begin = ContinuousClock.now
    var sent = 0
    while stream.send(chunk), sent < 100_000 { sent += 1 }
    #expect(sent < 100_000)
    #expect(ContinuousClock.now - begin < .seconds(5))
    #expect(eventually { running.server.statistics.droppedCount == 1 && !stream.isOpen })
  }

  @Test func aClientThatTakesNothingForLongIsDropped() throws {
    let streams = Streams()
    var limits = ServerLimits()
    limits.queuedByteCount = 64 << 20
    limits.transferTime = .milliseconds(50)
    let running = try RunningServer(limits: limits) { _ in .events { streams.add($0) } }
    let idle = try TestClient(running.port)
    idle.send("GET /events HTTP/1.1\r\n\r\n")
    #expect(eventually { streams.first != nil })
    let stream = try #require(streams.first)
    #expect(stream.send([UInt8](repeating: 65, count: 32 << 20)))
    #expect(eventually { running.server.statistics.droppedCount == 1 && !stream.isOpen })
  }

  @Test func picturesAreSkippedForAClientThatIsBehind() throws {
    let streams = Streams()
    let running = try RunningServer { _ in
      .stream(contentType: "application/octet-stream") { streams.add($0) }
    }
    let idle = try TestClient(running.port)
    idle.send("GET / HTTP/1.1\r\n\r\n")
    #expect(eventually { streams.first != nil })
    let stream = try #require(streams.first)
    for _ in 0..<1000 { #expect(stream.offer([UInt8](repeating: 65, count: 100_000))) }
    expectEqual(running.server.statistics.droppedCount, 0)
  }

  // MARK: - WebSockets

  private func echo(
    _ limits: ServerLimits = ServerLimits(), messagesPerSecond: Int = 60
  ) throws -> RunningServer {
    try RunningServer(limits: limits) { _ in
      .webSocket(
        WebSocketHandler(
          messagesPerSecond: messagesPerSecond, opened: { $0.send(text: "welcome") },
          received: { (stream, message) in
            switch message {
            case .text(let text): stream.send(text: text)
            case .binary(let bytes): stream.send(bytes)
            }
          }))
    }
  }

  @Test func speaksWebSocket() throws {
    let running = try echo()
    let client = try TestClient(running.port)
    // The first message comes with the request.
    client.send(Array(Self.upgrade.utf8) + clientFrame(1, Array("early".utf8)))
    #expect(client.receive(until: "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    #expect(client.receive(until: "welcome"))
    #expect(client.receive(until: "early"))
    client.forget()
    client.send(clientFrame(9, [7, 8]))
    while client.received.count < 4, client.receive() {}
    expectEqual(client.received, [0x8A, 2, 7, 8])
    client.forget()
    client.send(clientFrame(8, [3, 232]))
    _ = client.receiveAll()
    expectEqual(client.received, [0x88, 2, 3, 232])
    #expect(eventually { running.server.statistics.connectionCount == 0 })
  }

  @Test func aBrokenFrameEndsTheConnectionWithItsCode() throws {
    let running = try echo()
    for (frame, code) in [
      ([UInt8]([0x81, 0x01, 0x41]), 1002), (clientFrame(1, [0xFF]), 1007),
      (clientFrame(2, [UInt8](repeating: 0, count: (1 << 20) + 1)), 1009),
    ] {
      let client = try TestClient(running.port)
      client.send(Self.upgrade)
      #expect(client.receive(until: "welcome"))
      client.forget()
      client.send(frame)
      _ = client.receiveAll()
      expectEqual(client.received.prefix(1), [0x88])
      expectEqual(
        Array(client.received.dropFirst(2).prefix(2)), [UInt8(code >> 8), UInt8(code & 255)])
    }
  }

  @Test func aClientMaySendOnlySoManyMessages() throws {
    let running = try echo(messagesPerSecond: 5)
    let client = try TestClient(running.port)
    client.send(Self.upgrade)
    #expect(client.receive(until: "welcome"))
    client.forget()
    for _ in 0..<30 { client.send(clientFrame(1, [65])) }
    _ = client.receiveAll()
    #expect(client.received.starts(with: [0x81, 1, 65, 0x81, 1, 65]))
    #expect(String(decoding: client.received, as: UTF8.self).hasSuffix("Too many messages."))
  }

  @Test func aSilentClientIsAskedAndThenDropped() throws {
    var limits = ServerLimits()
    limits.heartbeatTime = .milliseconds(20)
    limits.idleTime = .milliseconds(200)
    let running = try echo(limits)
    let client = try TestClient(running.port)
    client.send(Self.upgrade)
    #expect(client.receive(until: "welcome"))
    client.forget()
    _ = client.receiveAll()
    #expect(client.received.starts(with: [0x89, 0]))
    #expect(eventually { running.server.statistics.droppedCount == 1 })
  }

  @Test func aRequestThatIsNoHandshakeIsRefused() throws {
    let running = try echo()
    try expectEqual(TestClient.status(running.port, "GET / HTTP/1.1\r\n\r\n"), 400)
    let old = Self.upgrade.replacingOccurrences(of: "Version: 13", with: "Version: 8")
    try expectEqual(TestClient.status(running.port, old), 426)
  }

  @Test func stoppingEndsAllConnections() throws {
    let running = try echo()
    let client = try TestClient(running.port)
    client.send(Self.upgrade)
    #expect(client.receive(until: "welcome"))
    client.forget()
    running.server.stop()
    _ = client.receiveAll()
    expectEqual(client.received, [0x88, 2, 3, 233])
  }
}

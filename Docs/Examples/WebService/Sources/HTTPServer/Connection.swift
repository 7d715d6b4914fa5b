import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client's connection: one request, one response, each within the time limit.
struct Connection {
  let socket: Int32
  let limits: Limits

  /// Reads a request, answers it, and closes the connection.
  func serve(with respond: (HTTPRequest) -> HTTPResponse) {
    defer { close(socket) }
    let response: HTTPResponse
    do throws(HTTPError) {
      response = respond(try receive())
    } catch {
      response = HTTPResponse.refusal(error)
    }
    send(response.bytes, until: .now + limits.transferTime)
    finish()
  }

  // MARK: - Receiving

  private func receive() throws(HTTPError) -> HTTPRequest {
    let deadline = ContinuousClock.now + limits.transferTime
    var received: [UInt8] = []
    var headEnd: Int?
    while headEnd == nil {
      let searched = max(0, received.count - 3)
      try receive(into: &received, atMost: 4096, until: deadline)
      headEnd = Self.endOfHead(received, from: searched)
      guard (headEnd ?? received.count) <= limits.headerByteCount else {
        throw HTTPError(431, "Headers may have \(limits.headerByteCount) bytes at most.")
      }
    }
    let end = headEnd ?? 0
    let head = try HTTPHead(received[..<end], limits: limits)
    var request = head.request
    request.body = Array(received[(end + 4)...].prefix(head.bodyByteCount))
    if head.expectsContinue, request.body.isEmpty {
      send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), until: deadline)
    }
    while request.body.count < head.bodyByteCount {
      let missing = head.bodyByteCount - request.body.count
      try receive(into: &request.body, atMost: min(missing, 1 << 16), until: deadline)
    }
    return request
  }

  /// Where the empty line begins that ends the headers.
  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4 else { return nil }
    for index in start...(bytes.count - 4)
    where bytes[index...].prefix(4).elementsEqual([13, 10, 13, 10]) {
      return index
    }
    return nil
  }

  /// Appends the next bytes; at least one.
  private func receive(
    into bytes: inout [UInt8], atMost limit: Int, until deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    guard wait(for: Int16(POLLIN), until: deadline) else {
      throw HTTPError(408, "The request took too long.")
    }
    let chunk = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, recv(socket, buffer.baseAddress, limit, 0))
    }
    guard !chunk.isEmpty else { throw HTTPError(400, "The request is not whole.") }
    bytes += chunk
  }

  // MARK: - Sending

  /// Sends bytes; gives up where the client goes or is too slow.
  private func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) {
    var sent = 0
    while sent < bytes.count, wait(for: Int16(POLLOUT), until: deadline) {
      let count = bytes.withUnsafeBytes { buffer in
        sendBytes(socket, buffer.baseAddress! + sent, bytes.count - sent)
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Ends our side, and lets the client read the response before the connection is cut: closing at
  /// once, with bytes of the client's still on the way, would throw the response away.
  private func finish() {
    shutdown(socket, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + .seconds(1)
    var scrap = [UInt8](repeating: 0, count: 4096)
    while wait(for: Int16(POLLIN), until: deadline), recv(socket, &scrap, scrap.count, 0) > 0 {}
  }

  /// Waits until the socket is ready.
  ///
  /// - Returns: whether it was in time.
  private func wait(for events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = deadline - .now
      guard left > .zero else { return false }
      var entry = pollfd(fd: socket, events: events, revents: 0)
      let found = poll(&entry, 1, Int32(max(1, left / .milliseconds(1))))
      if found > 0 { return true }
      if found == 0 || errno != EINTR { return false }
    }
  }
}

/// Sends without a signal where the client has gone.
private func sendBytes(_ socket: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Darwin)
    send(socket, start, count, 0)  // SO_NOSIGPIPE was set when the connection was accepted.
  #else
    send(socket, start, count, Int32(MSG_NOSIGNAL))
  #endif
}

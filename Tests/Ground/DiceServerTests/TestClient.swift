import Foundation

@testable import DiceServer

/// A client over a socket, which waits for at most a minute.
final class TestClient {
  private let descriptor: Int32
  private(set) var received: [UInt8] = []

  init(_ port: UInt16) throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    var time = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(4))
    #endif
  }

  deinit { close(descriptor) }

  /// Sends bytes; the server may have gone.
  func send(_ bytes: [UInt8]) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Ends this side.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Receives some bytes; false at the end.
  @discardableResult
  func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }

  /// Receives until the text is there; false where the server ends first.
  func receive(until text: String) -> Bool {
    while !String(decoding: received, as: UTF8.self).contains(text) {
      if !receive() { return false }
    }
    return true
  }

  /// Receives to the end.
  func receiveAll() -> String {
    while receive() {}
    return String(decoding: received, as: UTF8.self)
  }

  /// Forgets what was received.
  func forget() { received = [] }

  /// The status of the answer to a request.
  static func status(_ port: UInt16, _ request: String, finishes: Bool = false) throws -> Int? {
    let client = try TestClient(port)
    client.send(request)
    if finishes { client.finish() }
    return Int(client.receiveAll().split(separator: " ").dropFirst().first ?? "")
  }
}

/// A server that runs for the length of a test.
final class RunningServer {
  let server: Server
  var port: UInt16 { server.port }

  init(
    _ access: ServerAccess = ServerAccess(), limits: ServerLimits = ServerLimits(),
    _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { request in
      HTTPResponse(
        status: 200, contentType: "text/plain",
        body: Array("\(request.method) \(request.path) \(request.body.count)".utf8))
    }
  ) throws {
    server = try Server(access, limits: limits)
    try server.start(respond)
  }

  deinit { server.stop() }
}

/// Waits until something holds, at most ten seconds.
func eventually(_ holds: () -> Bool) -> Bool {
  for _ in 0..<2000 {
    if holds() { return true }
    usleep(5000)
  }
  return false
}

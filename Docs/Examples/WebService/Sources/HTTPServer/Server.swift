import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Listens on a port and serves each connection on a thread of its own.
package final class Server: Sendable {
  /// Why the server cannot listen.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    /// The call that failed, with the system's reason.
    init(_ call: String) {
      description = "\(call): \(String(cString: strerror(errno)))"
    }
  }

  /// The port in use.
  package let port: UInt16
  private let listener: Int32
  private let limits: Limits
  private let connections = Atomic(0)

  /// Opens a port of this computer alone, not of its network.
  ///
  /// - Parameter port: the port; 0 takes any free one.
  package init(port: UInt16, limits: Limits) throws(Failure) {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    self.listener = listener
    self.limits = limits
    guard listener >= 0 else { throw Failure("socket") }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    #if canImport(Darwin)
      setsockopt(listener, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    guard isBound else {
      let failure = Failure("port \(port)")
      close(listener)
      throw failure
    }
  }

  deinit { close(listener) }

  /// Serves connections for ever.
  package func run(_ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
    while true {
      let client = accept(listener, nil, nil)
      // A client that left before it was accepted, or a shortage that passes.
      guard client >= 0 else {
        usleep(10_000)
        continue
      }
      serve(client, respond)
    }
  }

  private func serve(
    _ client: Int32, _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) {
    let count = connections.add(1, ordering: .relaxed).newValue
    if count > 2 * limits.connectionCount {
      connections.subtract(1, ordering: .relaxed)
      close(client)
      return
    }
    Thread.detachNewThread { [self] in
      defer { connections.subtract(1, ordering: .relaxed) }
      var limits = limits
      let isFull = count > limits.connectionCount
      // Who is turned away gets little time to say what they wanted.
      if isFull { limits.transferTime = .milliseconds(500) }
      Connection(socket: client, limits: limits).serve { request in
        isFull
          ? HTTPResponse.refusal(HTTPError(503, "Too many connections: please come again."))
          : respond(request)
      }
    }
  }
}

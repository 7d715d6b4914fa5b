#if canImport(DiceSystem)
  internal import DiceSystem
  internal import Synchronization

  /// An address with a port, as the system knows it.
  struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    private init() {}

    /// A numeric address, or `localhost`; nil for another text.
    init?(_ text: String, port: UInt16) {
      let text = text == "localhost" ? "127.0.0.1" : text
      if text.utf8.contains(0) { return nil }
      var four = sockaddr_in()
      var six = sockaddr_in6()
      if unsafe inet_pton(AF_INET, text, &four.sin_addr) == 1 {
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
          unsafe bytes.storeBytes(of: four, as: sockaddr_in.self)
        }
      } else if unsafe inet_pton(AF_INET6, text, &six.sin6_addr) == 1 {
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
          unsafe bytes.storeBytes(of: six, as: sockaddr_in6.self)
        }
      } else {
        return nil
      }
    }

    private var family: Int32 { Int32(storage.ss_family) }

    /// The bytes of the address in the network's order, and the port.
    private var parts: (bytes: [UInt8], port: UInt16) {
      unsafe withUnsafeBytes(of: storage) { bytes in
        if family == AF_INET6 {
          let address = unsafe bytes.load(as: sockaddr_in6.self)
          return unsafe withUnsafeBytes(of: address.sin6_addr) {
            unsafe (Array($0), UInt16(bigEndian: address.sin6_port))
          }
        }
        let address = unsafe bytes.load(as: sockaddr_in.self)
        return unsafe withUnsafeBytes(of: address.sin_addr) {
          unsafe (Array($0), UInt16(bigEndian: address.sin_port))
        }
      }
    }

    /// The port.
    var port: UInt16 { parts.port }

    /// Whether only this computer reaches it.
    var isLoopback: Bool {
      let bytes = parts.bytes
      if family == AF_INET { return bytes[0] == 127 }
      return bytes[15] == 1 && bytes[..<15].allSatisfy { $0 == 0 }
    }

    /// The numeric address.
    var text: String {
      let bytes = parts.bytes
      let text = unsafe [CChar](unsafeUninitializedCapacity: 64) { buffer, count in
        let isWritten = unsafe bytes.withUnsafeBytes { address in
          unsafe inet_ntop(family, address.baseAddress, buffer.baseAddress, 64) != nil
        }
        count = isWritten ? unsafe strlen(buffer.baseAddress!) : 0
      }
      return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: - Sockets

    /// Opens a socket that listens here.
    ///
    /// - Returns: the socket, and the address with the port that was taken.
    func listen() throws(ServerError) -> (socket: Int32, address: SocketAddress) {
      #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
      #else
        let kind = SOCK_STREAM
      #endif
      let socket = DiceSystem.socket(family, kind, 0)
      guard socket >= 0 else { throw .system("socket", errno) }
      Sockets.prepare(socket)
      Sockets.set(socket, SO_REUSEADDR, 1)
      var address = self
      let isBound = unsafe withUnsafePointer(to: storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(socket, $0, length) == 0
        }
      }
      guard isBound, DiceSystem.listen(socket, 64) == 0 else {
        let code = errno
        close(socket)
        switch code {
        case EADDRINUSE: throw .portInUse(port: port)
        case EACCES: throw .noPermission(port: port)
        case EADDRNOTAVAIL: throw .unknownAddress(found: text)
        default: throw .system("bind", code)
        }
      }
      unsafe address.fill { unsafe getsockname(socket, $0, $1) }
      return (socket, address)
    }

    /// Takes a connection.
    ///
    /// - Returns: nil where none waits or can be taken; `errno` says which.
    static func accept(_ listener: Int32) -> (socket: Int32, address: SocketAddress)? {
      var address = SocketAddress()
      let socket = unsafe address.fill { unsafe DiceSystem.accept(listener, $0, $1) }
      guard socket >= 0 else { return nil }
      Sockets.prepare(socket)
      // What waits for a client waits here, where it can be counted, and not in the system.
      Sockets.set(socket, SO_SNDBUF, 1 << 17)
      return (socket, address)
    }

    @discardableResult
    private mutating func fill(
      _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
      length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe call($0, &length)
        }
      }
    }
  }

  extension ServerError {
    /// The error for a system error number.
    static func system(_ call: String, _ code: Int32) -> ServerError {
      .failed(
        call: call, code: code,
        reason: unsafe strerror(code).map { unsafe String(cString: $0) } ?? "unknown error")
    }
  }

  /// The system's calls for sockets that never wait.
  enum Sockets {
    /// What became of a call.
    enum Outcome: Equatable {
      /// So many bytes; none at the end of what a client sends.
      case done(Int)
      /// Nothing now.
      case later
      /// The connection is gone.
      case failed
    }

    /// Makes a descriptor one that does not wait and that child processes do not get.
    static func prepare(_ socket: Int32) {
      _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL, 0) | O_NONBLOCK)
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      #if canImport(Darwin)
        set(socket, SO_NOSIGPIPE, 1)
      #endif
    }

    /// Sets a number of a socket.
    static func set(_ socket: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      _ = unsafe setsockopt(
        socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Receives what is there, 64 KiB at most.
    static func receive(_ socket: Int32, into bytes: inout [UInt8]) -> Outcome {
      var outcome = Outcome.later
      bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        let found = unsafe recv(socket, buffer.baseAddress, 1 << 16, 0)
        count = max(0, found)
        if found >= 0 { outcome = .done(found) } else { outcome = failure }
      }
      return outcome
    }

    /// Sends what there is room for.
    static func send(_ socket: Int32, _ bytes: [UInt8], from offset: Int) -> Outcome {
      unsafe bytes.withUnsafeBytes { buffer in
        #if canImport(Darwin)
          let flags: Int32 = 0
        #else
          let flags = Int32(MSG_NOSIGNAL)
        #endif
        guard let start = buffer.baseAddress else { return .done(0) }
        let sent = unsafe DiceSystem.send(socket, start + offset, buffer.count - offset, flags)
        return sent >= 0 ? .done(sent) : failure
      }
    }

    private static var failure: Outcome {
      errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .later : .failed
    }

    /// Ends our side of a connection.
    static func finish(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }
  }

  /// Wakes a thread that waits for sockets.
  final class Waker: Sendable {
    /// Readable as soon as somebody has called.
    let reader: Int32
    private let writer: Int32
    /// Whether somebody has called, and nobody has heard it.
    private let isCalled = Atomic(false)

    init() throws(ServerError) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw .system("pipe", errno) }
      (reader, writer) = (ends[0], ends[1])
      Sockets.prepare(reader)
      Sockets.prepare(writer)
    }

    deinit {
      _ = close(reader)
      _ = close(writer)
    }

    /// Wakes the thread.
    func wake() {
      if isCalled.exchange(true, ordering: .sequentiallyConsistent) { return }
      var byte: UInt8 = 1
      _ = unsafe write(writer, &byte, 1)
    }

    /// Takes all calls so far.
    func drain() {
      var scrap = [UInt8](repeating: 0, count: 64)
      while unsafe read(reader, &scrap, scrap.count) == scrap.count {}
      // Last: a call before the bytes are read would lose its own and still count as made, and no call
      // after it would be heard.
      isCalled.store(false, ordering: .sequentiallyConsistent)
    }
  }
#endif

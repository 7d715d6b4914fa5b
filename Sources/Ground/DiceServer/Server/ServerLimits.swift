/// What one client may ask of a server, and how many may ask at once.
public struct ServerLimits: Hashable, Sendable {
  /// The most bytes of a request's first line and headers together, the empty line included; at least 1.
  public var headerByteCount = 16_384
  /// The most bytes of a request's body, at least 0.
  public var bodyByteCount = 1 << 20
  /// The most bytes of all bodies together that are being read, at least 0.
  public var pendingByteCount = 64 << 20
  /// The most bytes of a message over a WebSocket, at least 0.
  public var messageByteCount = 1 << 20
  /// How long a client may take to send its request, and to take the answer, each; how long one that gets a
  /// stream may take nothing of it.
  public var transferTime: Duration = .seconds(10)
  /// The most connections at once, at least 1.
  ///
  /// As many more are told to come again, and what goes beyond is cut off.
  public var connectionCount = 128
  /// The most connections of one address at once, at least 1.
  public var connectionsPerAddress = 100
  /// The most requests of one address in a second, in the mean; four times as many may come together.
  public var requestsPerSecond = 50
  /// The most bytes that wait for one client, at least 1: who is so far behind is dropped.
  public var queuedByteCount = 1 << 20
  /// After how long without a word a client of a stream gets a sign of life.
  public var heartbeatTime: Duration = .seconds(15)
  /// How long the client of a WebSocket may be silent, pongs included.
  public var idleTime: Duration = .seconds(60)

  /// The usual limits.
  public init() {}
}

import DiceServer

/// What one client may ask of the service, and how many may ask at once.
package struct Limits: Hashable, Sendable {
  /// What the server takes from clients.
  package var server: ServerLimits
  /// The most pixels of a posted picture; in colour each takes three bytes of memory.
  package var pixelCount = 25_000_000
  /// The most pictures that are looked at at once; others wait.
  package var readingCount = 2
  /// How long a picture waits for its turn before its sender is told to come again.
  package var waitingTime: Duration = .seconds(5)

  package init() {
    server = ServerLimits()
    server.bodyByteCount = 20 << 20
    server.pendingByteCount = 320 << 20
    server.connectionCount = 16
  }
}

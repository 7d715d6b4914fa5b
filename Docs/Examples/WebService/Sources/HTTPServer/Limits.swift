/// What one client may ask of the service, and how many may ask at once.
package struct Limits: Hashable, Sendable {
  /// The most bytes of a request's first line and headers together.
  package var headerByteCount = 16_384
  /// The most bytes of what is posted.
  package var bodyByteCount = 20 << 20
  /// The most pixels of a posted picture; in colour each takes three bytes of memory.
  package var pixelCount = 25_000_000
  /// How long a client may take to send its request, and to take the answer, each.
  package var transferTime: Duration = .seconds(10)
  /// The most connections that are served at once.
  ///
  /// As many more are told to come again, and what goes beyond is cut off. Each may hold a body, so
  /// this bounds memory.
  package var connectionCount = 16
  /// The most pictures that are looked at at once; others wait.
  package var readingCount = 2
  /// How long a picture waits for its turn before its sender is told to come again.
  package var waitingTime: Duration = .seconds(5)

  package init() {}
}

import DiceVisionKit

/// What one client may ask of the service, and how many may ask at once.
struct Limits: Hashable, Sendable {
  /// The most bytes of a request's first line and headers together.
  var headerByteCount = 16_384
  /// The most bytes of a posted picture.
  var bodyByteCount = 20 << 20
  /// The most pixels of a posted picture; in colour each takes three bytes of memory.
  var pixelCount = 25_000_000
  /// How long a client may take to send its request, and to take the answer, each.
  var transferTime: Duration = .seconds(10)
  /// The most connections that are served at once.
  ///
  /// As many more are told to come again, and what goes beyond is cut off. Each may hold a body, so
  /// this bounds memory.
  var connectionCount = 16
  /// The most pictures that are looked at at once; others wait.
  var readingCount = 2
  /// How long a picture waits for its turn before its sender is told to come again.
  var waitingTime: Duration = .seconds(5)
}

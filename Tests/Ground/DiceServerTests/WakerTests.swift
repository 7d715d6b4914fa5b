import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DiceServer

struct WakerTests {
  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  /// Whatever the callers do between two steps of the one who listens.
  @Test func noCallIsLost() throws {
    let waker = try Waker()
    let callCount = 100_000
    let callerCount = 3
    let counter = Counter()
    for _ in 0..<callerCount {
      Thread.detachNewThread {
        for _ in 0..<callCount {
          counter.value.add(1, ordering: .sequentiallyConsistent)
          waker.wake()
        }
      }
    }
    var heard = 0
    while heard < callerCount * callCount {
      var entry = pollfd(fd: waker.reader, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 10_000) > 0 else { break }
      waker.drain()
      heard = counter.value.load(ordering: .sequentiallyConsistent)
    }
    expectEqual(heard, callerCount * callCount)
  }
}

import Foundation

/// Lets so many in at once.
package final class Gate: @unchecked Sendable {
  // Safe: every use of `free` holds the condition.
  private let condition = NSCondition()
  private var free: Int

  package init(places: Int) {
    free = places
  }

  /// Waits for a place.
  ///
  /// - Returns: whether there was one in time; then ``leave()`` has to follow.
  package func enter(within time: Duration) -> Bool {
    let deadline = Date(timeIntervalSinceNow: time / .seconds(1))
    condition.lock()
    defer { condition.unlock() }
    while free == 0 {
      if !condition.wait(until: deadline) { break }
    }
    guard free > 0 else { return false }
    free -= 1
    return true
  }

  /// Gives a place back.
  package func leave() {
    condition.lock()
    free += 1
    condition.signal()
    condition.unlock()
  }
}

import Foundation

/// Lets so many in at once.
final class Gate: @unchecked Sendable {
  // Safe: every use of `free` holds the condition.
  private let condition = NSCondition()
  private var free: Int

  init(places: Int) {
    free = places
  }

  /// Waits for a place.
  ///
  /// - Returns: whether there was one in time; then ``leave()`` has to follow.
  func enter(within time: Duration) -> Bool {
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
  func leave() {
    condition.lock()
    free += 1
    condition.signal()
    condition.unlock()
  }
}

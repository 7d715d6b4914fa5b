internal import Synchronization

/// Objects that wait for the next call: memory that a call works in, made once and used again.
///
/// A call takes one, which nobody else has meanwhile, and gives it back.
public final class IdlePool<Element: Sendable>: Sendable {
  /// The most objects that wait.
  public let limit: Int

  #if hasFeature(Embedded)
    private let isLocked = Atomic<Bool>(false)
    /// Read and written while `isLocked` is set by whoever does so.
    nonisolated(unsafe) private var idle: [Element] = []
  #else
    private let idle: Mutex<[Element]>
  #endif

  /// A pool that keeps at most `limit` objects.
  public init(_ first: Element, limit: Int) {
    var elements: [Element] = []
    elements.reserveCapacity(limit)
    elements.append(first)
    self.limit = limit
    #if hasFeature(Embedded)
      unsafe idle = elements
    #else
      idle = Mutex(elements)
    #endif
  }

  /// An object that waits, or nil where all are in use.
  public func take() -> Element? { withIdle { (elements) in elements.popLast() } }

  /// Keeps an object for a later call, unless enough of them wait.
  public func giveBack(_ element: Element) {
    withIdle { (elements) in
      if elements.count < limit { elements.append(element) }
    }
  }

  /// How many objects wait.
  public var count: Int { withIdle { (elements) in elements.count } }

  private func withIdle<Result: Sendable>(_ body: (inout [Element]) -> Result) -> Result {
    #if hasFeature(Embedded)
      // There is no Mutex; the lock is held for a few instructions.
      while isLocked.exchange(true, ordering: .acquiring) {}
      defer { isLocked.store(false, ordering: .releasing) }
      return unsafe body(&idle)
    #else
      return idle.withLock { (elements) in body(&elements) }
    #endif
  }
}

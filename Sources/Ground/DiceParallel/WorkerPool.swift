#if canImport(DiceSystem)
  internal import DiceSystem
#endif

/// Threads that share the parts of one piece of work, and sleep while there is none.
///
/// A pool may be used from any number of threads at once: while one caller has the workers, others
/// do their work alone on their own thread. What a part computes must not depend on who does it,
/// so results are the same for every number of threads.
public final class WorkerPool: Sendable {
  /// How many threads work on a call of `run`, the caller's included.
  public let threadCount: Int

  private let state: PoolState

  /// The number of processors that are online, at least 1.
  public static var processorCount: Int {
    #if canImport(DiceSystem)
      max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    #else
      1
    #endif
  }

  /// A pool of `threadCount` threads, the caller's included: at least 1, at most 64.
  public init(threadCount: Int = WorkerPool.processorCount) {
    let state = PoolState()
    self.state = state
    var started = 0
    for _ in 1..<max(2, min(threadCount, 64)) where threadCount > 1 {
      if state.startWorker() { started += 1 }
    }
    self.threadCount = 1 + started
    state.workerCount = started
  }

  deinit { state.stop() }

  /// Calls `body` once with every index in `0..<count`, in no particular order, and returns when
  /// all calls have returned.
  ///
  /// `body` may call `run` itself, of this pool or another.
  public func run(count: Int, _ body: (Int) -> Void) {
    guard count > 1, count <= Int(Int32.max), threadCount > 1, state.tryClaim() else {
      for index in 0..<max(0, count) { body(index) }
      return
    }
    withoutActuallyEscaping(body) { (escaping) in
      state.run(count: count, ClosureWork(escaping))
    }
    state.release()
  }

  /// Calls `work.perform(part:)` once with every index in `0..<count`, in no particular order, and
  /// returns when all calls have returned.
  ///
  /// Unlike the version with a closure it allocates nothing.
  public func run(count: Int, _ work: any ParallelWork) {
    guard count > 1, count <= Int(Int32.max), threadCount > 1, state.tryClaim() else {
      for index in 0..<max(0, count) { work.perform(part: index) }
      return
    }
    state.run(count: count, work)
    state.release()
  }

  /// The values of `body` for every index in `0..<count`, in the order of the indices.
  public func map<Element>(count: Int, _ body: (Int) -> Element) -> [Element] {
    unsafe Array(unsafeUninitializedCapacity: max(0, count)) { buffer, initializedCount in
      // Every index is written once, by the thread that has it.
      if let start = buffer.baseAddress {
        run(count: count) { index in unsafe (start + index).initialize(to: body(index)) }
      }
      initializedCount = max(0, count)
    }
  }
}

/// Work in parts that several threads do at once.
public protocol ParallelWork: AnyObject {
  /// Does one part; called on any thread, for several parts at once.
  func perform(part: Int)
}

/// A closure as work.
private final class ClosureWork: ParallelWork {
  private let body: (Int) -> Void

  init(_ body: @escaping (Int) -> Void) { self.body = body }

  func perform(part: Int) { body(part) }
}

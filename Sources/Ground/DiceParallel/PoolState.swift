#if canImport(DiceSystem)
  internal import DiceSystem
  internal import Synchronization

  /// What the caller and the workers of a pool share.
  ///
  /// While workers are awake, handing over work takes no lock: a network hands over dozens of pieces in
  /// a few milliseconds. The caller writes `work` and `parts`, opens the work and counts
  /// `generation` up, which workers watch. A worker counts itself as active *before* it looks whether
  /// the work is open, and the caller closes it *before* it looks whether workers are active, both in
  /// one total order: so either the worker sees it closed, or the caller waits for the worker. In the
  /// same way a worker says that it sleeps before it looks at `generation` for the last time, and the
  /// caller counts up before it looks for sleepers.
  ///
  /// Unchecked: `work` is written by the one caller that claimed the pool, while no worker
  /// is active and the work is closed; workers read it while they are active and it is open.
  @safe final class PoolState: @unchecked Sendable {
    var workerCount = 0

    private let isClaimed = Atomic<Bool>(false)
    /// The parts that are left: the first in the lower 32 bits, the one behind the last in the upper.
    ///
    /// The caller takes from the front and workers from the back. So a thread has about the same rows
    /// in one layer of a network as in the next, and finds what it wrote in its own cache.
    private let parts = Atomic<UInt64>(0)
    private let isOpen = Atomic<Bool>(false)
    /// The workers that may be reading what stands open.
    private let activeWorkers = Atomic<Int>(0)
    /// Counts the calls of `run`; workers watch it for a moment before they sleep.
    private let generation = Atomic<Int>(0)
    private let sleeperCount = Atomic<Int>(0)
    private let isStopping = Atomic<Bool>(false)
    /// Whether the caller sleeps until the last worker leaves.
    private let callerSleeps = Atomic<Bool>(false)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let finished = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var work: (any ParallelWork)?

    /// Looks at a shared counter this often before sleeping: about a tenth of a millisecond, longer
    /// than the steps between two calls that follow each other in a network.
    private static let workerSpinCount = 100_000
    /// As long as one part of the work takes, at most.
    private static let callerSpinCount = 20_000
    init() {
      unsafe pthread_mutex_init(mutex, nil)
      unsafe pthread_cond_init(wake, nil)
      unsafe pthread_cond_init(finished, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe pthread_cond_destroy(wake)
      unsafe pthread_cond_destroy(finished)
      unsafe mutex.deallocate()
      unsafe wake.deallocate()
      unsafe finished.deallocate()
    }

    func tryClaim() -> Bool { !isClaimed.exchange(true, ordering: .acquiring) }

    func release() { isClaimed.store(false, ordering: .releasing) }

    func run(count: Int, _ work: any ParallelWork) {
      self.work = work
      parts.store(UInt64(count) << 32, ordering: .relaxed)
      isOpen.store(true, ordering: .sequentiallyConsistent)
      generation.add(1, ordering: .sequentiallyConsistent)
      if sleeperCount.load(ordering: .sequentiallyConsistent) > 0 { wakeSleepers() }

      while let part = takeFirst() { work.perform(part: part) }

      // Every part has been taken: workers that still sleep need not be waited for.
      isOpen.store(false, ordering: .sequentiallyConsistent)
      waitForWorkers()
      self.work = nil
    }

    private func wakeSleepers() {
      unsafe pthread_mutex_lock(mutex)
      unsafe pthread_cond_broadcast(wake)
      unsafe pthread_mutex_unlock(mutex)
    }

    /// Returns when no worker is active.
    private func waitForWorkers() {
      var spins = 0
      while activeWorkers.load(ordering: .sequentiallyConsistent) > 0 {
        spins += 1
        if spins < Self.callerSpinCount { continue }
        unsafe pthread_mutex_lock(mutex)
        callerSleeps.store(true, ordering: .sequentiallyConsistent)
        while activeWorkers.load(ordering: .sequentiallyConsistent) > 0 {
          unsafe pthread_cond_wait(finished, mutex)
        }
        callerSleeps.store(false, ordering: .relaxed)
        unsafe pthread_mutex_unlock(mutex)
      }
    }

    /// The first part that is left, or nil.
    private func takeFirst() -> Int? {
      var before = parts.load(ordering: .relaxed)
      while true {
        let (first, end) = (before & 0xFFFF_FFFF, before >> 32)
        guard first < end else { return nil }
        let (exchanged, original) = parts.compareExchange(
          expected: before, desired: before + 1, ordering: .relaxed)
        if exchanged { return Int(first) }
        before = original
      }
    }

    /// The last part that is left, or nil.
    private func takeLast() -> Int? {
      var before = parts.load(ordering: .relaxed)
      while true {
        let (first, end) = (before & 0xFFFF_FFFF, before >> 32)
        guard first < end else { return nil }
        let (exchanged, original) = parts.compareExchange(
          expected: before, desired: before - 1 << 32, ordering: .relaxed)
        if exchanged { return Int(end) - 1 }
        before = original
      }
    }

    func stop() {
      isStopping.store(true, ordering: .sequentiallyConsistent)
      generation.add(1, ordering: .sequentiallyConsistent)
      wakeSleepers()
    }

    func startWorker() -> Bool {
      DetachedThread.start { self.workerLoop() }
    }

    private func workerLoop() {
      var seen = 0
      while waitForWork(after: &seen) {
        joinWork()
        leaveWork()
      }
    }

    /// Returns when there has been a call of `run` since the one numbered `seen`; false to stop.
    private func waitForWork(after seen: inout Int) -> Bool {
      var spins = 0
      while generation.load(ordering: .acquiring) == seen && spins < Self.workerSpinCount {
        spins += 1
      }
      if generation.load(ordering: .acquiring) == seen { sleep(after: seen) }
      seen = generation.load(ordering: .acquiring)
      return !isStopping.load(ordering: .acquiring)
    }

    private func sleep(after seen: Int) {
      unsafe pthread_mutex_lock(mutex)
      sleeperCount.add(1, ordering: .sequentiallyConsistent)
      while generation.load(ordering: .sequentiallyConsistent) == seen {
        unsafe pthread_cond_wait(wake, mutex)
      }
      sleeperCount.subtract(1, ordering: .sequentiallyConsistent)
      unsafe pthread_mutex_unlock(mutex)
    }

    /// Takes parts until none is left; none where the work is over already.
    ///
    /// A function of its own, never inlined: its reference to the work must be gone before the worker
    /// counts as inactive, because the caller then takes back what the work borrows.
    @inline(never)
    private func joinWork() {
      activeWorkers.add(1, ordering: .sequentiallyConsistent)
      guard isOpen.load(ordering: .sequentiallyConsistent), let work else { return }
      while let part = takeLast() { work.perform(part: part) }
    }

    private func leaveWork() {
      let left = activeWorkers.subtract(1, ordering: .sequentiallyConsistent).newValue
      guard left == 0, callerSleeps.load(ordering: .sequentiallyConsistent) else { return }
      unsafe pthread_mutex_lock(mutex)
      unsafe pthread_cond_signal(finished)
      unsafe pthread_mutex_unlock(mutex)
    }
  }
#else
  /// What a pool has where there are no threads: every caller does its work alone.
  final class PoolState: Sendable {
    var workerCount: Int {
      get { 0 }
      set {}
    }

    func startWorker() -> Bool { false }
    func tryClaim() -> Bool { false }
    func run(count: Int, _ work: any ParallelWork) {
      for part in 0..<count { work.perform(part: part) }
    }
    func release() {}
    func stop() {}
  }
#endif

import DiceParallel
import Foundation
import TestSupport
import Testing

@Suite struct WorkerPoolTests {
  /// How often each index was done.
  ///
  /// Behind a lock that the thread sanitizer knows, as it does not know `Mutex` on Linux.
  private final class Tally: ParallelWork, @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [Int]

    init(count: Int) { counts = [Int](repeating: 0, count: count) }

    func perform(part: Int) { lock.withLock { counts[part] += 1 } }

    var all: [Int] { lock.withLock { counts } }
  }

  @Test(arguments: [1, 2, 3, 8])
  func everyIndexIsDoneExactlyOnce(threadCount: Int) {
    let pool = WorkerPool(threadCount: threadCount)
    expectEqual(pool.threadCount, threadCount)
    for count in [0, 1, 2, 3, 7, 64, 1000] {
      for _ in 0..<5 {
        let closure = Tally(count: count)
        pool.run(count: count) { (index) in closure.perform(part: index) }
        expectEqual(closure.all, [Int](repeating: 1, count: count))
        let work = Tally(count: count)
        pool.run(count: count, work)
        expectEqual(work.all, [Int](repeating: 1, count: count))
      }
    }
  }

  @Test func thousandsOfShortCallsInARowAreAllComplete() {
    let pool = WorkerPool(threadCount: 3)
    var complete = 0
    for call in 0..<3000 {
      var values = [Int](repeating: 0, count: 4)
      values.withUnsafeMutableBufferPointer { (buffer) in
        let places = UnsafeSendable(buffer)
        pool.run(count: 4) { (index) in places.buffer[index] = call + index }
      }
      if values == (0..<4).map({ (index) in call + index }) { complete += 1 }
    }
    expectEqual(complete, 3000)
  }

  @Test func workersTakeUpWorkAfterTheyHaveSlept() {
    let pool = WorkerPool(threadCount: 4)
    for _ in 0..<3 {
      Thread.sleep(forTimeInterval: 0.02)
      let tally = Tally(count: 50)
      pool.run(count: 50, tally)
      expectEqual(tally.all, [Int](repeating: 1, count: 50))
    }
  }

  @Test(arguments: [1, 2, 5])
  func workMayUseThePoolItself(threadCount: Int) {
    let pool = WorkerPool(threadCount: threadCount)
    let tally = Tally(count: 200)
    pool.run(count: 10) { (outer) in
      pool.run(count: 20) { (inner) in tally.perform(part: outer * 20 + inner) }
    }
    expectEqual(tally.all, [Int](repeating: 1, count: 200))
  }

  @Test func manyCallersMayUseOnePoolAtOnce() {
    let pool = WorkerPool(threadCount: 3)
    let tallies = (0..<6).map { (_) in Tally(count: 300) }
    let callers = tallies.map { (tally) in
      let thread = CallerThread { for _ in 0..<20 { pool.run(count: 300, tally) } }
      thread.start()
      return thread
    }
    for caller in callers { caller.wait() }
    for tally in tallies { expectEqual(tally.all, [Int](repeating: 20, count: 300)) }
  }

  @Test func strangeThreadCountsAreBroughtIntoRange() {
    expectEqual(WorkerPool(threadCount: 0).threadCount, 1)
    expectEqual(WorkerPool(threadCount: -5).threadCount, 1)
    expectEqual(WorkerPool(threadCount: 1000).threadCount, 64)
    #expect(WorkerPool.processorCount >= 1)
    #expect((1...64).contains(WorkerPool().threadCount))
  }

  @Test func poolsComeAndGo() {
    for round in 0..<50 {
      let tally = Tally(count: 8)
      let pool = WorkerPool(threadCount: 1 + round % 4)
      if round % 3 != 0 { pool.run(count: 8, tally) }
      expectEqual(tally.all, [Int](repeating: round % 3 == 0 ? 0 : 1, count: 8))
    }
  }

  /// Pieces of work that follow each other at once, and after pauses in which workers fall asleep:
  /// every part is done, once, before the call returns.
  @Test(arguments: [2, 3, 5])
  func worksThroughManySmallPieces(_ threadCount: Int) {
    let pool = WorkerPool(threadCount: threadCount)
    var wrongCount = 0
    for round in 0..<3000 {
      let count = 2 + round % 60
      let done = pool.map(count: count) { $0 + round }
      if done != Array(round..<round + count) { wrongCount += 1 }
      if round.isMultiple(of: 500) { usleep(400) }
    }
    expectEqual(wrongCount, 0)
  }
}

/// A buffer of which every thread writes another place.
private struct UnsafeSendable: @unchecked Sendable {
  let buffer: UnsafeMutableBufferPointer<Int>

  init(_ buffer: UnsafeMutableBufferPointer<Int>) { self.buffer = buffer }
}

/// A thread that can be waited for.
private final class CallerThread: Sendable {
  private let body: @Sendable () -> Void
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func start() {
    Thread.detachNewThread { [self] in
      body()
      isDone.signal()
    }
  }

  func wait() { isDone.wait() }
}

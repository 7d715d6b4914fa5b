internal import DiceParallel

/// Work in many parts that threads share, with results in order.
package struct OrderedWork {
  private let pool: WorkerPool

  /// How many parts are done at once.
  package var threadCount: Int { pool.threadCount }

  /// Threads for work of so many parts.
  ///
  /// - Parameters:
  ///   - partCount: the parts; a single one needs no other thread.
  ///   - threadCount: the most threads.
  package init(partCount: Int, threadCount: Int) {
    pool = WorkerPool(threadCount: max(1, min(partCount, threadCount)))
  }

  /// Does every part on some thread, and hands on each result on the caller's, in order.
  ///
  /// Results are held back until those before them are there; so many parts are taken up before
  /// one is handed on as there are threads at first, and some more later, for an early first result
  /// and little waiting.
  ///
  /// - Parameters:
  ///   - whenCaughtUp: called each time after all results that there are have been handed on.
  /// - Throws: what `receive` and `whenCaughtUp` throw; parts that were not taken up are left undone.
  package func run<Result>(
    count: Int, _ perform: (Int) -> Result,
    _ receive: (Int, Result) throws(ToolError) -> Void,
    whenCaughtUp: () throws(ToolError) -> Void = {}
  ) throws(ToolError) {
    var start = 0
    var chunk = threadCount
    while start < count {
      let end = min(count, start + chunk)
      let results = pool.map(count: end - start) { perform(start + $0) }
      for (index, result) in results.enumerated() { try receive(start + index, result) }
      try whenCaughtUp()
      start = end
      chunk = threadCount == 1 ? 1 : min(2 * chunk, 8 * threadCount)
    }
  }
}

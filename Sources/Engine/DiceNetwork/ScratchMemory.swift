package import DiceKernels
internal import Synchronization

/// Memory for parts of the work that run at once: each takes a piece, and gives it back.
package final class ScratchMemory: Sendable {
  private let storage: FloatStorage
  private let floatCount: Int
  private let pieceCount: Int
  /// A bit for each piece that is in use.
  private let used = Atomic<UInt64>(0)

  /// Pieces of `floatCount` floats for as many threads as a pool can have: 1 to 64.
  package init(floatCount: Int, threadCount: Int) {
    // Pieces begin at different places of the caches' sets.
    self.floatCount = floatCount == 0 ? 0 : (floatCount + 15) / 16 * 16 + 272
    pieceCount = max(1, min(threadCount, 64))
    storage = FloatStorage(count: self.floatCount * pieceCount)
    storage.refresh(0..<storage.count)
  }

  /// Calls `body` with a piece that nobody else has meanwhile.
  package func withPiece(_ body: (Address) -> Void) {
    let piece = take()
    body(storage.address(piece * floatCount))
    used.bitwiseAnd(~(1 << UInt64(piece)), ordering: .releasing)
  }

  /// The lowest piece that is free: it is the one that was used last, and still in the cache.
  private func take() -> Int {
    var before = used.load(ordering: .relaxed)
    while true {
      let piece = (~before).trailingZeroBitCount
      // There are as many pieces as threads that ask for them.
      precondition(piece < pieceCount, "no more parts run at once than there are threads")
      let (exchanged, original) = used.compareExchange(
        expected: before, desired: before | 1 << UInt64(piece), ordering: .acquiring)
      if exchanged { return piece }
      before = original
    }
  }
}

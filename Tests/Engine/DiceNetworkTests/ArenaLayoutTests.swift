import TestSupport
import Testing

@testable import DiceNetwork

@Suite struct ArenaLayoutTests {
  @Test func buffersThatAreAliveTogetherNeverOverlap() {
    var comparisons = 0
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let count = generator.int(1...30)
      let sizes = (0..<count).map { (_) in Int64(generator.int(0...50) * 16) }
      let lifetimes = (0..<count).map { (_) in
        let first = generator.int(0...40)
        return first...(generator.int(0...9) == 0 ? .max : first + generator.int(0...8))
      }
      let offsets = ArenaLayout.place(sizes: sizes, lifetimes: lifetimes, shares: true)
      expectEqual(offsets.count, count)
      for a in 0..<count {
        #expect(offsets[a] >= 0 && offsets[a] % 16 == 0)
        for b in 0..<a where lifetimes[a].overlaps(lifetimes[b]) {
          let meets =
            offsets[a] < offsets[b] + sizes[b] && offsets[b] < offsets[a] + sizes[a]
          #expect(!meets || sizes[a] == 0 || sizes[b] == 0, "seed \(seed): \(a) and \(b)")
          comparisons += 1
        }
      }
    }
    #expect(comparisons > 1000)
  }

  @Test func buffersThatFollowEachOtherShareMemory() {
    let offsets = ArenaLayout.place(
      sizes: [160, 160, 160, 80], lifetimes: [0...1, 1...2, 2...3, 3...4], shares: true)
    expectEqual(offsets, [0, 160, 0, 160])
  }

  @Test func nothingOverlapsWhereNothingMayBeShared() {
    let offsets = ArenaLayout.place(
      sizes: [32, 64, 16], lifetimes: [0...0, 1...1, 2...2], shares: false)
    expectEqual(offsets, [64, 0, 96])
  }
}

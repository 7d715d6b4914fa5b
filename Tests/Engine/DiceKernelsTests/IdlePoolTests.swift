import DiceParallel
import TestSupport
import Testing

struct IdlePoolTests {
  private final class Memory: Sendable {}

  @Test func lendsEachObjectToOneCallAtATime() {
    let pool = IdlePool(Memory(), limit: 2)
    let first = pool.take()
    #expect(first != nil)
    #expect(pool.take() == nil)
    if let first {
      pool.giveBack(first)
      #expect(pool.take() === first)
    }
  }

  @Test func keepsNoMoreThanItsLimit() {
    let pool = IdlePool(Memory(), limit: 2)
    for _ in 0..<3 { pool.giveBack(Memory()) }
    expectEqual(pool.count, 2)
  }
}

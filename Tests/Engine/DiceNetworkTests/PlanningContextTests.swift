import DiceKernels
import DiceNetwork
import DiceParallel
import Testing

@Suite struct PlanningContextTests {
  @Test func whatHoldsIsCarriedToOtherThreads() {
    let pool = WorkerPool(threadCount: 4)
    FreshMemory.$pattern.withValue(0x7FC0_0000) {
      RunObserver.$current.withValue(RunObserver { _ in }) {
        let context = PlanningContext()
        let held = pool.map(count: 256) { _ in
          context.perform { (FreshMemory.pattern, RunObserver.current != nil) }
        }
        #expect(held.count == 256)
        #expect(held.allSatisfy { $0 == 0x7FC0_0000 && $1 })
      }
    }
    #expect(FreshMemory.pattern == 0)
  }
}

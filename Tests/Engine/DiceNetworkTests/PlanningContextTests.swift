import DiceKernels
import DiceNetwork
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct PlanningContextTests {
  private struct Held: Equatable {
    var pattern = FreshMemory.pattern
    var isObserved = RunObserver.current != nil
    var isModelled = MatrixModel.current != nil
  }

  private final class Answer: Sendable {
    let held = Mutex<Held?>(nil)
    let hasCome = DispatchSemaphore(value: 0)
  }

  /// What holds on another thread.
  private func elsewhere(_ context: PlanningContext?) -> Held? {
    let answer = Answer()
    Thread.detachNewThread {
      let held = context?.perform { Held() } ?? Held()
      answer.held.withLock { $0 = held }
      answer.hasCome.signal()
    }
    answer.hasCome.wait()
    return answer.held.withLock { $0 }
  }

  @Test func whatHoldsIsCarriedToOtherThreads() {
    let model = MatrixModel(
      narrow: { _, _, _ in }, convolve: { _, _ in }, convolveLayer: { _, _, _ in },
      convolveIntegers: { _, _, _ in }, gatherWeightGradient: { _, _ in })
    let nothing = Held(pattern: 0, isObserved: false, isModelled: false)
    FreshMemory.$pattern.withValue(0x7FC0_0000) {
      RunObserver.$current.withValue(RunObserver { _ in }) {
        MatrixModel.$current.withValue(model) {
          let all = Held(pattern: 0x7FC0_0000, isObserved: true, isModelled: true)
          expectEqual(elsewhere(PlanningContext()), all)
          expectEqual(elsewhere(nil), nothing)
        }
      }
    }
    expectEqual(elsewhere(PlanningContext()), nothing)
  }
}

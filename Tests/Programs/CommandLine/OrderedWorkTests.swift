import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct OrderedWorkTests {
  @Test func resultsComeInOrder() throws {
    for threadCount in [1, 3, 8] {
      let work = OrderedWork(partCount: 100, threadCount: threadCount)
      var received: [Int] = []
      try work.run(count: 100) {
        $0 * $0
      } _: { (index, square) throws(ToolError) in
        expectEqual(square, index * index)
        received.append(index)
      }
      expectEqual(received, Array(0..<100))
    }
  }

  @Test func nothingIsDoneForNoParts() throws {
    let work = OrderedWork(partCount: 0, threadCount: 4)
    expectEqual(work.threadCount, 1)
    try work.run(count: 0) {
      $0
    } _: { (_, _) throws(ToolError) in
      throw .outputClosed
    }
  }

  @Test func itIsToldWhenAllResultsSoFarHaveBeenHandedOn() throws {
    let work = OrderedWork(partCount: 50, threadCount: 2)
    var received = 0
    var pauses: [Int] = []
    try work.run(count: 50) {
      $0
    } _: { (_, _) throws(ToolError) in
      received += 1
    } whenCaughtUp: { () throws(ToolError) in
      pauses.append(received)
    }
    #expect(pauses.first == 2 && pauses.last == 50)
    #expect(pauses == pauses.sorted() && Set(pauses).count == pauses.count)
  }

  @Test func anErrorLeavesTheRestUndone() {
    let work = OrderedWork(partCount: 1000, threadCount: 1)
    var done = 0
    #expect(throws: ToolError.outputClosed) {
      try work.run(count: 1000) { _ in
        done += 1
      } _: { (index, _) throws(ToolError) in
        if index == 4 { throw .outputClosed }
      }
    }
    expectEqual(done, 5)
  }
}

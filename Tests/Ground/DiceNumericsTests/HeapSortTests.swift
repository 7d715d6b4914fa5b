import DiceNumerics
import TestSupport
import Testing

@Suite struct HeapSortTests {
  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 200])
  func numbersStandInTheOrderOfTheStandardSort(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    for range in [2, 10, 1_000_000] {
      var numbers: [Int] = []
      for _ in 0..<count { numbers.append(Int(generator.uniform(0...Double(range)))) }
      for input in [numbers, numbers.sorted(), numbers.sorted(by: >)] {
        var ascending = input
        ascending.heapSort(by: <)
        expectEqual(ascending, numbers.sorted())
        var descending = input
        descending.heapSort(by: >)
        expectEqual(descending, numbers.sorted(by: >))
      }
    }
  }

  @Test func everyOrderOfSixElementsIsSorted() {
    var orders: [[String]] = [[]]
    for name in ["a", "b", "c", "d", "e", "f"] {
      orders = orders.flatMap { order in
        (0...order.count).map { Array(order[..<$0]) + [name] + Array(order[$0...]) }
      }
    }
    expectEqual(Set(orders).count, 720)
    for order in orders {
      var sorted = order
      sorted.heapSort { (first, second) in first < second }
      expectEqual(sorted, ["a", "b", "c", "d", "e", "f"])
    }
  }
}

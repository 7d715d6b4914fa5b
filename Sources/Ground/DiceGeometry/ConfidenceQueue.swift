/// Numbered confidences of which the highest can be taken, the lowest number first among equals.
///
/// A binary heap in an array that is used again: O(log n) for a change at the head.
struct ConfidenceQueue: Sendable {
  struct Entry: Sendable {
    var confidence: Double
    var number: Int

    func comes(before other: Entry) -> Bool {
      confidence > other.confidence || (confidence == other.confidence && number < other.number)
    }
  }

  private var heap: [Entry] = []

  /// The entry with the highest confidence, or nil where none is left.
  var first: Entry? { heap.first }

  /// Replaces all entries by the confidences of the numbers below `count`.
  mutating func fill(count: Int, reserving capacity: Int, confidence: (Int) -> Double) {
    heap.removeAll(keepingCapacity: true)
    heap.reserveCapacity(capacity)
    for number in 0..<count { heap.append(Entry(confidence: confidence(number), number: number)) }
    for place in stride(from: count / 2 - 1, through: 0, by: -1) { sink(from: place) }
  }

  /// Lowers the confidence of the first entry, which takes its new place.
  mutating func lowerFirst(to confidence: Double) {
    heap[0].confidence = confidence
    sink(from: 0)
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    if !heap.isEmpty { sink(from: 0) }
  }

  private mutating func sink(from start: Int) {
    let entry = heap[start]
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].comes(before: heap[child]) { child += 1 }
      guard heap[child].comes(before: entry) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = entry
  }
}

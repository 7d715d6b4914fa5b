extension Array {
  /// Sorts the elements in place, in O(n log n) steps and without memory of its own.
  ///
  /// Elements of which neither comes first may change places. All arrays share the loops of
  /// `arrangeByHeap`, where the standard library's sort is compiled anew for each order, to some
  /// thousand bytes of code: use this one for short arrays in what browsers load.
  ///
  /// - Parameter precedes: Whether the first of two elements comes before the second: a strict weak
  ///   ordering.
  @inlinable
  package mutating func heapSort(by precedes: (Element, Element) -> Bool) {
    unsafe withUnsafeMutableBufferPointer { (elements) in
      arrangeByHeap(
        count: elements.count,
        precedes: { (first, second) in unsafe precedes(elements[first], elements[second]) },
        exchange: { (first, second) in unsafe elements.swapAt(first, second) })
    }
  }
}

/// Brings elements that only the caller sees into order, by comparing and exchanging the elements at
/// two places.
@inline(never)
@usableFromInline
package func arrangeByHeap(
  count: Int, precedes: (Int, Int) -> Bool, exchange: (Int, Int) -> Void
) {
  // A heap: no element comes before one of the two at twice its place plus 1 and plus 2.
  var start = count / 2
  var end = count
  while end > 1 {
    if start > 0 {
      start -= 1
    } else {
      // The first is the last of all in the order.
      end -= 1
      exchange(0, end)
    }
    var place = start
    while 2 * place + 1 < end {
      var child = 2 * place + 1
      if child + 1 < end, precedes(child, child + 1) { child += 1 }
      guard precedes(place, child) else { break }
      exchange(place, child)
      place = child
    }
  }
}

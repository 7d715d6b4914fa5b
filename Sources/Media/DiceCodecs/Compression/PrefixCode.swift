/// A prefix code of DEFLATE: for each symbol the bits and their number, 0 for an unused symbol.
struct PrefixCode {
  /// The number of bits of each symbol's code.
  let lengths: [UInt8]
  /// The code of each symbol with its first bit lowest, as the stream holds it.
  let codes: [UInt32]

  /// The canonical code with the given lengths.
  ///
  /// Source: RFC 1951, section 3.2.2.
  init(lengths: [UInt8]) {
    self.lengths = lengths
    var counts = [UInt32](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [UInt32](repeating: 0, count: 16)
    for length in 1..<15 { next[length + 1] = (next[length] + counts[length]) << 1 }
    var codes = [UInt32](repeating: 0, count: lengths.count)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      var code = next[Int(length)]
      next[Int(length)] += 1
      var reversed: UInt32 = 0
      for _ in 0..<length {
        reversed = reversed << 1 | code & 1
        code >>= 1
      }
      codes[symbol] = reversed
    }
    self.codes = codes
  }

  /// A code with short codes for frequent symbols, none longer than `limit` bits.
  ///
  /// It is the shortest one where the limit does not matter, and close to it otherwise. At least
  /// two symbols get a code, so that the code is complete.
  ///
  /// - Precondition: there are at least two symbols and at most `1 << limit`.
  init(counts: [Int], limit: Int) {
    precondition(counts.count >= 2 && counts.count <= 1 << limit)
    self.init(lengths: Self.lengths(counts: counts, limit: limit))
  }

  private static func lengths(counts: [Int], limit: Int) -> [UInt8] {
    var symbols = counts.indices.filter { counts[$0] > 0 }
    var lengths = [UInt8](repeating: 0, count: counts.count)
    if symbols.count < 2 {
      for symbol in 0..<2 where !symbols.contains(symbol) && symbols.count < 2 {
        symbols.append(symbol)
      }
      for symbol in symbols { lengths[symbol] = 1 }
      return lengths
    }
    symbols.sort { (counts[$0], $0) < (counts[$1], $1) }
    var histogram = depthHistogram(sortedCounts: symbols.map { counts[$0] })
    shorten(&histogram, to: limit)
    // The rarest symbols come first and get the longest codes.
    var index = 0
    for length in stride(from: limit, through: 1, by: -1) {
      for _ in 0..<histogram[length] {
        lengths[symbols[index]] = UInt8(length)
        index += 1
      }
    }
    return lengths
  }

  /// How many leaves of the Huffman tree lie at each depth.
  private static func depthHistogram(sortedCounts: [Int]) -> [Int] {
    let leafCount = sortedCounts.count
    // Inner nodes arise in ascending order of their weight: two queues instead of a heap.
    var weights: [Int] = []
    var parents = [Int](repeating: 0, count: 2 * leafCount - 1)
    var nextLeaf = 0
    var nextInner = 0
    func takeLightest() -> (node: Int, weight: Int) {
      if nextLeaf < leafCount
        && (nextInner >= weights.count || sortedCounts[nextLeaf] <= weights[nextInner])
      {
        nextLeaf += 1
        return (nextLeaf - 1, sortedCounts[nextLeaf - 1])
      }
      nextInner += 1
      return (leafCount + nextInner - 1, weights[nextInner - 1])
    }
    for inner in leafCount..<2 * leafCount - 1 {
      let first = takeLightest()
      let second = takeLightest()
      parents[first.node] = inner
      parents[second.node] = inner
      weights.append(first.weight + second.weight)
    }
    var depths = [Int](repeating: 0, count: 2 * leafCount - 1)
    var histogram = [Int](repeating: 0, count: max(leafCount, 17))
    for node in stride(from: 2 * leafCount - 3, through: 0, by: -1) {
      depths[node] = depths[parents[node]] + 1
      if node < leafCount { histogram[depths[node]] += 1 }
    }
    return histogram
  }

  /// Moves leaves up until none is deeper than `limit`, and the tree stays complete.
  private static func shorten(_ histogram: inout [Int], to limit: Int) {
    for depth in stride(from: histogram.count - 1, to: limit, by: -1) {
      while histogram[depth] > 0 {
        // Two deepest leaves: one takes the place of their parent, the other one goes below a leaf
        // that is higher up.
        var target = depth - 2
        while histogram[target] == 0 { target -= 1 }
        histogram[depth] -= 2
        histogram[depth - 1] += 1
        histogram[target] -= 1
        histogram[target + 1] += 2
      }
    }
  }
}

/// What players make of the values of some dice; no number traps, however large the values are.
extension Sequence where Element == Int {
  /// The sum; the nearest bound of `Int` where a partial sum is outside its range.
  package var saturatingSum: Int {
    var sum = 0
    for value in self {
      let (partial, overflow) = sum.addingReportingOverflow(value)
      sum = overflow ? (value < 0 ? .min : .max) : partial
    }
    return sum
  }

  /// The product; 1 for none, nil where it is outside the range of `Int`.
  package var representableProduct: Int? {
    for value in self where value == 0 { return 0 }
    var product = 1
    for value in self {
      let (partial, overflow) = product.multipliedReportingOverflow(by: value)
      if overflow { return nil }
      product = partial
    }
    return product
  }

  /// The greatest minus the smallest; 0 for fewer than two, `Int.max` where it is beyond that.
  package var saturatingDifference: Int {
    guard let least = self.min(), let greatest = self.max() else { return 0 }
    let (difference, overflow) = greatest.subtractingReportingOverflow(least)
    return overflow ? .max : difference
  }

  /// How often each number comes.
  package var histogram: [Int: Int] {
    var counts: [Int: Int] = [:]
    for value in self { counts[value, default: 0] += 1 }
    return counts
  }

  /// The numbers with a space between any two.
  package var spaced: String {
    var text = ""
    for value in self { text += text.isEmpty ? "\(value)" : " \(value)" }
    return text
  }
}

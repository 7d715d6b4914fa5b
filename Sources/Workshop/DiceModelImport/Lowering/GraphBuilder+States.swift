/// The states that recurrent operations begin with, and their results in a model's own shapes.
extension GraphBuilder {
  /// The states before the first step, `[1, batch, directions * count]`; nil for zeros.
  ///
  /// - Parameter value: `[batch, directions, count]`, or any shape with the same numbers in this order.
  mutating func state(
    _ value: Value?, batch: Int, count: Int
  ) throws(LoweringFault) -> ComputedValue? {
    guard let value else { return nil }
    if case .constant(let tensor) = value, tensor.floats.allSatisfy({ $0 == 0 }) { return nil }
    return try computed(states(value, to: [1, batch, count]))
  }

  /// States with their numbers in another shape.
  mutating func states(_ value: Value, to shape: [Int]) throws(LoweringFault) -> Value {
    guard let own = value.shape, let count = Self.count(own), count == Self.count(shape) else {
      throw .invalid("States have the shape \(value.shape ?? []); \(shape) is needed.")
    }
    return try reshaped(value, to: shape)
  }

  private static func count(_ shape: [Int]) -> Int? {
    var count = 1
    for extent in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      if overflow { return nil }
      count = next
    }
    return count
  }
}

/// Parts of tensors that may be known beforehand.
extension GraphBuilder {
  /// The most axes of a tensor.
  static let rankLimit = 16

  /// The bounds of a slice as they are stated, counted from the end where they are negative.
  struct Bounds {
    /// Nil stands for the first position.
    var begin: Int?
    /// Nil stands for the position behind the last one.
    var end: Int?
    var step: Int
  }

  /// Positions of an axis, as NumPy takes them.
  mutating func part(
    _ value: Value, axis: Int, _ bounds: Bounds
  ) throws(LoweringFault) -> Value {
    let extent = value.shape?[axis] ?? 0
    let step = bounds.step
    guard step != 0, step > -(1 << 40), step < 1 << 40 else {
      throw .invalid("It takes every \(step)th position.")
    }
    func place(_ index: Int, _ range: ClosedRange<Int>) -> Int {
      min(max(index < 0 ? index &+ extent : index, range.lowerBound), range.upperBound)
    }
    let start: Int
    let count: Int
    if step > 0 {
      start = bounds.begin.map { place($0, 0...extent) } ?? 0
      let end = bounds.end.map { place($0, 0...extent) } ?? extent
      count = max(0, (end - start + step - 1) / step)
    } else {
      start = bounds.begin.map { place($0, -1...(extent - 1)) } ?? extent - 1
      let end = bounds.end.map { place($0, -1...(extent - 1)) } ?? -1
      count = max(0, (start - end - step - 1) / -step)
    }
    guard count > 0 else { throw .invalid("It takes no position of \(extent).") }
    if step == 1, let known = try jointPart(value, axis: axis, start: start, count: count) {
      return known
    }
    if case .computed(let value) = value, step > 0 {
      return .computed(
        try sliced(value, axis: axis, start: start, count: count, step: step))
    }
    return try positions(
      value, axis: axis, indices: (0..<count).map { start + $0 * step })
  }

  /// The positions of an axis that some indices name.
  mutating func positions(
    _ value: Value, axis: Int, indices: [Int]
  ) throws(LoweringFault) -> Value {
    switch value {
    case .list, .unknown: .unknown
    case .constant(let tensor):
      .constant(try ConstantArithmetic.gather(tensor, axis: axis, indices: indices))
    case .computed(let value):
      .computed(try gathered(value, axis: axis, indices: indices))
    }
  }

  /// The tensor repeated along its axes, so many times each.
  mutating func repeated(
    _ value: Value, _ counts: [Int]
  ) throws(LoweringFault) -> Value {
    let shape = value.shape ?? []
    guard shape.count <= Self.rankLimit, counts.count == shape.count,
      counts.allSatisfy({ (1...(1 << 20)).contains($0) })
    else {
      throw .invalid("It repeats \(shape) by \(counts).")
    }
    // Each axis gets one before it, which is repeated.
    var split: [Int] = []
    var whole: [Int] = []
    for (extent, count) in zip(shape, counts) {
      split += [1, extent]
      whole += [count, extent]
    }
    _ = try ConstantArithmetic.count(whole)
    let result = try expanded(reshaped(value, to: split), to: whole)
    return try reshaped(result, to: zip(shape, counts).map { $0 * $1 })
  }
}

internal import DiceWeights

/// Products of matrices, and sums along an axis that constants weigh.
extension GraphBuilder {
  /// The product of two tensors as matrices: along the last axis of the first and the last but one of
  /// the second; axes before those are combined number by number, a vector is a row or a column.
  mutating func matrixProduct(_ first: Value, _ second: Value) throws(LoweringFault) -> Value {
    guard let firstShape = first.shape, let secondShape = second.shape else { return .unknown }
    guard !firstShape.isEmpty, !secondShape.isEmpty else {
      throw .invalid("A single number is multiplied as a matrix.")
    }
    guard firstShape.last == secondShape[max(0, secondShape.count - 2)] else {
      throw .invalid("Matrices of \(firstShape) and \(secondShape) cannot be multiplied.")
    }
    switch (first, second) {
    case (.computed(let value), .constant(let matrix))
    where matrix.shape.dropLast(2).allSatisfy({ $0 == 1 }):
      let count = matrix.shape.count == 1 ? 1 : matrix.shape[matrix.shape.count - 1]
      let product = Value.computed(
        try dense(value, weights: matrix.floats, bias: nil, outputCount: count))
      // Batches of one that only the matrix has; a vector has no rows.
      let batchCount = max(0, matrix.shape.count - 2) - max(0, firstShape.count - 2)
      let extra = [Int](repeating: 1, count: max(0, batchCount))
      let shape = extra + firstShape.dropLast() + (matrix.shape.count == 1 ? [] : [count])
      return try reshaped(product, to: shape)
    case (.constant(let matrix), .computed)
    where secondShape.count >= 2 && matrix.shape.count >= 2
      && matrix.shape.dropLast(2).allSatisfy({ $0 == 1 }):
      // A * B = (B' * A')'
      let rows = matrix.shape[matrix.shape.count - 2]
      let flat = matrix.reshaped(to: [rows, matrix.shape[matrix.shape.count - 1]])
      var order = Array(secondShape.indices)
      order.swapAt(order.count - 1, order.count - 2)
      let turned = transposed(second, order)
      let product = Value.computed(
        try dense(
          try computed(turned), weights: flat.transposed([1, 0]).floats, bias: nil,
          outputCount: rows))
      let result = transposed(product, order)
      let extra = [Int](repeating: 1, count: max(0, matrix.shape.count - secondShape.count))
      return try reshaped(result, to: extra + (result.shape ?? []))
    default:
      return try smallProduct(first, second, firstShape, secondShape)
    }
  }

  /// The most products of two numbers that are there at once, and that there are all together.
  private static let productLimits = (atOnce: 1 << 23, all: 1 << 30)

  /// Every product of two numbers, then their sums.
  private mutating func smallProduct(
    _ first: Value, _ second: Value, _ firstShape: [Int], _ secondShape: [Int]
  ) throws(LoweringFault) -> Value {
    let isRow = firstShape.count == 1
    let isColumn = secondShape.count == 1
    let result = try productInParts(
      isRow ? reshaped(first, to: [1] + firstShape) : first,
      isColumn ? reshaped(second, to: secondShape + [1]) : second)
    guard isRow || isColumn, var shape = result.shape else { return result }
    if isColumn { shape.removeLast() }
    if isRow { shape.remove(at: shape.count - (isColumn ? 1 : 2)) }
    return try reshaped(result, to: shape)
  }

  /// The product of two tensors of matrices; part by part where there are many numbers.
  private mutating func productInParts(
    _ first: Value, _ second: Value
  ) throws(LoweringFault) -> Value {
    let (firstShape, secondShape) = (first.shape ?? [], second.shape ?? [])
    let (m, k) = (firstShape[firstShape.count - 2], firstShape[firstShape.count - 1])
    let n = secondShape[secondShape.count - 1]
    guard
      let batch = ConstantTensor.broadcastShape(
        firstShape.dropLast(2), secondShape.dropLast(2)), !(batch + [m, k, n]).contains(0)
    else { throw .invalid("Matrices of \(firstShape) and \(secondShape) cannot be multiplied.") }
    var count = 1
    for extent in batch + [m, k, n] {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow, next <= Self.productLimits.all else {
        throw .unsupported("both its tensors depend on the input and are large")
      }
      count = next
    }
    if count <= Self.productLimits.atOnce || batch.allSatisfy({ $0 == 1 }) && m == 1 {
      return try wholeProduct(first, second)
    }
    let axis = batch.firstIndex { $0 > 1 } ?? batch.count
    let extent = axis < batch.count ? batch[axis] : m
    let limit = (count + Self.productLimits.atOnce - 1) / Self.productLimits.atOnce
    let length = max(1, extent / min(extent, limit))
    var parts: [Value] = []
    for start in stride(from: 0, to: extent, by: length) {
      let range = start..<min(start + length, extent)
      func part(_ value: Value, _ isFirst: Bool) throws(LoweringFault) -> Value {
        let shape = value.shape ?? []
        let own = axis - (batch.count + 2 - shape.count)
        guard own >= 0, shape[own] > 1, isFirst || own < shape.count - 2 else { return value }
        return try self.part(
          value, axis: own, Bounds(begin: range.lowerBound, end: range.upperBound, step: 1))
      }
      parts.append(try productInParts(part(first, true), part(second, false)))
    }
    return try concatenated(parts, axis: axis)
  }

  /// The product of two tensors of matrices at once.
  private mutating func wholeProduct(
    _ first: Value, _ second: Value
  ) throws(LoweringFault) -> Value {
    // [.., M, 1, K] * [.., 1, N, K], summed over K.
    let (firstShape, secondShape) = (first.shape ?? [], second.shape ?? [])
    let (m, k) = (firstShape[firstShape.count - 2], firstShape[firstShape.count - 1])
    let n = secondShape[secondShape.count - 1]
    let rows = try reshaped(first, to: Array(firstShape.dropLast(2)) + [m, 1, k])
    var order = Array(secondShape.indices)
    order.swapAt(order.count - 1, order.count - 2)
    let turned = transposed(second, order)
    let columns = try reshaped(turned, to: Array(secondShape.dropLast(2)) + [1, n, k])
    let products = try combined(.multiplication, rows, columns)
    let shape = products.shape ?? []
    let sums = try summarized(products, .sum, axes: [shape.count - 1])
    return try reshaped(sums, to: Array(shape.dropLast()))
  }

  /// Sums along an axis, weighted for each position of the result.
  ///
  /// - Parameter weights: `[K, N]` for an axis of the extent `K`; the result's has the extent `N`.
  mutating func multiplied(
    _ value: ComputedValue, axis: Int, weights: [Float], outputCount: Int
  ) throws(LoweringFault) -> ComputedValue {
    let (value, _) = try separated(value, [axis])
    let rank = value.shape.count
    let order = (0..<rank).filter { $0 != axis } + [axis]
    let last = transposed(.computed(value), order)
    let result = try dense(
      computed(last), weights: weights, bias: nil, outputCount: outputCount)
    var back = order
    for (place, axis) in order.enumerated() { back[axis] = place }
    return try computed(transposed(.computed(result), back))
  }
}

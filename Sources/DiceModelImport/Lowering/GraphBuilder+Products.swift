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

  /// The most numbers of all products of two tensors together.
  private static let productLimit = 1 << 24

  /// Every product of two numbers, then their sums.
  private mutating func smallProduct(
    _ first: Value, _ second: Value, _ firstShape: [Int], _ secondShape: [Int]
  ) throws(LoweringFault) -> Value {
    // [.., M, 1, K] * [.., 1, N, K], summed over K.
    let isRow = firstShape.count == 1
    let isColumn = secondShape.count == 1
    let firstMatrix = isRow ? [1] + firstShape : firstShape
    let secondMatrix = isColumn ? secondShape + [1] : secondShape
    let (m, k) = (firstMatrix[firstMatrix.count - 2], firstMatrix[firstMatrix.count - 1])
    let n = secondMatrix[secondMatrix.count - 1]
    let rows = try reshaped(first, to: Array(firstMatrix.dropLast(2)) + [m, 1, k])
    var order = Array(secondMatrix.indices)
    order.swapAt(order.count - 1, order.count - 2)
    let turned = transposed(try reshaped(second, to: secondMatrix), order)
    let columns = try reshaped(turned, to: Array(secondMatrix.dropLast(2)) + [1, n, k])
    guard
      let shape = ConstantTensor.broadcastShape(rows.shape ?? [], columns.shape ?? []),
      !shape.contains(0)
    else { throw .invalid("Matrices of \(firstShape) and \(secondShape) cannot be multiplied.") }
    var count = 1
    for extent in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow, next <= Self.productLimit else {
        throw .unsupported("both its tensors depend on the input and are large")
      }
      count = next
    }
    let products = try combined(.multiplication, rows, columns)
    let sums = try reduced(computed(products), .sum, axes: [shape.count - 1])
    var result = Array(shape.dropLast())
    if isColumn { result.removeLast() }
    if isRow { result.remove(at: result.count - (isColumn ? 1 : 2)) }
    return try reshaped(.computed(sums), to: result)
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

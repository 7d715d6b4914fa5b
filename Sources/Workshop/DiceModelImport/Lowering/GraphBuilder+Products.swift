internal import DiceDetectorHeads
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
      return try batchedProduct(first, second, firstShape, secondShape)
    }
  }

  /// The product of two tensors of which none is a matrix that is known.
  private mutating func batchedProduct(
    _ first: Value, _ second: Value, _ firstShape: [Int], _ secondShape: [Int]
  ) throws(LoweringFault) -> Value {
    let isRow = firstShape.count == 1
    let isColumn = secondShape.count == 1
    let left = isRow ? try reshaped(first, to: [1] + firstShape) : first
    let right = isColumn ? try reshaped(second, to: secondShape + [1]) : second
    guard
      let batch = ConstantTensor.broadcastShape(
        Array((left.shape ?? []).dropLast(2)), Array((right.shape ?? []).dropLast(2))),
      !(batch + firstShape + secondShape).contains(0)
    else { throw .invalid("Matrices of \(firstShape) and \(secondShape) cannot be multiplied.") }
    let result: Value
    if case (.constant(let left), .constant(let right)) = (left, right),
      let known = ConstantArithmetic.matrixProduct(left, right, batch: batch)
    {
      result = .constant(known)
    } else if secondShape[max(0, secondShape.count - 2)] == 1 {
      // Sums of one product.
      result = try combined(.multiplication, left, right)
    } else {
      result = .computed(try product(computed(left), computed(right), batch: batch))
    }
    guard isRow || isColumn, var shape = result.shape else { return result }
    if isColumn { shape.removeLast() }
    if isRow { shape.remove(at: shape.count - (isColumn ? 1 : 2)) }
    return try reshaped(result, to: shape)
  }

  /// The product of `[.., M, K]` and `[.., K, N]` as a layer.
  ///
  /// Axes in front that both have are its rows; those that only one of them has count as rows or
  /// columns of its matrices. Values stay where they are if that is one of the two ways in which the
  /// layer reads matrices.
  private mutating func product(
    _ first: ComputedValue, _ second: ComputedValue, batch: [Int]
  ) throws(LoweringFault) -> ComputedValue {
    let rank = batch.count + 2
    var (first, second) = (first, second)
    first.arrangement = first.arrangement.extended(toRank: rank)
    second.arrangement = second.arrangement.extended(toRank: rank)
    let (m, n) = (first.shape[rank - 2], second.shape[rank - 1])
    let (firstBatch, secondBatch) = (first.shape, second.shape)
    let axes = batch.indices
    let common = axes.filter { firstBatch[$0] != 1 && secondBatch[$0] != 1 }
    let rows = axes.filter { firstBatch[$0] != 1 && secondBatch[$0] == 1 } + [rank - 2]
    let columns = axes.filter { firstBatch[$0] == 1 && secondBatch[$0] != 1 } + [rank - 1]
    let (left, transposesFirst) = try matrices(first, common, rows, [rank - 1])
    let (right, transposesSecond) = try matrices(second, common, [rank - 2], columns)
    return try append(
      .matrixProduct(
        Layer.MatrixProduct(
          left.source, right.source, transposesFirst: transposesFirst,
          transposesSecond: transposesSecond)),
      Arrangement(
        shape: batch + [m, n], Places(rows: common, columns: rows, channels: columns)))
  }

  /// A value as a matrix product reads it: matrices of some axes by others, for each position along
  /// common ones; and whether it is transposed.
  private mutating func matrices(
    _ value: ComputedValue, _ common: [Int], _ rows: [Int], _ columns: [Int]
  ) throws(LoweringFault) -> (ComputedValue, Bool) {
    let own = value.arrangement
    let (straight, turned) = (
      Places(rows: common, columns: rows, channels: columns),
      Places(rows: common, columns: columns, channels: rows)
    )
    func fits(_ places: Places) -> Bool {
      own.places == places.all.map { (axes) in own.factors(of: axes) }
    }
    if fits(straight) { return (value, false) }
    // Where numbers have to be moved, those side by side stay so.
    guard let fastest = own.order.last,
      fits(turned) || own.factors(of: rows).contains(fastest)
    else { return (try arranged(value, straight), false) }
    return (try arranged(value, turned), true)
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

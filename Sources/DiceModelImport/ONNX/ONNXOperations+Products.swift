internal import DiceWeights

/// Products of matrices.
extension ONNXOperations {
  static func product(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let (alpha, beta) = (call.float("alpha", default: 1), call.float("beta", default: 1))
    guard var matrix = try call.constant(1, "second matrix") else {
      throw .invalid("Gemm lacks its second matrix.")
    }
    guard matrix.shape.count == 2, try call.shape(0).count == 2 else {
      throw .invalid("Gemm multiplies what is no matrix.")
    }
    if call.integer("transB", default: 0) != 0 { matrix = matrix.transposed([1, 0]) }
    var input = try call.input(0)
    if call.integer("transA", default: 0) != 0 {
      input = lowering.builder.transposed(input, [1, 0])
    }
    let count = matrix.shape[1]
    var addend = call.optional(2)
    var bias: [Float]?
    if case .constant(let tensor) = addend,
      tensor.count == count, tensor.shape.last == count || count == 1
    {
      bias = tensor.floats.map { $0 * beta }
      addend = nil
    }
    let result = Value.computed(
      try lowering.builder.dense(
        try lowering.builder.computed(input), weights: matrix.floats.map { $0 * alpha },
        bias: bias, outputCount: count))
    guard var addend else { return result }
    if beta != 1 {
      addend = try lowering.builder.combined(
        .multiplication, addend, .constant(ConstantTensor(shape: [], floats: [beta])))
    }
    return try lowering.builder.combined(.addition, result, addend)
  }

  static func matrixProduct(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let (first, second) = (try call.input(0), try call.input(1))
    let (firstShape, secondShape) = (try call.shape(0), try call.shape(1))
    guard !firstShape.isEmpty, !secondShape.isEmpty else {
      throw .invalid("MatMul multiplies a single number.")
    }
    guard firstShape.last == secondShape[max(0, secondShape.count - 2)] else {
      throw .invalid("MatMul multiplies \(firstShape) and \(secondShape).")
    }
    switch (first, second) {
    case (.computed(let value), .constant(let matrix))
    where matrix.shape.dropLast(2).allSatisfy({ $0 == 1 }):
      let count = matrix.shape.count == 1 ? 1 : matrix.shape[matrix.shape.count - 1]
      let product = Value.computed(
        try lowering.builder.dense(
          value, weights: matrix.floats, bias: nil, outputCount: count))
      // Batches of one that only the matrix has; a vector has no rows.
      let batchCount = max(0, matrix.shape.count - 2) - max(0, firstShape.count - 2)
      let extra = [Int](repeating: 1, count: max(0, batchCount))
      let shape = extra + firstShape.dropLast() + (matrix.shape.count == 1 ? [] : [count])
      return try lowering.builder.reshaped(product, to: shape)
    case (.constant(let matrix), .computed)
    where secondShape.count >= 2 && matrix.shape.count >= 2
      && matrix.shape.dropLast(2).allSatisfy({ $0 == 1 }):
      // A * B = (B' * A')'
      let rows = matrix.shape[matrix.shape.count - 2]
      let flat = matrix.reshaped(to: [rows, matrix.shape[matrix.shape.count - 1]])
      var order = Array(secondShape.indices)
      order.swapAt(order.count - 1, order.count - 2)
      let turned = lowering.builder.transposed(second, order)
      let product = Value.computed(
        try lowering.builder.dense(
          try lowering.builder.computed(turned), weights: flat.transposed([1, 0]).floats,
          bias: nil, outputCount: rows))
      let result = lowering.builder.transposed(product, order)
      let extra = [Int](repeating: 1, count: max(0, matrix.shape.count - secondShape.count))
      return try lowering.builder.reshaped(result, to: extra + (result.shape ?? []))
    default:
      return try smallProduct(&lowering, first, second, firstShape, secondShape)
    }
  }

  /// The most numbers of all products of two tensors together.
  private static let productLimit = 1 << 24

  /// Every product of two numbers, then their sums.
  private static func smallProduct(
    _ lowering: inout ONNXLowering, _ first: Value, _ second: Value, _ firstShape: [Int],
    _ secondShape: [Int]
  ) throws(LoweringFault) -> Value {
    // [.., M, 1, K] * [.., 1, N, K], summed over K.
    let isRow = firstShape.count == 1
    let isColumn = secondShape.count == 1
    let firstMatrix = isRow ? [1] + firstShape : firstShape
    let secondMatrix = isColumn ? secondShape + [1] : secondShape
    let (m, k) = (firstMatrix[firstMatrix.count - 2], firstMatrix[firstMatrix.count - 1])
    let n = secondMatrix[secondMatrix.count - 1]
    let rows = try lowering.builder.reshaped(
      first, to: Array(firstMatrix.dropLast(2)) + [m, 1, k])
    var order = Array(secondMatrix.indices)
    order.swapAt(order.count - 1, order.count - 2)
    let turned = lowering.builder.transposed(
      try lowering.builder.reshaped(second, to: secondMatrix), order)
    let columns = try lowering.builder.reshaped(
      turned, to: Array(secondMatrix.dropLast(2)) + [1, n, k])
    guard
      let shape = ConstantTensor.broadcastShape(rows.shape ?? [], columns.shape ?? []),
      !shape.contains(0)
    else { throw .invalid("MatMul multiplies \(firstShape) and \(secondShape).") }
    var count = 1
    for extent in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard !overflow, next <= productLimit else {
        throw .unsupported("both its tensors depend on the input and are large")
      }
      count = next
    }
    let products = try lowering.builder.combined(.multiplication, rows, columns)
    let sums = try lowering.builder.reduced(
      lowering.builder.computed(products), .sum, axes: [shape.count - 1])
    var result = Array(shape.dropLast())
    if isColumn { result.removeLast() }
    if isRow { result.remove(at: result.count - (isColumn ? 1 : 2)) }
    return try lowering.builder.reshaped(.computed(sums), to: result)
  }
}

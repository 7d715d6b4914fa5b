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
}

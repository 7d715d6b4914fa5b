internal import DiceWeights

/// Products of matrices.
extension TFLiteOperations {
  static let products: [TFLiteOperation] = [
    TFLiteOperation(9, "FULLY_CONNECTED", "", activation: 0) {
      (lowering, call, operation) throws(LoweringFault) in
      [try fullyConnected(&lowering, call, operation)]
    },
    TFLiteOperation(126, "BATCH_MATMUL", "") {
      (lowering, call, operation) throws(LoweringFault) in
      var operands = [try call.input(0), try call.input(1)]
      for index in 0..<2 where try call.flag(index) {
        operands[index] = try turned(&lowering.builder, operands[index])
      }
      if try !call.flag(0) {
        operands[0] = try lowering.roundedInput(
          operation, operands[0], value: 0, weights: 1, .row)
      }
      return [try lowering.builder.matrixProduct(operands[0], operands[1])]
    },
  ]

  /// The last two axes the other way round.
  private static func turned(
    _ builder: inout GraphBuilder, _ value: Value
  ) throws(LoweringFault) -> Value {
    let rank = value.shape?.count ?? 0
    guard rank >= 2 else { throw .invalid("A matrix has \(rank) axes.") }
    var order = Array(0..<rank)
    order.swapAt(rank - 1, rank - 2)
    return builder.transposed(value, order)
  }

  private static func fullyConnected(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let weightShape = try call.shape(1)
    guard try call.choice(1) == 0 else { throw .unsupported("its weights are shuffled") }
    guard weightShape.count == 2, weightShape[1] > 0, weightShape[0] > 0,
      !shape.contains(0), shape.reduce(1, *) % weightShape[1] == 0
    else { throw .invalid("Its matrix is \(weightShape) for an operand of \(shape).") }
    let (outputs, inputs) = (weightShape[0], weightShape[1])
    let count = shape.reduce(1, *) / inputs
    let keepsAxes = try call.flag(2)
    let target = keepsAxes ? shape.dropLast() + [outputs] : [count, outputs]
    guard !keepsAxes || shape.last == inputs else {
      throw .invalid("Its matrix is \(weightShape) for an operand of \(shape).")
    }
    let rows = try lowering.builder.reshaped(
      call.input(0), to: keepsAxes ? shape : [count, inputs])
    guard case .constant(let weights) = try call.input(1) else {
      let product = try lowering.builder.matrixProduct(
        rows, turned(&lowering.builder, call.input(1)))
      guard let bias = call.optional(2) else { return product }
      return try lowering.builder.combined(.addition, product, bias)
    }
    let input = try lowering.roundedInput(operation, rows, value: 0, weights: 1, .row)
    let result = try lowering.builder.dense(
      lowering.builder.computed(input), weights: weights.transposed([1, 0]).floats,
      bias: call.bias(2, count: outputs),
      outputCount: outputs)
    return try lowering.builder.reshaped(.computed(result), to: Array(target))
  }
}

internal import DiceWeights

/// Operations on two and more tensors number by number, and reductions.
extension ONNXOperations {
  static let arithmetic: [ONNXOperation] = [
    pair("Add", .addition), pair("Sub", .subtraction), pair("Mul", .multiplication),
    pair("Div", .division),
    several("Min", .minimum), several("Max", .maximum), several("Sum", .addition),
    ONNXOperation("Mean") { (lowering, call) throws(LoweringFault) in
      let sum = try folded(&lowering, call, .addition)
      return [
        try lowering.builder.combined(
          .division, sum,
          .constant(ConstantTensor(shape: [], floats: [Float(call.inputs.count)])))
      ]
    },
    ONNXOperation("Pow", "a constant exponent; no broken exponent of numbers below 0") {
      (lowering, call) throws(LoweringFault) in
      try [power(&lowering, call)]
    },
  ]

  static let reductions: [ONNXOperation] = [
    reduction("ReduceMean", .mean), reduction("ReduceMax", .maximum),
    reduction("ReduceSum", .sum),
    reduction("ReduceMin", .maximum, before: [negation], after: [negation]),
    reduction("ReduceSumSquare", .sum, isSquared: true),
    reduction("ReduceL2", .sum, isSquared: true, after: [.squareRoot]),
    reduction("ReduceL1", .sum, before: [.absolute]),
    reduction("ReduceProd", nil),
    global("GlobalAveragePool", .mean), global("GlobalMaxPool", .maximum),
    ONNXOperation("ArgMax", "the first of equal ones; the result is a float") {
      (lowering, call) throws(LoweringFault) in
      guard call.integer("select_last_index", default: 0) == 0 else {
        throw .unsupported("it takes the last of equal ones")
      }
      let shape = try call.shape(0)
      let axis = try call.axis(call.integer("axis", default: 0), rank: shape.count)
      let value = try lowering.builder.computed(call.input(0))
      let result = try lowering.builder.indexOfMaximum(value, axis: axis)
      if call.integer("keepdims", default: 1) != 0 { return [.computed(result)] }
      var target = shape
      target.remove(at: axis)
      return [try lowering.builder.reshaped(.computed(result), to: target)]
    },
  ]

  private static let negation = Layer.Activation.linear(scale: -1, offset: 0)

  private static func pair(
    _ name: String, _ operation: Layer.Elementwise.Operation
  ) -> ONNXOperation {
    ONNXOperation(name) { (lowering, call) throws(LoweringFault) in
      [try lowering.builder.combined(operation, call.input(0), call.input(1))]
    }
  }

  private static func several(
    _ name: String, _ operation: Layer.Elementwise.Operation
  ) -> ONNXOperation {
    ONNXOperation(name) { (lowering, call) throws(LoweringFault) in
      [try folded(&lowering, call, operation)]
    }
  }

  private static func folded(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, _ operation: Layer.Elementwise.Operation
  ) throws(LoweringFault) -> Value {
    var result = try call.input(0)
    for index in call.inputs.indices.dropFirst() {
      result = try lowering.builder.combined(operation, result, call.input(index))
    }
    return result
  }

  private static func power(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    guard let exponent = try call.scalar(1, "exponent") else {
      throw .unsupported("its exponent is not one number")
    }
    if case .constant(let tensor) = try call.input(0), let integers = tensor.integers {
      guard exponent >= 0, exponent <= 64, exponent == exponent.rounded() else {
        throw .unsupported("it raises integers to the power of \(exponent)")
      }
      var results = [Int](repeating: 1, count: integers.count)
      for _ in 0..<Int(exponent) {
        for index in integers.indices {
          let (product, overflow) = results[index].multipliedReportingOverflow(
            by: integers[index])
          guard !overflow else { throw .invalid("A power is too large for 64 bits.") }
          results[index] = product
        }
      }
      return .constant(ConstantTensor(shape: tensor.shape, integers: results))
    }
    let value = try lowering.builder.computed(call.input(0))
    return try lowering.builder.power(value, exponent)
  }

  private static func reduction(
    _ name: String, _ kind: Layer.Reduction.Kind?, isSquared: Bool = false,
    before: [Layer.Activation] = [], after: [Layer.Activation] = []
  ) -> ONNXOperation {
    ONNXOperation(name, kind == nil ? "of constants only" : "") {
      (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let stated = try call.integers(attribute: "axes", orInput: 1) ?? []
      if stated.isEmpty, call.integer("noop_with_empty_axes", default: 0) != 0 {
        throw .unsupported("it reduces no axis")
      }
      let axes =
        stated.isEmpty
        ? Array(shape.indices) : try call.axes(stated, rank: shape.count)
      var target = shape
      for axis in axes { target[axis] = 1 }
      if call.integer("keepdims", default: 1) == 0 {
        target = shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
      }
      let input = try call.input(0)
      if case .constant(let tensor) = input, !isSquared,
        let known = try reduced(name, tensor, axes: axes)
      {
        return [.constant(known.reshaped(to: target))]
      }
      guard let kind else { throw .unsupported("it multiplies numbers along an axis") }
      var value = try lowering.builder.computed(input)
      if isSquared {
        value = try lowering.builder.computed(
          lowering.builder.combined(.multiplication, .computed(value), .computed(value)))
      }
      value = try lowering.builder.activated(value, before)
      value = try lowering.builder.reduced(value, kind, axes: axes)
      value = try lowering.builder.activated(value, after)
      return [try lowering.builder.reshaped(.computed(value), to: target)]
    }
  }

  /// What arithmetic on shapes uses, at once.
  private static func reduced(
    _ name: String, _ tensor: ConstantTensor, axes: [Int]
  ) throws(LoweringFault) -> ConstantTensor? {
    let operation: Layer.Elementwise.Operation
    switch name {
    case "ReduceSum": operation = .addition
    case "ReduceProd": operation = .multiplication
    case "ReduceMax": operation = .maximum
    case "ReduceMin": operation = .minimum
    default: return nil
    }
    return try ConstantArithmetic.reduce(
      tensor, axes: axes, floats: { (x: Float, y: Float) in operation.result(x, y) },
      integers: { (x, y) in operation.result(x, y) })
  }

  private static func global(
    _ name: String, _ kind: Layer.Reduction.Kind
  ) -> ONNXOperation {
    ONNXOperation(name) { (lowering, call) throws(LoweringFault) in
      let value = try lowering.builder.computed(call.input(0))
      return [
        .computed(
          try lowering.builder.reduced(
            value, kind, axes: Array(value.shape.indices.dropFirst(2))))
      ]
    }
  }
}

internal import DiceWeights

/// Operations on two and more tensors number by number, and reductions.
extension ONNXOperations {
  static let arithmetic: [ONNXOperation] = [
    pair("Add", .addition), pair("Sub", .subtraction), pair("Mul", .multiplication),
    ONNXOperation("Div") { (lowering, call) throws(LoweringFault) in
      let isWhole = lowering.isInteger(call, 0)
      let (first, second) = (try call.input(0), try call.input(1))
      if case .constant = first, case .constant = second {
        return [try lowering.builder.combined(.division, first, second)]
      }
      return [
        isWhole
          ? try lowering.builder.truncated(lowering.builder.quotient(first, second))
          : try lowering.builder.combined(.division, first, second)
      ]
    },
    several("Min", .minimum), several("Max", .maximum), several("Sum", .addition),
    ONNXOperation("Mean") { (lowering, call) throws(LoweringFault) in
      let sum = try folded(&lowering, call, .addition)
      return [
        try lowering.builder.combined(
          .division, sum,
          .constant(ConstantTensor(shape: [], floats: [Float(call.inputs.count)])))
      ]
    },
    ONNXOperation("Pow", "numbers below 0 only to the power of one known whole number") {
      (lowering, call) throws(LoweringFault) in
      try [power(&lowering, call)]
    },
  ]

  static let reductions: [ONNXOperation] = [
    reduction("ReduceMean", .mean), reduction("ReduceMax", .maximum),
    reduction("ReduceSum", .sum), reduction("ReduceMin", .minimum),
    reduction("ReduceSumSquare", .sumOfSquares), reduction("ReduceL2", .rootOfSquares),
    reduction("ReduceL1", .absoluteSum), reduction("ReduceProd", .product),
    reduction("ReduceLogSum", .logarithmOfSum),
    reduction("ReduceLogSumExp", .logarithmOfExponentials),
    global("GlobalAveragePool", .mean), global("GlobalMaxPool", .maximum),
    place("ArgMax", isMinimum: false), place("ArgMin", isMinimum: true),
  ]

  private static func pair(
    _ name: String, _ operation: Layer.Elementwise.Operation
  ) -> ONNXOperation {
    ONNXOperation(name) { (lowering, call) throws(LoweringFault) in
      var (first, second) = (try call.input(0), try call.input(1))
      // A mask of infinite numbers.
      switch (operation, first, second) {
      case (.addition, .computed, .constant): second = try lowering.limited(second)
      case (.addition, .constant, .computed): first = try lowering.limited(first)
      default: break
      }
      return [try lowering.builder.combined(operation, first, second)]
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
    guard case .constant(let exponents) = try call.input(1),
      let exponent = exponents.floats.first, exponents.floats.allSatisfy({ $0 == exponent }),
      let shape = ConstantTensor.broadcastShape(try call.shape(0), exponents.shape)
    else {
      let logarithm = try lowering.builder.applied(
        [.logarithm(lower: .leastNormalMagnitude)], to: call.input(0))
      return try lowering.builder.applied(
        [.exponential], to: lowering.builder.product(logarithm, call.input(1)))
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
    if case .constant(let tensor) = try call.input(0), [0.5, 1, 2, 3].contains(exponent) {
      let result = try ConstantArithmetic.map(
        tensor,
        { (number) in
          switch exponent {
          case 0.5: number.squareRoot()
          case 1: number
          case 2: number * number
          default: number * number * number
          }
        }, integers: { _ in nil })
      return try lowering.builder.expanded(.constant(result), to: shape)
    }
    let value = try lowering.builder.computed(call.input(0))
    return try lowering.builder.expanded(
      lowering.builder.power(value, exponent), to: shape)
  }

  private static func reduction(
    _ name: String, _ kind: GraphBuilder.Summary
  ) -> ONNXOperation {
    ONNXOperation(name) { (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let stated = try call.integers(attribute: "axes", orInput: 1) ?? []
      if stated.isEmpty, call.integer("noop_with_empty_axes", default: 0) != 0 {
        switch kind {
        case .mean, .sum, .maximum, .minimum, .product: return [try call.input(0)]
        default: throw .unsupported("it reduces no axis")
        }
      }
      let axes =
        stated.isEmpty ? Array(shape.indices) : try call.axes(stated, rank: shape.count)
      guard axes.allSatisfy({ shape[$0] > 0 }) else {
        throw .unsupported("it reduces an empty tensor")
      }
      let result = try lowering.builder.summarized(call.input(0), kind, axes: axes)
      if call.integer("keepdims", default: 1) != 0 { return [result] }
      return [
        try lowering.builder.reshaped(
          result, to: shape.indices.filter { !axes.contains($0) }.map { shape[$0] })
      ]
    }
  }

  private static func place(_ name: String, isMinimum: Bool) -> ONNXOperation {
    .single(name, "the result is a float") { (builder, call) throws(LoweringFault) in
      var shape = try call.shape(0)
      let axis = try call.axis(call.integer("axis", default: 0), rank: shape.count)
      guard shape[axis] > 0 else { throw .invalid("It searches an empty tensor.") }
      var value = Value.computed(try builder.computed(call.input(0)))
      let isLast = call.integer("select_last_index", default: 0) != 0
      let count = shape[axis]
      if isLast {
        value = try builder.positions(value, axis: axis, indices: (0..<count).reversed())
      }
      var result = try builder.extremePlace(
        builder.computed(value), axis: axis, isMinimum: isMinimum)
      if isLast {
        result = try builder.applied([.linear(scale: -1, offset: Float(count - 1))], to: result)
      }
      if call.integer("keepdims", default: 1) != 0 { return result }
      shape.remove(at: axis)
      return try builder.reshaped(result, to: shape)
    }
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

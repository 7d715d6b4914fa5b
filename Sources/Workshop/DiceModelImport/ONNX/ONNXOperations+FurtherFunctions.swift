internal import DiceWeights

/// Functions of each number that are chains of several layers.
extension ONNXOperations {
  static let furtherFunctions: [ONNXOperation] = [
    series("Sin", "to 2e-6 for numbers below 30") { (builder, value) throws(LoweringFault) in
      .computed(try builder.sine(value))
    },
    series("Cos", "to 2e-6 for numbers below 30") { (builder, value) throws(LoweringFault) in
      .computed(try builder.cosine(value))
    },
    series("Tan", "to 2e-6 for numbers below 30, but near its poles") {
      (builder, value) throws(LoweringFault) in
      try builder.tangent(value)
    },
    series("Asin", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(try builder.arcSine(value))
    },
    series("Acos", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(
        try builder.activated(
          builder.arcSine(value), .linear(scale: -1, offset: .pi / 2)))
    },
    series("Atan", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(try builder.arcTangent(value))
    },
    series("Sinh") { (builder, value) throws(LoweringFault) in
      try builder.exponentialPair(value, factor: -1)
    },
    series("Cosh") { (builder, value) throws(LoweringFault) in
      try builder.exponentialPair(value, factor: 1)
    },
    series("Asinh", "to 1e-6") { (builder, value) throws(LoweringFault) in
      try builder.inverseHyperbolicSine(value)
    },
    series("Acosh", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(try builder.inverseHyperbolicCosine(value))
    },
    series("Atanh", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(try builder.inverseHyperbolicTangent(value))
    },
    .single("Round") { (builder, call) throws(LoweringFault) in
      try builder.rounded(call.input(0))
    },
    .single("Selu") { (builder, call) throws(LoweringFault) in
      let alpha = call.float("alpha", default: 1.673_263_2)
      let gamma = call.float("gamma", default: 1.050_701)
      return .computed(
        try builder.activated(
          builder.computed(call.input(0)),
          [.elu(alpha: alpha), .linear(scale: gamma, offset: 0)]))
    },
    .single("Celu") { (builder, call) throws(LoweringFault) in
      let alpha = call.float("alpha", default: 1)
      guard alpha != 0, alpha.isFinite, (1 / alpha).isFinite else {
        throw .invalid("Its alpha is \(alpha).")
      }
      guard alpha > 0 else { throw .unsupported("its alpha is below 0") }
      return .computed(
        try builder.activated(
          builder.computed(call.input(0)),
          [
            .linear(scale: 1 / alpha, offset: 0), .elu(alpha: 1), .linear(scale: alpha, offset: 0),
          ]))
    },
    .single("ThresholdedRelu") { (builder, call) throws(LoweringFault) in
      let alpha = call.float("alpha", default: 1)
      let input = try call.input(0)
      let isAbove = try builder.compared(
        .greater, input, .constant(ConstantTensor(shape: [], floats: [alpha])))
      return try builder.product(input, isAbove)
    },
    .single("Shrink") { (builder, call) throws(LoweringFault) in
      let (bias, bound) = (call.float("bias", default: 0), call.float("lambd", default: 0.5))
      let input = try call.input(0)
      func number(_ number: Float) -> Value {
        .constant(ConstantTensor(shape: [], floats: [number]))
      }
      let isAbove = try builder.compared(.greater, input, number(bound))
      let isBelow = try builder.compared(.less, input, number(-bound))
      let above = try builder.product(
        isAbove, builder.applied([.linear(scale: 1, offset: -bias)], to: input))
      let below = try builder.product(
        isBelow, builder.applied([.linear(scale: 1, offset: bias)], to: input))
      return try builder.combined(.addition, above, below)
    },
    .single("Hardmax", "the first of equal ones; newer than operator set 12") {
      (builder, call) throws(LoweringFault) in
      guard call.operatorSet >= 13 else { throw .unsupported("it is of an old operator set") }
      let shape = try call.shape(0)
      let axis = try call.axis(call.integer("axis", default: -1), rank: shape.count)
      let place = try builder.indexOfMaximum(builder.computed(call.input(0)), axis: axis)
      var rest = shape
      rest.remove(at: axis)
      let marks = try builder.indicators(
        builder.reshaped(.computed(place), to: rest), count: shape[axis])
      var order = Array(0..<rest.count)
      order.insert(rest.count, at: axis)
      return builder.transposed(marks, order)
    },
  ]

  private static func series(
    _ name: String, _ limits: String = "",
    _ lower:
      @escaping @Sendable (inout GraphBuilder, ComputedValue) throws(LoweringFault) -> Value
  ) -> ONNXOperation {
    .single(name, limits) { (builder, call) throws(LoweringFault) in
      try lower(&builder, builder.computed(call.input(0)))
    }
  }
}

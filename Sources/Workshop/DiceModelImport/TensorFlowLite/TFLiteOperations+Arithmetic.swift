internal import DiceWeights

/// Operations on two and more tensors number by number, and comparisons.
extension TFLiteOperations {
  static let arithmetic: [TFLiteOperation] = [
    pair(0, "ADD", .addition), pair(41, "SUB", .subtraction), pair(18, "MUL", .multiplication),
    .single(42, "DIV", "", .pointwise, activation: 0) { (builder, call) throws(LoweringFault) in
      let quotient = try builder.combined(.division, call.input(0), call.input(1))
      // Integers that are known are divided as such already.
      if case .computed = quotient, call.isInteger(0), call.resultTypes.first == .int32 {
        return try builder.truncated(quotient)
      }
      return quotient
    },
    .single(55, "MAXIMUM", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.combined(.maximum, call.input(0), call.input(1))
    },
    .single(57, "MINIMUM", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.combined(.minimum, call.input(0), call.input(1))
    },
    .single(90, "FLOOR_DIV", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.flooredQuotient(float(call.input(0)), call.input(1))
    },
    .single(95, "FLOOR_MOD", "", .pointwise) { (builder, call) throws(LoweringFault) in
      let (first, second) = (try float(call.input(0)), try call.input(1))
      let whole = try builder.flooredQuotient(first, second)
      return try builder.combined(.subtraction, first, builder.product(whole, second))
    },
    .single(99, "SQUARED_DIFFERENCE", "", .pointwise) { (builder, call) throws(LoweringFault) in
      let difference = try builder.combined(.subtraction, call.input(0), call.input(1))
      return try builder.product(difference, difference)
    },
    .single(
      78, "POW", "numbers below 0 only to the power of known small whole ones", .pointwise
    ) { (builder, call) throws(LoweringFault) in
      try power(&builder, call)
    },
    .single(156, "ATAN2", "to 2e-6", .pointwise) { (builder, call) throws(LoweringFault) in
      try angle(&builder, call.input(0), call.input(1))
    },
    .single(106, "ADD_N", "", .pointwise) { (builder, call) throws(LoweringFault) in
      var sum = try call.input(0)
      for index in call.inputs.indices.dropFirst() {
        sum = try builder.combined(.addition, sum, call.input(index))
      }
      return sum
    },
  ]

  static let comparisons: [TFLiteOperation] = [
    comparison(71, "EQUAL", .equal), comparison(72, "NOT_EQUAL", .notEqual),
    comparison(58, "LESS", .less), comparison(63, "LESS_EQUAL", .lessOrEqual),
    comparison(61, "GREATER", .greater), comparison(62, "GREATER_EQUAL", .greaterOrEqual),
    .single(84, "LOGICAL_OR", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.combined(.maximum, call.input(0), call.input(1))
    },
    .single(86, "LOGICAL_AND", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.product(call.input(0), call.input(1))
    },
    .single(64, "SELECT") { (builder, call) throws(LoweringFault) in
      var condition = try call.input(0)
      let (shape, rank) = (try call.shape(0), try call.shape(1).count)
      // A condition for each position of the first axis.
      if shape.count == 1, rank > 1 {
        condition = try builder.reshaped(
          condition, to: shape + [Int](repeating: 1, count: rank - 1))
      }
      return try builder.chosen(condition, call.input(1), call.input(2))
    },
    .single(123, "SELECT_V2") { (builder, call) throws(LoweringFault) in
      try builder.chosen(call.input(0), call.input(1), call.input(2))
    },
  ]

  private static func pair(
    _ code: Int, _ name: String, _ operation: Layer.Elementwise.Operation
  ) -> TFLiteOperation {
    .single(code, name, "", .pointwise, activation: 0) { (builder, call) throws(LoweringFault) in
      try builder.combined(operation, call.input(0), call.input(1))
    }
  }

  private static func comparison(
    _ code: Int, _ name: String, _ comparison: GraphBuilder.Comparison
  ) -> TFLiteOperation {
    .single(code, name, "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.compared(comparison, call.input(0), call.input(1))
    }
  }

  /// Known integers as numbers that may be divided.
  private static func float(_ value: Value) -> Value {
    guard case .constant(let tensor) = value else { return value }
    return .constant(ConstantTensor(shape: tensor.shape, floats: tensor.floats))
  }

  /// The angle of a point, -π to π: of the first octant, then mirrored.
  private static func angle(
    _ builder: inout GraphBuilder, _ y: Value, _ x: Value
  ) throws(LoweringFault) -> Value {
    let (height, width) = (
      try builder.applied([.absolute], to: y), try builder.applied([.absolute], to: x)
    )
    let longer = try builder.applied(
      [.clamp(lower: .leastNormalMagnitude, upper: .greatestFiniteMagnitude)],
      to: builder.combined(.maximum, height, width))
    let ratio = try builder.combined(
      .division, builder.combined(.minimum, height, width), longer)
    let octant = Value.computed(try builder.arcTangent(builder.computed(ratio)))
    let quadrant = try builder.chosen(
      builder.compared(.greater, height, width),
      builder.applied([.linear(scale: -1, offset: .pi / 2)], to: octant), octant)
    let half = try builder.chosen(
      builder.notNegative(x), quadrant,
      builder.applied([.linear(scale: -1, offset: .pi)], to: quadrant))
    let sign = try builder.applied(
      [.linear(scale: 2, offset: -1)], to: builder.notNegative(y))
    return try builder.product(half, sign)
  }

  private static func power(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let (base, exponent) = (try call.input(0), try call.input(1))
    if case .constant(let tensor) = exponent, let first = tensor.floats.first, first != 0,
      tensor.floats.allSatisfy({ $0 == first }),
      let shape = ConstantTensor.broadcastShape(base.shape ?? [], tensor.shape)
    {
      return try builder.expanded(builder.power(builder.computed(base), first), to: shape)
    }
    let logarithm = try builder.applied([.logarithm(lower: .leastNormalMagnitude)], to: base)
    return try builder.applied([.exponential], to: builder.product(logarithm, exponent))
  }
}

internal import DiceWeights

/// Operations on two and more tensors number by number, and comparisons.
extension CoreMLOperations {
  static let arithmetic: [CoreMLOperation] = [
    .single(230, "add") { (builder, call) throws(LoweringFault) in
      try several(&builder, call, .addition)
    },
    .single(231, "multiply") { (builder, call) throws(LoweringFault) in
      try several(&builder, call, .multiplication)
    },
    .single(240, "average") { (builder, call) throws(LoweringFault) in
      let sum = try folded(&builder, call, .addition)
      return try builder.applied(
        [.linear(scale: 1 / Float(max(1, call.inputs.count)), offset: 0)], to: sum)
    },
    .single(260, "max") { (builder, call) throws(LoweringFault) in
      try folded(&builder, call, .maximum)
    },
    .single(261, "min") { (builder, call) throws(LoweringFault) in
      try folded(&builder, call, .minimum)
    },
    .single(245, "scale") { (builder, call) throws(LoweringFault) in
      let parameters = call.parameters
      let scaled = try builder.product(
        call.input(0), channelConstant(parameters, shapeField: 1, field: 2))
      guard try parameters.flag(3) else { return scaled }
      return try builder.combined(
        .addition, scaled, channelConstant(parameters, shapeField: 4, field: 5))
    },
    .single(250, "bias") { (builder, call) throws(LoweringFault) in
      try builder.combined(
        .addition, call.input(0), channelConstant(call.parameters, shapeField: 1, field: 2))
    },
    .single(270, "dot") { (builder, call) throws(LoweringFault) in
      _ = (try call.shape(0, rankAtLeast: 3), try call.shape(1, rankAtLeast: 3))
      let (first, second) = (try call.input(0), try call.input(1))
      func sum(_ first: Value, _ second: Value) throws(LoweringFault) -> Value {
        let products = try builder.computed(builder.product(first, second))
        return .computed(
          try builder.reduced(products, .sum, axes: [products.shape.count - 3]))
      }
      let product = try sum(first, second)
      guard try call.parameters.flag(1) else { return product }
      let squares = try builder.product(sum(first, first), sum(second, second))
      return try builder.combined(
        .division, product, builder.applied([.squareRoot], to: squares))
    },
    pair(880, "addBroadcastable", .addition),
    pair(905, "subtractBroadcastable", .subtraction),
    pair(900, "multiplyBroadcastable", .multiplication),
    pair(890, "divideBroadcastable", .division),
    pair(875, "maxBroadcastable", .maximum),
    pair(870, "minBroadcastable", .minimum),
    .single(895, "floorDivBroadcastable") { (builder, call) throws(LoweringFault) in
      try builder.flooredQuotient(call.input(0), call.input(1))
    },
    .single(865, "modBroadcastable") { (builder, call) throws(LoweringFault) in
      let (first, second) = (try call.input(0), try call.input(1))
      let whole = try builder.flooredQuotient(first, second)
      return try builder.combined(.subtraction, first, builder.product(whole, second))
    },
    .single(
      885, "powBroadcastable",
      "numbers below 0 only to the power of known small whole ones"
    ) { (builder, call) throws(LoweringFault) in
      let (base, exponent) = (try call.input(0), try call.input(1))
      if case .constant(let tensor) = exponent, let first = tensor.floats.first,
        tensor.floats.allSatisfy({ $0 == first }),
        let shape = ConstantTensor.broadcastShape(base.shape ?? [], tensor.shape)
      {
        return try builder.expanded(builder.power(builder.computed(base), first), to: shape)
      }
      let logarithm = try builder.applied(
        [.logarithm(lower: .leastNormalMagnitude)], to: base)
      return try builder.applied([.exponential], to: builder.product(logarithm, exponent))
    },
  ]

  static let comparisons: [CoreMLOperation] = [
    comparison(815, "equal", .equal, alphaField: 1),
    comparison(820, "notEqual", .notEqual, alphaField: 1),
    comparison(825, "lessThan", .less, alphaField: 2),
    comparison(827, "lessEqual", .lessOrEqual, alphaField: 2),
    comparison(830, "greaterThan", .greater, alphaField: 2),
    comparison(832, "greaterEqual", .greaterOrEqual, alphaField: 2),
    .single(840, "logicalOr") { (builder, call) throws(LoweringFault) in
      try builder.combined(
        .maximum, builder.notZero(call.input(0)), builder.notZero(call.input(1)))
    },
    .single(845, "logicalXor") { (builder, call) throws(LoweringFault) in
      let difference = try builder.combined(
        .subtraction, builder.notZero(call.input(0)), builder.notZero(call.input(1)))
      return try builder.applied([.absolute], to: difference)
    },
    .single(850, "logicalNot") { (builder, call) throws(LoweringFault) in
      try builder.negated(builder.notZero(call.input(0)))
    },
    .single(855, "logicalAnd") { (builder, call) throws(LoweringFault) in
      try builder.product(builder.notZero(call.input(0)), builder.notZero(call.input(1)))
    },
    .single(1330, "whereBroadcastable") { (builder, call) throws(LoweringFault) in
      try builder.chosen(call.input(0), call.input(1), call.input(2))
    },
  ]

  private static func pair(
    _ field: Int, _ name: String, _ operation: Layer.Elementwise.Operation
  ) -> CoreMLOperation {
    .single(field, name) { (builder, call) throws(LoweringFault) in
      try builder.combined(operation, call.input(0), call.input(1))
    }
  }

  private static func comparison(
    _ field: Int, _ name: String, _ comparison: GraphBuilder.Comparison, alphaField: Int
  ) -> CoreMLOperation {
    .single(field, name) { (builder, call) throws(LoweringFault) in
      let second: Value
      if call.inputs.count > 1 {
        second = try call.input(1)
      } else {
        let alpha = try call.parameters.number(alphaField)
        second = .constant(ConstantTensor(shape: [], floats: [alpha]))
      }
      return try builder.compared(comparison, call.input(0), second)
    }
  }

  /// A sum or product of all operands; of a single one and the number `alpha`.
  private static func several(
    _ builder: inout GraphBuilder, _ call: CoreMLCall,
    _ operation: Layer.Elementwise.Operation
  ) throws(LoweringFault) -> Value {
    guard call.inputs.count == 1 else { return try folded(&builder, call, operation) }
    let alpha = try call.parameters.number(1)
    return try builder.combined(
      operation, call.input(0), .constant(ConstantTensor(shape: [], floats: [alpha])))
  }

  private static func folded(
    _ builder: inout GraphBuilder, _ call: CoreMLCall,
    _ operation: Layer.Elementwise.Operation
  ) throws(LoweringFault) -> Value {
    var result = try call.input(0)
    for index in call.inputs.indices.dropFirst() {
      result = try builder.combined(operation, result, call.input(index))
    }
    return result
  }

  /// Weights of the shape `[1]`, `[C]`, `[1, H, W]` or `[C, H, W]`, along the last three axes.
  private static func channelConstant(
    _ parameters: CoreMLParameters, shapeField: Int, field: Int
  ) throws(LoweringFault) -> Value {
    let shape = try parameters.sizes(shapeField)
    guard !shape.isEmpty, shape.count <= 5 else { throw .invalid("Its shape is \(shape).") }
    let numbers = try parameters.weights(field, shape: shape)
    guard !numbers.isEmpty else { throw .invalid("Its shape is \(shape).") }
    if numbers.count == 1 { return .constant(ConstantTensor(shape: [], floats: numbers)) }
    return .constant(
      ConstantTensor(shape: shape.count == 1 ? shape + [1, 1] : shape, floats: numbers))
  }
}

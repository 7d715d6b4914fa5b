internal import DiceWeights

/// Functions of each number.
extension TFLiteOperations {
  static let functions: [TFLiteOperation] = [
    simple(19, "RELU") { _ in [.relu] },
    simple(20, "RELU_N1_TO_1") { _ in [.clamp(lower: -1, upper: 1)] },
    simple(152, "RELU_0_TO_1") { _ in [.clamp(lower: 0, upper: 1)] },
    simple(21, "RELU6") { _ in [.relu6] },
    .single(98, "LEAKY_RELU", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.applied([.leakyReLU(slope: call.number(0))], to: call.input(0))
    },
    .single(54, "PRELU", "known slopes") { (builder, call) throws(LoweringFault) in
      try rectified(&builder, call)
    },
    simple(111, "ELU") { _ in [.elu(alpha: 1)] },
    simple(117, "HARD_SWISH") { _ in [.hardSwish] },
    .single(150, "GELU", "", .pointwise) { (builder, call) throws(LoweringFault) in
      let value = try builder.computed(call.input(0))
      if try call.flag(0) { return .computed(try builder.activated(value, .gelu)) }
      return try builder.exactGELU(value)
    },
    simple(14, "LOGISTIC") { _ in [.sigmoid] }, simple(28, "TANH") { _ in [.tanh] },
    simple(47, "EXP") { _ in [.exponential] },
    simple(73, "LOG", "of numbers above 0; 0 gives -87.3") { _ in
      [.logarithm(lower: .leastNormalMagnitude)]
    },
    simple(75, "SQRT", "a number below 0 gives 0") { _ in [.squareRoot] },
    simple(76, "RSQRT") { _ in [.squareRoot, .reciprocal] },
    simple(101, "ABS") { _ in [.absolute] },
    simple(59, "NEG") { _ in [.linear(scale: -1, offset: 0)] },
    simple(8, "FLOOR") { _ in [.floor] },
    simple(104, "CEIL") { _ in
      [.linear(scale: -1, offset: 0), .floor, .linear(scale: -1, offset: 0)]
    },
    .single(116, "ROUND", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.rounded(call.input(0))
    },
    .single(92, "SQUARE", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.product(call.input(0), call.input(0))
    },
    .single(158, "SIGN", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.sign(call.input(0))
    },
    .single(66, "SIN", "to 2e-6 for numbers below 30", .pointwise) {
      (builder, call) throws(LoweringFault) in
      .computed(try builder.sine(builder.computed(call.input(0))))
    },
    .single(108, "COS", "to 2e-6 for numbers below 30", .pointwise) {
      (builder, call) throws(LoweringFault) in
      .computed(try builder.cosine(builder.computed(call.input(0))))
    },
    .single(87, "LOGICAL_NOT", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.negated(call.input(0))
    },
    .single(114, "QUANTIZE", "", .pointwise) { (_, call) throws(LoweringFault) in
      try call.input(0)
    },
    .single(6, "DEQUANTIZE", "", .pointwise) { (_, call) throws(LoweringFault) in
      try call.input(0)
    },
    .single(124, "DENSIFY", "", .moving) { (_, call) throws(LoweringFault) in
      try call.input(0)
    },
    .single(80, "FAKE_QUANT", "", .pointwise) { (builder, call) throws(LoweringFault) in
      try quantized(&builder, call)
    },
    .single(53, "CAST", "", .pointwise) {
      (builder, call) throws(LoweringFault) in
      try cast(&builder, call)
    },
    .single(147, "BUCKETIZE", "1024 bounds at most") { (builder, call) throws(LoweringFault) in
      let bounds = try call.numberList(0)
      let shape = try call.shape(0)
      guard !bounds.isEmpty else { throw .invalid("It has no bounds.") }
      let isAbove = try builder.compared(
        .greaterOrEqual, builder.reshaped(call.input(0), to: shape + [1]),
        .constant(ConstantTensor(shape: [bounds.count], floats: bounds)))
      let counts = try builder.summarized(isAbove, .sum, axes: [shape.count])
      return try builder.reshaped(counts, to: shape)
    },
  ]

  /// An operation that is a chain of functions of the format.
  private static func simple(
    _ code: Int, _ name: String, _ limits: String = "",
    _ functions: @escaping @Sendable (TFLiteCall) -> [Layer.Activation]
  ) -> TFLiteOperation {
    .single(code, name, limits, .pointwise) { (builder, call) throws(LoweringFault) in
      try builder.applied(functions(call), to: call.input(0))
    }
  }

  /// `x` where it is not below 0, else a slope of its own place times `x`.
  private static func rectified(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let input = try call.input(0)
    let shape = try call.shape(0)
    guard let slopes = try call.constant(1, "slope") else {
      throw .invalid("PRELU lacks its slope.")
    }
    if let slope = slopes.scalar {
      return try builder.applied([.leakyReLU(slope: slope)], to: input)
    }
    if slopes.count == slopes.shape.last, let last = shape.last, slopes.count == last {
      return .computed(
        try builder.rectified(
          builder.computed(input), axis: shape.count - 1, slopes: slopes.floats))
    }
    let above = try builder.applied([.relu], to: input)
    let below = try builder.applied(
      [.clamp(lower: -.greatestFiniteMagnitude, upper: 0)], to: input)
    return try builder.combined(
      .addition, above, builder.product(below, .constant(slopes)))
  }

  /// The nearest number of a grid between two bounds, moved so that 0 is on it.
  private static func quantized(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let (lower, upper) = (try call.number(0), try call.number(1))
    let bits = try call.option(2)
    guard (2...16).contains(bits), lower <= 0, upper >= 0, upper > lower else {
      throw .invalid("It rounds to \(bits) bits between \(lower) and \(upper).")
    }
    let first = Float(try call.flag(3) ? 1 : 0)
    let last = Float((1 << bits) - 1)
    let scale = (upper - lower) / (last - first)
    guard scale > 0, (1 / scale).isFinite else {
      throw .invalid("It rounds to numbers between \(lower) and \(upper).")
    }
    let zero = min(max((first - lower / scale).rounded(), first), last)
    let (low, high) = ((first - zero) * scale, (last - zero) * scale)
    return try builder.applied(
      [
        .clamp(lower: low, upper: high), .linear(scale: 1 / scale, offset: 0.5 - low / scale),
        .floor, .linear(scale: scale, offset: low),
      ], to: call.input(0))
  }

  private static func cast(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let input = try call.input(0)
    let target = call.resultTypes.first ?? .float32
    if target == .bool {
      return call.types[0] == .bool ? input : try builder.notZero(input)
    }
    switch input {
    case .list, .unknown: return .unknown
    case .constant(let tensor):
      if !target.isInteger {
        return .constant(ConstantTensor(shape: tensor.shape, floats: tensor.floats))
      }
      if tensor.isInteger { return input }
      return .constant(
        ConstantTensor(shape: tensor.shape, integers: try tensor.wholeNumbers("number")))
    case .computed:
      return target.isInteger && !call.isInteger(0) ? try builder.truncated(input) : input
    }
  }
}

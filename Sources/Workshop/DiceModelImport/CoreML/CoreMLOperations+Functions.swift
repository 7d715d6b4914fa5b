internal import DiceWeights

/// Functions of each number.
extension CoreMLOperations {
  static let functions: [CoreMLOperation] = [
    .single(130, "activation") { (builder, call) throws(LoweringFault) in
      try activation(&builder, call)
    },
    .single(220, "unary", "no broken power of numbers below 0; the logarithm of 0 is -87.3") {
      (builder, call) throws(LoweringFault) in
      try unary(&builder, call)
    },
    .single(660, "clip") { (builder, call) throws(LoweringFault) in
      let (lower, upper) = (try call.parameters.number(1), try call.parameters.number(2))
      return try builder.applied(clamp(lower, upper), to: call.input(0))
    },
    .single(1460, "clampedReLU") { (builder, call) throws(LoweringFault) in
      let (slope, upper) = (try call.parameters.number(1), try call.parameters.number(2))
      return try builder.applied(
        [.leakyReLU(slope: slope)] + clamp(-.infinity, upper), to: call.input(0))
    },
    simple(665, "ceil") { _ in
      [.linear(scale: -1, offset: 0), .floor, .linear(scale: -1, offset: 0)]
    },
    simple(670, "floor") { _ in [.floor] },
    simple(685, "round", "a half is rounded up") { _ in
      [.linear(scale: 1, offset: 0.5), .floor]
    },
    .single(680, "sign") { (builder, call) throws(LoweringFault) in
      try builder.sign(call.input(0))
    },
    simple(700, "exp2") { _ in [.linear(scale: 0.693147181, offset: 0), .exponential] },
    simple(760, "tanh") { _ in [.tanh] },
    series(710, "sin", "to 2e-6 for numbers below 30") { (builder, value) throws(LoweringFault) in
      .computed(try builder.sine(value))
    },
    series(715, "cos", "to 2e-6 for numbers below 30") { (builder, value) throws(LoweringFault) in
      .computed(try builder.cosine(value))
    },
    series(720, "tan", "to 2e-6 of sine and cosine") { (builder, value) throws(LoweringFault) in
      try builder.tangent(value)
    },
    series(730, "asin", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(try builder.arcSine(value))
    },
    series(735, "acos", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(
        try builder.activated(builder.arcSine(value), .linear(scale: -1, offset: .pi / 2)))
    },
    series(740, "atan", "to 1e-6") { (builder, value) throws(LoweringFault) in
      .computed(try builder.arcTangent(value))
    },
    series(750, "sinh") { (builder, value) throws(LoweringFault) in
      try builder.exponentialPair(value, factor: -1)
    },
    series(755, "cosh") { (builder, value) throws(LoweringFault) in
      try builder.exponentialPair(value, factor: 1)
    },
    series(770, "asinh") { (builder, value) throws(LoweringFault) in
      try builder.inverseHyperbolicSine(value)
    },
    series(775, "acosh") { (builder, value) throws(LoweringFault) in
      .computed(try builder.inverseHyperbolicCosine(value))
    },
    series(780, "atanh") { (builder, value) throws(LoweringFault) in
      .computed(try builder.inverseHyperbolicTangent(value))
    },
    simple(790, "erf") { _ in [.errorFunction] },
    .single(795, "gelu") { (builder, call) throws(LoweringFault) in
      let value = try builder.computed(call.input(0))
      switch try call.parameters.integer(1) {
      case 0: return try builder.exactGELU(value)
      case 1: return .computed(try builder.activated(value, .gelu))
      default:
        let gate = try builder.activated(value, [.linear(scale: 1.702, offset: 0), .sigmoid])
        return try builder.product(.computed(value), .computed(gate))
      }
    },
  ]

  /// A layer that is a chain of functions of the format.
  private static func simple(
    _ field: Int, _ name: String, _ limits: String = "",
    _ functions: @escaping @Sendable (CoreMLCall) -> [Layer.Activation]
  ) -> CoreMLOperation {
    .single(field, name, limits) { (builder, call) throws(LoweringFault) in
      try builder.applied(functions(call), to: call.input(0))
    }
  }

  /// A layer that becomes several.
  private static func series(
    _ field: Int, _ name: String, _ limits: String = "",
    _ lower:
      @escaping @Sendable (inout GraphBuilder, ComputedValue) throws(LoweringFault) -> Value
  ) -> CoreMLOperation {
    .single(field, name, limits) { (builder, call) throws(LoweringFault) in
      let value = try builder.computed(call.input(0))
      return try lower(&builder, value)
    }
  }

  /// A limit to a range; a bound above the other one gives way to it.
  private static func clamp(_ lower: Float, _ upper: Float) -> [Layer.Activation] {
    let greatest = Float.greatestFiniteMagnitude
    let (low, high) = (max(lower, -greatest), min(upper, greatest))
    if low == 0, high == greatest { return [.relu] }
    return [.clamp(lower: min(low, high), upper: high)]
  }

  // MARK: Activations

  private static func activation(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let field = try CoreMLParameters.wire { () throws(ProtobufError) in
      try call.parameters.message.lastField { $0 >= 5 }
    }
    guard let field, let parameters = try call.parameters.parameters(field.number) else {
      throw .invalid("It has no function.")
    }
    let input = try call.input(0)
    let (alpha, beta): (Float, Float)
    switch field.number {
    // Whose parameters are weights.
    case 25, 71: (alpha, beta) = (0, 0)
    default: (alpha, beta) = (try parameters.number(1), try parameters.number(2))
    }
    switch field.number {
    case 5: return try builder.applied([.linear(scale: alpha, offset: beta)], to: input)
    case 10: return try builder.applied([.relu], to: input)
    case 15: return try builder.applied([.leakyReLU(slope: alpha)], to: input)
    case 20:
      if alpha == 0 { return try builder.applied([.relu], to: input) }
      let isKept = try builder.notNegative(
        builder.applied([.linear(scale: 1, offset: -alpha)], to: input))
      return try builder.product(input, isKept)
    case 25:
      let shape = try call.shape(0, rankAtLeast: 3)
      let slopes = try channelNumbers(parameters, 1, channels: shape[shape.count - 3])
      if slopes.count == 1 {
        return try builder.applied([.leakyReLU(slope: slopes[0])], to: input)
      }
      return .computed(
        try builder.rectified(builder.computed(input), axis: shape.count - 3, slopes: slopes))
    case 30: return try builder.applied([.tanh], to: input)
    case 31:
      return try builder.applied(
        [.linear(scale: beta, offset: 0), .tanh, .linear(scale: alpha, offset: 0)], to: input)
    case 40: return try builder.applied([.sigmoid], to: input)
    case 41: return try builder.applied([.hardSigmoid(scale: alpha, offset: beta)], to: input)
    case 50: return try builder.applied([.elu(alpha: alpha)], to: input)
    case 60:
      let divisor = try builder.applied([.absolute, .linear(scale: 1, offset: 1)], to: input)
      return try builder.combined(.division, input, divisor)
    case 70: return try builder.applied([.softplus], to: input)
    case 71:
      let shape = try call.shape(0, rankAtLeast: 3)
      var numbers: [Value] = []
      for field in [1, 2] {
        let floats = try channelNumbers(parameters, field, channels: shape[shape.count - 3])
        numbers.append(
          .constant(
            ConstantTensor(shape: floats.count == 1 ? [] : [floats.count, 1, 1], floats: floats)))
      }
      let inner = try builder.product(input, numbers[1])
      return try builder.product(builder.applied([.softplus], to: inner), numbers[0])
    default: throw .unsupported("its function \(field.number) is not known")
    }
  }

  /// Weights with one number for all channels, or one for each.
  private static func channelNumbers(
    _ parameters: CoreMLParameters, _ field: Int, channels: Int
  ) throws(LoweringFault) -> [Float] {
    do throws(LoweringFault) {
      return try parameters.weights(field, shape: [channels])
    } catch {
      return try parameters.weights(field, shape: [1])
    }
  }

  private static func unary(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let parameters = call.parameters
    let alpha = try parameters.number(2)
    let epsilon = try parameters.number(3, zeroMeans: 1e-6)
    let (shift, scale) = (try parameters.number(4), try parameters.number(5, zeroMeans: 1))
    var input = try call.input(0)
    if scale != 1 || shift != 0 {
      input = try builder.applied([.linear(scale: scale, offset: shift)], to: input)
    }
    let functions: [Layer.Activation]
    switch try parameters.integer(1) {
    case 0: functions = [.squareRoot]
    case 1: functions = [.linear(scale: 1, offset: epsilon), .squareRoot, .reciprocal]
    case 2: functions = [.linear(scale: 1, offset: epsilon), .reciprocal]
    case 3: return try builder.power(builder.computed(input), alpha)
    case 4: functions = [.exponential]
    case 5: functions = [.logarithm(lower: .leastNormalMagnitude)]
    case 6: functions = [.absolute]
    case 7: functions = clamp(alpha, .infinity)
    case let type: throw .invalid("Its type is \(type).")
    }
    return try builder.applied(functions, to: input)
  }
}

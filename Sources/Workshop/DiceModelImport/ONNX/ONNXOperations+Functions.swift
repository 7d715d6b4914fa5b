internal import DiceWeights

/// Functions of each number.
extension ONNXOperations {
  static let functions: [ONNXOperation] = [
    function("Relu") { _ in [.relu] },
    function("LeakyRelu") { (call) in
      [.leakyReLU(slope: call.float("alpha", default: 0.01))]
    },
    ONNXOperation("PRelu") {
      (lowering, call) throws(LoweringFault) in
      try [rectified(&lowering, call)]
    },
    ONNXOperation("Clip") { (lowering, call) throws(LoweringFault) in
      try [clipped(&lowering, call)]
    },
    function("Sigmoid") { _ in [.sigmoid] },
    function("HardSigmoid") { (call) in
      [
        .hardSigmoid(
          scale: call.float("alpha", default: 0.2), offset: call.float("beta", default: 0.5))
      ]
    },
    function("HardSwish") { _ in [.hardSwish] },
    function("Tanh") { _ in [.tanh] },
    function("Elu") { (call) in [.elu(alpha: call.float("alpha", default: 1))] },
    function("Softplus") { _ in [.softplus] },
    ONNXOperation("Softsign") { (lowering, call) throws(LoweringFault) in
      let value = try lowering.builder.computed(call.input(0))
      let divisor = try lowering.builder.activated(
        value, [.absolute, .linear(scale: 1, offset: 1)])
      return [try lowering.builder.combined(.division, .computed(value), .computed(divisor))]
    },
    ONNXOperation("Mish") { (lowering, call) throws(LoweringFault) in
      let value = try lowering.builder.computed(call.input(0))
      let gate = try lowering.builder.activated(value, [.softplus, .tanh])
      return [try lowering.builder.combined(.multiplication, .computed(value), .computed(gate))]
    },
    ONNXOperation("Swish") { (lowering, call) throws(LoweringFault) in
      let value = try lowering.builder.computed(call.input(0))
      let alpha = call.float("alpha", default: 1)
      let gate = try lowering.builder.activated(
        value, (alpha == 1 ? [] : [.linear(scale: alpha, offset: 0)]) + [.sigmoid])
      return [try lowering.builder.combined(.multiplication, .computed(value), .computed(gate))]
    },
    ONNXOperation("Gelu") { (lowering, call) throws(LoweringFault) in
      let value = try lowering.builder.computed(call.input(0))
      if call.text("approximate", default: "none") == "tanh" {
        return [.computed(try lowering.builder.activated(value, .gelu))]
      }
      return [try lowering.builder.exactGELU(value)]
    },
    function("Erf") { _ in [.errorFunction] },
    function("Exp") { _ in [.exponential] },
    function("Log", "of numbers above 0; 0 gives -87.3") { _ in
      [.logarithm(lower: .leastNormalMagnitude)]
    },
    function("Sqrt", "a number below 0 gives 0") { _ in [.squareRoot] },
    function("Reciprocal") { _ in [.reciprocal] },
    function("Abs") { _ in [.absolute] },
    function("Neg") { _ in [.linear(scale: -1, offset: 0)] },
    function("Floor") { _ in [.floor] },
    function("Ceil") { _ in
      [.linear(scale: -1, offset: 0), .floor, .linear(scale: -1, offset: 0)]
    },
    ONNXOperation("Softmax") { (lowering, call) throws(LoweringFault) in
      try [softmax(&lowering, call)]
    },
    ONNXOperation("LogSoftmax") { (lowering, call) throws(LoweringFault) in
      try [softmax(&lowering, call, isLogarithm: true)]
    },
    ONNXOperation("Identity") { (_, call) throws(LoweringFault) in try [call.input(0)] },
    ONNXOperation("Dropout", "not in training mode; the mask is all ones") {
      (_, call) throws(LoweringFault) in
      if let ratio = try call.scalar(1, "ratio"), ratio == 0 {
        // Nothing is dropped, whatever the mode.
      } else if let mode = try call.scalar(2, "mode"), mode != 0 {
        throw .unsupported("it is in training mode")
      }
      let value = try call.input(0)
      guard call.node.outputs.count > 1, let shape = value.shape else { return [value] }
      let count = try ConstantArithmetic.count(shape)
      return [
        value,
        .constant(ConstantTensor(shape: shape, integers: [Int](repeating: 1, count: count))),
      ]
    },
    ONNXOperation("Cast", "half precision stays as exact as it is") {
      (lowering, call) throws(LoweringFault) in
      [
        try cast(
          &lowering.builder, call.input(0), to: call.integer("to", default: 1),
          isWhole: lowering.isInteger(call, 0))
      ]
    },
    ONNXOperation("CastLike", "as Cast") { (lowering, call) throws(LoweringFault) in
      guard call.node.inputs.count > 1,
        let type = lowering.elementType(of: call.node.inputs[1])
      else { throw .unsupported("the type of its second operand is unknown") }
      return [
        try cast(
          &lowering.builder, call.input(0), to: type, isWhole: lowering.isInteger(call, 0))
      ]
    },
  ]

  /// An operation that is a chain of functions of the format.
  private static func function(
    _ name: String, _ limits: String = "",
    _ functions: @escaping @Sendable (ONNXCall) -> [Layer.Activation]
  ) -> ONNXOperation {
    ONNXOperation(name, limits) { (lowering, call) throws(LoweringFault) in
      let input = try call.input(0)
      if case .constant(let tensor) = input, let known = try folded(name, tensor) {
        return [.constant(known)]
      }
      return [try lowering.builder.applied(functions(call), to: input)]
    }
  }

  /// What arithmetic on shapes uses, at once.
  private static func folded(
    _ name: String, _ tensor: ConstantTensor
  ) throws(LoweringFault) -> ConstantTensor? {
    switch name {
    case "Neg":
      try ConstantArithmetic.map(tensor, { -$0 }, integers: { $0 == .min ? nil : -$0 })
    case "Abs":
      try ConstantArithmetic.map(tensor, abs, integers: { $0 == .min ? nil : abs($0) })
    case "Floor": try ConstantArithmetic.map(tensor, { $0.rounded(.down) }, integers: { $0 })
    case "Ceil": try ConstantArithmetic.map(tensor, { $0.rounded(.up) }, integers: { $0 })
    case "Sqrt":
      try ConstantArithmetic.map(tensor, { $0.squareRoot() }, integers: { _ in nil })
    case "Reciprocal": try ConstantArithmetic.map(tensor, { 1 / $0 }, integers: { _ in nil })
    case "Relu": try ConstantArithmetic.map(tensor, { max($0, 0) }, integers: { max($0, 0) })
    default: nil
    }
  }

  private static func rectified(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let value = try lowering.builder.computed(call.input(0))
    let shape = value.shape
    if case .constant(let slopes) = try call.input(1) {
      if let slope = slopes.scalar {
        return .computed(try lowering.builder.activated(value, .leakyReLU(slope: slope)))
      }
      let rank = shape.count
      guard slopes.shape.count <= rank else {
        throw .invalid("A slope of \(slopes.shape) for a tensor of \(shape).")
      }
      let aligned = [Int](repeating: 1, count: rank - slopes.shape.count) + slopes.shape
      if let axis = aligned.firstIndex(where: { $0 != 1 }), aligned[axis] == shape[axis],
        slopes.count == aligned[axis]
      {
        return .computed(
          try lowering.builder.rectified(value, axis: axis, slopes: slopes.floats))
      }
    }
    let above = try lowering.builder.activated(value, .relu)
    let below = try lowering.builder.combined(
      .subtraction, .computed(value), .computed(above))
    return try lowering.builder.combined(
      .addition, .computed(above), lowering.builder.product(below, call.input(1)))
  }

  private static func clipped(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let greatest = Float.greatestFiniteMagnitude
    if case .computed? = call.optional(1) { return try clippedByTensors(&lowering, call) }
    if case .computed? = call.optional(2) { return try clippedByTensors(&lowering, call) }
    var lower = call.node.attributes["min"]?.float
    if lower == nil { lower = try call.scalar(1, "min") }
    var upper = call.node.attributes["max"]?.float
    if upper == nil { upper = try call.scalar(2, "max") }
    let low = max(lower ?? -greatest, -greatest)
    let high = min(upper ?? greatest, greatest)
    let input = try call.input(0)
    if case .constant(let tensor) = input {
      return .constant(
        try ConstantArithmetic.map(
          tensor, { min(max($0, low), high) },
          integers: { (value) in
            Float(value) < low
              ? Int(exactly: low) : Float(value) > high ? Int(exactly: high) : value
          }))
    }
    let value = try lowering.builder.computed(input)
    // Where the lower bound is above, everything becomes the upper one.
    if low == 0, high == greatest {
      return .computed(try lowering.builder.activated(value, .relu))
    }
    return .computed(
      try lowering.builder.activated(
        value, .clamp(lower: min(low, high), upper: high)))
  }

  /// Bounds that depend on the network's input.
  private static func clippedByTensors(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    var value = try call.input(0)
    if let lower = call.optional(1) {
      value = try lowering.builder.combined(.maximum, value, lower)
    }
    if let upper = call.optional(2) {
      value = try lowering.builder.combined(.minimum, value, upper)
    }
    return value
  }

  private static func softmax(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, isLogarithm: Bool = false
  ) throws(LoweringFault) -> Value {
    func apply(
      _ builder: inout GraphBuilder, _ value: Value, _ axis: Int
    ) throws(LoweringFault) -> Value {
      let value = Value.computed(try builder.computed(value))
      guard isLogarithm else {
        return .computed(try builder.softmax(builder.computed(value), axis: axis))
      }
      return try builder.combined(
        .subtraction, value, builder.summarized(value, .logarithmOfExponentials, axes: [axis]))
    }
    let shape = try call.shape(0)
    let isOld = call.operatorSet < 13
    let axis = try call.axis(
      call.integer("axis", default: isOld ? 1 : -1), rank: max(1, shape.count))
    if shape.isEmpty { throw .unsupported("it normalises a single number") }
    if isOld, axis != shape.count - 1, shape[(axis + 1)...].contains(where: { $0 != 1 }) {
      // Old operators see the tensor as a matrix.
      let rows = shape[..<axis].reduce(1, *)
      let matrix = try lowering.builder.reshaped(
        call.input(0), to: [rows, shape[axis...].reduce(1, *)])
      return try lowering.builder.reshaped(
        apply(&lowering.builder, matrix, 1), to: shape)
    }
    return try apply(&lowering.builder, call.input(0), axis)
  }

  // MARK: Types of numbers

  private static func cast(
    _ builder: inout GraphBuilder, _ value: Value, to code: Int, isWhole: Bool
  ) throws(LoweringFault) -> Value {
    guard let type = ONNXTensor.ElementType(rawValue: code) else {
      throw .unsupported("it makes elements of \(ONNXTensor.ElementType.name(code))")
    }
    guard case .constant(let tensor) = value else {
      if type == .bool { return try builder.notZero(value) }
      return type.isInteger && !isWhole ? try builder.truncated(value) : value
    }
    if !type.isInteger {
      return .constant(ConstantTensor(shape: tensor.shape, floats: tensor.floats))
    }
    if type == .bool { return .constant(tensor.choices { (number) in number != 0 }) }
    if tensor.isInteger { return value }
    var integers: [Int] = []
    for number in tensor.floats {
      guard let integer = Int(exactly: number.rounded(.towardZero)) else {
        throw .invalid("It makes an integer of \(number).")
      }
      integers.append(integer)
    }
    return .constant(ConstantTensor(shape: tensor.shape, integers: integers))
  }
}

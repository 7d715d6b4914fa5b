internal import DiceWeights

/// Functions of each number, and normalisations.
extension ONNXOperations {
  static let functions: [ONNXOperation] = [
    function("Relu") { _ in [.relu] },
    function("LeakyRelu") { (call) in
      [.leakyReLU(slope: call.float("alpha", default: 0.01))]
    },
    ONNXOperation("PRelu", "a constant slope for each channel") {
      (lowering, call) throws(LoweringFault) in
      try [rectified(&lowering, call)]
    },
    ONNXOperation("Clip", "constant bounds") { (lowering, call) throws(LoweringFault) in
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
    ONNXOperation("Erf", "to 2e-7") { (lowering, call) throws(LoweringFault) in
      [
        .computed(
          try lowering.builder.errorFunction(lowering.builder.computed(call.input(0))))
      ]
    },
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
    ONNXOperation("BatchNormalization", "constant numbers; not in training mode") {
      (lowering, call) throws(LoweringFault) in
      try [normalized(&lowering, call)]
    },
    ONNXOperation("InstanceNormalization", "constant scale and bias") {
      (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      return [
        try normalized(
          &lowering, call, axes: Array(2..<max(2, shape.count)),
          numbers: [1, shape.count > 1 ? shape[1] : 1]
            + [Int](repeating: 1, count: max(0, shape.count - 2)))
      ]
    },
    ONNXOperation("LayerNormalization", "constant scale and bias") {
      (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.integer("axis", default: -1), rank: shape.count)
      return [
        try normalized(
          &lowering, call, axes: Array(axis..<shape.count), numbers: Array(shape[axis...]))
      ]
    },
    ONNXOperation("Softmax") { (lowering, call) throws(LoweringFault) in
      try [softmax(&lowering, call)]
    },
    ONNXOperation("LogSoftmax") { (lowering, call) throws(LoweringFault) in
      let result = try softmax(&lowering, call)
      return [
        .computed(
          try lowering.builder.activated(
            lowering.builder.computed(result), .logarithm(lower: .leastNormalMagnitude)))
      ]
    },
    ONNXOperation("Identity") { (_, call) throws(LoweringFault) in try [call.input(0)] },
    ONNXOperation("Dropout", "not in training mode") { (_, call) throws(LoweringFault) in
      try [call.input(0)]
    },
    ONNXOperation("Cast", "between floats, and from integers to floats") {
      (_, call) throws(LoweringFault) in
      try [cast(call)]
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
      return [
        .computed(
          try lowering.builder.activated(lowering.builder.computed(input), functions(call)))
      ]
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
    guard let slopes = try call.constant(1, "slope") else {
      throw .invalid("PRelu lacks its slope.")
    }
    let value = try lowering.builder.computed(call.input(0))
    let shape = value.shape
    if let slope = slopes.scalar {
      return .computed(try lowering.builder.activated(value, .leakyReLU(slope: slope)))
    }
    let rank = shape.count
    guard slopes.shape.count <= rank else {
      throw .invalid("A slope of \(slopes.shape) for a tensor of \(shape).")
    }
    let aligned = [Int](repeating: 1, count: rank - slopes.shape.count) + slopes.shape
    guard let axis = aligned.firstIndex(where: { $0 != 1 }), aligned[axis] == shape[axis],
      slopes.count == aligned[axis]
    else { throw .unsupported("its slopes differ along several axes") }
    return .computed(
      try lowering.builder.rectified(value, axis: axis, slopes: slopes.floats))
  }

  private static func clipped(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let greatest = Float.greatestFiniteMagnitude
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

  private static func normalized(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    guard call.integer("training_mode", default: 0) == 0 else {
      throw .unsupported("it is in training mode")
    }
    var numbers: [[Float]] = []
    for (index, name) in ["scale", "bias", "mean", "variance"].enumerated() {
      guard let tensor = try call.constant(index + 1, name) else {
        throw .invalid("BatchNormalization lacks its \(name).")
      }
      numbers.append(tensor.floats)
    }
    let value = try lowering.builder.computed(call.input(0))
    guard value.shape.count >= 2 else {
      throw .invalid("BatchNormalization of the shape \(value.shape).")
    }
    return .computed(
      try lowering.builder.normalized(
        value, axis: 1, scale: numbers[0], shift: numbers[1], mean: numbers[2],
        variance: numbers[3], epsilon: call.float("epsilon", default: 1e-5)))
  }

  /// A normalisation by the mean and the variance of the tensor itself, along some axes.
  private static func normalized(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, axes: [Int], numbers: [Int]
  ) throws(LoweringFault) -> Value {
    let value = try lowering.builder.computed(call.input(0))
    var result = try lowering.builder.standardized(
      value, axes: axes, epsilon: call.float("epsilon", default: 1e-5))
    for (index, operation) in [
      (1, Layer.Elementwise.Operation.multiplication), (2, .addition),
    ] {
      guard let tensor = try call.constant(index, "scale or bias") else { continue }
      guard tensor.count == numbers.reduce(1, *) else {
        throw .invalid("Its scale or bias has the shape \(tensor.shape).")
      }
      result = try lowering.builder.combined(
        operation, result, .constant(tensor.reshaped(to: numbers)))
    }
    return result
  }

  private static func softmax(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
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
      let result = try lowering.builder.softmax(lowering.builder.computed(matrix), axis: 1)
      return try lowering.builder.reshaped(.computed(result), to: shape)
    }
    return .computed(
      try lowering.builder.softmax(lowering.builder.computed(call.input(0)), axis: axis))
  }

  // MARK: Types of numbers

  private static func cast(_ call: ONNXCall) throws(LoweringFault) -> Value {
    let code = call.integer("to", default: 1)
    guard let type = ONNXTensor.ElementType(rawValue: code) else {
      throw .unsupported("it makes elements of \(ONNXTensor.ElementType.name(code))")
    }
    switch try call.input(0) {
    case .constant(let tensor):
      if !type.isInteger {
        return .constant(ConstantTensor(shape: tensor.shape, floats: tensor.floats))
      }
      if tensor.isInteger {
        if type != .bool { return .constant(tensor) }
        return .constant(
          try ConstantArithmetic.map(tensor, { $0 }, integers: { $0 == 0 ? 0 : 1 }))
      }
      var integers: [Int] = []
      for number in tensor.floats {
        guard let integer = Int(exactly: number.rounded(.towardZero)) else {
          throw .invalid("It makes an integer of \(number).")
        }
        integers.append(type == .bool ? (number == 0 ? 0 : 1) : integer)
      }
      return .constant(ConstantTensor(shape: tensor.shape, integers: integers))
    case let value:
      guard !type.isInteger else {
        throw .unsupported("it makes integers of numbers that depend on the network's input")
      }
      return value
    }
  }
}

internal import DiceWeights

/// Operations on integers that stand for numbers.
///
/// A quantized tensor is kept as the numbers that its integers stand for. Operations that only move numbers
/// take it as it is, those of this file know of it, and all others get its integers.
extension ONNXOperations {
  static let quantizations: [ONNXOperation] =
    [
      ONNXOperation(
        "QuantizeLinear", "one scale for the whole tensor, but for constants; a half is rounded up"
      ) {
        (lowering, call) throws(LoweringFault) in
        try quantizeLinear(&lowering, call)
      },
      ONNXOperation("DequantizeLinear", "one scale for the whole tensor, but for constants") {
        (lowering, call) throws(LoweringFault) in
        if case .constant(let tensor) = try call.input(0) {
          let isWhole = try call.constant(1, "scale")?.count == 1
          let axis =
            isWhole
            ? nil : try call.axis(call.integer("axis", default: 1), rank: tensor.shape.count)
          guard call.integer("block_size", default: 0) == 0 else {
            throw .unsupported("it quantizes in blocks")
          }
          return [
            .constant(
              try lowering.constantNumbers(call, tensor, scale: 1, zero: 2, axis: axis))
          ]
        }
        if case .computed? = call.optional(1) {
          let zero = call.optional(2) ?? .constant(ConstantTensor(shape: [], floats: [0]))
          let difference = try lowering.builder.combined(.subtraction, call.input(0), zero)
          return [try lowering.builder.combined(.multiplication, difference, call.input(1))]
        }
        return [try lowering.numbers(call, 0, scale: 1, zero: 2)]
      },
      ONNXOperation("DynamicQuantizeLinear", "a half is rounded up") {
        (lowering, call) throws(LoweringFault) in
        try dynamicallyQuantized(&lowering, call)
      },
      ONNXOperation("QLinearConv", "as Conv; a half is rounded up") {
        (lowering, call) throws(LoweringFault) in
        let weights = try weights(&lowering, call, 3, scale: 4, zero: 5, axis: 0)
        let plain = ONNXCall(
          node: call.node,
          inputs: [
            try lowering.numbers(call, 0, scale: 1, zero: 2), .constant(weights),
            try bias(call, 8, inputScale: 1, weightScale: 4),
          ], operatorSet: call.operatorSet)
        return try lowering.quantized(convolution(&lowering, plain), call, scale: 6, zero: 7)
      },
      ONNXOperation("QLinearMatMul", "a half is rounded up") {
        (lowering, call) throws(LoweringFault) in
        let first = try lowering.numbers(call, 0, scale: 1, zero: 2)
        var second: Value
        if case .constant(let tensor) = try call.input(3) {
          second = .constant(
            try weights(&lowering, call, 3, scale: 4, zero: 5, axis: tensor.shape.count - 1))
        } else {
          second = try lowering.numbers(call, 3, scale: 4, zero: 5)
        }
        return try lowering.quantized(
          lowering.builder.matrixProduct(first, second), call, scale: 6, zero: 7)
      },
      ONNXOperation("ConvInteger", "as Conv") { (lowering, call) throws(LoweringFault) in
        let weights = try integers(call, 1, zero: 3, axis: 0)
        let plain = ONNXCall(
          node: call.node, inputs: [try shifted(&lowering, call, 0, zero: 2), .constant(weights)],
          operatorSet: call.operatorSet)
        return [try convolution(&lowering, plain)]
      },
      ONNXOperation("MatMulInteger") { (lowering, call) throws(LoweringFault) in
        var second = try call.input(1)
        if case .constant(let tensor) = second {
          second = .constant(try integers(call, 1, zero: 3, axis: tensor.shape.count - 1))
        } else {
          second = try shifted(&lowering, call, 1, zero: 3)
        }
        return [
          try lowering.builder.matrixProduct(shifted(&lowering, call, 0, zero: 2), second)
        ]
      },
    ] + runtimeQuantizations

  /// Operations of the domain `com.microsoft`, which ONNX Runtime's quantizer writes.
  static let runtimeQuantizations: [ONNXOperation] = [
    pairOfIntegers("QLinearAdd", .addition), pairOfIntegers("QLinearMul", .multiplication),
    ofIntegers("QLinearSigmoid", "Sigmoid"), ofIntegers("QLinearLeakyRelu", "LeakyRelu"),
    ofIntegers("QLinearSoftmax", "Softmax"),
    ofIntegers("QLinearAveragePool", "AveragePool"),
    ofIntegers("QLinearGlobalAveragePool", "GlobalAveragePool"),
    ONNXOperation("QLinearConcat", "a half is rounded up") {
      (lowering, call) throws(LoweringFault) in
      var inputs: [Value?] = []
      for index in stride(from: 2, to: call.inputs.count - 2, by: 3) {
        inputs.append(try lowering.numbers(call, index, scale: index + 1, zero: index + 2))
      }
      let plain = ONNXCall(node: call.node, inputs: inputs, operatorSet: call.operatorSet)
      return try lowering.quantized(
        only(operation("Concat", &lowering, plain)), call, scale: 0, zero: 1)
    },
    ONNXOperation("QGemm", "as Gemm; a half is rounded up") {
      (lowering, call) throws(LoweringFault) in
      let axis = call.integer("transB", default: 0) != 0 ? 0 : 1
      let weights = try weights(&lowering, call, 3, scale: 4, zero: 5, axis: axis)
      let plain = ONNXCall(
        node: call.node,
        inputs: [
          try lowering.numbers(call, 0, scale: 1, zero: 2), .constant(weights),
          try bias(call, 6, inputScale: 1, weightScale: 4),
        ], operatorSet: call.operatorSet)
      let result = try product(&lowering, plain)
      guard call.optional(7) != nil else { return [result] }
      return try lowering.quantized(result, call, scale: 7, zero: 8)
    },
  ]

  /// The operations that take quantized tensors as they are kept.
  static let quantizationNames = Set(quantizations.map(\.name))

  /// The operations that give numbers of their first operand, in another order or shape or fewer of them;
  /// `Concat` those of all.
  static let movements: Set<String> = [
    "Reshape", "Transpose", "Flatten", "Squeeze", "Unsqueeze", "MaxPool", "Slice", "Split",
    "Gather",
    "Identity", "DepthToSpace", "SpaceToDepth", "Expand", "Tile", "GlobalMaxPool", "Concat",
    "Dropout",
  ]

  // MARK: - Parts

  private static func only(_ results: [Value]) throws(LoweringFault) -> Value {
    guard let result = results.first else { throw .invalid("It has no result.") }
    return result
  }

  /// The results of an operation of another name.
  private static func operation(
    _ name: String, _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> [Value] {
    guard let found = byName[name] else { throw .unsupported("there is no \(name)") }
    return try found.lower(&lowering, call)
  }

  /// Two quantized tensors that are combined number by number.
  private static func pairOfIntegers(
    _ name: String, _ operation: Layer.Elementwise.Operation
  ) -> ONNXOperation {
    ONNXOperation(name, "a half is rounded up") { (lowering, call) throws(LoweringFault) in
      let first = try lowering.numbers(call, 0, scale: 1, zero: 2)
      let second = try lowering.numbers(call, 3, scale: 4, zero: 5)
      return try lowering.quantized(
        lowering.builder.combined(operation, first, second), call, scale: 6, zero: 7)
    }
  }

  /// An operation of one quantized tensor that does what another does with numbers.
  private static func ofIntegers(_ name: String, _ plainName: String) -> ONNXOperation {
    ONNXOperation(name, "as \(plainName); a half is rounded up") {
      (lowering, call) throws(LoweringFault) in
      guard call.integer("channels_last", default: 0) == 0 else {
        throw .unsupported("its channels come last")
      }
      let plain = ONNXCall(
        node: call.node, inputs: [try lowering.numbers(call, 0, scale: 1, zero: 2)],
        operatorSet: call.integer("opset", default: call.operatorSet))
      return try lowering.quantized(
        only(operation(plainName, &lowering, plain)), call, scale: 3, zero: 4)
    }
  }

  /// Constant weights as the numbers that they stand for.
  private static func weights(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, _ index: Int, scale: Int, zero: Int, axis: Int
  ) throws(LoweringFault) -> ConstantTensor {
    guard let tensor = try call.constant(index, "weights") else {
      throw .invalid("\(call.node.operation) lacks its weights.")
    }
    return try lowering.constantNumbers(call, tensor, scale: scale, zero: zero, axis: axis)
  }

  /// A bias, whose integers stand for multiples of the product of two scales; nil where it is left out.
  private static func bias(
    _ call: ONNXCall, _ index: Int, inputScale: Int, weightScale: Int
  ) throws(LoweringFault) -> Value? {
    guard let tensor = try call.constant(index, "bias") else { return nil }
    guard let input = try call.scalar(inputScale, "scale"),
      let scales = try call.constant(weightScale, "scale")
    else { throw .invalid("\(call.node.operation) lacks a scale.") }
    let (floats, steps) = (tensor.floats, scales.floats)
    guard steps.count == 1 || steps.count == floats.count else {
      throw .invalid("It has \(floats.count) biases and \(steps.count) scales.")
    }
    return .constant(
      ConstantTensor(
        shape: tensor.shape,
        floats: floats.indices.map {
          floats[$0] * input * (steps.count == 1 ? steps[0] : steps[$0])
        }))
  }

  /// The integers of constant weights less their zero points.
  private static func integers(
    _ call: ONNXCall, _ index: Int, zero: Int, axis: Int
  ) throws(LoweringFault) -> ConstantTensor {
    guard let tensor = try call.constant(index, "weights") else {
      throw .invalid("\(call.node.operation) lacks its weights.")
    }
    let plain = ConstantTensor(shape: tensor.shape, floats: tensor.floats)
    guard let zeros = try call.constant(zero, "zero point") else { return plain }
    var shape: [Int] = []
    if zeros.count > 1 {
      guard tensor.shape.indices.contains(axis), zeros.count == tensor.shape[axis] else {
        throw .invalid("It has \(zeros.count) zero points.")
      }
      shape = [zeros.count] + [Int](repeating: 1, count: tensor.shape.count - 1 - axis)
    }
    return try ConstantArithmetic.combine(
      plain, ConstantTensor(shape: shape, floats: zeros.floats), { $0 - $1 },
      integers: { (_, _) in nil })
  }

  /// The integers of an operand less its zero point.
  private static func shifted(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, _ index: Int, zero: Int
  ) throws(LoweringFault) -> Value {
    var value = try call.input(index)
    if let quantization = call.quantizations[index], case .computed(let computed) = value {
      value = .computed(try lowering.builder.activated(computed, quantization.integers))
    }
    guard let point = call.optional(zero) else { return value }
    return try lowering.builder.combined(.subtraction, value, point)
  }

  private static func quantizeLinear(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> [Value] {
    let quantization = try lowering.quantization(call, scale: 1, zero: 2)
    guard case .constant(let tensor) = try call.input(0) else {
      return try lowering.quantized(call.input(0), call, scale: 1, zero: 2)
    }
    var integers: [Int] = []
    for number in tensor.floats {
      guard !number.isNaN else { throw .invalid("It quantizes what is not a number.") }
      let step =
        (number / quantization.scale).rounded(.toNearestOrEven) + quantization.zero
      integers.append(
        Int(min(max(step, quantization.range.lowerBound), quantization.range.upperBound)))
    }
    return [.constant(ConstantTensor(shape: tensor.shape, integers: integers))]
  }

  /// Unsigned bytes from the least to the greatest number of a tensor, 0 among them.
  private static func dynamicallyQuantized(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> [Value] {
    let value = try lowering.builder.computed(call.input(0))
    let axes = Array(value.shape.indices)
    let negated = try lowering.builder.activated(value, .linear(scale: -1, offset: 0))
    func greatest(_ value: ComputedValue) throws(LoweringFault) -> Value {
      let found = try lowering.builder.reduced(value, .maximum, axes: axes)
      return try lowering.builder.reshaped(
        .computed(lowering.builder.activated(found, .relu)), to: [])
    }
    let (above, below) = (try greatest(value), try greatest(negated))
    let sum = try lowering.builder.combined(.addition, above, below)
    // All zeros have the scale 0, which nothing can be divided by.
    let scale = Value.computed(
      try lowering.builder.activated(
        lowering.builder.computed(sum),
        [
          .linear(scale: 1 / 255, offset: 0),
          .clamp(lower: .leastNormalMagnitude, upper: .greatestFiniteMagnitude),
        ]))
    func rounded(_ value: Value) throws(LoweringFault) -> Value {
      .computed(
        try lowering.builder.activated(
          lowering.builder.computed(value),
          [.linear(scale: 1, offset: 0.5), .floor, .clamp(lower: 0, upper: 255)]))
    }
    let zero = try rounded(lowering.builder.combined(.division, below, scale))
    let steps = try lowering.builder.combined(.division, .computed(value), scale)
    let integers = try rounded(lowering.builder.combined(.addition, steps, zero))
    return [integers, scale, zero]
  }
}

internal import DiceWeights

/// Normalisations by numbers that are known, or by those of the tensor itself.
extension ONNXOperations {
  static let normalizations: [ONNXOperation] = [
    ONNXOperation("BatchNormalization", "one result") {
      (lowering, call) throws(LoweringFault) in
      try [batchNormalized(&lowering.builder, call)]
    },
    .single("InstanceNormalization") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      guard shape.count > 2 else { throw .invalid("It normalises a tensor of \(shape).") }
      let result = try builder.standardized(
        call.input(0), axes: Array(2..<shape.count), epsilon: epsilon(call))
      return try scaled(
        &builder, call, result,
        to: [1, shape[1]] + [Int](repeating: 1, count: shape.count - 2))
    },
    ONNXOperation("LayerNormalization") { (lowering, call) throws(LoweringFault) in
      try layerNormalized(&lowering.builder, call)
    },
    .single("GroupNormalization") { (builder, call) throws(LoweringFault) in
      try groupNormalized(&builder, call)
    },
    .single("RMSNormalization") { (builder, call) throws(LoweringFault) in
      let value = try builder.computed(call.input(0))
      let rank = value.shape.count
      let axis = try call.axis(call.integer("axis", default: -1), rank: rank)
      let squares = try builder.computed(
        builder.product(.computed(value), .computed(value)))
      let mean = try builder.reduced(squares, .mean, axes: Array(axis..<rank))
      let root = try builder.activated(
        mean, [.linear(scale: 1, offset: epsilon(call)), .squareRoot])
      let result = try builder.combined(.division, .computed(value), .computed(root))
      return try builder.product(result, call.input(1))
    },
    .single("LpNormalization", "of the first and second order") {
      (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.integer("axis", default: -1), rank: shape.count)
      let order = call.integer("p", default: 2)
      guard order == 1 || order == 2 else { throw .unsupported("its order is \(order)") }
      let length = try builder.summarized(
        call.input(0), order == 1 ? .absoluteSum : .rootOfSquares, axes: [axis])
      // Zeros stay zeros.
      let divisor = try builder.applied(
        [.clamp(lower: .leastNormalMagnitude, upper: .greatestFiniteMagnitude)], to: length)
      return try builder.combined(.division, call.input(0), divisor)
    },
    .single("MeanVarianceNormalization") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let stated = call.node.attributes["axes"]?.integers ?? [0, 2, 3]
      return try builder.standardized(
        call.input(0), axes: call.axes(stated, rank: rank), epsilon: 1e-18)
    },
    .single("LRN", "batch 1") { (builder, call) throws(LoweringFault) in
      try locallyNormalized(&builder, call)
    },
  ]

  private static func epsilon(_ call: ONNXCall) -> Float { call.float("epsilon", default: 1e-5) }

  private static let scaleAndBias: [(Int, Layer.Elementwise.Operation)] = [
    (1, .multiplication), (2, .addition),
  ]

  /// A tensor times a scale plus a bias, the operands 1 and 2, each seen in a shape.
  private static func scaled(
    _ builder: inout GraphBuilder, _ call: ONNXCall, _ value: Value, to shape: [Int]
  ) throws(LoweringFault) -> Value {
    var value = value
    for (index, operation) in scaleAndBias {
      guard let numbers = call.optional(index) else { continue }
      guard let own = numbers.shape, own.reduce(1, *) == shape.reduce(1, *) else {
        throw .invalid("Its scale or bias has the shape \(numbers.shape ?? []).")
      }
      value = try builder.combined(operation, value, builder.reshaped(numbers, to: shape))
    }
    return value
  }

  private static func batchNormalized(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard shape.count >= 2 else { throw .invalid("BatchNormalization of the shape \(shape).") }
    let channels = [1, shape[1]] + [Int](repeating: 1, count: shape.count - 2)
    if call.integer("training_mode", default: 0) != 0 {
      return try scaled(
        &builder, call,
        builder.standardized(
          call.input(0), axes: shape.indices.filter { $0 != 1 }, epsilon: epsilon(call)),
        to: channels)
    }
    var numbers: [[Float]] = []
    for index in 1...4 {
      if case .constant(let tensor) = try call.input(index) { numbers.append(tensor.floats) }
    }
    if numbers.count == 4, case .computed(let value) = try call.input(0) {
      return .computed(
        try builder.normalized(
          value, axis: 1, scale: numbers[0], shift: numbers[1], mean: numbers[2],
          variance: numbers[3], epsilon: epsilon(call)))
    }
    func operand(_ index: Int) throws(LoweringFault) -> Value {
      guard let own = try call.input(index).shape, own.reduce(1, *) == shape[1] else {
        throw .invalid("It has other numbers than \(shape[1]).")
      }
      return try builder.reshaped(call.input(index), to: channels)
    }
    let centred = try builder.combined(.subtraction, call.input(0), operand(3))
    let root = try builder.applied(
      [.linear(scale: 1, offset: epsilon(call)), .squareRoot], to: operand(4))
    return try scaled(
      &builder, call, builder.combined(.division, centred, root), to: channels)
  }

  private static func layerNormalized(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> [Value] {
    let value = try builder.computed(call.input(0))
    let shape = value.shape
    let axis = try call.axis(call.integer("axis", default: -1), rank: shape.count)
    let axes = Array(axis..<shape.count)
    var result = try builder.standardized(.computed(value), axes: axes, epsilon: epsilon(call))
    for (index, operation) in scaleAndBias {
      guard let numbers = call.optional(index), let own = numbers.shape else { continue }
      let whole = Array(shape[axis...])
      let target = own.reduce(1, *) == whole.reduce(1, *) ? whole : own
      guard ConstantTensor.broadcastShape(shape, target) == shape else {
        throw .invalid("Its scale or bias has the shape \(own).")
      }
      result = try builder.combined(operation, result, builder.reshaped(numbers, to: target))
    }
    guard call.node.outputs.count > 1 else { return [result] }
    let mean = try builder.reduced(value, .mean, axes: axes)
    let centred = try builder.combined(.subtraction, .computed(value), .computed(mean))
    let squares = try builder.computed(builder.product(centred, centred))
    let variance = try builder.reduced(squares, .mean, axes: axes)
    let inverse = try builder.activated(
      variance, [.linear(scale: 1, offset: epsilon(call)), .squareRoot, .reciprocal])
    return [result, .computed(mean), .computed(inverse)]
  }

  private static func groupNormalized(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let count = call.integer("num_groups", default: 0)
    guard shape.count > 2, count > 0, shape[1] % count == 0, !shape.contains(0) else {
      throw .invalid("It makes \(count) groups of a tensor of \(shape).")
    }
    let groups = [shape[0], count, shape[1] / count * shape[2...].reduce(1, *)]
    var result = try builder.standardized(
      builder.reshaped(call.input(0), to: groups), axes: [2],
      epsilon: epsilon(call))
    // Before operator set 21 there is a scale for each group.
    if call.operatorSet < 21, try call.shape(1) == [count], count != shape[1] {
      result = try scaled(&builder, call, result, to: [1, count, 1])
      return try builder.reshaped(result, to: shape)
    }
    return try scaled(
      &builder, call, builder.reshaped(result, to: shape),
      to: [1, shape[1]] + [Int](repeating: 1, count: shape.count - 2))
  }

  /// Each number over a power of the mean square of its neighbours in the channels.
  private static func locallyNormalized(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let size = call.integer("size", default: 0)
    guard shape.count >= 2, shape[0] == 1 else { throw .unsupported("it has a batch") }
    guard WeightFormat.poolingSizes.contains(size) else {
      throw .invalid("It takes \(size) neighbours.")
    }
    let input = try call.input(0)
    // Channels as rows of a map.
    let rows = try builder.reshaped(
      builder.product(input, input), to: [1, shape[1], shape[2...].reduce(1, *)])
    let means = try builder.pooled(
      builder.computed(rows), MapAxes(rows: 1, columns: nil, channels: 2), .averageWithPadding,
      window: Layer.Window(
        height: size, width: 1, padding: Layer.Edges(top: (size - 1) / 2, bottom: size / 2)))
    let base = try builder.activated(
      means,
      .linear(scale: call.float("alpha", default: 1e-4), offset: call.float("bias", default: 1)))
    let divisor = try builder.power(base, call.float("beta", default: 0.75))
    return try builder.combined(.division, input, builder.reshaped(divisor, to: shape))
  }
}

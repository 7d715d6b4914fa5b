internal import DiceWeights

/// Normalisations.
extension CoreMLOperations {
  static let normalizations: [CoreMLOperation] = [
    .single(160, "batchnorm") { (builder, call) throws(LoweringFault) in
      try batchNormalization(&builder, call)
    },
    .single(165, "mvn") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 3)
      let axes = Array(shape.indices.suffix(try call.parameters.flag(1) ? 3 : 2))
      let value = try builder.computed(call.input(0))
      guard try call.parameters.flag(2) else {
        let mean = try builder.reduced(value, .mean, axes: axes)
        return try builder.combined(.subtraction, .computed(value), .computed(mean))
      }
      return try builder.standardized(
        .computed(value), axes: axes, epsilon: call.parameters.number(3, zeroMeans: 1e-6))
    },
    .single(170, "l2normalize") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 3)
      let value = try builder.computed(call.input(0))
      let squares = try builder.computed(builder.product(.computed(value), .computed(value)))
      let sum = try builder.reduced(squares, .sum, axes: Array(shape.indices.suffix(3)))
      let epsilon = try call.parameters.number(1, zeroMeans: 1e-6)
      let root = try builder.activated(sum, [.linear(scale: 1, offset: epsilon), .squareRoot])
      return try builder.combined(.division, .computed(value), .computed(root))
    },
    .single(175, "softmax") { (builder, call) throws(LoweringFault) in
      // Channels are the last axis of a vector, and of one for each position of a sequence.
      let rank = try call.shape(0, rankAtLeast: 1).count
      return .computed(
        try builder.softmax(
          builder.computed(call.input(0)), axis: rank < 3 ? rank - 1 : rank - 3))
    },
    .single(950, "softmaxND") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 1)
      let axis = try call.axis(call.parameters.integer(1), rank: shape.count)
      return .computed(try builder.softmax(builder.computed(call.input(0)), axis: axis))
    },
    .single(180, "lrn") { (builder, call) throws(LoweringFault) in
      try localNormalization(&builder, call)
    },
    .single(1350, "layerNormalization") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let normalized = try call.parameters.sizes(1)
      guard !normalized.isEmpty, normalized.count <= shape.count,
        normalized == Array(shape.suffix(normalized.count))
      else { throw .invalid("It normalises \(normalized) of \(shape).") }
      let value = try builder.computed(call.input(0))
      var result = try builder.standardized(
        .computed(value), axes: Array(shape.indices.suffix(normalized.count)),
        epsilon: call.parameters.number(2))
      for (field, operation) in [
        (3, Layer.Elementwise.Operation.multiplication), (4, .addition),
      ] {
        guard try call.parameters.parameters(field) != nil else { continue }
        let numbers = try call.parameters.weights(field, shape: normalized)
        result = try builder.combined(
          operation, result, .constant(ConstantTensor(shape: normalized, floats: numbers)))
      }
      return result
    },
  ]

  private static func batchNormalization(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 3)
    let parameters = call.parameters
    let channels = try parameters.integer(1)
    guard channels == shape[shape.count - 3] else {
      throw .invalid("It has \(channels) channels for an input of \(shape).")
    }
    let epsilon = try parameters.number(10, zeroMeans: 1e-5)
    let scale = try parameters.weights(15, shape: [channels])
    let shift = try parameters.weights(16, shape: [channels])
    let value = try builder.computed(call.input(0))
    guard try parameters.flag(5) else {
      return .computed(
        try builder.normalized(
          value, axis: shape.count - 3, scale: scale, shift: shift,
          mean: parameters.weights(17, shape: [channels]),
          variance: parameters.weights(18, shape: [channels]), epsilon: epsilon))
    }
    // By the input's own mean and variance: of each tensor of a batch, or of the whole batch.
    let isByInstance = try parameters.flag(6)
    let axes = shape.indices.filter { (axis) in
      axis >= shape.count - 2 || !isByInstance && axis < shape.count - 3
    }
    var result = try builder.standardized(.computed(value), axes: axes, epsilon: epsilon)
    for (numbers, operation) in [
      (scale, Layer.Elementwise.Operation.multiplication), (shift, .addition),
    ] {
      result = try builder.combined(
        operation, result,
        .constant(ConstantTensor(shape: [channels, 1, 1], floats: numbers)))
    }
    return result
  }

  /// Each number over a power of a constant and the mean of the squares of its neighbours in other
  /// channels.
  private static func localNormalization(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 3)
    let parameters = call.parameters
    let (alpha, beta) = (try parameters.number(1), try parameters.number(2))
    let size = try parameters.integer(3)
    let constant = try parameters.number(4, zeroMeans: 1)
    guard (1...(1 << 20)).contains(size) else { throw .invalid("Its window has \(size) channels.") }
    let input = try call.input(0)
    // Channels as rows of a map: [.., C, H * W].
    let area = shape.suffix(2).reduce(1, *)
    let leading = Array(shape.dropLast(3))
    guard leading.allSatisfy({ $0 == 1 }) else { throw .unsupported("it has a batch") }
    let rows = try builder.reshaped(
      builder.product(input, input), to: [1, shape[shape.count - 3], area])
    // A window is never larger than all channels on both sides.
    let reach = min((size - 1) / 2, shape[shape.count - 3] - 1)
    let behind = min(size - 1 - (size - 1) / 2, shape[shape.count - 3] - 1)
    let count = reach + behind + 1
    let means = try builder.pooled(
      builder.computed(rows), MapAxes(rows: 1, columns: nil, channels: 2), .averageWithPadding,
      window: Layer.Window(
        height: count, width: 1, padding: Layer.Edges(top: reach, bottom: behind)))
    let base = try builder.activated(
      means, .linear(scale: alpha * Float(count) / Float(size), offset: constant))
    let divisor = try builder.reshaped(
      builder.power(base, beta), to: shape)
    return try builder.combined(.division, input, divisor)
  }
}

internal import DiceWeights

/// Convolutions and pooling.
extension TFLiteOperations {
  static let windows: [TFLiteOperation] = [
    TFLiteOperation(3, "CONV_2D", "batch 1; known weights", .pieces, activation: 3) {
      (lowering, call, operation) throws(LoweringFault) in
      [try convolution(&lowering, call, operation)]
    },
    TFLiteOperation(4, "DEPTHWISE_CONV_2D", "batch 1; known weights", .pieces, activation: 4) {
      (lowering, call, operation) throws(LoweringFault) in
      [try depthwise(&lowering, call, operation)]
    },
    TFLiteOperation(67, "TRANSPOSE_CONV", "batch 1; known weights", activation: 3) {
      (lowering, call, operation) throws(LoweringFault) in
      let size = try call.integers(0, "size")
      guard size.count == 4 else { throw .invalid("Its output has the shape \(size).") }
      return [
        try transposedConvolution(
          &lowering, call, operation, value: 2, weights: 1, bias: 3, size: Array(size[1..<3]),
          strides: [try call.option(2), try call.option(1)], padding: try call.choice(0))
      ]
    },
    .single(1, "AVERAGE_POOL_2D", "batch 1", activation: 5) {
      (builder, call) throws(LoweringFault) in
      .computed(try pooled(&builder, call, builder.computed(call.input(0)), .average))
    },
    .single(17, "MAX_POOL_2D", "batch 1", .moving, activation: 5) {
      (builder, call) throws(LoweringFault) in
      .computed(try pooled(&builder, call, builder.computed(call.input(0)), .maximum))
    },
    .single(12, "L2_POOL_2D", "batch 1", activation: 5) { (builder, call) throws(LoweringFault) in
      let squares = try builder.computed(builder.product(call.input(0), call.input(0)))
      return .computed(
        try builder.activated(pooled(&builder, call, squares, .average), .squareRoot))
    },
  ]

  // MARK: Windows

  /// Refuses what no window of the weight format has, so that sums cannot overflow.
  private static func check(_ numbers: [Int]) throws(LoweringFault) {
    for number in numbers where !(1...(1 << 20)).contains(number) {
      throw .invalid("Its window has the number \(number).")
    }
  }

  /// A window that moves over maps.
  ///
  /// - Parameters:
  ///   - padding: 0 pads so that there is a window for each stride, the odd row below; 1 does not pad.
  ///   - block: Rows and columns from one number of a piece to the next.
  private static func window(
    kernel: [Int], strides: [Int], dilations: [Int], padding: Int, extents: [Int],
    block: [Int] = [1, 1]
  ) throws(LoweringFault) -> Layer.Window {
    try check(kernel + strides + dilations + block)
    var before = [0, 0]
    var after = [0, 0]
    switch padding {
    case 0:
      for axis in 0..<2 {
        let extent = extents[axis] / block[axis]
        let count = (extent + strides[axis] - 1) / strides[axis]
        let span = (kernel[axis] - 1) * dilations[axis] + 1
        let total = max(0, (count - 1) * strides[axis] + span - extent)
        before[axis] = total / 2 * block[axis]
        after[axis] = (total - total / 2) * block[axis]
      }
    case 1: break
    default: throw .invalid("Its padding is \(padding).")
    }
    return Layer.Window(
      height: kernel[0], width: kernel[1], strideY: strides[0], strideX: strides[1],
      dilationY: dilations[0] * block[0], dilationX: dilations[1] * block[1],
      padding: Layer.Edges(top: before[0], left: before[1], bottom: after[0], right: after[1]))
  }

  /// The pieces that the maps of an operation are cut into; windows over them must not skip any.
  private static func block(
    _ lowering: inout TFLiteLowering, _ operation: TFLiteFile.Operation, strides: [Int]
  ) throws(LoweringFault) -> [Int] {
    guard let counts = operation.inputs.first.flatMap({ lowering.pieces[$0] }) else {
      return [1, 1]
    }
    guard strides == [1, 1] else {
      throw .unsupported("it moves by more than 1 over maps that are cut into pieces")
    }
    for number in operation.outputs { lowering.cut(number, into: counts) }
    return counts
  }

  private static func weights(
    _ call: TFLiteCall, _ index: Int, rank: Int = 4
  ) throws(LoweringFault) -> ConstantTensor {
    guard let weights = try call.constant(index, "kernel") else {
      throw .invalid("\(call.kind) lacks its kernel.")
    }
    guard weights.shape.count == rank, !weights.shape.contains(0) else {
      throw .invalid("Its kernel has the shape \(weights.shape).")
    }
    return weights
  }

  /// The shape of what a convolution reads, its kernel and its window.
  ///
  /// - Parameter firstDilation: the option that is the dilation of columns; that of rows follows it.
  private static func convolved(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, _ operation: TFLiteFile.Operation,
    firstDilation: Int
  ) throws(LoweringFault) -> (shape: [Int], weights: ConstantTensor, window: Layer.Window) {
    let shape = try call.mapShape(0)
    let weights = try weights(call, 1)
    let strides = [try call.option(2), try call.option(1)]
    let dilations = [
      try call.option(firstDilation + 1, default: 1), try call.option(firstDilation, default: 1),
    ]
    let window = try window(
      kernel: Array(weights.shape[1..<3]), strides: strides, dilations: dilations,
      padding: try call.choice(0), extents: Array(shape[1..<3]),
      block: try block(&lowering, operation, strides: strides))
    return (shape, weights, window)
  }

  private static func convolution(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> Value {
    let (shape, weights, window) = try convolved(&lowering, call, operation, firstDilation: 4)
    guard shape[3] % weights.shape[3] == 0 else {
      throw .invalid("Its kernel has the shape \(weights.shape), its operand \(shape).")
    }
    let input = try lowering.roundedInput(
      operation, call.input(0), value: 0, weights: 1, .picture, isSymmetric: true)
    // [O, KH, KW, I / G] to [KH, KW, I / G, O]
    return .computed(
      try lowering.builder.convolution(
        lowering.builder.computed(input), .channelsLast(rank: 4),
        weights: weights.transposed([1, 2, 3, 0]).floats,
        bias: call.bias(2, count: weights.shape[0]),
        outputChannels: weights.shape[0], window: window, groups: shape[3] / weights.shape[3]))
  }

  private static func depthwise(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> Value {
    // [1, KH, KW, O], the results of a channel side by side: as the layer has them.
    let (shape, weights, window) = try convolved(&lowering, call, operation, firstDilation: 5)
    guard weights.shape[0] == 1 else {
      throw .invalid("Its kernel has the shape \(weights.shape).")
    }
    let input = try lowering.roundedInput(
      operation, call.input(0), value: 0, weights: 1, .picture)
    return .computed(
      try lowering.builder.convolution(
        lowering.builder.computed(input), .channelsLast(rank: 4),
        weights: weights.floats,
        bias: call.bias(2, count: weights.shape[3]),
        outputChannels: weights.shape[3], window: window, groups: shape[3]))
  }

  /// A transposed convolution, its operands by their places.
  ///
  /// - Parameter size: Rows and columns of the result; nil for what follows from the padding.
  static func transposedConvolution(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, _ operation: TFLiteFile.Operation,
    value: Int, weights: Int, bias: Int, size: [Int]?, strides: [Int], padding: Int
  ) throws(LoweringFault) -> Value {
    let shape = try call.mapShape(value)
    let place = weights
    let weights = try Self.weights(call, weights)
    let kernel = Array(weights.shape[1..<3])
    try check(kernel + strides)
    guard (0...1).contains(padding) else { throw .invalid("Its padding is \(padding).") }
    var before = [0, 0]
    var after = [0, 0]
    var extra = [0, 0]
    for axis in 0..<2 {
      let whole = (shape[axis + 1] - 1) * strides[axis] + kernel[axis]
      let target = size?[axis] ?? (padding == 0 ? shape[axis + 1] * strides[axis] : whole)
      guard (1...(1 << 24)).contains(target) else {
        throw .invalid("Its output has \(target) rows.")
      }
      // As the convolution back would pad its input.
      let span = kernel[axis]
      let count =
        padding == 0
        ? (target + strides[axis] - 1) / strides[axis]
        : (target + strides[axis] - span) / strides[axis]
      before[axis] = max(0, (count - 1) * strides[axis] + span - target) / 2
      after[axis] = max(0, whole - before[axis] - target)
      extra[axis] = max(0, target - (whole - before[axis]))
    }
    let window = Layer.Window(
      height: kernel[0], width: kernel[1], strideY: strides[0], strideX: strides[1],
      padding: Layer.Edges(top: before[0], left: before[1], bottom: after[0], right: after[1]))
    guard weights.shape[3] == shape[3] else {
      throw .invalid("Its kernel has the shape \(weights.shape), its operand \(shape).")
    }
    let input = try lowering.roundedInput(
      operation, call.input(value), value: value, weights: place, .picture)
    // [O, KH, KW, I] to [KH, KW, I, O]
    return .computed(
      try lowering.builder.transposedConvolution(
        lowering.builder.computed(input), .channelsLast(rank: 4),
        weights: weights.transposed([1, 2, 3, 0]).floats,
        bias: call.bias(bias, count: weights.shape[0]),
        outputChannels: weights.shape[0],
        window: window, groups: 1, extraRows: extra[0], extraColumns: extra[1]))
  }

  private static func pooled(
    _ builder: inout GraphBuilder, _ call: TFLiteCall, _ value: ComputedValue,
    _ kind: Layer.Pooling.Kind
  ) throws(LoweringFault) -> ComputedValue {
    let shape = try call.mapShape(0)
    let window = try window(
      kernel: [try call.option(4), try call.option(3)],
      strides: [try call.option(2), try call.option(1)], dilations: [1, 1],
      padding: try call.choice(0), extents: Array(shape[1..<3]))
    return try builder.pooled(value, .channelsLast(rank: 4), kind, window: window)
  }
}

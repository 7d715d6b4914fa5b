internal import DiceWeights

/// Convolutions, pooling, padding, cropping and resizing, and products with constant matrices.
extension CoreMLOperations {
  static let windows: [CoreMLOperation] = [
    .single(100, "convolution", "batch 1; known weights") {
      (builder, call) throws(LoweringFault) in
      try call.parameters.flag(60)
        ? transposedConvolution(&builder, call) : convolution(&builder, call)
    },
    .single(120, "pooling", "batch 1") { (builder, call) throws(LoweringFault) in
      try pooling(&builder, call)
    },
    CoreMLOperation(140, "innerProduct") { (lowering, call) throws(LoweringFault) in
      if try call.parameters.flag(22) { lowering.note(dynamicNote) }
      return [try innerProduct(&lowering.builder, call)]
    },
    CoreMLOperation(1045, "batchedMatmul") {
      (lowering, call) throws(LoweringFault) in
      if try call.parameters.flag(10) { lowering.note(dynamicNote) }
      return [try matrixProduct(&lowering.builder, call)]
    },
    .single(150, "embedding", "small ones") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 4)
      guard shape.suffix(3).allSatisfy({ $0 == 1 }) else {
        throw .invalid("It looks up numbers of the shape \(shape).")
      }
      let rows = try builder.reshaped(call.input(0), to: Array(shape.dropLast(3)))
      let found = try embedding(&builder, call, rows, countField: 1, sizeField: 2, biasField: 10)
      return try builder.reshaped(found, to: (found.shape ?? []) + [1, 1])
    },
    .single(1040, "embeddingND", "small ones") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 2)
      guard shape.last == 1 else {
        throw .invalid("It looks up numbers of the shape \(shape).")
      }
      let rows = try builder.reshaped(call.input(0), to: Array(shape.dropLast()))
      return try embedding(&builder, call, rows, countField: 1, sizeField: 2, biasField: 3)
    },
    .single(190, "crop") { (builder, call) throws(LoweringFault) in try crop(&builder, call) },
    .single(200, "padding") { (builder, call) throws(LoweringFault) in
      try padding(&builder, call)
    },
    .single(210, "upsample") { (builder, call) throws(LoweringFault) in
      try upsampling(&builder, call)
    },
    .single(211, "resizeBilinear") { (builder, call) throws(LoweringFault) in
      try resizing(&builder, call)
    },
  ]

  private static let dynamicNote =
    "Products of 8-bit integers are computed in floating point; the numbers that enter are not rounded."

  // MARK: Windows

  /// Kernel, stride, dilation and padding of a layer, of rows and columns.
  struct WindowParts {
    var kernel: [Int]
    var strides: [Int]
    var dilations = [1, 1]
    var before = [0, 0]
    var after = [0, 0]

    func span(_ axis: Int) -> Int { (kernel[axis] - 1) * dilations[axis] + 1 }

    var window: Layer.Window {
      Layer.Window(
        height: kernel[0], width: kernel[1], strideY: strides[0], strideX: strides[1],
        dilationY: dilations[0], dilationX: dilations[1],
        padding: Layer.Edges(top: before[0], left: before[1], bottom: after[0], right: after[1]))
    }

    /// Divides a padding between both ends, as a message `SamePadding` says.
    mutating func divide(
      _ total: Int, axis: Int, _ same: CoreMLParameters?
    ) throws(LoweringFault) {
      let isTopHeavy = try same?.integer(1) == 1
      before[axis] = isTopHeavy ? total - total / 2 : total / 2
      after[axis] = total - before[axis]
    }

    /// Padding so that there is a window for each stride of the extents: a message `SamePadding`.
    mutating func padToStrides(
      _ extents: [Int], _ same: CoreMLParameters
    ) throws(LoweringFault) {
      for axis in 0..<2 {
        let count = (extents[axis] + strides[axis] - 1) / strides[axis]
        try divide(
          max(0, (count - 1) * strides[axis] + span(axis) - extents[axis]), axis: axis, same)
      }
    }
  }

  /// Reads a message `BorderAmounts`: what lies at both ends of rows and of columns.
  static func borders(
    _ parameters: CoreMLParameters?
  ) throws(LoweringFault) -> (before: [Int], after: [Int]) {
    guard let parameters else { return ([0, 0], [0, 0]) }
    let edges = try CoreMLParameters.wire { () throws(ProtobufError) in
      try parameters.message.messages(10, limit: 2)
    }
    guard let edges, edges.isEmpty || edges.count == 2 else {
      throw .invalid("It has border amounts for other axes than rows and columns.")
    }
    var before = [0, 0]
    var after = [0, 0]
    for (axis, edge) in edges.enumerated() {
      let edge = CoreMLParameters(edge)
      (before[axis], after[axis]) = (try edge.integer(1), try edge.integer(2))
      for amount in [before[axis], after[axis]] where !(0...(1 << 24)).contains(amount) {
        throw .invalid("It has the border amount \(UInt(bitPattern: amount)).")
      }
    }
    return (before, after)
  }

  private static func convolution(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 3)
    let parameters = call.parameters
    var parts = WindowParts(
      kernel: try parameters.pair(20, default: 3), strides: try parameters.pair(30, default: 1),
      dilations: try parameters.pair(40, default: 1))
    try check(parts)
    let extents = Array(shape.suffix(2))
    if let same = try parameters.parameters(51) {
      try parts.padToStrides(extents, same)
    } else {
      (parts.before, parts.after) = try borders(parameters.parameters(50)?.parameters(1))
    }
    let groups = try parameters.integer(10, zeroMeans: 1)
    let outputs = try parameters.integer(1)
    let kernelChannels = try parameters.integer(2)
    let weightShape = [outputs, kernelChannels] + parts.kernel
    let weights: [Float]
    if let tensor = try call.constant(1, "kernel") {
      guard tensor.shape == weightShape else {
        throw .invalid("Its kernel has the shape \(tensor.shape), not \(weightShape).")
      }
      weights = tensor.floats
    } else {
      weights = try parameters.weights(90, shape: weightShape)
    }
    guard groups > 0, groups <= shape[shape.count - 3],
      kernelChannels == shape[shape.count - 3] / groups
    else {
      throw .invalid(
        "Its kernel has \(kernelChannels) channels; its input has \(shape[shape.count - 3]), in "
          + "\(groups) groups.")
    }
    let bias = try parameters.flag(70) ? parameters.weights(91, shape: [outputs]) : nil
    // [O, I / G, KH, KW] to [KH, KW, I / G, O]
    let kernel = ConstantTensor(shape: weightShape, floats: weights).transposed([2, 3, 1, 0])
    return .computed(
      try builder.convolution(
        builder.computed(call.input(0)), .last(ofRank: shape.count), weights: kernel.floats,
        bias: bias, outputChannels: outputs, window: parts.window, groups: groups))
  }

  private static func transposedConvolution(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    try call.refuse(1, "its kernel depends on the network's input")
    let shape = try call.shape(0, rankAtLeast: 3)
    let parameters = call.parameters
    // Dilations are ignored.
    var parts = WindowParts(
      kernel: try parameters.pair(20, default: 3), strides: try parameters.pair(30, default: 1))
    try check(parts)
    let extents = Array(shape.suffix(2))
    let stated = try parameters.sizes(100)
    guard stated.isEmpty || stated.count == 2, stated.allSatisfy({ $0 <= 1 << 24 }) else {
      throw .invalid("Its output has the size \(stated).")
    }
    let same = try parameters.parameters(51)
    if same == nil {
      (parts.before, parts.after) = try borders(parameters.parameters(50)?.parameters(1))
    }
    var extra = [0, 0]
    for axis in 0..<2 {
      let whole = (extents[axis] - 1) * parts.strides[axis] + parts.kernel[axis]
      let target: Int
      if !stated.isEmpty {
        target = stated[axis]
      } else if same != nil {
        target = extents[axis] * parts.strides[axis]
      } else {
        continue
      }
      // Stated amounts hold where they give the size; else the difference is divided.
      if whole - parts.before[axis] - parts.after[axis] == target, same == nil { continue }
      try parts.divide(max(0, whole - target), axis: axis, same)
      extra[axis] = max(0, target - whole)
    }
    let groups = try parameters.integer(10, zeroMeans: 1)
    let outputs = try parameters.integer(1)
    let inputs = try parameters.integer(2)
    guard groups > 0, groups <= 1 << 20, inputs == shape[shape.count - 3], outputs > 0,
      outputs <= 1 << 24, inputs % groups == 0, outputs % groups == 0
    else {
      throw .invalid(
        "\(groups) groups, \(inputs) and \(outputs) channels do not go with an input of \(shape).")
    }
    let weightShape = [inputs, outputs / groups] + parts.kernel
    let weights = try parameters.weights(90, shape: weightShape, scaledAlong: 1)
    let bias = try parameters.flag(70) ? parameters.weights(91, shape: [outputs]) : nil
    // [I, O / G, KH, KW] with I in groups, to [KH, KW, I / G, O] with O in groups.
    let split = ConstantTensor(
      shape: [groups, inputs / groups, outputs / groups] + parts.kernel, floats: weights)
    return .computed(
      try builder.transposedConvolution(
        builder.computed(call.input(0)), .last(ofRank: shape.count),
        weights: split.transposed([3, 4, 1, 0, 2]).floats, bias: bias, outputChannels: outputs,
        window: parts.window, groups: groups, extraRows: extra[0], extraColumns: extra[1]))
  }

  /// Refuses windows whose sums could overflow.
  private static func check(_ parts: WindowParts) throws(LoweringFault) {
    for number in parts.kernel + parts.strides + parts.dilations where number > 1 << 20 {
      throw .unsupported("its window is too large")
    }
  }

  private static func pooling(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 3)
    let parameters = call.parameters
    let kind = try parameters.integer(1)
    guard (0...2).contains(kind) else { throw .invalid("Its type is \(kind).") }
    let axes = MapAxes.last(ofRank: shape.count)
    var value = try builder.computed(call.input(0))
    // The root of the sum of squares.
    if kind == 2 {
      value = try builder.computed(builder.product(.computed(value), .computed(value)))
    }
    if try parameters.flag(60) {
      value = try builder.reduced(
        value, [.maximum, .mean, .sum][kind], axes: [axes.rows, shape.count - 1])
      return .computed(kind == 2 ? try builder.activated(value, .squareRoot) : value)
    }
    var parts = WindowParts(
      kernel: try parameters.pair(10, default: 3), strides: try parameters.pair(20, default: 1))
    try check(parts)
    let extents = Array(shape.suffix(2))
    // How far the last windows reach beyond the padding.
    var reach = [0, 0]
    if let same = try parameters.parameters(31) {
      try parts.padToStrides(extents, same)
    } else if let complete = try parameters.parameters(32) {
      let amounts = try complete.pair(10, default: 0)
      (parts.before, parts.after) = (amounts, amounts)
      for axis in 0..<2 {
        reach[axis] = try Self.reach(
          extents[axis], amounts, kernel: parts.kernel[axis], stride: parts.strides[axis],
          amount: amounts[axis])
      }
    } else {
      (parts.before, parts.after) = try borders(parameters.parameters(30)?.parameters(1))
    }
    let excludesPadding = try parameters.flag(50)
    let pooling: Layer.Pooling.Kind =
      kind == 0 ? .maximum : kind == 1 && excludesPadding ? .average : .averageWithPadding
    if pooling == .averageWithPadding, kind == 1, reach != [0, 0] {
      // Padding counts, what lies beyond does not.
      value = try builder.padded(value, axes, parts.window.padding, .constant(0))
      (parts.before, parts.after) = ([0, 0], reach)
      return .computed(try builder.pooled(value, axes, .average, window: parts.window))
    }
    for axis in 0..<2 { parts.after[axis] += reach[axis] }
    value = try builder.pooled(value, axes, pooling, window: parts.window)
    guard kind == 2 else { return .computed(value) }
    let area = Float(parts.kernel[0] * parts.kernel[1])
    return .computed(
      try builder.activated(value, [.linear(scale: area, offset: 0), .squareRoot]))
  }

  /// How far a window must reach beyond the padding so that the last number of the input is in one.
  private static func reach(
    _ extent: Int, _ amounts: [Int], kernel: Int, stride: Int, amount: Int
  ) throws(LoweringFault) -> Int {
    let room = extent + 2 * amount - kernel
    guard room > -stride else { throw .invalid("A window is larger than its padded input.") }
    var count = room < 0 ? 1 : (room + stride - 1) / stride + 1
    if amounts != [0, 0], (count - 1) * stride >= extent + amount { count -= 1 }
    guard count > 0, (count - 1) * stride < extent + amount else {
      throw .invalid("A window begins behind its input.")
    }
    return max(0, (count - 1) * stride - room)
  }

  // MARK: Products

  private static func innerProduct(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 1)
    let parameters = call.parameters
    let (inputs, outputs) = (try parameters.integer(1), try parameters.integer(2))
    let rank = shape.count
    let leading = rank <= 3 ? Array(shape.dropLast()) : Array(shape.dropLast(3))
    guard rank <= 5, inputs > 0, outputs > 0, outputs <= 1 << 24,
      shape[leading.count...].reduce(1, *) == inputs
    else { throw .invalid("Its matrix has \(inputs) rows for an input of \(shape).") }
    let weights = ConstantTensor(
      shape: [outputs, inputs], floats: try parameters.weights(20, shape: [outputs, inputs]))
    let bias = try parameters.flag(10) ? parameters.weights(21, shape: [outputs]) : nil
    let rows = try builder.reshaped(call.input(0), to: leading + [inputs])
    let result = try builder.dense(
      builder.computed(rows), weights: weights.transposed([1, 0]).floats, bias: bias,
      outputCount: outputs)
    return try builder.reshaped(
      .computed(result), to: leading + [outputs] + (rank <= 3 ? [] : [1, 1]))
  }

  private static func matrixProduct(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let parameters = call.parameters
    if call.inputs.count > 1 {
      var operands = [try call.input(0), try call.input(1)]
      for (index, field) in [1, 2].enumerated() where try parameters.flag(field) {
        let rank = operands[index].shape?.count ?? 0
        guard rank >= 2 else { continue }
        var order = Array(0..<rank)
        order.swapAt(rank - 1, rank - 2)
        operands[index] = builder.transposed(operands[index], order)
      }
      return try builder.matrixProduct(operands[0], operands[1])
    }
    let shape = try call.shape(0, rankAtLeast: 1)
    let (inputs, outputs) = (try parameters.integer(5), try parameters.integer(6))
    guard inputs > 0, outputs > 0, outputs <= 1 << 24, shape.last == inputs else {
      throw .invalid("Its matrix has \(inputs) rows for an input of \(shape).")
    }
    // The matrix is stored column by column.
    let weights = ConstantTensor(
      shape: [outputs, inputs], floats: try parameters.weights(8, shape: [outputs, inputs]))
    let bias = try parameters.flag(7) ? parameters.weights(9, shape: [outputs]) : nil
    return .computed(
      try builder.dense(
        builder.computed(call.input(0)), weights: weights.transposed([1, 0]).floats, bias: bias,
        outputCount: outputs))
  }

  /// Rows of a matrix that a tensor of whole numbers names; they get an axis of their own, the last one.
  private static func embedding(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, _ rows: Value, countField: Int,
    sizeField: Int, biasField: Int
  ) throws(LoweringFault) -> Value {
    let parameters = call.parameters
    let (count, size) = (try parameters.integer(countField), try parameters.integer(sizeField))
    guard count > 0, size > 0, count <= 1 << 20, size <= 1 << 20 else {
      throw .invalid("It has \(count) rows of \(size) numbers.")
    }
    // Stored as [size, count].
    let weights = ConstantTensor(
      shape: [size, count], floats: try parameters.weights(20, shape: [size, count]))
    let bias = try parameters.flag(biasField) ? parameters.weights(21, shape: [size]) : nil
    let indicators = try builder.indicators(rows, count: count)
    return .computed(
      try builder.dense(
        builder.computed(indicators), weights: weights.transposed([1, 0]).floats, bias: bias,
        outputCount: size))
  }
}

internal import DiceWeights

/// Convolutions, pooling and padding, and the table of all operations with windows or products.
extension ONNXOperations {
  static let windows: [ONNXOperation] = [
    ONNXOperation("Conv", "one or two axes; batch 1; constant weights") {
      (lowering, call) throws(LoweringFault) in
      try [convolution(&lowering, call)]
    },
    ONNXOperation("ConvTranspose", "one or two axes; batch 1; constant weights") {
      (lowering, call) throws(LoweringFault) in
      try [transposedConvolution(&lowering, call)]
    },
    ONNXOperation("Gemm") {
      (lowering, call) throws(LoweringFault) in
      try [product(&lowering, call)]
    },
    .single("MatMul") { (builder, call) throws(LoweringFault) in
      try builder.matrixProduct(call.input(0), call.input(1))
    },
    .single("Einsum", "no diagonals") { (builder, call) throws(LoweringFault) in
      try summedProducts(&builder, call)
    },
    ONNXOperation("MaxPool", "one or two axes; batch 1; no dilation, no indices") {
      (lowering, call) throws(LoweringFault) in
      try [pooling(&lowering, call, isMaximum: true)]
    },
    ONNXOperation("AveragePool", "one or two axes; batch 1; no dilation") {
      (lowering, call) throws(LoweringFault) in
      try [pooling(&lowering, call, isMaximum: false)]
    },
    ONNXOperation("Pad", "modes constant, reflect and edge; up to three axes") {
      (lowering, call) throws(LoweringFault) in
      try [padding(&lowering, call)]
    },
    .single("Resize", "known sizes; beyond a region nothing but 0") {
      (builder, call) throws(LoweringFault) in
      try resized(&builder, call)
    },
    .single("Upsample", "known sizes") { (builder, call) throws(LoweringFault) in
      try resized(&builder, call)
    },
  ]

  /// Kernel, stride, dilation and padding of an operation, for maps with one or two axes.
  private struct WindowParts {
    var kernel: [Int]
    var strides: [Int]
    var dilations: [Int]
    var before: [Int]
    var after: [Int]

    /// - Parameters:
    ///   - extents: The input's rows and columns.
    ///   - leavesOut: Whether automatic padding may be below 0, so that windows that lie apart begin
    ///     behind the input's first positions, as they do in pooling.
    init(
      _ call: ONNXCall, kernel: [Int], extents: [Int], isTransposed: Bool = false,
      leavesOut: Bool = false
    ) throws(LoweringFault) {
      let rank = extents.count
      guard rank == 1 || rank == 2 else { throw .unsupported("it moves along \(rank) axes") }
      guard kernel.count == rank, kernel.allSatisfy({ (1...(1 << 24)).contains($0) }) else {
        throw .invalid("Its kernel is \(kernel), for \(rank) axes.")
      }
      self.kernel = kernel
      strides = try call.integers("strides", count: rank, default: 1)
      dilations = try call.integers("dilations", count: rank, default: 1)
      let pads = try call.integers("pads", count: 2 * rank, default: 0)
      before = Array(pads[..<rank])
      after = Array(pads[rank...])
      guard strides.allSatisfy({ $0 > 0 }), dilations.allSatisfy({ $0 > 0 }) else {
        throw .invalid("A stride or a dilation is not above 0.")
      }
      let automatic = call.text("auto_pad", default: "NOTSET")
      switch automatic {
      case "NOTSET", "": break
      case "VALID":
        before = [Int](repeating: 0, count: rank)
        after = before
      case "SAME_UPPER", "SAME_LOWER":
        if isTransposed { break }
        for axis in 0..<rank {
          let count = (extents[axis] + strides[axis] - 1) / strides[axis]
          let needed = (count - 1) * strides[axis] + span(axis) - extents[axis]
          let sum = leavesOut ? needed : max(0, needed)
          before[axis] = automatic == "SAME_UPPER" ? sum / 2 : (sum + 1) / 2
          after[axis] = sum - before[axis]
        }
      default: throw .invalid("Its auto_pad is \(automatic).")
      }
    }

    func span(_ axis: Int) -> Int { (kernel[axis] - 1) * dilations[axis] + 1 }

    var window: Layer.Window {
      func pair(_ numbers: [Int], _ missing: Int) -> (Int, Int) {
        (numbers[0], numbers.count > 1 ? numbers[1] : missing)
      }
      let (height, width) = pair(kernel, 1)
      let (strideY, strideX) = pair(strides, 1)
      let (dilationY, dilationX) = pair(dilations, 1)
      let (top, left) = pair(before, 0)
      let (bottom, right) = pair(after, 0)
      return Layer.Window(
        height: height, width: width, strideY: strideY, strideX: strideX, dilationY: dilationY,
        dilationX: dilationX,
        padding: Layer.Edges(top: top, left: left, bottom: bottom, right: right))
    }
  }

  private static func bias(
    _ call: ONNXCall, _ index: Int
  ) throws(LoweringFault) -> [Float]? {
    try call.constant(index, "bias")?.floats
  }

  static func convolution(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    guard let weights = try call.constant(1, "kernel") else {
      throw .invalid("Conv lacks its kernel.")
    }
    let shape = try call.shape(0)
    let rank = shape.count
    guard rank >= 3, weights.shape.count == rank else {
      throw .invalid("A kernel of \(weights.shape) for a tensor of \(shape).")
    }
    let parts = try WindowParts(
      call, kernel: Array(weights.shape[2...]), extents: Array(shape[2...]))
    // [O, I / G, KH, KW] to [KH, KW, I / G, O]
    let order = Array(2..<rank) + [1, 0]
    return .computed(
      try lowering.builder.convolution(
        try lowering.builder.computed(call.input(0)), .channelsFirst(rank: rank),
        weights: weights.transposed(order).floats, bias: try bias(call, 2),
        outputChannels: weights.shape[0], window: parts.window,
        groups: call.integer("group", default: 1)))
  }

  private static func transposedConvolution(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    guard let weights = try call.constant(1, "kernel") else {
      throw .invalid("ConvTranspose lacks its kernel.")
    }
    let shape = try call.shape(0)
    let rank = shape.count
    let groups = call.integer("group", default: 1)
    guard rank >= 3, weights.shape.count == rank, groups > 0, weights.shape[0] % groups == 0,
      groups <= 1 << 20, weights.shape[1] <= 1 << 20
    else { throw .invalid("A kernel of \(weights.shape) for a tensor of \(shape).") }
    let axes = rank - 2
    var parts = try WindowParts(
      call, kernel: Array(weights.shape[2...]), extents: Array(shape[2...]), isTransposed: true)
    var extra = try call.integers("output_padding", count: axes, default: 0)
    let automatic = call.text("auto_pad", default: "NOTSET")
    let stated = call.node.attributes["output_shape"]?.integers ?? []
    if !stated.isEmpty || automatic.hasPrefix("SAME") {
      guard stated.isEmpty || stated.count == axes || stated.count == rank else {
        throw .invalid("Its output_shape is \(stated).")
      }
      for axis in 0..<axes {
        let target =
          stated.isEmpty
          ? shape[axis + 2] * parts.strides[axis] : stated.suffix(axes)[stated.count - axes + axis]
        guard (1...(1 << 24)).contains(target) else { throw .invalid("An output of \(target).") }
        var total =
          parts.strides[axis] * (shape[axis + 2] - 1) + extra[axis] + parts.span(axis) - target
        // Automatic padding takes away, and never adds.
        if stated.isEmpty { total = max(0, total) }
        if total < 0 {
          extra[axis] -= total
          (parts.before[axis], parts.after[axis]) = (0, 0)
        } else {
          let half = total / 2
          let isUpper = automatic == "SAME_UPPER"
          parts.before[axis] = isUpper ? half : total - half
          parts.after[axis] = isUpper ? total - half : half
        }
      }
    }
    // [I, O / G, KH, KW] with I in groups, to [KH, KW, I / G, O] with O in groups.
    let inner = weights.shape[0] / groups
    let outer = weights.shape[1]
    let kernel = Array(weights.shape[2...])
    let split = weights.reshaped(to: [groups, inner, outer] + kernel)
    let order = Array(3..<3 + axes) + [1, 0, 2]
    return .computed(
      try lowering.builder.transposedConvolution(
        try lowering.builder.computed(call.input(0)), .channelsFirst(rank: rank),
        weights: split.transposed(order).floats, bias: try bias(call, 2),
        outputChannels: groups * outer, window: parts.window, groups: groups,
        extraRows: extra[0], extraColumns: axes > 1 ? extra[1] : 0))
  }

  private static func pooling(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, isMaximum: Bool
  ) throws(LoweringFault) -> Value {
    if isMaximum, call.node.outputs.count > 1, !call.node.outputs[1].isEmpty {
      throw .unsupported("its indices are used")
    }
    let shape = try call.shape(0)
    let rank = shape.count
    guard rank >= 3, let kernel = call.node.attributes["kernel_shape"]?.integers else {
      throw .invalid("\(call.node.operation) lacks its kernel_shape.")
    }
    var extents = Array(shape[2...])
    var parts = try WindowParts(call, kernel: kernel, extents: extents, leavesOut: true)
    let axes = MapAxes.channelsFirst(rank: rank)
    var value = try lowering.builder.computed(call.input(0))
    for axis in extents.indices where parts.before[axis] < 0 || parts.after[axis] < 0 {
      let first = max(0, -parts.before[axis])
      let count = extents[axis] - first - max(0, -parts.after[axis])
      guard count >= 1 else { throw .invalid("Its padding takes all positions away.") }
      value = try lowering.builder.sliced(value, axis: axis + 2, start: first, count: count)
      extents[axis] = count
      parts.before[axis] = max(0, parts.before[axis])
      parts.after[axis] = max(0, parts.after[axis])
    }
    let countsPadding = !isMaximum && call.integer("count_include_pad", default: 0) != 0
    // Rounding up, a last window may reach beyond the padding, but must begin before it.
    var reach = [Int](repeating: 0, count: extents.count)
    if call.integer("ceil_mode", default: 0) != 0 {
      for axis in extents.indices {
        let room =
          extents[axis] + parts.before[axis] + parts.after[axis] - parts.span(axis)
        guard room > -parts.strides[axis] else {
          throw .invalid("A window is larger than its padded input.")
        }
        var count = room < 0 ? 1 : (room + parts.strides[axis] - 1) / parts.strides[axis] + 1
        if (count - 1) * parts.strides[axis] >= extents[axis] + parts.before[axis] { count -= 1 }
        reach[axis] = max(0, (count - 1) * parts.strides[axis] - room)
      }
    }
    if countsPadding, reach.contains(where: { $0 > 0 }) {
      // Padding counts, what lies beyond does not.
      value = try lowering.builder.padded(value, axes, parts.window.padding, .constant(0))
      parts.before = [Int](repeating: 0, count: extents.count)
      parts.after = reach
      return .computed(
        try lowering.builder.pooled(value, axes, .average, window: parts.window))
    }
    for axis in extents.indices { parts.after[axis] += reach[axis] }
    return .computed(
      try lowering.builder.pooled(
        value, axes,
        isMaximum ? .maximum : (countsPadding ? .averageWithPadding : .average),
        window: parts.window))
  }

  // MARK: Padding

  private static func padding(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let rank = shape.count
    guard let pads = try call.integers(attribute: "pads", orInput: 1) else {
      throw .invalid("Pad lacks its pads.")
    }
    let axes = try call.axes(
      try call.integers(3, "axes") ?? Array(0..<rank), rank: rank)
    guard pads.count == 2 * axes.count else {
      throw .invalid("Pad has \(pads.count) numbers for \(axes.count) axes.")
    }
    var before = [Int](repeating: 0, count: rank)
    var after = before
    for (place, axis) in axes.enumerated() {
      (before[axis], after[axis]) = (pads[place], pads[place + axes.count])
    }
    let mode = call.text("mode", default: "constant")
    var value = try lowering.builder.computed(call.input(0))
    // Less than nothing takes positions away.
    for axis in 0..<rank where before[axis] < 0 || after[axis] < 0 {
      let (first, last) = (max(0, -before[axis].clamped), max(0, -after[axis].clamped))
      guard first < shape[axis], last < shape[axis] - first else {
        throw .invalid("Pad takes all positions away.")
      }
      value = try lowering.builder.sliced(
        value, axis: axis, start: first, count: shape[axis] - first - last)
      (before[axis], after[axis]) = (max(0, before[axis]), max(0, after[axis]))
    }
    let padded: ComputedValue
    switch mode {
    case "constant":
      var stated = call.node.attributes["value"]?.float
      if stated == nil { stated = try call.scalar(2, "constant_value") }
      let number = stated ?? 0
      padded = try lowering.builder.padded(
        value, before: before, after: after,
        .constant(number == -.infinity ? -.greatestFiniteMagnitude : number))
    case "reflect":
      padded = try lowering.builder.padded(value, before: before, after: after, .reflection)
    case "edge":
      padded = try lowering.builder.padded(value, before: before, after: after, .edge)
    default: throw .unsupported("its mode is \(mode)")
    }
    return .computed(padded)
  }
}

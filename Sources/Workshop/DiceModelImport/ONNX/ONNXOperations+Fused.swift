internal import DiceWeights

/// Operations of the domain `com.microsoft` that ONNX Runtime's optimizer writes in place of several others.
///
/// Source: `ContribOperators.md` of ONNX Runtime.
extension ONNXOperations {
  static let fused: [ONNXOperation] = [
    ONNXOperation("FusedConv", "as Conv") { (lowering, call) throws(LoweringFault) in
      var result = try lowered("Conv", &lowering, call.with(Array(call.inputs.prefix(3))))
      if let addend = call.optional(3) {
        result = try lowering.builder.combined(.addition, result, addend)
      }
      let functions = try function(call, call.node.attributes["activation_params"]?.floats ?? [])
      return [try lowering.builder.applied(functions, to: result)]
    },
    ONNXOperation("FusedGemm", "as Gemm") { (lowering, call) throws(LoweringFault) in
      let names = ["activation_alpha", "activation_beta", "activation_gamma"]
      let functions = try function(call, names.compactMap { call.node.attributes[$0]?.float })
      return [try lowering.builder.applied(functions, to: lowered("Gemm", &lowering, call))]
    },
    .single("FusedMatMul", "batches are not turned") {
      (builder, call) throws(LoweringFault) in
      guard call.integer("transBatchA", default: 0) == 0,
        call.integer("transBatchB", default: 0) == 0
      else { throw .unsupported("it turns its batches") }
      var operands = [try call.input(0), try call.input(1)]
      for (index, name) in ["transA", "transB"].enumerated()
      where call.integer(name, default: 0) != 0 {
        operands[index] = try builder.turned(operands[index])
      }
      return try builder.applied(
        [.linear(scale: call.float("alpha", default: 1), offset: 0)],
        to: builder.matrixProduct(operands[0], operands[1]))
    },
    .single("BiasGelu") { (builder, call) throws(LoweringFault) in
      try builder.exactGELU(
        builder.computed(builder.combined(.addition, call.input(0), call.input(1))))
    },
    .single("FastGelu") { (builder, call) throws(LoweringFault) in
      var value = try call.input(0)
      if let bias = call.optional(1) { value = try builder.combined(.addition, value, bias) }
      return .computed(try builder.activated(builder.computed(value), .gelu))
    },
    .single("QuickGelu") { (builder, call) throws(LoweringFault) in
      let value = Value.computed(try builder.computed(call.input(0)))
      let gate = try builder.applied(
        [.linear(scale: call.float("alpha", default: 1.702), offset: 0), .sigmoid], to: value)
      return try builder.product(value, gate)
    },
    ONNXOperation("SkipLayerNormalization", "the sum is its only other result") {
      (lowering, call) throws(LoweringFault) in
      try normalizedSum("LayerNormalization", &lowering, call, bias: 4, parameters: [2, 3])
    },
    ONNXOperation("SkipSimplifiedLayerNormalization", "the sum is its only other result") {
      (lowering, call) throws(LoweringFault) in
      try normalizedSum("RMSNormalization", &lowering, call, bias: 3, parameters: [2])
    },
    .single("Attention", "a mask for each position; nothing from the past") {
      (builder, call) throws(LoweringFault) in
      try attention(&builder, call)
    },
    .single("MultiHeadAttention", "a mask for each position; nothing from the past") {
      (builder, call) throws(LoweringFault) in
      try attentionOfThree(&builder, call)
    },
  ]

  /// The operations of the domain, by name: those above and others' names that mean the same there.
  static let fusedByName: [String: ONNXOperation] = {
    var byName = Dictionary(uniqueKeysWithValues: fused.map { ($0.name, $0) })
    if let gelu = Self.byName["Gelu"] { byName["Gelu"] = gelu }
    return byName
  }()

  /// The result of an operation of ONNX itself.
  static func lowered(
    _ name: String, _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    guard let value = try byName[name]?.lower(&lowering, call).first else {
      throw .unsupported("the weight format has no such layer")
    }
    return value
  }

  /// The function that an operation applies to its result, with its numbers.
  private static func function(
    _ call: ONNXCall, _ numbers: [Float]
  ) throws(LoweringFault) -> [Layer.Activation] {
    func number(_ index: Int, _ value: Float) -> Float {
      numbers.indices.contains(index) ? numbers[index] : value
    }
    let name = call.text("activation", default: "")
    switch name {
    case "": return []
    case "Relu": return [.relu]
    case "Tanh": return [.tanh]
    case "Sigmoid": return [.sigmoid]
    case "LeakyRelu": return [.leakyReLU(slope: number(0, 0.01))]
    case "HardSigmoid":
      return [.hardSigmoid(scale: number(0, 0.2), offset: number(1, 0.5))]
    case "Clip":
      let greatest = Float.greatestFiniteMagnitude
      let (lower, upper) = (number(0, -greatest), number(1, greatest))
      guard lower <= upper else { throw .invalid("It limits numbers to \(lower)...\(upper).") }
      return [.clamp(lower: lower, upper: upper)]
    default: throw .unsupported("its function is \(name)")
    }
  }

  /// The sum of two tensors and a bias, normalized; then the sum, as the fourth result.
  private static func normalizedSum(
    _ name: String, _ lowering: inout ONNXLowering, _ call: ONNXCall, bias: Int,
    parameters: [Int]
  ) throws(LoweringFault) -> [Value] {
    var sum = try lowering.builder.combined(.addition, call.input(0), call.input(1))
    if let bias = call.optional(bias) {
      sum = try lowering.builder.combined(.addition, sum, bias)
    }
    let result = try lowered(
      name, &lowering, call.with([sum] + parameters.map { call.optional($0) }, results: 1))
    if call.node.outputs.count < 4 { return [result] }
    guard call.node.outputs[1].isEmpty, call.node.outputs[2].isEmpty else {
      throw .unsupported("its mean or deviation is used")
    }
    return [result, .unknown, .unknown, sum]
  }

  // MARK: Attention

  /// Attention of a sequence to itself: `[batch, length, width]` times weights of queries, keys and values side
  /// by side.
  private static func attention(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard shape.count == 3, call.optional(4) == nil else {
      throw .unsupported("it takes what earlier steps gave")
    }
    var product = try builder.matrixProduct(call.input(0), call.input(1))
    if let bias = call.optional(2) { product = try builder.combined(.addition, product, bias) }
    let width = product.shape?.last ?? 0
    let stated = call.node.attributes["qkv_hidden_sizes"]?.integers ?? []
    let widths = stated.isEmpty ? [Int](repeating: width / 3, count: 3) : stated
    guard widths.count == 3, widths.allSatisfy({ (1...width).contains($0) }),
      widths[0] + widths[1] + widths[2] == width
    else { throw .invalid("Its weights give \(width) numbers.") }
    var parts: [Value] = []
    var start = 0
    for width in widths {
      parts.append(
        .computed(
          try builder.sliced(builder.computed(product), axis: 2, start: start, count: width)))
      start += width
    }
    return try attended(&builder, call, parts, mask: call.optional(3), bias: call.optional(5))
  }

  /// Attention of three tensors, `[batch, length, width]` each.
  private static func attentionOfThree(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    guard call.optional(6) == nil, call.optional(7) == nil else {
      throw .unsupported("it takes what earlier steps gave")
    }
    var parts = [try call.input(0), try call.input(1), try call.input(2)]
    if let bias = call.optional(3) {
      guard bias.shape == [parts.reduce(0) { $0 + ($1.shape?.last ?? 0) }] else {
        throw .invalid("Its bias has the shape \(bias.shape ?? []).")
      }
      var start = 0
      for index in parts.indices {
        let width = parts[index].shape?.last ?? 0
        let own = try builder.part(
          bias, axis: 0, GraphBuilder.Bounds(begin: start, end: start + width, step: 1))
        parts[index] = try builder.combined(.addition, parts[index], own)
        start += width
      }
    }
    return try attended(&builder, call, parts, mask: call.optional(4), bias: call.optional(5))
  }

  /// `softmax(scale * Q * K' + mask) * V` for each head.
  ///
  /// - Parameters:
  ///   - parts: Queries, keys and values: `[batch, length, heads * width]`.
  ///   - mask: `[batch, keys]` or `[batch, queries, keys]`: 0 where a key does not count.
  ///   - bias: What is added to the products, `[batch, heads, queries, keys]`.
  private static func attended(
    _ builder: inout GraphBuilder, _ call: ONNXCall, _ parts: [Value], mask: Value?, bias: Value?
  ) throws(LoweringFault) -> Value {
    let count = call.integer("num_heads", default: 0)
    var heads: [Value] = []
    for part in parts {
      guard let shape = part.shape, shape.count == 3 else {
        throw .unsupported("queries, keys and values lie otherwise than in three axes")
      }
      guard count > 0, shape[2] > 0, shape[2] % count == 0 else {
        throw .invalid("It has \(count) heads of \(shape[2]) numbers.")
      }
      let split = try builder.reshaped(part, to: [shape[0], shape[1], count, shape[2] / count])
      heads.append(builder.transposed(split, [0, 2, 1, 3]))
    }
    let (queries, keys) = (heads[0].shape ?? [], heads[1].shape ?? [])
    guard queries[3] == keys[3], heads[2].shape?[2] == keys[2] else {
      throw .invalid("Its keys do not fit its queries and values.")
    }
    let stated = call.float("scale", default: 0)
    let scale = stated == 0 ? 1 / Float(queries[3]).squareRoot() : stated
    let scaled = try builder.applied([.linear(scale: scale, offset: 0)], to: heads[0])
    var scores = try builder.matrixProduct(scaled, builder.turned(heads[1]))
    if let bias { scores = try builder.combined(.addition, scores, bias) }
    let filter = call.float("mask_filter_value", default: -10_000)
    if let mask {
      guard let shape = mask.shape, shape.count == 2 || shape.count == 3, shape.last == keys[2]
      else { throw .unsupported("its mask has the shape \(mask.shape ?? [])") }
      let whole = try builder.reshaped(
        mask, to: shape.count == 2 ? [shape[0], 1, 1, shape[1]] : [shape[0], 1] + shape[1...])
      scores = try builder.combined(
        .addition, scores, builder.applied([.linear(scale: -filter, offset: filter)], to: whole))
    }
    if call.integer("unidirectional", default: 0) != 0 {
      _ = try ConstantArithmetic.count([queries[2], keys[2]])
      var later: [Float] = []
      for query in 0..<queries[2] {
        for key in 0..<keys[2] { later.append(key > query ? -1e30 : 0) }
      }
      scores = try builder.combined(
        .addition, scores,
        .constant(ConstantTensor(shape: [queries[2], keys[2]], floats: later)))
    }
    let weights = try builder.softmax(builder.computed(scores), axis: 3)
    let found = try builder.matrixProduct(.computed(weights), heads[2])
    let width = count * (heads[2].shape?[3] ?? 0)
    return try builder.reshaped(
      builder.transposed(found, [0, 2, 1, 3]), to: [queries[0], queries[2], width])
  }
}

extension GraphBuilder {
  /// A tensor with its last two axes exchanged.
  fileprivate mutating func turned(_ value: Value) throws(LoweringFault) -> Value {
    guard let rank = value.shape?.count, rank >= 2 else {
      throw .invalid("What is no matrix is turned.")
    }
    var order = Array(0..<rank)
    order.swapAt(rank - 1, rank - 2)
    return transposed(value, order)
  }
}

extension ONNXCall {
  /// The same call with other operands, and fewer results.
  func with(_ inputs: [Value?], results: Int? = nil) -> ONNXCall {
    var node = node
    if let results { node.outputs = Array(node.outputs.prefix(results)) }
    return ONNXCall(node: node, inputs: inputs, operatorSet: operatorSet)
  }
}

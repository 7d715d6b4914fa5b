internal import DiceWeights

/// Attention, and positions as rotations, as operator sets from 23 on have them.
extension ONNXOperations {
  static let attentions: [ONNXOperation] = [
    ONNXOperation("Attention", "no lengths of keys") {
      (lowering, call) throws(LoweringFault) in
      try attention(&lowering, call)
    },
    ONNXOperation("RotaryEmbedding", "positions as Gather's indices") {
      (lowering, call) throws(LoweringFault) in
      try [rotated(&lowering, call)]
    },
  ]

  /// What stands for minus infinity in a sum of scores.
  private static let excluded: Float = -1e30

  // MARK: Attention

  /// `softmax(cap(scale * Q * K') + mask) * V` for each head; the keys and values with those of the past; the
  /// scores as they are at one place of the formula.
  private static func attention(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> [Value] {
    guard call.optional(6) == nil else { throw .unsupported("it takes the lengths of its keys") }
    let queries = try inHeads(&lowering.builder, call, 0, "q_num_heads")
    var keys = try inHeads(&lowering.builder, call, 1, "kv_num_heads")
    var values = try inHeads(&lowering.builder, call, 2, "kv_num_heads")
    let (pastKeys, pastValues) = (call.optional(4), call.optional(5))
    let pastCount = pastKeys?.shape?.dropFirst(2).first ?? 0
    for (past, isKeys) in [(pastKeys, true), (pastValues, false)] {
      guard let past else { continue }
      guard past.shape?.count == 4 else { throw .invalid("Its past has no four axes.") }
      if isKeys {
        keys = try lowering.builder.concatenated([past, keys], axis: 2)
      } else {
        values = try lowering.builder.concatenated([past, values], axis: 2)
      }
    }
    let present = [keys, values]
    guard let shape = queries.shape, let keyShape = keys.shape, let valueShape = values.shape,
      shape[3] == keyShape[3], keyShape[2] == valueShape[2], keyShape[1] == valueShape[1],
      keyShape[1] > 0, shape[1] % keyShape[1] == 0
    else { throw .invalid("Its keys do not fit its queries and values.") }
    (keys, values) = (
      try repeated(&lowering.builder, keys, shape[1]),
      try repeated(&lowering.builder, values, shape[1])
    )

    let scale = call.node.attributes["scale"]?.float ?? 1 / Float(shape[3]).squareRoot()
    let scaled = try lowering.builder.applied([.linear(scale: scale, offset: 0)], to: queries)
    var stages = [
      try lowering.builder.matrixProduct(
        scaled, lowering.builder.transposed(keys, [0, 1, 3, 2]))
    ]
    let cap = call.float("softcap", default: 0)
    stages.append(
      cap == 0
        ? stages[0]
        : try lowering.builder.applied(
          [
            .linear(scale: 1 / cap, offset: 0), .tanh, .linear(scale: cap, offset: 0),
          ], to: stages[0]))
    var masked = stages[1]
    let masks = try masks(&lowering, call, queries: shape[2], keys: keyShape[2], past: pastCount)
    for mask in masks {
      let whole = masked.shape ?? []
      masked = try lowering.builder.combined(.addition, masked, mask)
      guard masked.shape == whole else {
        throw .invalid("Its mask has the shape \(mask.shape ?? []) for scores of \(whole).")
      }
    }
    stages.append(masked)
    var weights = Value.computed(
      try lowering.builder.softmax(lowering.builder.computed(masked), axis: 3))
    if let counts = try countedRows(&lowering, call, masks) {
      weights = try lowering.builder.product(weights, counts)
    }
    stages.append(weights)
    var result = try lowering.builder.matrixProduct(weights, values)
    if try call.shape(0).count == 3 {
      result = try lowering.builder.reshaped(
        lowering.builder.transposed(result, [0, 2, 1, 3]),
        to: [shape[0], shape[2], shape[1] * valueShape[3]])
    }
    let mode = call.integer("qk_matmul_output_mode", default: 0)
    guard stages.indices.contains(mode) else {
      throw .invalid("Its qk_matmul_output_mode is \(mode).")
    }
    return [result] + present + [stages[mode]]
  }

  /// An operand as `[batch, heads, length, width]`.
  private static func inHeads(
    _ builder: inout GraphBuilder, _ call: ONNXCall, _ index: Int, _ countName: String
  ) throws(LoweringFault) -> Value {
    let (value, shape) = (try call.input(index), try call.shape(index))
    if shape.count == 4 { return value }
    let count = call.integer(countName, default: 0)
    guard shape.count == 3, count > 0, shape[2] > 0, shape[2] % count == 0 else {
      throw .invalid("It has \(count) heads of tensors of \(shape).")
    }
    let split = try builder.reshaped(value, to: [shape[0], shape[1], count, shape[2] / count])
    return builder.transposed(split, [0, 2, 1, 3])
  }

  /// Heads of keys or values, each as often as queries share it.
  private static func repeated(
    _ builder: inout GraphBuilder, _ value: Value, _ count: Int
  ) throws(LoweringFault) -> Value {
    let shape = value.shape ?? []
    if shape[1] == count { return value }
    let split = try builder.reshaped(value, to: [shape[0], shape[1], 1] + shape[2...])
    let whole = [shape[0], shape[1], count / shape[1]] + shape[2...]
    _ = try ConstantArithmetic.count(whole)
    return try builder.reshaped(
      builder.expanded(split, to: whole), to: [shape[0], count] + shape[2...])
  }

  /// What is added to the scores.
  private static func masks(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, queries: Int, keys: Int, past: Int
  ) throws(LoweringFault) -> [Value] {
    var masks: [Value] = []
    if let mask = call.optional(3) {
      // Truth values say which keys count.
      masks.append(
        lowering.isInteger(call, 3)
          ? try lowering.builder.applied(
            [.linear(scale: -excluded, offset: excluded)], to: lowering.builder.notZero(mask))
          : try lowering.limited(mask))
    }
    // Which keys a query sees, by how far they lie before and behind it.
    var window = (left: Int.max, right: Int.max)
    if let left = call.node.attributes["left_window_size"]?.integer, left >= 0 {
      window.left = left
    }
    if let right = call.node.attributes["right_window_size"]?.integer, right >= 0 {
      window.right = right
    }
    if call.integer("is_causal", default: 0) != 0 { window.right = 0 }
    if window != (.max, .max) {
      _ = try ConstantArithmetic.count([queries, keys])
      var numbers = [Float](repeating: 0, count: queries * keys)
      for query in 0..<queries {
        for key in 0..<keys {
          let distance = key - query - past
          if distance > window.right || -distance > window.left {
            numbers[query * keys + key] = excluded
          }
        }
      }
      masks.append(.constant(ConstantTensor(shape: [queries, keys], floats: numbers)))
    }
    return masks
  }

  /// 1 for each query for which a key counts, and 0 for the others, whose result is 0; nil where all are 1, or
  /// numbers are added that the network computes.
  private static func countedRows(
    _ lowering: inout ONNXLowering, _ call: ONNXCall, _ masks: [Value]
  ) throws(LoweringFault) -> Value? {
    guard var sum = masks.first else { return nil }
    for mask in masks.dropFirst() {
      sum = try lowering.builder.combined(.addition, sum, mask)
    }
    guard let shape = sum.shape, let count = shape.last, count > 0 else { return nil }
    guard case .constant(let mask) = sum else {
      guard lowering.isInteger(call, 3) else { return nil }
      let greatest = try lowering.builder.summarized(sum, .maximum, axes: [shape.count - 1])
      return try lowering.builder.applied(
        [.linear(scale: -2 / excluded, offset: 1), .clamp(lower: 0, upper: 1)],
        to: lowering.builder.reshaped(greatest, to: shape.dropLast() + [1]))
    }
    let numbers = mask.floats
    let flags = stride(from: 0, to: numbers.count, by: count).map { (start) -> Float in
      numbers[start..<start + count].contains { $0 > excluded } ? 1 : 0
    }
    if !flags.contains(0) { return nil }
    return .constant(ConstantTensor(shape: shape.dropLast() + [1], floats: flags))
  }

  // MARK: Rotations

  /// Pairs of numbers turned by angles that follow from positions.
  private static func rotated(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    // [batch, heads, length, width]
    let value = try inHeads(&lowering.builder, call, 0, "num_heads")
    guard let heads = value.shape, heads.count == 4 else {
      throw .unsupported("it turns tensors of \(shape)")
    }
    let stated = call.integer("rotary_embedding_dim", default: 0)
    let width = stated == 0 ? heads[3] : stated
    guard width > 0, width <= heads[3], width % 2 == 0 else {
      throw .invalid("It turns \(width) of \(heads[3]) numbers.")
    }
    var waves: [Value] = []
    for index in [1, 2] {
      var wave = try call.input(index)
      if let positions = call.optional(3) {
        wave = try lowered("Gather", &lowering, call.with([wave, positions]))
      }
      guard let own = wave.shape, own.count == 3, own[1] == heads[2], own[2] == width / 2 else {
        throw .invalid("Its sines or cosines have the shape \(wave.shape ?? []).")
      }
      waves.append(try lowering.builder.reshaped(wave, to: [own[0], 1, own[1], own[2]]))
    }
    let isInterleaved = call.integer("interleaved", default: 0) != 0
    func part(
      _ builder: inout GraphBuilder, _ begin: Int, _ end: Int, _ step: Int
    ) throws(LoweringFault) -> Value {
      try builder.part(value, axis: 3, GraphBuilder.Bounds(begin: begin, end: end, step: step))
    }
    let (first, second) =
      isInterleaved
      ? (
        try part(&lowering.builder, 0, width, 2), try part(&lowering.builder, 1, width, 2)
      )
      : (
        try part(&lowering.builder, 0, width / 2, 1),
        try part(&lowering.builder, width / 2, width, 1)
      )
    let (cosine, sine) = (waves[0], waves[1])
    let real = try lowering.builder.combined(
      .subtraction, lowering.builder.product(cosine, first),
      lowering.builder.product(sine, second))
    let imaginary = try lowering.builder.combined(
      .addition, lowering.builder.product(sine, first), lowering.builder.product(cosine, second))
    var turned: Value
    if isInterleaved {
      let single = Array(heads[..<3]) + [width / 2, 1]
      turned = try lowering.builder.reshaped(
        lowering.builder.concatenated(
          [
            lowering.builder.reshaped(real, to: single),
            lowering.builder.reshaped(imaginary, to: single),
          ], axis: 4), to: Array(heads[..<3]) + [width])
    } else {
      turned = try lowering.builder.concatenated([real, imaginary], axis: 3)
    }
    if width < heads[3] {
      turned = try lowering.builder.concatenated(
        [turned, part(&lowering.builder, width, heads[3], 1)], axis: 3)
    }
    if shape.count == 4 { return turned }
    return try lowering.builder.reshaped(
      lowering.builder.transposed(turned, [0, 2, 1, 3]), to: shape)
  }
}

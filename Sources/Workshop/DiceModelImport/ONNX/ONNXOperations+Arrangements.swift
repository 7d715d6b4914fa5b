internal import DiceWeights

/// Operations that move numbers, take parts of tensors and put them side by side.
extension ONNXOperations {
  static let arrangements: [ONNXOperation] = [
    ONNXOperation("Concat") { (lowering, call) throws(LoweringFault) in
      var values: [Value] = []
      for index in call.inputs.indices { values.append(try call.input(index)) }
      guard let rank = values.first?.shape?.count else {
        throw .invalid("Concat has no input.")
      }
      let axis = try call.axis(call.integer("axis", default: 1), rank: rank)
      return [try lowering.builder.concatenated(values, axis: axis)]
    },
    ONNXOperation("Split") { (lowering, call) throws(LoweringFault) in
      try split(&lowering, call)
    },
    ONNXOperation("Slice", "constant bounds; backwards only where that is few positions") {
      (lowering, call) throws(LoweringFault) in
      try [slice(&lowering, call)]
    },
    ONNXOperation("Gather") {
      (lowering, call) throws(LoweringFault) in
      try [gather(&lowering, call)]
    },
    ONNXOperation("Reshape", "a known shape") { (lowering, call) throws(LoweringFault) in
      try [reshape(&lowering, call)]
    },
    ONNXOperation("Transpose") { (lowering, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let stated = call.node.attributes["perm"]?.integers ?? Array((0..<rank).reversed())
      let permutation = try call.axes(stated, rank: rank)
      guard permutation.count == rank else {
        throw .invalid("A permutation \(permutation) of \(rank) axes.")
      }
      return [lowering.builder.transposed(try call.input(0), permutation)]
    },
    ONNXOperation("Flatten") { (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = call.integer("axis", default: 1)
      let place = axis < 0 ? axis + shape.count : axis
      guard (0...shape.count).contains(place) else { throw .invalid("Axis \(axis).") }
      return [
        try lowering.builder.reshaped(
          call.input(0), to: [shape[..<place].reduce(1, *), shape[place...].reduce(1, *)])
      ]
    },
    ONNXOperation("Squeeze") { (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let stated = try call.integers(attribute: "axes", orInput: 1)
      let axes =
        try stated.map { (axes) throws(LoweringFault) in
          try call.axes(axes, rank: shape.count)
        } ?? shape.indices.filter { shape[$0] == 1 }
      guard axes.allSatisfy({ shape[$0] == 1 }) else {
        throw .invalid("Squeeze of axes \(axes) of \(shape).")
      }
      return [
        try lowering.builder.reshaped(
          call.input(0), to: shape.indices.filter { !axes.contains($0) }.map { shape[$0] })
      ]
    },
    ONNXOperation("Unsqueeze") { (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      guard let stated = try call.integers(attribute: "axes", orInput: 1) else {
        throw .invalid("Unsqueeze lacks its axes.")
      }
      let rank = shape.count + stated.count
      guard rank <= 32 else { throw .unsupported("its result has \(rank) axes") }
      let axes = Set(try call.axes(stated, rank: rank))
      var rest = shape[...]
      let target = (0..<rank).map { axes.contains($0) ? 1 : rest.removeFirst() }
      return [try lowering.builder.reshaped(call.input(0), to: target)]
    },
    ONNXOperation("Expand", "a known shape") { (lowering, call) throws(LoweringFault) in
      guard let shape = try call.integers(1, "shape") else {
        throw .invalid("Expand lacks its shape.")
      }
      try checkShape(shape)
      return [try lowering.builder.expanded(call.input(0), to: shape)]
    },
    ONNXOperation("Tile", "known repeats") { (lowering, call) throws(LoweringFault) in
      try [tile(&lowering, call)]
    },
    ONNXOperation("DepthToSpace") { (lowering, call) throws(LoweringFault) in
      let (shape, block) = try blocks(call)
      let depth = shape[1] / (block * block)
      guard shape[1] % (block * block) == 0 else {
        throw .invalid("\(shape[1]) channels do not make blocks of \(block) x \(block).")
      }
      let isDepthFirst = call.text("mode", default: "DCR") == "DCR"
      let split = try lowering.builder.reshaped(
        call.input(0),
        to: isDepthFirst
          ? [shape[0], block, block, depth, shape[2], shape[3]]
          : [shape[0], depth, block, block, shape[2], shape[3]])
      let turned = lowering.builder.transposed(
        split, isDepthFirst ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3])
      return [
        try lowering.builder.reshaped(
          turned, to: [shape[0], depth, shape[2] * block, shape[3] * block])
      ]
    },
    ONNXOperation("SpaceToDepth") { (lowering, call) throws(LoweringFault) in
      let (shape, block) = try blocks(call)
      guard shape[2] % block == 0, shape[3] % block == 0 else {
        throw .invalid("A map of \(shape[2]) x \(shape[3]) has no blocks of \(block) x \(block).")
      }
      let split = try lowering.builder.reshaped(
        call.input(0),
        to: [shape[0], shape[1], shape[2] / block, block, shape[3] / block, block])
      let isDepthFirst = call.text("mode", default: "DCR") == "DCR"
      let turned = lowering.builder.transposed(
        split, isDepthFirst ? [0, 3, 5, 1, 2, 4] : [0, 1, 3, 5, 2, 4])
      return [
        try lowering.builder.reshaped(
          turned, to: [shape[0], shape[1] * block * block, shape[2] / block, shape[3] / block])
      ]
    },
  ]

  /// Refuses shapes whose products could not be computed.
  static func checkShape(_ shape: [Int]) throws(LoweringFault) {
    guard shape.count <= 32 else { throw .unsupported("a tensor has \(shape.count) axes") }
    var count = 1
    for extent in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: max(1, extent))
      guard extent >= 0 else { throw .invalid("A shape has the extent \(extent).") }
      guard !overflow, next <= WeightFormat.maximumElementCount else {
        throw .unsupported("a tensor of \(shape) is too large")
      }
      count = next
    }
  }

  private static func split(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> [Value] {
    let shape = try call.shape(0)
    let axis = try call.axis(call.integer("axis", default: 0), rank: shape.count)
    let outputCount = call.node.outputs.count
    var lengths = try call.integers(attribute: "split", orInput: 1) ?? []
    if lengths.isEmpty {
      let count = call.integer("num_outputs", default: outputCount)
      guard count > 0, count == outputCount else {
        throw .invalid("Split has \(outputCount) outputs.")
      }
      let length = (shape[axis] + count - 1) / count
      lengths = [Int](repeating: length, count: count - 1)
      lengths.append(shape[axis] - length * (count - 1))
    }
    var start = 0
    var values: [Value] = []
    for length in lengths {
      guard length >= 0, length <= shape[axis] - start else {
        throw .invalid("Split makes \(lengths) of \(shape[axis]) positions.")
      }
      if length == 0 {
        var empty = shape
        empty[axis] = 0
        values.append(.constant(ConstantTensor(shape: empty, floats: [])))
        continue
      }
      values.append(
        try part(&lowering, call.input(0), axis, start: start, count: length, step: 1))
      start += length
    }
    guard start == shape[axis] else {
      throw .invalid("Split makes \(lengths) of \(shape[axis]) positions.")
    }
    return values
  }

  /// Positions of an axis; `step` may be below 0.
  private static func part(
    _ lowering: inout ONNXLowering, _ value: Value, _ axis: Int, start: Int, count: Int, step: Int
  ) throws(LoweringFault) -> Value {
    switch value {
    case .list, .unknown: return .unknown
    case .constant(let tensor):
      return .constant(
        try ConstantArithmetic.gather(
          tensor, axis: axis, indices: (0..<count).map { start + $0 * step }))
    case .computed(let value):
      if step > 0 {
        return .computed(
          try lowering.builder.sliced(
            value, axis: axis, start: start, count: count, step: step))
      }
      return .computed(
        try lowering.builder.gathered(
          value, axis: axis, indices: (0..<count).map { start + $0 * step }))
    }
  }

  private static func slice(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard let starts = try call.integers(attribute: "starts", orInput: 1),
      let ends = try call.integers(attribute: "ends", orInput: 2), starts.count == ends.count
    else { throw .invalid("Slice lacks its bounds.") }
    let stated = try call.integers(attribute: "axes", orInput: 3) ?? Array(starts.indices)
    let axes = try call.axes(stated, rank: shape.count)
    let steps = try call.integers(4, "steps") ?? [Int](repeating: 1, count: axes.count)
    guard axes.count == starts.count, steps.count == axes.count else {
      throw .invalid("Slice has \(starts.count) bounds for \(axes.count) axes.")
    }
    var value = try call.input(0)
    for (place, axis) in axes.enumerated() {
      let extent = shape[axis]
      let step = steps[place]
      guard step != 0, step > -(1 << 40), step < 1 << 40 else {
        throw .invalid("Slice has the step \(step).")
      }
      func bound(_ index: Int, _ range: ClosedRange<Int>) -> Int {
        let place = index < 0 ? index + extent : index
        return min(max(place, range.lowerBound), range.upperBound)
      }
      let start: Int
      let count: Int
      if step > 0 {
        start = bound(starts[place], 0...extent)
        count = max(0, (bound(ends[place], 0...extent) - start + step - 1) / step)
      } else {
        start = bound(starts[place], -1...(extent - 1))
        count = max(0, (start - bound(ends[place], -1...(extent - 1)) - step - 1) / -step)
      }
      if start == 0, step == 1, count == extent { continue }
      value = try part(&lowering, value, axis, start: start, count: count, step: step)
    }
    return value
  }

  private static func gather(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard !shape.isEmpty else { throw .invalid("Gather from a single number.") }
    let axis = try call.axis(call.integer("axis", default: 0), rank: shape.count)
    if case .computed? = call.optional(1) {
      return try lowering.builder.gathered(call.input(0), axis: axis, indices: call.input(1))
    }
    guard let tensor = try call.constant(1, "indices"), let stated = tensor.integers else {
      throw .invalid("Gather lacks its indices.")
    }
    let indices = stated.map { $0 < 0 ? $0 &+ shape[axis] : $0 }
    let target = shape[..<axis] + tensor.shape + shape[(axis + 1)...]
    try checkShape(Array(target))
    switch try call.input(0) {
    case .list, .unknown: return .unknown
    case .constant(let source):
      return .constant(
        try ConstantArithmetic.gather(source, axis: axis, indices: indices)
          .reshaped(to: Array(target)))
    case .computed(let value):
      let result = try lowering.builder.gathered(value, axis: axis, indices: indices)
      return try lowering.builder.reshaped(.computed(result), to: Array(target))
    }
  }

  private static func reshape(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard var target = try call.integers(attribute: "shape", orInput: 1) else {
      throw .invalid("Reshape lacks its shape.")
    }
    guard target.count <= 32 else { throw .unsupported("a tensor has \(target.count) axes") }
    let count = shape.reduce(1, *)
    var open: Int?
    for (axis, extent) in target.enumerated() {
      if extent == 0, call.integer("allowzero", default: 0) == 0 {
        guard axis < shape.count else { throw .invalid("Reshape of \(shape) to \(target).") }
        target[axis] = shape[axis]
      } else if extent == -1 {
        guard open == nil else { throw .invalid("Reshape leaves two extents open.") }
        open = axis
        target[axis] = 1
      }
    }
    try checkShape(target)
    let known = target.reduce(1, *)
    if let open {
      guard known > 0, count % known == 0 else {
        throw .invalid("Reshape of \(shape) to \(target).")
      }
      target[open] = count / known
    }
    guard target.reduce(1, *) == count else {
      throw .invalid("Reshape of \(shape) to \(target).")
    }
    return try lowering.builder.reshaped(call.input(0), to: target)
  }

  private static func tile(
    _ lowering: inout ONNXLowering, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard let repeats = try call.integers(1, "repeats"), repeats.count == shape.count,
      repeats.allSatisfy({ (1...(1 << 20)).contains($0) }), shape.count <= 16
    else { throw .invalid("Tile lacks its repeats.") }
    // Each axis gets one before it, which is repeated.
    var split: [Int] = []
    var whole: [Int] = []
    for (extent, count) in zip(shape, repeats) {
      split += [1, extent]
      whole += [count, extent]
    }
    try checkShape(whole)
    let value = try lowering.builder.reshaped(call.input(0), to: split)
    let result = try lowering.builder.expanded(value, to: whole)
    return try lowering.builder.reshaped(
      result, to: zip(shape, repeats).map { $0 * $1 })
  }

  private static func blocks(
    _ call: ONNXCall
  ) throws(LoweringFault) -> (shape: [Int], block: Int) {
    let shape = try call.shape(0)
    let block = call.integer("blocksize", default: 0)
    guard shape.count == 4, (1...1024).contains(block) else {
      throw .invalid("Blocks of \(block) in a tensor of \(shape).")
    }
    return (shape, block)
  }
}

internal import DiceWeights

/// Parts of tensors, tensors side by side, and tensors that are known from shapes.
extension CoreMLOperations {
  static let parts: [CoreMLOperation] = [
    .single(600, "copy") { (_, call) throws(LoweringFault) in try call.input(0) },
    .single(320, "concat") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let isSequence = try call.parameters.flag(100)
      let axis = rank - (isSequence ? 5 : 3)
      guard axis >= 0 else { throw .invalid("Its inputs have \(rank) axes.") }
      return try builder.concatenated(call.inputs, axis: axis)
    },
    .single(980, "concatND") { (builder, call) throws(LoweringFault) in
      guard try call.parameters.flag(2) else {
        let inputs = try sameRanks(&builder, call)
        let axis = try call.axis(
          call.parameters.integer(1), rank: inputs[0].shape?.count ?? 0)
        return try builder.concatenated(inputs, axis: axis)
      }
      let shape = try call.shape(0)
      let axis = try call.axis(call.parameters.integer(1), rank: shape.count)
      // Interleaved: side by side along an axis of its own behind the other.
      var target = shape
      target[axis] *= call.inputs.count
      return try builder.reshaped(stacked(&builder, call, axis: axis + 1), to: target)
    },
    .single(925, "stack") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      return try stacked(
        &builder, call, axis: call.axis(call.parameters.integer(1), rank: rank + 1))
    },
    CoreMLOperation(330, "split") { (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 3)
      return try split(
        &lowering.builder, call, axis: shape.count - 3, count: call.parameters.integer(1))
    },
    CoreMLOperation(975, "splitND") { (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.parameters.integer(1), rank: shape.count)
      let sizes = try call.parameters.sizes(3)
      guard !sizes.isEmpty else {
        return try split(&lowering.builder, call, axis: axis, count: call.parameters.integer(2))
      }
      return try split(&lowering.builder, call, axis: axis, sizes: sizes)
    },
    .single(350, "slice") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let code = try call.parameters.integer(4)
      guard (0...2).contains(code), shape.count >= 3 - code else {
        throw .invalid("It takes a part along the axis \(code) of \(shape).")
      }
      let bounds = GraphBuilder.Bounds(
        begin: try call.parameters.integer(1), end: try call.parameters.integer(2),
        step: try call.parameters.integer(3, zeroMeans: 1))
      return try builder.part(call.input(0), axis: shape.count - 3 + code, bounds)
    },
    .single(995, "sliceStatic") { (builder, call) throws(LoweringFault) in
      try slice(
        &builder, call, begins: call.parameters.integers(1), beginMasks: call.parameters.flags(2),
        ends: call.parameters.integers(3), endMasks: call.parameters.flags(4),
        steps: call.parameters.integers(5), squeezes: call.parameters.flags(6))
    },
    .single(1000, "sliceDynamic", "known bounds") { (builder, call) throws(LoweringFault) in
      func flags(_ index: Int, _ field: Int) throws(LoweringFault) -> [Bool] {
        if let masks = try call.integers(index, "masks") { return masks.map { $0 != 0 } }
        return try call.parameters.flags(field)
      }
      return try slice(
        &builder, call, begins: call.integers(1, "bounds") ?? [], beginMasks: flags(4, 2),
        ends: call.integers(2, "bounds", orField: 3), endMasks: flags(5, 4),
        steps: call.integers(3, "steps", orField: 5), squeezes: flags(6, 6))
    },
    .single(1470, "sliceBySize", "a known begin") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.parameters.integer(3), rank: shape.count)
      guard let begin = try call.integers(1, "begin")?.first else {
        throw .invalid("It has no begin.")
      }
      let (end, overflow) = begin.addingReportingOverflow(try call.parameters.integer(2))
      guard begin >= 0, !overflow, end <= shape[axis] else {
        throw .invalid("It takes \(begin)..<\(end) of \(shape[axis]) positions.")
      }
      return try builder.part(
        call.input(0), axis: axis, GraphBuilder.Bounds(begin: begin, end: end, step: 1))
    },
    .single(340, "sequenceRepeat") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 5)
      let count = try call.parameters.integer(1, zeroMeans: 1)
      return try builder.repeated(
        call.input(0),
        (shape.indices).map { (axis) in axis == shape.count - 5 ? count : 1 })
    },
    .single(920, "tile", "known repetitions") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let counts = try call.integers(1, "repetitions", orField: 1)
      guard !counts.isEmpty, counts.count <= rank else {
        throw .invalid("It has \(counts.count) repetitions for \(rank) axes.")
      }
      return try builder.repeated(
        call.input(0), [Int](repeating: 1, count: rank - counts.count) + counts)
    },
    .single(960, "reverse") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let isReversed = try call.parameters.flags(1)
      guard isReversed.count == shape.count else {
        throw .invalid("It has \(isReversed.count) flags for \(shape.count) axes.")
      }
      var value = try call.input(0)
      for axis in shape.indices where isReversed[axis] {
        value = try builder.positions(value, axis: axis, indices: (0..<shape[axis]).reversed())
      }
      return value
    },
    .single(1005, "slidingWindows") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.parameters.integer(1), rank: shape.count)
      let (size, step) = (try call.parameters.integer(2), try call.parameters.integer(3))
      guard size > 0, step > 0, size <= shape[axis] else {
        throw .invalid("It has windows of \(size) of \(shape[axis]) positions, \(step) apart.")
      }
      let count = (shape[axis] - size) / step + 1
      let target = shape[..<axis] + [count, size] + shape[(axis + 1)...]
      _ = try ConstantArithmetic.count(Array(target))
      let indices = (0..<count).flatMap { (window) in (0..<size).map { window * step + $0 } }
      return try builder.reshaped(
        builder.positions(call.input(0), axis: axis, indices: indices), to: Array(target))
    },
    .single(1155, "constantPad", "known amounts") { (builder, call) throws(LoweringFault) in
      try constantPadding(&builder, call)
    },
  ]

  // MARK: Slices

  private static func slice(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, begins: [Int], beginMasks: [Bool],
    ends: [Int], endMasks: [Bool], steps: [Int], squeezes: [Bool]
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let rank = shape.count
    guard begins.count == rank, ends.count == rank, steps.isEmpty || steps.count == rank,
      [beginMasks, endMasks, squeezes].allSatisfy({ $0.isEmpty || $0.count == rank })
    else { throw .invalid("Its bounds are not \(rank), one for each axis.") }
    func flag(_ flags: [Bool], _ axis: Int) -> Bool { flags.isEmpty ? false : flags[axis] }
    var value = try call.input(0)
    var target: [Int] = []
    for axis in 0..<rank {
      if flag(squeezes, axis) {
        let index = begins[axis] < 0 ? begins[axis] &+ shape[axis] : begins[axis]
        guard (0..<shape[axis]).contains(index) else {
          throw .invalid("It takes position \(begins[axis]) of \(shape[axis]).")
        }
        value = try builder.part(
          value, axis: axis, GraphBuilder.Bounds(begin: index, end: index + 1, step: 1))
        continue
      }
      let bounds = GraphBuilder.Bounds(
        begin: flag(beginMasks, axis) ? nil : begins[axis],
        end: flag(endMasks, axis) ? nil : ends[axis], step: steps.isEmpty ? 1 : steps[axis])
      value = try builder.part(value, axis: axis, bounds)
      target.append(value.shape?[axis] ?? 0)
    }
    return try builder.reshaped(value, to: target.isEmpty ? [1] : target)
  }

  // MARK: Parts and joints

  private static func split(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, axis: Int, count: Int
  ) throws(LoweringFault) -> [Value] {
    let extent = try call.shape(0)[axis]
    guard count > 0, count <= extent, extent % count == 0 else {
      throw .invalid("It makes \(count) parts of \(extent) positions.")
    }
    return try split(
      &builder, call, axis: axis, sizes: [Int](repeating: extent / count, count: count))
  }

  private static func split(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, axis: Int, sizes: [Int]
  ) throws(LoweringFault) -> [Value] {
    let extent = try call.shape(0)[axis]
    guard sizes.count == call.outputCount, sizes.allSatisfy({ $0 > 0 }),
      sizes.reduce(0, +) == extent
    else { throw .invalid("It makes \(sizes) of \(extent) positions.") }
    var start = 0
    var values: [Value] = []
    for size in sizes {
      values.append(
        try builder.part(
          call.input(0), axis: axis,
          GraphBuilder.Bounds(begin: start, end: start + size, step: 1)))
      start += size
    }
    return values
  }

  /// All operands, those with fewer axes with axes of extent 1 in front.
  ///
  /// Create ML joins a vector and a matrix of one number each.
  private static func sameRanks(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> [Value] {
    var rank = try call.shape(0).count
    for index in call.inputs.indices { rank = max(rank, try call.shape(index).count) }
    var values: [Value] = []
    for (index, value) in call.inputs.enumerated() {
      let shape = try call.shape(index)
      values.append(
        try shape.count == rank
          ? value
          : builder.reshaped(
            value, to: [Int](repeating: 1, count: rank - shape.count) + shape))
    }
    return values
  }

  private static func stacked(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, axis: Int
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    var target = shape
    target.insert(1, at: axis)
    var values: [Value] = []
    for (index, value) in call.inputs.enumerated() {
      guard try call.shape(index) == shape else {
        throw .invalid("Tensors of different shapes are stacked.")
      }
      values.append(try builder.reshaped(value, to: target))
    }
    return try builder.concatenated(values, axis: axis)
  }

  private static func constantPadding(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let amounts = try call.integers(1, "amounts", orField: 2)
    guard amounts.count == 2 * shape.count,
      amounts.allSatisfy({ (0...(1 << 24)).contains($0) })
    else { throw .invalid("It has \(amounts.count) amounts for \(shape.count) axes.") }
    let isSize = try call.parameters.flag(3)
    let number = try call.parameters.number(1)
    var value = try builder.computed(call.input(0))
    // Two axes at a time: any two have places of their own.
    let padded = shape.indices.filter { amounts[2 * $0] + amounts[2 * $0 + 1] > 0 }
    for start in stride(from: 0, to: padded.count, by: 2) {
      var before = [Int](repeating: 0, count: shape.count)
      var after = before
      for axis in padded[start..<min(start + 2, padded.count)] {
        (before[axis], after[axis]) = (amounts[2 * axis], amounts[2 * axis + 1])
        guard isSize else { continue }
        // The amounts are the size that results.
        guard before[axis] == 0 || after[axis] == 0 else {
          throw .invalid("It pads axis \(axis) to two sizes.")
        }
        before[axis] = max(0, before[axis] - shape[axis])
        after[axis] = max(0, after[axis] - shape[axis])
      }
      value = try builder.padded(value, before: before, after: after, .constant(number))
    }
    return .computed(value)
  }
}

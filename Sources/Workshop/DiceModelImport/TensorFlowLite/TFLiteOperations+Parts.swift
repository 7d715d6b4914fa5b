internal import DiceWeights

/// Parts of tensors, and tensors side by side.
extension TFLiteOperations {
  static let parts: [TFLiteOperation] = [
    .single(2, "CONCATENATION", "", .moving, activation: 1) {
      (builder, call) throws(LoweringFault) in
      let axis = try call.axis(call.option(0), rank: call.shape(0).count)
      var values: [Value] = []
      for index in call.inputs.indices { values.append(try call.input(index)) }
      return try builder.concatenated(values, axis: axis)
    },
    TFLiteOperation(49, "SPLIT", "a known axis", .moving) {
      (lowering, call, operation) throws(LoweringFault) in
      let shape = try call.shape(1)
      let axis = try call.axis(call.integer(0, "axis"), rank: shape.count)
      let count = try call.option(0)
      guard count > 0, count <= TFLiteFile.operandLimit, shape[axis] % count == 0 else {
        throw .invalid("It makes \(count) parts of \(shape[axis]) positions.")
      }
      return try split(
        &lowering.builder, call, value: 1, axis: axis,
        sizes: [Int](repeating: shape[axis] / count, count: count))
    },
    TFLiteOperation(102, "SPLIT_V", "known sizes", .moving) {
      (lowering, call, operation) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.integer(2, "axis"), rank: shape.count)
      var sizes = try call.integers(1, "sizes")
      guard sizes.allSatisfy({ (-1...shape[axis]).contains($0) }) else {
        throw .invalid("It makes \(sizes) of \(shape[axis]) positions.")
      }
      if let open = sizes.firstIndex(of: -1) {
        sizes[open] = 0
        sizes[open] = shape[axis] - sizes.reduce(0, +)
      }
      return try split(&lowering.builder, call, value: 0, axis: axis, sizes: sizes)
    },
    .single(83, "PACK", "", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      guard shape.count < GraphBuilder.rankLimit else {
        throw .unsupported("its result has \(shape.count + 1) axes")
      }
      let axis = try call.axis(call.option(1), rank: shape.count + 1)
      var target = shape
      target.insert(1, at: axis)
      var values: [Value] = []
      for index in call.inputs.indices {
        guard try call.shape(index) == shape else {
          throw .invalid("Tensors of different shapes are stacked.")
        }
        values.append(try builder.reshaped(call.input(index), to: target))
      }
      return try builder.concatenated(values, axis: axis)
    },
    TFLiteOperation(88, "UNPACK", "", .moving) {
      (lowering, call, operation) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.option(1), rank: shape.count)
      guard shape[axis] <= TFLiteFile.operandLimit else {
        throw .invalid("It makes \(shape[axis]) parts.")
      }
      var rest = shape
      rest.remove(at: axis)
      var values: [Value] = []
      for value in try split(
        &lowering.builder, call, value: 0, axis: axis,
        sizes: [Int](repeating: 1, count: shape[axis]))
      {
        values.append(try lowering.builder.reshaped(value, to: rest))
      }
      return values
    },
    .single(65, "SLICE", "known bounds", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let (begins, sizes) = (try call.integers(1, "begin"), try call.integers(2, "size"))
      guard begins.count == shape.count, sizes.count == shape.count else {
        throw .invalid("It has \(begins.count) bounds for \(shape.count) axes.")
      }
      var value = try call.input(0)
      for axis in shape.indices {
        let count = sizes[axis] == -1 ? shape[axis] - begins[axis] : sizes[axis]
        if count == 0, (0...shape[axis]).contains(begins[axis]) {
          // What a loop has not computed yet, or need not keep.
          value = empty(value, axis: axis, isInteger: call.isInteger(0))
          continue
        }
        guard (0..<max(1, shape[axis])).contains(begins[axis]), count > 0,
          count <= shape[axis] - begins[axis]
        else { throw .invalid("It takes \(count) positions from \(begins[axis]) on of \(shape).") }
        value = try builder.part(
          value, axis: axis,
          GraphBuilder.Bounds(begin: begins[axis], end: begins[axis] + count, step: 1))
      }
      return value
    },
    .single(45, "STRIDED_SLICE", "known bounds", .moving) {
      (builder, call) throws(LoweringFault) in
      try stridedSlice(&builder, call)
    },
    .single(151, "DYNAMIC_UPDATE_SLICE", "a known place") {
      (builder, call) throws(LoweringFault) in
      let (shape, own) = (try call.shape(0), try call.shape(1))
      let starts = try call.integers(2, "place")
      guard own.count == shape.count, starts.count == shape.count,
        shape.indices.allSatisfy({ own[$0] <= shape[$0] && own[$0] > 0 })
      else { throw .invalid("A tensor of \(own) takes the place of a part of \(shape).") }
      return try updated(
        &builder, call.input(0), call.input(1),
        shape.indices.map { min(max(starts[$0], 0), shape[$0] - own[$0]) }, axis: 0)
    },
  ]

  /// No position of an axis.
  private static func empty(_ value: Value, axis: Int, isInteger: Bool) -> Value {
    var shape = value.shape ?? []
    shape[axis] = 0
    return .constant(ConstantTensor(shape: shape, isInteger ? .integers([]) : .floats([])))
  }

  private static func split(
    _ builder: inout GraphBuilder, _ call: TFLiteCall, value: Int, axis: Int, sizes: [Int]
  ) throws(LoweringFault) -> [Value] {
    let extent = try call.shape(value)[axis]
    guard sizes.count == call.resultTypes.count, sizes.allSatisfy({ $0 >= 0 }),
      sizes.reduce(0, +) == extent
    else { throw .invalid("It makes \(sizes) of \(extent) positions.") }
    var start = 0
    var values: [Value] = []
    for size in sizes {
      if size == 0 {
        values.append(empty(try call.input(value), axis: axis, isInteger: call.isInteger(value)))
        continue
      }
      values.append(
        try builder.part(
          call.input(value), axis: axis,
          GraphBuilder.Bounds(begin: start, end: start + size, step: 1)))
      start += size
    }
    return values
  }

  /// A tensor with another one in place of a part.
  private static func updated(
    _ builder: inout GraphBuilder, _ value: Value, _ update: Value, _ starts: [Int], axis: Int
  ) throws(LoweringFault) -> Value {
    let (shape, own) = (value.shape ?? [], update.shape ?? [])
    guard axis < shape.count, shape != own else { return update }
    let end = starts[axis] + own[axis]
    var parts: [Value] = []
    for (bounds, isMiddle) in [
      (0, starts[axis], false), (starts[axis], end, true),
      (end, shape[axis], false),
    ].map({ ($0.0..<$0.1, $0.2) }) where !bounds.isEmpty {
      let part = try builder.part(
        value, axis: axis,
        GraphBuilder.Bounds(begin: bounds.lowerBound, end: bounds.upperBound, step: 1))
      parts.append(
        isMiddle ? try updated(&builder, part, update, starts, axis: axis + 1) : part)
    }
    return try builder.concatenated(parts, axis: axis)
  }

  /// Positions of axes by bounds and steps; bits of five masks say what they mean.
  private static func stridedSlice(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let (begins, ends) = (try call.integers(1, "begin"), try call.integers(2, "end"))
    let steps = try call.integers(3, "step")
    let count = begins.count
    guard ends.count == count, steps.count == count, count <= GraphBuilder.rankLimit else {
      throw .invalid("It has \(count) bounds and \(steps.count) steps.")
    }
    func bits(_ field: Int) throws(LoweringFault) -> (Int) -> Bool {
      let mask = try call.option(field)
      return { (mask >> $0) & 1 != 0 }
    }
    let (opensBegin, opensEnd) = (try bits(0), try bits(1))
    let (isEllipsis, isNew, isSingle) = (try bits(2), try bits(3), try bits(4))
    let isOffset = try call.flag(5)
    let named = (0..<count).count { !isEllipsis($0) && !isNew($0) }
    guard named <= shape.count, (0..<count).count(where: { isEllipsis($0) }) <= 1 else {
      throw .invalid("It has \(named) bounds for a tensor of \(shape).")
    }
    var value = try call.input(0)
    var target: [Int] = []
    var axis = 0
    for place in 0..<count {
      if isEllipsis(place) {
        for _ in 0..<shape.count - named {
          target.append(shape[axis])
          axis += 1
        }
        continue
      }
      if isNew(place) {
        target.append(1)
        continue
      }
      let begin = begins[place]
      if isSingle(place) {
        // The first position, where the begin is open as well.
        let index = opensBegin(place) ? 0 : begin < 0 ? begin + shape[axis] : begin
        guard (0..<shape[axis]).contains(index) else {
          throw .invalid("It takes position \(begin) of \(shape[axis]).")
        }
        value = try builder.part(
          value, axis: axis, GraphBuilder.Bounds(begin: index, end: index + 1, step: 1))
      } else {
        let end = isOffset ? begin + ends[place] : ends[place]
        value = try builder.part(
          value, axis: axis,
          GraphBuilder.Bounds(
            begin: opensBegin(place) ? nil : begin, end: opensEnd(place) ? nil : end,
            step: steps[place]))
        target.append(value.shape?[axis] ?? 0)
      }
      axis += 1
    }
    target += shape[axis...]
    guard target.count <= GraphBuilder.rankLimit else {
      throw .unsupported("its result has \(target.count) axes")
    }
    return try builder.reshaped(value, to: target)
  }
}

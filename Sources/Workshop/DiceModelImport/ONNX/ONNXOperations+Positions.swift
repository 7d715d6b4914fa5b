internal import DiceWeights

/// Numbers at places that indices name, and sums along axes.
extension ONNXOperations {
  static let positions: [ONNXOperation] = [
    .single("GatherElements") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      return try builder.gatheredAlong(
        call.axis(call.integer("axis", default: 0), rank: rank), call.input(0),
        indices: call.input(1))
    },
    .single("GatherND") { (builder, call) throws(LoweringFault) in
      let batch = call.integer("batch_dims", default: 0)
      let (shape, own) = (try call.shape(0), try call.shape(1))
      guard (0..<min(shape.count, own.count)).contains(batch),
        shape.prefix(batch).allSatisfy({ $0 == 1 }), own.prefix(batch).allSatisfy({ $0 == 1 })
      else { throw .unsupported("each tensor of its batch has indices of its own") }
      let rest = try builder.gatheredPoints(
        builder.reshaped(call.input(0), to: Array(shape.dropFirst(batch))),
        indices: builder.reshaped(call.input(1), to: Array(own.dropFirst(batch))))
      return try builder.reshaped(rest, to: own.prefix(batch) + (rest.shape ?? []))
    },
    .single("ScatterND", "known indices; the reductions none and add") {
      (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      guard let points = try call.constant(1, "indices") else {
        throw .invalid("ScatterND lacks its indices.")
      }
      let (places, depth) = try GraphBuilder.places(ofPoints: points, in: shape)
      let rest = Array(shape[depth...])
      guard try call.shape(2) == points.shape.dropLast() + rest else {
        throw .invalid("Its updates do not fit its indices.")
      }
      let count = shape[..<depth].reduce(1, *)
      return try builder.reshaped(
        builder.scattered(
          builder.reshaped(call.input(0), to: [count] + rest),
          builder.reshaped(call.input(2), to: [places.count] + rest), places,
          call.text("reduction", default: "none")), to: shape)
    },
    scatter("ScatterElements"), scatter("Scatter"),
    .single("OneHot", "a known depth and known numbers") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      guard let depth = try call.scalar(1, "depth"), let numbers = try call.constant(2, "numbers"),
        numbers.count == 2, (1...Float(1 << 20)).contains(depth), rank < GraphBuilder.rankLimit
      else { throw .invalid("Its depth or its numbers are wrong.") }
      let axis = try call.axis(call.integer("axis", default: -1), rank: rank + 1)
      let (off, on) = (numbers.floats[0], numbers.floats[1])
      // Below 0, indices count from the end.
      let isNegative = try builder.negated(builder.notNegative(call.input(0)))
      let places = try builder.combined(
        .addition, call.input(0),
        builder.applied([.linear(scale: depth.rounded(.down), offset: 0)], to: isNegative))
      let result = try builder.applied(
        [.linear(scale: on - off, offset: off)],
        to: builder.indicators(places, count: Int(depth)))
      var order = Array(0..<rank)
      order.insert(rank, at: axis)
      return builder.transposed(result, order)
    },
    .single("CumSum", "a known axis; up to 2048 positions") {
      (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      guard let axis = try call.integers(1, "axis")?.first else {
        throw .invalid("CumSum lacks its axis.")
      }
      return .computed(
        try builder.runningSums(
          builder.computed(call.input(0)), axis: call.axis(axis, rank: rank),
          isExclusive: call.integer("exclusive", default: 0) != 0,
          isReversed: call.integer("reverse", default: 0) != 0))
    },
    .single("Trilu") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let shift = try call.integers(1, "diagonal")?.first ?? 0
      guard shape.count >= 2, abs(shift.clamped) <= 1 << 24 else {
        throw .invalid("It takes a triangle of \(shape).")
      }
      let isUpper = call.integer("upper", default: 1) != 0
      let (rows, columns) = (shape[shape.count - 2], shape[shape.count - 1])
      _ = try ConstantArithmetic.count([rows, columns])
      var mask: [Int] = []
      for row in 0..<rows {
        for column in 0..<columns {
          mask.append((isUpper ? column - row >= shift : column - row <= shift) ? 1 : 0)
        }
      }
      let known = ConstantTensor(shape: [rows, columns], integers: mask)
      let zero =
        call.input(isInteger: 0)
        ? ConstantTensor(shape: [], integers: [0]) : ConstantTensor(shape: [], floats: [0])
      return try builder.chosen(known: known, call.input(0), .constant(zero))
    },
    .single("EyeLike") { (_, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let shift = call.integer("k", default: 0)
      guard shape.count == 2, abs(shift.clamped) <= 1 << 24 else {
        throw .invalid("It makes a matrix of \(shape).")
      }
      _ = try ConstantArithmetic.count(shape)
      var numbers: [Float] = []
      for row in 0..<shape[0] {
        for column in 0..<shape[1] { numbers.append(column - row == shift ? 1 : 0) }
      }
      return .constant(ConstantTensor(shape: shape, floats: numbers))
    },
    .single("Compress", "a known condition") { (builder, call) throws(LoweringFault) in
      guard let condition = try call.constant(1, "condition")?.floats else {
        throw .invalid("Compress lacks its condition.")
      }
      let shape = try call.shape(0)
      var value = try call.input(0)
      var axis = 0
      if let stated = call.node.attributes["axis"]?.integer {
        axis = try call.axis(stated, rank: shape.count)
      } else {
        value = try builder.reshaped(value, to: [shape.reduce(1, *)])
      }
      let indices = condition.indices.filter { condition[$0] != 0 }
      return try builder.positions(value, axis: axis, indices: indices)
    },
    .single("ReverseSequence", "known lengths") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let batch = try call.axis(call.integer("batch_axis", default: 1), rank: shape.count)
      let time = try call.axis(call.integer("time_axis", default: 0), rank: shape.count)
      guard let lengths = try call.integers(1, "lengths"), batch != time,
        lengths.count == shape[batch], lengths.count <= 1024,
        lengths.allSatisfy({ (0...shape[time]).contains($0) })
      else { throw .invalid("ReverseSequence lacks its lengths.") }
      var parts: [Value] = []
      for (place, length) in lengths.enumerated() {
        let part = try builder.part(
          call.input(0), axis: batch,
          GraphBuilder.Bounds(begin: place, end: place + 1, step: 1))
        parts.append(
          try builder.positions(
            part, axis: time,
            indices: (0..<length).reversed() + Array(length..<shape[time])))
      }
      return try builder.concatenated(parts, axis: batch)
    },
    ONNXOperation("TopK", "a known count; the first of equal ones first") {
      (lowering, call) throws(LoweringFault) in
      try greatest(&lowering.builder, call)
    },
  ]

  private static func scatter(_ name: String) -> ONNXOperation {
    .single(name, "known indices; the reductions none and add") {
      (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.integer("axis", default: 0), rank: shape.count)
      guard let indices = try call.constant(1, "indices") else {
        throw .invalid("\(name) lacks its indices.")
      }
      let own = indices.shape
      guard own.count == shape.count, try call.shape(2) == own,
        shape.indices.allSatisfy({ $0 == axis || own[$0] <= shape[$0] })
      else { throw .invalid("Its updates do not fit its indices.") }
      let strides = ConstantTensor.strides(of: shape)
      var walked = strides
      walked[axis] = 0
      let starts = ConstantTensor.walk(own, strides: walked)
      var places: [Int] = []
      for (start, stated) in zip(starts, try indices.wholeNumbers("indices")) {
        let index = stated < 0 ? stated + shape[axis] : stated
        guard (0..<shape[axis]).contains(index) else {
          throw .invalid("An index \(stated) is not one of \(shape[axis]) positions.")
        }
        places.append(start + index * strides[axis])
      }
      return try builder.reshaped(
        builder.scattered(
          builder.reshaped(call.input(0), to: [shape.reduce(1, *)]),
          builder.reshaped(call.input(2), to: [places.count]), places,
          call.text("reduction", default: "none")), to: shape)
    }
  }

  /// The greatest or the smallest numbers along an axis, and their places, in order.
  private static func greatest(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> [Value] {
    let shape = try call.shape(0)
    let axis = try call.axis(call.integer("axis", default: -1), rank: shape.count)
    guard
      let count = try call.integers(attribute: "k", orInput: 1)?.first
        ?? call.node.attributes["k"]?.integer
    else { throw .invalid("TopK lacks its count.") }
    let (numbers, places) = try builder.ranked(
      builder.computed(call.input(0)), axis: axis, count: count.clamped,
      isLargest: call.integer("largest", default: 1) != 0, few: 16)
    return [numbers, places]
  }
}

extension GraphBuilder {
  /// Rows of a tensor with others put in their place, or added to them.
  ///
  /// - Parameters:
  ///   - value: `[rows, ...]`.
  ///   - updates: `[places, ...]`.
  ///   - places: A row for each update; of several for one row the last one stays.
  mutating func scattered(
    _ value: Value, _ updates: Value, _ places: [Int], _ reduction: String
  ) throws(LoweringFault) -> Value {
    guard let shape = value.shape, let count = shape.first else { return .unknown }
    if places.isEmpty { return value }
    switch reduction {
    case "none":
      if case .constant = value, case .constant = updates {
        _ = try ConstantArithmetic.count([shape.reduce(1, *) + places.count])
      }
      var rows = Array(0..<count)
      for (update, place) in places.enumerated() { rows[place] = count + update }
      return try positions(
        concatenated([value, updates], axis: 0), axis: 0, indices: rows)
    case "add":
      var weights = [Float](
        repeating: 0, count: try ConstantArithmetic.count([places.count, count]))
      for (row, place) in places.enumerated() { weights[row * count + place] += 1 }
      let sum = try multiplied(
        computed(updates), axis: 0, weights: weights, outputCount: count)
      return try combined(.addition, value, .computed(sum))
    default: throw .unsupported("its reduction is \(reduction)")
    }
  }
}

extension ONNXCall {
  /// Whether an operand is known and has integers.
  func input(isInteger index: Int) -> Bool {
    if case .constant(let tensor)? = optional(index) { return tensor.isInteger }
    return false
  }
}

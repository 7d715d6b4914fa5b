internal import DiceWeights

/// Tensors that follow from shapes, and positions that indices name.
extension TFLiteOperations {
  static let knownValues: [TFLiteOperation] = [
    .single(77, "SHAPE") { (_, call) throws(LoweringFault) in
      .constant(ConstantTensor(try call.shape(0)))
    },
    .single(110, "RANK") { (_, call) throws(LoweringFault) in
      .constant(ConstantTensor(shape: [], integers: [try call.shape(0).count]))
    },
    .single(94, "FILL", "a known shape", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.integers(0, "shape")
      guard shape.count <= GraphBuilder.rankLimit, shape.allSatisfy({ $0 > 0 }) else {
        throw .invalid("It fills the shape \(shape).")
      }
      _ = try ConstantArithmetic.count(shape)
      return try builder.expanded(call.input(1), to: shape)
    },
    .single(93, "ZEROS_LIKE") { (_, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let count = try ConstantArithmetic.count(shape)
      return .constant(
        call.isInteger(0)
          ? ConstantTensor(shape: shape, integers: [Int](repeating: 0, count: count))
          : ConstantTensor(shape: shape, floats: [Float](repeating: 0, count: count)))
    },
    .single(96, "RANGE", "known bounds") { (_, call) throws(LoweringFault) in try range(call) },
    .single(145, "BROADCAST_ARGS", "known shapes") { (_, call) throws(LoweringFault) in
      let (first, second) = (try call.integers(0, "shape"), try call.integers(1, "shape"))
      guard let shape = ConstantTensor.broadcastShape(first, second) else {
        throw .invalid("Tensors of \(first) and \(second) cannot be combined.")
      }
      return .constant(ConstantTensor(shape))
    },
    .single(36, "GATHER", "", .moving) {
      (builder, call) throws(LoweringFault) in
      try gathered(&builder, call)
    },
    .single(107, "GATHER_ND", "", .moving) { (builder, call) throws(LoweringFault) in
      try builder.gatheredPoints(call.input(0), indices: call.input(1))
    },
    .single(7, "EMBEDDING_LOOKUP") {
      (builder, call) throws(LoweringFault) in
      guard try !call.shape(1).isEmpty else { throw .invalid("Its table is a single number.") }
      return try builder.gathered(call.input(1), axis: 0, indices: call.input(0))
    },
    .single(85, "ONE_HOT", "a known depth and known numbers") {
      (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let depth = try call.integer(1, "depth")
      let (on, off) = (try call.scalar(2, "number"), try call.scalar(3, "number"))
      guard (1...(1 << 20)).contains(depth), rank < GraphBuilder.rankLimit else {
        throw .invalid("Its depth is \(depth).")
      }
      let axis = try call.axis(call.option(0), rank: rank + 1)
      let result = try builder.applied(
        [.linear(scale: on - off, offset: off)],
        to: builder.indicators(call.input(0), count: depth))
      var order = Array(0..<rank)
      order.insert(rank, at: axis)
      return builder.transposed(result, order)
    },
    .single(122, "SCATTER_ND", "known places and a known shape") {
      (builder, call) throws(LoweringFault) in
      try scattered(
        &builder, points: call.constant(0, "places"), call.input(1),
        shape: call.integers(2, "shape"))
    },
    .single(68, "SPARSE_TO_DENSE", "known places and a known shape; 0 elsewhere") {
      (builder, call) throws(LoweringFault) in
      guard try call.scalar(3, "number") == 0 else {
        throw .unsupported("its other numbers are not 0")
      }
      var points = try call.constant(0, "places")
      // A single place, or places along one axis.
      if let known = points, known.shape.count < 2 {
        points = known.reshaped(to: [known.count, 1])
      }
      return try scattered(
        &builder, points: points, call.input(2), shape: call.integers(1, "shape"))
    },
  ]

  private static func range(_ call: TFLiteCall) throws(LoweringFault) -> Value {
    let (start, end, step) = (
      try call.scalar(0, "bound"), try call.scalar(1, "bound"), try call.scalar(2, "step")
    )
    let count = ((end - start) / step).rounded(.up)
    guard count >= 0, count <= Float(ConstantArithmetic.countLimit) else {
      throw .invalid("It goes from \(start) to \(end) by \(step).")
    }
    let floats = (0..<Int(count)).map { start + Float($0) * step }
    let tensor = ConstantTensor(shape: [Int(count)], floats: floats)
    guard call.isInteger(0) else { return .constant(tensor) }
    return .constant(
      ConstantTensor(shape: tensor.shape, integers: try tensor.wholeNumbers("number")))
  }

  private static func gathered(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let (shape, own) = (try call.shape(0), try call.shape(1))
    let axis = try call.axis(call.option(0), rank: shape.count)
    let stated = try call.option(1)
    let batch = stated < 0 ? stated + own.count : stated
    guard (0...min(axis, own.count)).contains(batch), own.prefix(batch).allSatisfy({ $0 == 1 })
    else { throw .unsupported("each tensor of its batch has indices of its own") }
    let indices = try builder.reshaped(call.input(1), to: Array(own.dropFirst(batch)))
    return try builder.gathered(call.input(0), axis: axis, indices: indices)
  }

  /// Numbers put to known places of a tensor of zeros; those at the same place are summed up.
  private static func scattered(
    _ builder: inout GraphBuilder, points: ConstantTensor?, _ value: Value, shape: [Int]
  ) throws(LoweringFault) -> Value {
    guard let points, shape.count <= GraphBuilder.rankLimit, !points.shape.isEmpty,
      shape.allSatisfy({ (1...(1 << 20)).contains($0) })
    else { throw .invalid("It puts numbers into the shape \(shape).") }
    _ = try ConstantArithmetic.count(shape)
    let (places, depth) = try GraphBuilder.places(ofPoints: points, in: shape)
    let (outer, inner) = (
      shape[..<depth].reduce(1, *), shape[depth...].reduce(1, *)
    )
    guard (value.shape ?? []).reduce(1, *) == places.count * inner, !places.isEmpty else {
      throw .invalid("It puts a tensor of \(value.shape ?? []) to \(places.count) places.")
    }
    var weights = [Float](
      repeating: 0, count: try ConstantArithmetic.count([places.count, outer]))
    for (row, place) in places.enumerated() { weights[row * outer + place] += 1 }
    let rows = try builder.reshaped(value, to: [places.count, inner])
    let result = try builder.multiplied(
      builder.computed(rows), axis: 0, weights: weights, outputCount: outer)
    return try builder.reshaped(.computed(result), to: shape)
  }
}

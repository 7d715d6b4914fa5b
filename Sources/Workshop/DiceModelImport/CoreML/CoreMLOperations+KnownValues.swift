internal import DiceWeights

/// Constants, tensors that follow from shapes, and parts that constants name.
extension CoreMLOperations {
  static let knownValues: [CoreMLOperation] = [
    .single(290, "loadConstant") { (_, call) throws(LoweringFault) in
      let shape = try call.parameters.sizes(1)
      guard shape.count == 3 else { throw .invalid("Its shape is \(shape).") }
      return .constant(
        ConstantTensor(
          shape: [1, 1] + shape, floats: try call.parameters.weights(2, shape: shape)))
    },
    .single(1070, "loadConstantND") { (_, call) throws(LoweringFault) in
      let shape = try call.parameters.sizes(1)
      guard shape.count <= rankLimit else { throw .invalid("Its shape is \(shape).") }
      return .constant(
        ConstantTensor(shape: shape, floats: try call.parameters.weights(2, shape: shape)))
    },
    .single(1065, "getShape") { (_, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      return .constant(
        ConstantTensor(shape: [shape.count], floats: shape.map { Float($0) }))
    },
    .single(1080, "fillLike") { (_, call) throws(LoweringFault) in
      try filled(call.shape(0), call)
    },
    .single(1085, "fillStatic") { (_, call) throws(LoweringFault) in
      try filled(call.parameters.sizes(2), call)
    },
    .single(1090, "fillDynamic", "a known shape") { (_, call) throws(LoweringFault) in
      try filled(call.integers(0, "shape") ?? [], call)
    },
    .single(635, "rangeStatic") { (_, call) throws(LoweringFault) in
      try range(
        from: call.parameters.number(2), to: call.parameters.number(1),
        by: call.parameters.number(3))
    },
    .single(640, "rangeDynamic", "known bounds") { (_, call) throws(LoweringFault) in
      func number(_ index: Int, _ other: Float) throws(LoweringFault) -> Float {
        try call.constant(index, "bound")?.floats.first ?? other
      }
      return try range(
        from: number(1, call.parameters.number(2)), to: number(0, 0),
        by: number(2, call.parameters.number(3)))
    },
    .single(1100, "broadcastToLike") { (builder, call) throws(LoweringFault) in
      try expanded(&builder, call, to: call.shape(1))
    },
    .single(1105, "broadcastToStatic") { (builder, call) throws(LoweringFault) in
      try expanded(&builder, call, to: call.parameters.sizes(1))
    },
    .single(1110, "broadcastToDynamic", "a known shape") {
      (builder, call) throws(LoweringFault) in
      try expanded(&builder, call, to: call.integers(1, "shape") ?? [])
    },
    .single(930, "gather") {
      (builder, call) throws(LoweringFault) in
      let axis = try call.axis(call.parameters.integer(1), rank: call.shape(0).count)
      return try builder.gathered(call.input(0), axis: axis, indices: call.input(1))
    },
    .single(940, "gatherND") { (builder, call) throws(LoweringFault) in
      try builder.gatheredPoints(call.input(0), indices: call.input(1))
    },
    .single(952, "gatherAlongAxis") { (builder, call) throws(LoweringFault) in
      let axis = try call.axis(call.parameters.integer(1), rank: call.shape(0).count)
      return try builder.gatheredAlong(axis, call.input(0), indices: call.input(1))
    },
    .single(1450, "oneHot", "a known size") { (builder, call) throws(LoweringFault) in
      try oneHot(&builder, call)
    },
    .single(1315, "matrixBandPart") { (builder, call) throws(LoweringFault) in
      let (lower, upper) = (try call.parameters.integer(1), try call.parameters.integer(2))
      return try masked(&builder, call) { (row, column) in
        (lower < 0 || row - column <= lower) && (upper < 0 || column - row <= upper)
      }
    },
    .single(1320, "lowerTriangular") { (builder, call) throws(LoweringFault) in
      let diagonal = try call.parameters.integer(1)
      return try masked(&builder, call) { (row, column) in column - row <= diagonal }
    },
    .single(1325, "upperTriangular") { (builder, call) throws(LoweringFault) in
      let diagonal = try call.parameters.integer(1)
      return try masked(&builder, call) { (row, column) in column - row >= diagonal }
    },
  ]

  private static func filled(
    _ shape: [Int], _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let count = try ConstantArithmetic.count(shape)
    guard shape.count <= rankLimit else { throw .unsupported("it has \(shape.count) axes") }
    return .constant(
      ConstantTensor(
        shape: shape,
        floats: [Float](repeating: try call.parameters.number(1), count: count)))
  }

  private static func range(
    from start: Float, to end: Float, by step: Float
  ) throws(LoweringFault) -> Value {
    let count = ((end - start) / step).rounded(.up)
    guard count >= 0, count <= Float(ConstantArithmetic.countLimit) else {
      throw .invalid("It goes from \(start) to \(end) by \(step).")
    }
    return .constant(
      ConstantTensor(
        shape: [Int(count)], floats: (0..<Int(count)).map { start + Float($0) * step }))
  }

  private static func expanded(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, to target: [Int]
  ) throws(LoweringFault) -> Value {
    guard target.count <= rankLimit, target.allSatisfy({ (1...(1 << 28)).contains($0) }) else {
      throw .invalid("It repeats numbers to \(target).")
    }
    return try builder.expanded(call.input(0), to: target)
  }

  private static func oneHot(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let rank = try call.shape(0).count
    let count = try call.integer(1, "size", orField: 1)
    guard (1...(1 << 20)).contains(count) else { throw .invalid("Its size is \(count).") }
    let axis = try call.axis(call.parameters.integer(2), rank: rank + 1)
    let (on, off) = (try call.parameters.number(3), try call.parameters.number(4))
    let indicators = try builder.indicators(call.input(0), count: count)
    let result = try builder.applied([.linear(scale: on - off, offset: off)], to: indicators)
    var order = Array(0..<rank)
    order.insert(rank, at: axis)
    return builder.transposed(result, order)
  }

  /// Matrices with zeros where a rule of row and column does not hold.
  private static func masked(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, _ isKept: (Int, Int) -> Bool
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 2)
    let (rows, columns) = (shape[shape.count - 2], shape[shape.count - 1])
    _ = try ConstantArithmetic.count([rows, columns])
    let mask = (0..<rows * columns).map { (place) -> Float in
      isKept(place / columns, place % columns) ? 1 : 0
    }
    return try builder.product(
      call.input(0), .constant(ConstantTensor(shape: [rows, columns], floats: mask)))
  }
}

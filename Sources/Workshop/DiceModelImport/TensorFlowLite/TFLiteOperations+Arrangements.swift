internal import DiceWeights

/// Operations that change shapes and the order of axes.
extension TFLiteOperations {
  static let arrangements: [TFLiteOperation] = [
    .single(22, "RESHAPE", "a known shape", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      var stated = try call.optionList(0) ?? []
      if call.optional(1) != nil { stated = try call.integers(1, "shape") }
      // Old files state the shape [0] for a single number.
      if stated == [0], shape.reduce(1, *) == 1 { stated = [] }
      return try reshaped(&builder, call, to: stated)
    },
    .single(43, "SQUEEZE", "", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let stated = try call.optionList(0) ?? []
      let axes =
        stated.isEmpty
        ? shape.indices.filter { shape[$0] == 1 } : try call.axes(stated, rank: shape.count)
      guard axes.allSatisfy({ shape[$0] == 1 }) else {
        throw .invalid("It takes the axes \(axes) from \(shape).")
      }
      return try builder.reshaped(
        call.input(0), to: shape.indices.filter { !axes.contains($0) }.map { shape[$0] })
    },
    .single(70, "EXPAND_DIMS", "a known axis", .moving) { (builder, call) throws(LoweringFault) in
      var shape = try call.shape(0)
      guard shape.count < GraphBuilder.rankLimit else {
        throw .unsupported("its result has \(shape.count + 1) axes")
      }
      shape.insert(1, at: try call.axis(call.integer(1, "axis"), rank: shape.count + 1))
      return try builder.reshaped(call.input(0), to: shape)
    },
    .single(39, "TRANSPOSE", "a known order", .moving) { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let order = try call.integers(1, "order")
      let axes = try call.axes(order, rank: rank)
      guard axes.count == rank, order.count == rank else {
        throw .invalid("Its order of axes is \(order).")
      }
      return builder.transposed(try call.input(0), axes)
    },
    .single(69, "TILE", "known repetitions", .moving) { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let counts = try call.integers(1, "repetitions")
      guard counts.count == rank else {
        throw .invalid("It has \(counts.count) repetitions for \(rank) axes.")
      }
      return try builder.repeated(call.input(0), counts)
    },
    .single(130, "BROADCAST_TO", "a known shape", .moving) {
      (builder, call) throws(LoweringFault) in
      let target = try call.integers(1, "shape")
      guard target.count <= GraphBuilder.rankLimit,
        target.allSatisfy({ (1...(1 << 28)).contains($0) })
      else { throw .invalid("It repeats numbers to \(target).") }
      return try builder.expanded(call.input(0), to: target)
    },
    .single(105, "REVERSE_V2", "known axes", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      var value = try call.input(0)
      for axis in try call.axes(call.integers(1, "axes"), rank: shape.count) {
        value = try builder.positions(value, axis: axis, indices: (0..<shape[axis]).reversed())
      }
      return value
    },
    .single(113, "MATRIX_DIAG") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      guard let extent = shape.last, extent > 0 else {
        throw .invalid("It has a single number.")
      }
      return try builder.product(
        builder.reshaped(call.input(0), to: shape + [1]), diagonal(extent, extent))
    },
    .single(115, "MATRIX_SET_DIAG") { (builder, call) throws(LoweringFault) in
      let (shape, own) = (try call.shape(0), try call.shape(1))
      guard shape.count >= 2, let count = own.last,
        count == min(shape[shape.count - 2], shape[shape.count - 1]),
        own.dropLast() == shape.dropLast(2), count > 0
      else { throw .invalid("A diagonal of \(own) for matrices of \(shape).") }
      let mask = try diagonal(shape[shape.count - 2], shape[shape.count - 1])
      let rest = try builder.product(call.input(0), builder.negated(mask))
      // A diagonal is as long as the shorter side.
      let isWide = shape[shape.count - 1] > count
      let line = try builder.reshaped(
        call.input(1), to: own.dropLast() + (isWide ? [count, 1] : [1, count]))
      return try builder.combined(.addition, rest, builder.product(line, mask))
    },
  ]

  /// Ones where row and column are the same, else zeros.
  private static func diagonal(_ rows: Int, _ columns: Int) throws(LoweringFault) -> Value {
    let count = try ConstantArithmetic.count([rows, columns])
    return .constant(
      ConstantTensor(
        shape: [rows, columns],
        floats: (0..<count).map { $0 / columns == $0 % columns ? 1 : 0 }))
  }

  /// Reshapes; one -1 stands for what is left.
  private static func reshaped(
    _ builder: inout GraphBuilder, _ call: TFLiteCall, to stated: [Int]
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let total = shape.reduce(1, *)
    var known = 1
    for extent in stated where extent != -1 {
      let (next, overflow) = known.multipliedReportingOverflow(by: extent)
      guard extent >= 0, !overflow else { throw .invalid("Its shape is \(stated).") }
      known = next
    }
    let openCount = stated.count { $0 == -1 }
    guard stated.count <= GraphBuilder.rankLimit, openCount <= 1,
      openCount == 0 ? known == total : known > 0 && total % known == 0
    else { throw .invalid("\(shape) cannot become \(stated).") }
    return try builder.reshaped(
      call.input(0), to: stated.map { $0 == -1 ? total / known : $0 })
  }
}

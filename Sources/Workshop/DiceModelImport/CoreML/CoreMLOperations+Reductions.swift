internal import DiceWeights

/// Numbers put together along axes.
extension CoreMLOperations {
  static let reductions: [CoreMLOperation] = [
    .single(280, "reduce") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let code = try call.parameters.integer(3)
      let ends = [[3, 2, 1], [2, 1], [3], [2], [1]]
      guard ends.indices.contains(code), shape.count >= ends[code][0] else {
        throw .invalid("It reduces the axes \(code) of \(shape).")
      }
      let axes = ends[code].map { shape.count - $0 }
      let mode = try call.parameters.integer(1)
      if mode == 9 {
        guard axes.count == 1 else { throw .invalid("It takes a place along several axes.") }
        return .computed(
          try builder.indexOfMaximum(builder.computed(call.input(0)), axis: axes[0]))
      }
      guard oldModes.indices.contains(mode) else { throw .invalid("Its mode is \(mode).") }
      return try builder.summarized(
        call.input(0), oldModes[mode], axes: axes,
        epsilon: call.parameters.number(2, zeroMeans: 1e-6))
    },
    reduction(1250, "reduceL1", .absoluteSum), reduction(1255, "reduceL2", .rootOfSquares),
    reduction(1260, "reduceMax", .maximum), reduction(1265, "reduceMin", .minimum),
    reduction(1270, "reduceSum", .sum), reduction(1275, "reduceProd", .product),
    reduction(1280, "reduceMean", .mean), reduction(1285, "reduceLogSum", .logarithmOfSum),
    reduction(1290, "reduceSumSquare", .sumOfSquares),
    reduction(1295, "reduceLogSumExp", .logarithmOfExponentials),
    extremePlace(1020, "argMin", isMinimum: true),
    extremePlace(1025, "argMax", isMinimum: false),
    CoreMLOperation(1015, "topK", "a known count") { (lowering, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.parameters.integer(1), rank: shape.count)
      let count = try call.integer(1, "K", orField: 2)
      let (numbers, places) = try lowering.builder.ranked(
        lowering.builder.computed(call.input(0)), axis: axis, count: count,
        isLargest: !call.parameters.flag(3), few: count)
      return [numbers, places]
    },
    .single(1455, "cumSum", "a known axis") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let stated = try call.integer(1, "axis", orField: 1)
      let axis = try call.axis(stated, rank: shape.count)
      let (isExclusive, isReversed) = (try call.parameters.flag(2), try call.parameters.flag(3))
      return .computed(
        try builder.runningSums(
          builder.computed(call.input(0)), axis: axis, isExclusive: isExclusive,
          isReversed: isReversed))
    },
  ]

  /// The modes of the old layer, by code; the ninth is the place of the greatest.
  private static let oldModes: [GraphBuilder.Summary] = [
    .sum, .mean, .product, .sumOfLogarithms, .sumOfSquares, .absoluteSum, .rootOfSquares, .maximum,
    .minimum,
  ]

  private static func reduction(
    _ field: Int, _ name: String, _ kind: GraphBuilder.Summary
  ) -> CoreMLOperation {
    .single(field, name) { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let isWhole = try call.parameters.flag(3)
      let axes =
        isWhole
        ? Array(shape.indices) : try call.axes(call.parameters.integers(1), rank: shape.count)
      guard !axes.isEmpty else { throw .invalid("It reduces no axis.") }
      let result = try builder.summarized(call.input(0), kind, axes: axes)
      if try call.parameters.flag(2) { return result }
      let rest = shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
      return try builder.reshaped(result, to: rest.isEmpty ? [1] : rest)
    }
  }

  private static func extremePlace(
    _ field: Int, _ name: String, isMinimum: Bool
  ) -> CoreMLOperation {
    .single(field, name, "the first of equal ones") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.axis(call.parameters.integer(1), rank: shape.count)
      let result = try builder.extremePlace(
        builder.computed(call.input(0)), axis: axis, isMinimum: isMinimum)
      guard try call.parameters.flag(2), shape.count > 1 else { return result }
      var target = shape
      target.remove(at: axis)
      return try builder.reshaped(result, to: target)
    }
  }
}

internal import DiceWeights

/// Numbers put together along axes, and normalisations.
extension TFLiteOperations {
  static let reductions: [TFLiteOperation] = [
    reduction(40, "MEAN", .mean), reduction(74, "SUM", .sum),
    reduction(82, "REDUCE_MAX", .maximum, .moving),
    reduction(89, "REDUCE_MIN", .minimum, .moving),
    reduction(81, "REDUCE_PROD", .product), reduction(91, "REDUCE_ANY", .maximum, .moving),
    reduction(140, "REDUCE_ALL", .minimum, .moving),
    extremePlace(56, "ARG_MAX", isMinimum: false), extremePlace(79, "ARG_MIN", isMinimum: true),
    TFLiteOperation(48, "TOPK_V2", "a known count") {
      (lowering, call, _) throws(LoweringFault) in
      let rank = try call.shape(0).count
      guard rank > 0 else { throw .invalid("It has a single number.") }
      let (numbers, places) = try lowering.builder.ranked(
        lowering.builder.computed(call.input(0)), axis: rank - 1,
        count: call.integer(1, "count"), isLargest: true, few: 1)
      return [numbers, places]
    },
    .single(128, "CUMSUM", "a known axis") { (builder, call) throws(LoweringFault) in
      let axis = try call.axis(call.integer(1, "axis"), rank: call.shape(0).count)
      return .computed(
        try builder.runningSums(
          builder.computed(call.input(0)), axis: axis, isExclusive: call.flag(0),
          isReversed: call.flag(1)))
    },
    .single(25, "SOFTMAX") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      guard rank > 0 else { throw .invalid("It has a single number.") }
      let scaled = try builder.applied(
        [.linear(scale: call.number(0), offset: 0)], to: call.input(0))
      return .computed(try builder.softmax(builder.computed(scaled), axis: rank - 1))
    },
    .single(50, "LOG_SOFTMAX") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      guard rank > 0 else { throw .invalid("It has a single number.") }
      let sum = try builder.summarized(
        .computed(builder.computed(call.input(0))), .logarithmOfExponentials, axes: [rank - 1])
      return try builder.combined(.subtraction, call.input(0), sum)
    },
    .single(11, "L2_NORMALIZATION", "", activation: 0) { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      guard rank > 0 else { throw .invalid("It has a single number.") }
      let value = try builder.computed(call.input(0))
      let length = try builder.summarized(.computed(value), .rootOfSquares, axes: [rank - 1])
      let divisor = try builder.applied(
        [.clamp(lower: 1e-6, upper: .greatestFiniteMagnitude)], to: length)
      return try builder.combined(.division, .computed(value), divisor)
    },
    .single(13, "LOCAL_RESPONSE_NORMALIZATION", "batch 1") {
      (builder, call) throws(LoweringFault) in
      let shape = try call.mapShape(0)
      guard shape[0] == 1 else { throw .unsupported("it has a batch") }
      let radius = min(try call.option(0), shape[3] - 1)
      guard radius >= 0 else { throw .invalid("Its radius is \(radius).") }
      let input = try call.input(0)
      // Channels as rows of a map: [1, C, H * W].
      let rows = try builder.reshaped(
        builder.product(input, input), to: [1, shape[1] * shape[2], shape[3]])
      let count = 2 * radius + 1
      let means = try builder.pooled(
        builder.computed(builder.transposed(rows, [0, 2, 1])),
        MapAxes(rows: 1, columns: nil, channels: 2), .averageWithPadding,
        window: Layer.Window(
          height: count, width: 1, padding: Layer.Edges(top: radius, bottom: radius)))
      let base = try builder.activated(
        means, .linear(scale: call.number(2) * Float(count), offset: call.number(1)))
      let divisor = builder.transposed(try builder.power(base, call.number(3)), [0, 2, 1])
      return try builder.combined(.division, input, builder.reshaped(divisor, to: shape))
    },
    segments(125, "SEGMENT_SUM", hasCount: false),
    segments(155, "UNSORTED_SEGMENT_SUM", hasCount: true),
  ]

  private static func reduction(
    _ code: Int, _ name: String, _ kind: GraphBuilder.Summary,
    _ treatment: TFLiteOperation.Treatment = .plain
  ) -> TFLiteOperation {
    .single(code, name, "known axes", treatment) { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axes = try call.axes(call.integers(1, "axes"), rank: shape.count)
      if axes.isEmpty { return try call.input(0) }
      guard !shape.contains(0) else { throw .invalid("It reduces an empty tensor.") }
      let result = try builder.summarized(call.input(0), kind, axes: axes)
      if try call.flag(0) { return result }
      return try builder.reshaped(
        result, to: shape.indices.filter { !axes.contains($0) }.map { shape[$0] })
    }
  }

  private static func extremePlace(
    _ code: Int, _ name: String, isMinimum: Bool
  ) -> TFLiteOperation {
    .single(code, name, "a known axis; the first of equal ones") {
      (builder, call) throws(LoweringFault) in
      var shape = try call.shape(0)
      let axis = try call.axis(call.integer(1, "axis"), rank: shape.count)
      let result = try builder.extremePlace(
        builder.computed(call.input(0)), axis: axis, isMinimum: isMinimum)
      shape.remove(at: axis)
      return try builder.reshaped(result, to: shape)
    }
  }

  /// Positions of the first axis summed up by the number that each one has.
  private static func segments(_ code: Int, _ name: String, hasCount: Bool) -> TFLiteOperation {
    .single(code, name, "known segments") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let numbers = try call.integers(1, "segments")
      guard let extent = shape.first, numbers.count == extent, extent > 0 else {
        throw .invalid("It has \(numbers.count) segments for a tensor of \(shape).")
      }
      let count = hasCount ? try call.integer(2, "count") : (numbers.max() ?? 0) + 1
      guard (1...(1 << 20)).contains(count), numbers.allSatisfy({ $0 < count && $0 >= -1 }) else {
        throw .invalid("Its segments are not in 0..<\(count).")
      }
      var weights = [Float](repeating: 0, count: try ConstantArithmetic.count([extent, count]))
      for (place, number) in numbers.enumerated() where number >= 0 {
        weights[place * count + number] = 1
      }
      return .computed(
        try builder.multiplied(
          builder.computed(call.input(0)), axis: 0, weights: weights, outputCount: count))
    }
  }
}

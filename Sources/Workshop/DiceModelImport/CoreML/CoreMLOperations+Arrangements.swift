internal import DiceWeights

/// Layers that move numbers and change shapes.
extension CoreMLOperations {
  static let arrangements: [CoreMLOperation] = [
    .single(300, "reshape") { (builder, call) throws(LoweringFault) in
      try reshape(&builder, call)
    },
    .single(301, "flatten") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0, rankAtLeast: 3)
      var value = try call.input(0)
      if try call.parameters.integer(1) == 1 { value = channelsLast(builder, value) }
      return try builder.reshaped(
        value, to: shape.dropLast(3) + [shape.suffix(3).reduce(1, *), 1, 1])
    },
    .single(310, "permute") { (builder, call) throws(LoweringFault) in
      let value = try fiveAxes(&builder, call)
      var axes = try call.parameters.integers(1)
      if axes.isEmpty { axes = [0, 1, 2, 3] }
      guard axes.count == 4, Set(axes) == [0, 1, 2, 3] else {
        throw .invalid("Its order of axes is \(axes).")
      }
      // Sequence, channels, rows, columns; the batch stays.
      let order = axes.map { $0 == 0 ? 0 : $0 + 1 }
      return builder.transposed(value, [order[0], 1] + order[1...])
    },
    .single(345, "reorganizeData") { (builder, call) throws(LoweringFault) in
      try reorganize(&builder, call)
    },
    .single(985, "transpose") { (builder, call) throws(LoweringFault) in
      let rank = try call.shape(0).count
      let axes = try call.axes(call.parameters.integers(1), rank: rank)
      guard axes.count == rank else { throw .invalid("Its order of axes is \(axes).") }
      return builder.transposed(try call.input(0), axes)
    },
    .single(1120, "squeeze") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axes =
        try call.parameters.flag(2)
        ? shape.indices.filter { shape[$0] == 1 }
        : call.axes(call.parameters.integers(1), rank: shape.count)
      guard axes.allSatisfy({ shape[$0] == 1 }) else {
        throw .invalid("It takes the axes \(axes) from \(shape).")
      }
      let rest = shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
      return try builder.reshaped(call.input(0), to: rest.isEmpty ? [1] : rest)
    },
    .single(1125, "expandDims") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let stated = try call.parameters.integers(1)
      let rank = shape.count + stated.count
      guard rank <= rankLimit else { throw .unsupported("its result has \(rank) axes") }
      let axes = Set(try call.axes(stated, rank: rank))
      var rest = shape[...]
      let target = (0..<rank).map { axes.contains($0) ? 1 : rest.removeFirst() }
      return try builder.reshaped(call.input(0), to: target)
    },
    .single(1130, "flattenTo2D") { (builder, call) throws(LoweringFault) in
      let shape = try call.shape(0)
      let axis = try call.parameters.integer(1)
      let place = axis < 0 ? axis &+ shape.count : axis
      guard (0...shape.count).contains(place) else {
        throw .invalid("Axis \(axis) is none of a tensor with \(shape.count).")
      }
      return try builder.reshaped(
        call.input(0), to: [shape[..<place].reduce(1, *), shape[place...].reduce(1, *)])
    },
    .single(1140, "reshapeStatic") { (builder, call) throws(LoweringFault) in
      try reshaped(&builder, call, to: call.parameters.integers(1))
    },
    .single(1145, "reshapeDynamic", "a known shape") { (builder, call) throws(LoweringFault) in
      try reshaped(&builder, call, to: call.integers(1, "shape") ?? [])
    },
    .single(1135, "reshapeLike") { (builder, call) throws(LoweringFault) in
      try reshaped(&builder, call, to: call.shape(1))
    },
    .single(1150, "rankPreservingReshape") { (builder, call) throws(LoweringFault) in
      try reshaped(&builder, call, to: call.parameters.integers(1))
    },
  ]

  /// The most axes of a tensor.
  static let rankLimit = GraphBuilder.rankLimit

  /// Channels, rows, columns become rows, columns, channels.
  private static func channelsLast(_ builder: GraphBuilder, _ value: Value) -> Value {
    let rank = value.shape?.count ?? 0
    var builder = builder
    return builder.transposed(value, (0..<rank - 3) + [rank - 2, rank - 1, rank - 3])
  }

  /// The first operand with axes of extent 1 in front, so that there are five: sequence, batch,
  /// channels, rows, columns.
  private static func fiveAxes(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    guard shape.count <= 5 else { throw .invalid("Its input has \(shape.count) axes.") }
    return try builder.reshaped(
      call.input(0), to: [Int](repeating: 1, count: 5 - shape.count) + shape)
  }

  private static func reshape(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    var value = try fiveAxes(&builder, call)
    let shape = value.shape ?? []
    let target = try call.parameters.sizes(1)
    guard target.count == 3 || target.count == 4 else {
      throw .invalid("Its target has \(target.count) extents.")
    }
    let isChannelsLast = try call.parameters.integer(2) == 1
    if isChannelsLast { value = channelsLast(builder, value) }
    var extents = [target.count == 4 ? target[0] : shape[0], shape[1]] + target.suffix(3)
    if isChannelsLast { extents = Array(extents[..<2]) + [extents[3], extents[4], extents[2]] }
    try check(extents, from: shape)
    value = try builder.reshaped(value, to: extents)
    return isChannelsLast ? builder.transposed(value, [0, 1, 4, 2, 3]) : value
  }

  /// Refuses a shape that has not as many positions as another one.
  private static func check(_ target: [Int], from shape: [Int]) throws(LoweringFault) {
    var count = 1
    for extent in target {
      let (next, overflow) = count.multipliedReportingOverflow(by: extent)
      guard extent >= 0, !overflow else { throw .invalid("A tensor of \(target).") }
      count = next
    }
    guard target.count <= rankLimit, count == shape.reduce(1, *) else {
      throw .invalid("\(shape) cannot become \(target).")
    }
  }

  /// Reshapes; a 0 keeps an extent, and one -1 stands for what is left.
  private static func reshaped(
    _ builder: inout GraphBuilder, _ call: CoreMLCall, to stated: [Int]
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    var target = stated
    var open: Int?
    for (axis, extent) in stated.enumerated() {
      if extent == 0, axis < shape.count {
        target[axis] = shape[axis]
      } else if extent == -1 {
        guard open == nil else { throw .invalid("Its shape \(stated) leaves two extents open.") }
        open = axis
        target[axis] = 1
      }
    }
    if let open {
      var known = 1
      for extent in target {
        let (next, overflow) = known.multipliedReportingOverflow(by: extent)
        known = overflow ? 0 : next
      }
      let count = shape.reduce(1, *)
      guard known > 0, count % known == 0 else {
        throw .invalid("\(shape) cannot become \(stated).")
      }
      target[open] = count / known
    }
    try check(target, from: shape)
    return try builder.reshaped(call.input(0), to: target)
  }

  private static func reorganize(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 3)
    let block = try call.parameters.integer(2)
    guard (1...1024).contains(block) else { throw .invalid("Its blocks have \(block) positions.") }
    let leading = Array(shape.dropLast(3))
    let batch = leading.reduce(1, *)
    let (channels, rows, columns) = (
      shape[shape.count - 3], shape[shape.count - 2], shape[shape.count - 1]
    )
    let mode = try call.parameters.integer(1)
    let split: [Int]
    let order: [Int]
    let target: [Int]
    if mode == 0 {
      guard rows % block == 0, columns % block == 0 else {
        throw .invalid("A map of \(rows) x \(columns) has no blocks of \(block) x \(block).")
      }
      split = [batch, channels, rows / block, block, columns / block, block]
      order = [0, 3, 5, 1, 2, 4]
      target = [channels * block * block, rows / block, columns / block]
    } else {
      let depth = channels / (block * block)
      guard depth * block * block == channels, depth > 0 else {
        throw .invalid("\(channels) channels do not make blocks of \(block) x \(block).")
      }
      // Depth to space: blocks differ first; a pixel shuffle: channels do.
      split =
        mode == 1
        ? [batch, block, block, depth, rows, columns] : [batch, depth, block, block, rows, columns]
      order = mode == 1 ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3]
      target = [depth, rows * block, columns * block]
    }
    let parts = try builder.reshaped(call.input(0), to: split)
    return try builder.reshaped(builder.transposed(parts, order), to: leading + target)
  }
}

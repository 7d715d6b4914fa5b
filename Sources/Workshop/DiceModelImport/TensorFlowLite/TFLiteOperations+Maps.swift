internal import DiceWeights

/// Padding and resizing of maps, and maps cut into pieces.
extension TFLiteOperations {
  static let maps: [TFLiteOperation] = [
    .single(34, "PAD", "known amounts", .moving) { (builder, call) throws(LoweringFault) in
      try padded(&builder, call, .constant(0))
    },
    .single(60, "PADV2", "known amounts and number") { (builder, call) throws(LoweringFault) in
      let number = try call.scalar(2, "number")
      let greatest = Float.greatestFiniteMagnitude
      return try padded(&builder, call, .constant(min(max(number, -greatest), greatest)))
    },
    .single(100, "MIRROR_PAD", "known amounts", .moving) { (builder, call) throws(LoweringFault) in
      try call.choice(0) == 0
        ? padded(&builder, call, .reflection) : mirrored(&builder, call)
    },
    .single(23, "RESIZE_BILINEAR", "batch 1; a known size") {
      (builder, call) throws(LoweringFault) in
      let (isAligned, isHalf) = (try call.flag(2), try call.flag(3))
      return try resized(
        &builder, call, .bilinear,
        isAligned ? .alignCorners : isHalf ? .halfPixel : .asymmetric)
    },
    .single(97, "RESIZE_NEAREST_NEIGHBOR", "batch 1; a known size", .moving) {
      (builder, call) throws(LoweringFault) in
      let (isAligned, isHalf) = (try call.flag(0), try call.flag(1))
      if isAligned, isHalf { throw .unsupported("it aligns corners and centres") }
      return try resized(
        &builder, call, isAligned || isHalf ? .nearestPreferringCeiling : .nearestFloor,
        isAligned ? .alignCorners : isHalf ? .halfPixel : .asymmetric)
    },
    TFLiteOperation(
      38, "SPACE_TO_BATCH_ND",
      "maps; around convolutions with stride 1 and functions of each number", .pieces
    ) { (lowering, call, operation) throws(LoweringFault) in
      [try cut(&lowering, call, operation)]
    },
    TFLiteOperation(37, "BATCH_TO_SPACE_ND", "behind SPACE_TO_BATCH_ND", .pieces) {
      (lowering, call, operation) throws(LoweringFault) in
      [try joined(&lowering, call, operation)]
    },
    .single(26, "SPACE_TO_DEPTH", "", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.mapShape(0)
      let block = try call.option(0)
      guard (1...1024).contains(block), shape[1] % block == 0, shape[2] % block == 0 else {
        throw .invalid("A map of \(shape) has no blocks of \(block).")
      }
      let (rows, columns) = (shape[1] / block, shape[2] / block)
      let parts = try builder.reshaped(
        call.input(0), to: [shape[0], rows, block, columns, block, shape[3]])
      return try builder.reshaped(
        builder.transposed(parts, [0, 1, 3, 2, 4, 5]),
        to: [shape[0], rows, columns, block * block * shape[3]])
    },
    .single(5, "DEPTH_TO_SPACE", "", .moving) { (builder, call) throws(LoweringFault) in
      let shape = try call.mapShape(0)
      let block = try call.option(0)
      guard (1...1024).contains(block), shape[3] % (block * block) == 0 else {
        throw .invalid("\(shape[3]) channels do not make blocks of \(block) x \(block).")
      }
      let depth = shape[3] / (block * block)
      let parts = try builder.reshaped(
        call.input(0), to: [shape[0], shape[1], shape[2], block, block, depth])
      return try builder.reshaped(
        builder.transposed(parts, [0, 1, 3, 2, 4, 5]),
        to: [shape[0], shape[1] * block, shape[2] * block, depth])
    },
  ]

  // MARK: Padding

  /// How many positions are added before and behind each axis.
  private static func amounts(
    _ call: TFLiteCall, _ shape: [Int]
  ) throws(LoweringFault) -> (before: [Int], after: [Int]) {
    let stated = try call.integers(1, "amounts")
    guard stated.count == 2 * shape.count,
      stated.allSatisfy({ (0...WeightFormat.paddings.upperBound).contains($0) })
    else { throw .invalid("It has the amounts \(stated) for \(shape.count) axes.") }
    return (
      shape.indices.map { stated[2 * $0] }, shape.indices.map { stated[2 * $0 + 1] }
    )
  }

  private static func padded(
    _ builder: inout GraphBuilder, _ call: TFLiteCall, _ mode: Layer.Padding.Mode
  ) throws(LoweringFault) -> Value {
    let amounts = try amounts(call, call.shape(0))
    return .computed(
      try builder.paddedByPairs(
        builder.computed(call.input(0)), before: amounts.before, after: amounts.after, mode))
  }

  /// Mirrored at its ends, which are repeated.
  private static func mirrored(
    _ builder: inout GraphBuilder, _ call: TFLiteCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let amounts = try amounts(call, shape)
    var value = try call.input(0)
    for axis in shape.indices where amounts.before[axis] + amounts.after[axis] > 0 {
      let extent = shape[axis]
      guard amounts.before[axis] <= extent, amounts.after[axis] <= extent else {
        throw .invalid("A reflection of \(extent) positions cannot fill a longer padding.")
      }
      let indices =
        (0..<amounts.before[axis]).reversed() + Array(0..<extent)
        + (0..<amounts.after[axis]).map { extent - 1 - $0 }
      value = try builder.positions(value, axis: axis, indices: indices)
    }
    return value
  }

  private static func resized(
    _ builder: inout GraphBuilder, _ call: TFLiteCall,
    _ interpolation: Layer.Resizing.Interpolation, _ coordinates: Layer.Resizing.Coordinates
  ) throws(LoweringFault) -> Value {
    _ = try call.mapShape(0)
    let size = try call.integers(1, "size")
    guard size.count == 2, size.allSatisfy({ (1...WeightFormat.maximumExtent).contains($0) })
    else { throw .invalid("Its size is \(size).") }
    return .computed(
      try builder.resized(
        builder.computed(call.input(0)), .channelsLast(rank: 4), height: size[0], width: size[1],
        interpolation, coordinates))
  }

  // MARK: Pieces

  /// Pads maps so that they can be cut into interleaved pieces, and notes the cut: windows over the
  /// pieces are dilated windows over the maps.
  private static func cut(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let (counts, amounts) = (try call.integers(1, "pieces"), try call.integers(2, "amounts"))
    guard lowering.pieces[operation.inputs[0]] == nil else {
      throw .unsupported("it cuts pieces again")
    }
    guard shape.count == 4, counts.count == 2, amounts.count == 4,
      counts.allSatisfy({ (1...WeightFormat.dilations.upperBound).contains($0) }),
      amounts.allSatisfy({ (0...WeightFormat.paddings.upperBound).contains($0) })
    else { throw .unsupported("it cuts a tensor of \(shape) into \(counts) pieces") }
    let value = try lowering.builder.padded(
      lowering.builder.computed(call.input(0)), before: [0, amounts[0], amounts[2], 0],
      after: [0, amounts[1], amounts[3], 0], .constant(0))
    guard value.shape[1] % counts[0] == 0, value.shape[2] % counts[1] == 0 else {
      throw .invalid("Maps of \(value.shape) cannot be cut into \(counts) pieces.")
    }
    for number in operation.outputs { lowering.cut(number, into: counts) }
    return .computed(value)
  }

  /// Pieces put together again, less some rows and columns.
  private static func joined(
    _ lowering: inout TFLiteLowering, _ call: TFLiteCall, _ operation: TFLiteFile.Operation
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0)
    let (counts, crops) = (try call.integers(1, "pieces"), try call.integers(2, "crops"))
    guard let own = operation.inputs.first.flatMap({ lowering.pieces[$0] }), own == counts else {
      throw .unsupported("its batch was not made by SPACE_TO_BATCH_ND")
    }
    guard crops.count == 4, crops.allSatisfy({ (0...(1 << 24)).contains($0) }) else {
      throw .invalid("It crops \(crops).")
    }
    var value = try lowering.builder.computed(call.input(0))
    for axis in 0..<2 {
      let count = shape[axis + 1] - crops[2 * axis] - crops[2 * axis + 1]
      guard count > 0 else { throw .invalid("It crops \(crops) of \(shape).") }
      value = try lowering.builder.sliced(
        value, axis: axis + 1, start: crops[2 * axis], count: count)
    }
    return .computed(value)
  }
}

extension GraphBuilder {
  /// Positions added at both ends of any number of axes, two at a time: any two have places of their own.
  mutating func paddedByPairs(
    _ value: ComputedValue, before: [Int], after: [Int], _ mode: Layer.Padding.Mode
  ) throws(LoweringFault) -> ComputedValue {
    var value = value
    let padded = before.indices.filter { before[$0] + after[$0] > 0 }
    for start in stride(from: 0, to: padded.count, by: 2) {
      let pair = padded[start..<min(start + 2, padded.count)]
      value = try self.padded(
        value, before: before.indices.map { pair.contains($0) ? before[$0] : 0 },
        after: after.indices.map { pair.contains($0) ? after[$0] : 0 }, mode)
    }
    return value
  }
}

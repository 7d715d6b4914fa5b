internal import DiceWeights

/// Padding, cropping and resizing of maps.
extension CoreMLOperations {
  static func padding(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 2)
    let parameters = call.parameters
    let mode: Layer.Padding.Mode
    let field = try CoreMLParameters.wire { () throws(ProtobufError) in
      try parameters.message.lastField { (1...3).contains($0) }
    }
    switch field?.number {
    case 2: mode = .reflection
    case 3: mode = .edge
    default: mode = .constant(try parameters.parameters(1)?.number(1) ?? 0)
    }
    let amounts = try borders(parameters.parameters(10))
    let others = [Int](repeating: 0, count: shape.count - 2)
    return .computed(
      try builder.padded(
        builder.computed(call.input(0)), before: others + amounts.before,
        after: others + amounts.after, mode))
  }

  static func crop(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 2)
    var starts: [Int]
    var counts: [Int]
    if call.inputs.count > 1 {
      counts = Array(try call.shape(1, rankAtLeast: 2).suffix(2))
      starts = try call.parameters.sizes(5)
      if starts.isEmpty { starts = [0, 0] }
      guard starts.count == 2 else { throw .invalid("It has \(starts.count) offsets.") }
    } else {
      let amounts = try borders(call.parameters.parameters(1))
      starts = amounts.before
      counts = (0..<2).map { (axis) in
        shape[shape.count - 2 + axis] - amounts.before[axis] - amounts.after[axis]
      }
    }
    var value = try builder.computed(call.input(0))
    for axis in 0..<2 {
      let place = shape.count - 2 + axis
      guard counts[axis] > 0, counts[axis] <= shape[place] - starts[axis] else {
        throw .invalid("It leaves nothing of \(shape).")
      }
      value = try builder.sliced(
        value, axis: place, start: starts[axis], count: counts[axis])
    }
    return .computed(value)
  }

  static func upsampling(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 3)
    let parameters = call.parameters
    let extents = Array(shape.suffix(2))
    let fractions = try CoreMLParameters.wire { () throws(ProtobufError) in
      try parameters.message.floats(7)
    }
    var size: [Int] = []
    if fractions.isEmpty {
      let factors = try parameters.pair(1, default: 1)
      for axis in 0..<2 {
        let (extent, overflow) = extents[axis].multipliedReportingOverflow(by: factors[axis])
        size.append(overflow ? .max : extent)
      }
    } else {
      guard fractions.count == 2 else { throw .invalid("It has \(fractions.count) factors.") }
      for axis in 0..<2 {
        let extent = (Double(extents[axis]) * Double(fractions[axis])).rounded(.down)
        guard extent >= 1, extent <= Double(WeightFormat.maximumExtent) else {
          throw .invalid("It resizes \(extents[axis]) positions by \(fractions[axis]).")
        }
        size.append(Int(extent))
      }
    }
    guard size.allSatisfy({ $0 <= WeightFormat.maximumExtent }) else {
      throw .unsupported("its result is too large")
    }
    let isBilinear = try parameters.integer(5) == 1
    let coordinates: Layer.Resizing.Coordinates
    switch isBilinear ? try parameters.integer(6) : 0 {
    case 0: coordinates = .asymmetric
    case 1: coordinates = .alignCorners
    case 2: coordinates = .halfPixel
    case let mode: throw .invalid("Its mode is \(mode).")
    }
    return .computed(
      try builder.resized(
        builder.computed(call.input(0)), .last(ofRank: shape.count), height: size[0],
        width: size[1], isBilinear ? .bilinear : .nearestFloor, coordinates))
  }

  static func resizing(
    _ builder: inout GraphBuilder, _ call: CoreMLCall
  ) throws(LoweringFault) -> Value {
    let shape = try call.shape(0, rankAtLeast: 3)
    let size = try call.parameters.pair(1, default: 1)
    guard size.allSatisfy({ $0 <= WeightFormat.maximumExtent }) else {
      throw .unsupported("its result is too large")
    }
    let mode = try call.parameters.parameters(2)?.integer(1) ?? 0
    let axes = MapAxes.last(ofRank: shape.count)
    var value = try builder.computed(call.input(0))
    switch mode {
    case 0, 2:
      return .computed(
        try builder.resized(
          value, axes, height: size[0], width: size[1], .bilinear,
          mode == 0 ? .alignCorners : .asymmetric))
    case 1:
      // One position lies in the middle, several from the first to the last: one axis at a time.
      value = try builder.resized(
        value, axes, height: size[0], width: shape[shape.count - 1], .bilinear,
        size[0] == 1 ? .halfPixel : .alignCorners)
      return .computed(
        try builder.resized(
          value, axes, height: size[0], width: size[1], .bilinear,
          size[1] == 1 ? .halfPixel : .alignCorners))
    case 3:
      for axis in 0..<2 {
        let place = shape.count - 2 + axis
        let extent = shape[place]
        guard extent * size[axis] <= 1 << 22 else {
          throw .unsupported("it resizes large maps as regions are")
        }
        value = try builder.multiplied(
          value, axis: place, weights: Self.regionWeights(extent, size[axis]),
          outputCount: size[axis])
      }
      return .computed(value)
    default: throw .invalid("Its sampling method is \(mode).")
    }
  }

  /// What each position of an axis gives to each of `count` positions that lie in the middles of as
  /// many equal parts of it, `[extent, count]`.
  private static func regionWeights(_ extent: Int, _ count: Int) -> [Float] {
    var weights = [Float](repeating: 0, count: extent * count)
    let spacing = Double(max(1, extent - 1)) / Double(count)
    for place in 0..<count {
      let position = min(Double(extent - 1), (Double(place) + 0.5) * spacing)
      let first = Int(position)
      let share = Float(position - Double(first))
      weights[first * count + place] += 1 - share
      if first + 1 < extent { weights[(first + 1) * count + place] += share }
    }
    return weights
  }
}

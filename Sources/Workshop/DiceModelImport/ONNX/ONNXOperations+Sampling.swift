internal import DiceWeights

/// Maps sampled at places that depend on the network's input.
extension ONNXOperations {
  static let samplings: [ONNXOperation] = [
    .single(
      "GridSample",
      "two axes, not cubic, without reflection"
    ) { (builder, call) throws(LoweringFault) in
      try sampled(&builder, call)
    }
  ]

  private static func sampled(
    _ builder: inout GraphBuilder, _ call: ONNXCall
  ) throws(LoweringFault) -> Value {
    let (shape, grid) = (try call.shape(0), try call.shape(1))
    guard shape.count == 4, grid.count == 4 else {
      throw .unsupported("it samples along \(shape.count - 2) axes")
    }
    guard grid[0] == shape[0], grid[3] == 2, !shape.contains(0), !grid.contains(0) else {
      throw .invalid("It samples \(shape) at places of \(grid).")
    }
    let mode = call.text("mode", default: "linear")
    let padding = call.text("padding_mode", default: "zeros")
    guard ["linear", "bilinear", "nearest"].contains(mode) else {
      throw .unsupported("its mode is \(mode)")
    }
    guard padding == "zeros" || padding == "border" else {
      throw .unsupported("its padding is \(padding)")
    }
    let isAligned = call.integer("align_corners", default: 0) != 0
    let count = grid[1] * grid[2]
    let extents = [shape[3], shape[2]]
    let places = try builder.computed(
      builder.reshaped(call.input(1), to: [shape[0], count, 2]))
    var positions: [Value] = []
    for axis in 0..<2 {
      // -1 to 1 are the first to the last position, or their outer edges.
      let extent = Float(extents[axis])
      let own = try builder.sliced(places, axis: 2, start: axis, count: 1)
      var place = try builder.activated(
        own,
        isAligned
          ? .linear(scale: (extent - 1) / 2, offset: (extent - 1) / 2)
          : .linear(scale: extent / 2, offset: (extent - 1) / 2))
      if padding == "border" {
        place = try builder.activated(place, .clamp(lower: 0, upper: extent - 1))
      }
      let axisPlaces = try builder.reshaped(.computed(place), to: [shape[0], count])
      positions.append(mode == "nearest" ? try builder.rounded(axisPlaces) : axisPlaces)
    }
    let maps = try builder.transposed(
      builder.reshaped(call.input(0), to: [shape[0], shape[1], extents[1] * extents[0]]), [0, 2, 1])
    let found = try builder.sampled(
      maps, height: extents[1], width: extents[0], columns: positions[0], rows: positions[1])
    return try builder.reshaped(
      builder.transposed(found, [0, 2, 1]), to: [shape[0], shape[1], grid[1], grid[2]])
  }
}

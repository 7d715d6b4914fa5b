/// The shape of each layer's output, and the rules for its operands.
extension ShapeInference {
  func shape(
    of layer: Layer, _ sources: [TensorShape], at index: Int
  ) throws(WeightFileError) -> TensorShape {
    let source = sources.first ?? TensorShape(height: 1, width: 1, channels: 1)
    switch layer {
    case .constant(let layer): return layer.shape
    case .convolution(let layer):
      try check(layer.activation, at: index)
      try check(layer.window, WeightFormat.kernelSizes, at: index)
      try checkGroups(
        layer.groups, source, layer.inputChannels, layer.outputChannels, at: index)
      let size = layer.window.outputSize(height: source.height, width: source.width)
      return TensorShape(height: size.height, width: size.width, channels: layer.outputChannels)
    case .transposedConvolution(let layer):
      try check(layer.activation, at: index)
      try check(layer.window, WeightFormat.kernelSizes, at: index)
      try checkGroups(
        layer.groups, source, layer.inputChannels, layer.outputChannels, at: index)
      for (extra, stride) in [
        (layer.extraRows, layer.window.strideY), (layer.extraColumns, layer.window.strideX),
      ] where extra < 0 || extra >= max(stride, 1) {
        throw .extraPositions(layer: index, found: extra, stride: stride)
      }
      let size = layer.outputSize(height: source.height, width: source.width)
      return TensorShape(height: size.height, width: size.width, channels: layer.outputChannels)
    case .dense(let layer):
      try check(layer.activation, at: index)
      return TensorShape(height: 1, width: 1, channels: layer.outputChannels)
    case .pooling(let layer):
      try check(layer.window, WeightFormat.poolingSizes, at: index)
      guard layer.window.dilationY == 1, layer.window.dilationX == 1 else {
        throw .dilation(
          layer: index, found: max(layer.window.dilationY, layer.window.dilationX), allowed: 1...1)
      }
      let size = layer.window.outputSize(height: source.height, width: source.width)
      return TensorShape(height: size.height, width: size.width, channels: source.channels)
    case .reduction(let layer): return try shape(of: layer, source, at: index)
    case .elementwise(let layer):
      try check(layer.activation, at: index)
      return try broadcast(source, sources[1], at: index)
    case .matrixProduct(let layer):
      return try shape(of: layer, source, sources[1], at: index)
    case .ranking(let layer):
      guard layer.count >= 1, layer.count <= source.width else {
        throw .sliceOutOfRange(
          layer: index, start: 0, count: layer.count, step: 1, extent: source.width)
      }
      return TensorShape(height: source.height, width: layer.count, channels: source.channels)
    case .selection:
      let places = sources[1]
      guard places.height == source.height,
        places.channels == 1 || places.channels == source.channels
      else { throw .shapeMismatch(layer: index, found: places, required: source) }
      return TensorShape(
        height: source.height, width: places.width, channels: source.channels)
    case .concatenation(let layer): return try shape(of: layer, sources, at: index)
    case .slice(let layer): return try shape(of: layer, source, at: index)
    case .resizing(let layer): return try shape(of: layer, source, at: index)
    case .padding(let layer): return try shape(of: layer, source, at: index)
    case .rearrangement(let layer): return try shape(of: layer, source, at: index)
    case .activation(let layer):
      try check(layer.function, at: index)
      return source
    case .softmax: return source
    case .batchNormalization(let layer):
      guard layer.epsilon.isFinite, layer.epsilon > 0 else {
        throw .layerNumber(layer: index, found: layer.epsilon)
      }
      return source
    }
  }

  private func shape(
    of layer: Layer.Reduction, _ source: TensorShape, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    let axisCount =
      (layer.overHeight ? 1 : 0) + (layer.overWidth ? 1 : 0) + (layer.overChannels ? 1 : 0)
    guard axisCount > 0, layer.kind != .indexOfMaximum || axisCount == 1 else {
      throw .reductionAxes(layer: index, found: axisCount)
    }
    return TensorShape(
      height: layer.overHeight ? 1 : source.height, width: layer.overWidth ? 1 : source.width,
      channels: layer.overChannels ? 1 : source.channels)
  }

  private func broadcast(
    _ first: TensorShape, _ second: TensorShape, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    var shape = first
    for axis in Layer.Axis.allCases {
      guard first[axis] == second[axis] || first[axis] == 1 || second[axis] == 1 else {
        throw .shapeMismatch(layer: index, found: second, required: first)
      }
      shape[axis] = max(first[axis], second[axis])
    }
    return shape
  }

  private func shape(
    of layer: Layer.MatrixProduct, _ first: TensorShape, _ second: TensorShape, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    let termCount = layer.termCount(first)
    guard first.height == second.height,
      termCount == (layer.transposesSecond ? second.channels : second.width)
    else { throw .shapeMismatch(layer: index, found: second, required: first) }
    return TensorShape(
      height: first.height,
      width: layer.transposesFirst ? first.channels : first.width,
      channels: layer.transposesSecond ? second.width : second.channels)
  }

  private func shape(
    of layer: Layer.Concatenation, _ sources: [TensorShape], at index: Int
  ) throws(WeightFileError) -> TensorShape {
    try WeightFileError.check(sources.count, in: WeightFormat.concatenationCounts) {
      (found, allowed) in .concatenationCount(layer: index, found: found, allowed: allowed)
    }
    var shape = sources[0]
    for source in sources.dropFirst() {
      for axis in Layer.Axis.allCases where axis != layer.axis && source[axis] != shape[axis] {
        throw .shapeMismatch(layer: index, found: source, required: shape)
      }
      shape[layer.axis] += source[layer.axis]
    }
    return shape
  }

  private func shape(
    of layer: Layer.Slice, _ source: TensorShape, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    let extent = source[layer.axis]
    guard layer.start >= 0, layer.count >= 1, layer.start < extent,
      layer.step >= 1, layer.step <= WeightFormat.maximumExtent,
      layer.count - 1 <= (extent - 1 - layer.start) / layer.step
    else {
      throw .sliceOutOfRange(
        layer: index, start: layer.start, count: layer.count, step: layer.step, extent: extent)
    }
    var shape = source
    shape[layer.axis] = layer.count
    return shape
  }

  private func shape(
    of layer: Layer.Resizing, _ source: TensorShape, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    switch layer.extent {
    case .factors(let y, let x):
      for factor in [y, x] {
        try WeightFileError.check(factor, in: WeightFormat.resizingFactors) { (found, allowed) in
          .resizingFactor(layer: index, found: found, allowed: allowed)
        }
      }
      return TensorShape(
        height: source.height * y, width: source.width * x, channels: source.channels)
    case .size(let height, let width):
      return TensorShape(height: height, width: width, channels: source.channels)
    }
  }

  private func shape(
    of layer: Layer.Padding, _ source: TensorShape, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    let added = [
      layer.edges.top, layer.edges.left, layer.edges.bottom, layer.edges.right,
      layer.channelsBefore, layer.channelsAfter,
    ]
    for count in added {
      try WeightFileError.check(count, in: WeightFormat.paddings) { (found, allowed) in
        .padding(layer: index, found: found, allowed: allowed)
      }
    }
    switch layer.mode {
    case .constant(let value):
      guard value.isFinite else { throw .layerNumber(layer: index, found: value) }
    case .edge: break
    case .reflection:
      // A mirror image has no more positions than the value behind its edge.
      for (count, extent) in [
        (max(layer.edges.top, layer.edges.bottom), source.height),
        (max(layer.edges.left, layer.edges.right), source.width),
        (max(layer.channelsBefore, layer.channelsAfter), source.channels),
      ] where count >= extent {
        throw .padding(layer: index, found: count, allowed: 0...(extent - 1))
      }
    }
    return TensorShape(
      height: source.height + layer.edges.top + layer.edges.bottom,
      width: source.width + layer.edges.left + layer.edges.right,
      channels: source.channels + layer.channelsBefore + layer.channelsAfter)
  }

  private func shape(
    of layer: Layer.Rearrangement, _ source: TensorShape, at index: Int
  ) throws(WeightFileError) -> TensorShape {
    try WeightFileError.check(layer.dimensions.count, in: WeightFormat.rearrangementRanks) {
      (found, allowed) in .rearrangementRank(layer: index, found: found, allowed: allowed)
    }
    var isUsed = [Bool](repeating: false, count: layer.dimensions.count)
    for axis in layer.permutation where isUsed.indices.contains(axis) { isUsed[axis] = true }
    guard layer.permutation.count == isUsed.count, !isUsed.contains(false) else {
      throw .permutation(layer: index)
    }
    let output = [layer.output.height, layer.output.width, layer.output.channels]
    guard Self.product(of: layer.dimensions) == source.elementCount,
      Self.product(of: output) == source.elementCount
    else { throw .rearrangedCount(layer: index, required: source.elementCount) }
    return layer.output
  }

  /// The product of positive extents, or nil where one is not positive or the product too large.
  private static func product(of extents: [Int]) -> Int? {
    var product = 1
    for extent in extents {
      let (next, overflow) = product.multipliedReportingOverflow(by: extent)
      guard extent > 0, !overflow, next <= WeightFormat.maximumElementCount else { return nil }
      product = next
    }
    return product
  }
}

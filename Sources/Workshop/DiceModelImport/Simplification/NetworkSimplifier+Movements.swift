internal import DiceWeights

/// Layers that only move numbers: rearrangements and slices.
///
/// Models reshape, transpose and cut to reorder channels (the shuffles of ShuffleNet), where one layer
/// does.
extension NetworkSimplifier {
  /// The most numbers of a value whose way is followed.
  private static let elementLimit = 1 << 22
  /// The most layers that are followed.
  private static let lengthLimit = 12

  /// Puts one slice or rearrangement in the place of several layers that move numbers, or nothing where
  /// all come back to their places.
  mutating func joinMovements(_ index: Int) -> Bool {
    guard Self.moves(layers[index]) else { return false }
    // From the last layer to the first; what they begin with stays as it is.
    var chain = [index]
    while chain.count < Self.lengthLimit,
      let source = Self.source(of: layers[chain[chain.count - 1]]),
      Self.moves(layers[source])
    {
      chain.append(source)
    }
    while chain.count > 1 {
      if let root = Self.source(of: layers[chain[chain.count - 1]]),
        shapes[root].elementCount <= Self.elementLimit, movementBudget > 0
      {
        movementBudget -= shapes[root].elementCount * (chain.count + 2)
        let order = order(of: chain, root)
        if order.elementsEqual(0..<shapes[root].elementCount), shapes[root] == shapes[index] {
          replace(index, by: .layer(root))
          return true
        }
        let layer =
          Self.slice(root, shapes[root], order, shapes[index])
          ?? Self.rearrangement(root, shapes[root], order, shapes[index])
        if let layer {
          setLayer(index, layer)
          return true
        }
      }
      chain.removeLast()
    }
    return false
  }

  private static func moves(_ layer: Layer) -> Bool {
    switch layer {
    case .rearrangement, .slice: true
    default: false
    }
  }

  /// The layer that a layer of one source reads; nil for inputs.
  private static func source(of layer: Layer) -> Int? {
    if case .layer(let source) = layer.sources.first { return source }
    return nil
  }

  // MARK: Places

  /// For each number of the last value its place in the first one.
  private func order(of chain: [Int], _ root: Int) -> [Int] {
    var order = Array(0..<shapes[root].elementCount)
    var shape = shapes[root]
    for index in chain.reversed() {
      switch layers[index] {
      case .rearrangement(let layer): order = Self.rearranged(order, layer)
      case .slice(let layer): order = Self.cut(order, shape, layer)
      default: break
      }
      shape = shapes[index]
    }
    return order
  }

  private static func rearranged(_ order: [Int], _ layer: Layer.Rearrangement) -> [Int] {
    var strides = [Int](repeating: 1, count: layer.dimensions.count)
    for axis in (0..<strides.count - 1).reversed() {
      strides[axis] = strides[axis + 1] * layer.dimensions[axis + 1]
    }
    return ConstantTensor.walk(
      layer.permutation.map { layer.dimensions[$0] }, strides: layer.permutation.map { strides[$0] }
    ).map { order[$0] }
  }

  private static func cut(_ order: [Int], _ shape: TensorShape, _ layer: Layer.Slice) -> [Int] {
    var extents = [shape.height, shape.width, shape.channels]
    var strides = [shape.width * shape.channels, shape.channels, 1]
    let axis = axes.firstIndex(of: layer.axis) ?? 2
    let start = layer.start * strides[axis]
    extents[axis] = layer.count
    strides[axis] *= layer.step
    return ConstantTensor.walk(extents, strides: strides).map { order[start + $0] }
  }

  private static var axes: [Layer.Axis] { [.height, .width, .channels] }

  // MARK: One layer

  /// The slice of a value that gives its numbers in an order; nil where none does.
  private static func slice(
    _ root: Int, _ shape: TensorShape, _ order: [Int], _ result: TensorShape
  ) -> Layer? {
    let before = [shape.height, shape.width, shape.channels]
    let after = [result.height, result.width, result.channels]
    let strides = [shape.width * shape.channels, shape.channels, 1]
    let changed = (0..<3).filter { before[$0] != after[$0] }
    guard changed.count == 1, let first = order.first else { return nil }
    let axis = changed[0]
    let inner = after[(axis + 1)...].reduce(1, *)
    let start = first / strides[axis] % before[axis]
    let second = after[axis] > 1 ? order[inner] / strides[axis] % before[axis] : start + 1
    let step = second - start
    guard step > 0, start + (after[axis] - 1) * step < before[axis] else { return nil }
    let layer = Layer.Slice(
      input: .layer(root), axis: axes[axis], start: start, count: after[axis], step: step)
    let whole = Array(0..<shape.elementCount)
    return cut(whole, shape, layer) == order ? .slice(layer) : nil
  }

  /// The rearrangement of a value that gives its numbers in an order; nil where none does.
  private static func rearrangement(
    _ root: Int, _ shape: TensorShape, _ order: [Int], _ result: TensorShape
  ) -> Layer? {
    guard order.count == shape.elementCount, order.first == 0 else { return nil }
    // The digits of a place in the result, the fastest first: how many there are and how far apart.
    var digits: [(extent: Int, stride: Int)] = []
    var known = 1
    while known < order.count {
      let stride = order[known]
      var extent = 1
      while known * extent < order.count, order[known * extent] == stride * extent { extent += 1 }
      guard digits.count < 8, stride > 0, extent > 1, order.count % (known * extent) == 0 else {
        return nil
      }
      digits.append((extent, stride))
      known *= extent
    }
    if digits.isEmpty { digits = [(1, 1)] }
    digits.reverse()
    // The slowest of the input first.
    let sorted = digits.indices.sorted { digits[$0].stride > digits[$1].stride }
    var permutation = [Int](repeating: 0, count: digits.count)
    for (place, digit) in sorted.enumerated() { permutation[digit] = place }
    let layer = Layer.Rearrangement(
      input: .layer(root), dimensions: sorted.map { digits[$0].extent }, permutation: permutation,
      output: result)
    let whole = Array(0..<shape.elementCount)
    return rearranged(whole, layer) == order ? .rearrangement(layer) : nil
  }
}

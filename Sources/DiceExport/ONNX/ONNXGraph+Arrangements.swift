internal import DiceWeights

/// Layers that move numbers, and those that combine two values.
extension ONNXGraph {
  mutating func add(_ layer: Layer.Elementwise, at index: Int) {
    let operation =
      switch layer.operation {
      case .addition: "Add"
      case .subtraction: "Sub"
      case .multiplication: "Mul"
      case .division: "Div"
      case .maximum: "Max"
      case .minimum: "Min"
      }
    node(
      operation, [names[layer.first], names[layer.second]],
      beforeActivation(layer.activation, at: index))
    addActivation(layer.activation, at: index)
  }

  /// A product of `[1, H, M, K]` and `[1, H, K, N]`: channels go behind the columns first, and back.
  mutating func add(_ layer: Layer.MatrixProduct, at index: Int) {
    let operands = [
      (layer.first, layer.transposesFirst, "first"),
      (layer.second, layer.transposesSecond, "second"),
    ].map { (source, isTransposed, part) in
      let matrices = names.part(part, ofLayer: index)
      node("Transpose", [names[source]], matrices) { (node) in
        node.integers("perm", isTransposed ? [0, 2, 1, 3] : [0, 2, 3, 1])
      }
      return matrices
    }
    let product = names.part("product", ofLayer: index)
    node("MatMul", operands, product)
    node("Transpose", [product], output(index)) { (node) in
      node.integers("perm", [0, 3, 1, 2])
    }
  }

  mutating func add(_ layer: Layer.Concatenation, at index: Int) {
    node("Concat", layer.inputs.map { (source) in names[source] }, output(index)) { (node) in
      node.integer("axis", Self.axis(layer.axis))
    }
  }

  mutating func add(_ layer: Layer.Slice, at index: Int) {
    let operands = [
      names[layer.input], integers([layer.start], "start", of: index),
      integers([layer.start + (layer.count - 1) * layer.step + 1], "end", of: index),
      integers([Self.axis(layer.axis)], "axis", of: index),
      integers([layer.step], "step", of: index),
    ]
    node("Slice", operands, output(index))
  }

  mutating func add(_ layer: Layer.Padding, at index: Int) {
    let edges = layer.edges
    let pads = [
      0, layer.channelsBefore, edges.top, edges.left,
      0, layer.channelsAfter, edges.bottom, edges.right,
    ]
    var operands = [names[layer.input], integers(pads, "pads", of: index)]
    let mode: String
    switch layer.mode {
    case .constant(let value):
      mode = "constant"
      operands.append(number(value, "value", of: index))
    case .edge: mode = "edge"
    case .reflection: mode = "reflect"
    }
    node("Pad", operands, output(index)) { (node) in node.text("mode", mode) }
  }

  // MARK: Rearrangement

  mutating func add(_ layer: Layer.Rearrangement, at index: Int) {
    if let order = axisOrder(of: layer) {
      node("Transpose", [names[layer.input]], output(index)) { (node) in
        node.integers("perm", order)
      }
      return
    }
    var value = inRows(layer.input, at: index)
    if !layer.permutation.elementsEqual(layer.permutation.indices) {
      let (array, ordered) = (
        names.part("array", ofLayer: index), names.part("ordered", ofLayer: index)
      )
      node("Reshape", [value, integers(layer.dimensions, "dimensions", of: index)], array)
      node("Transpose", [array], ordered) { (node) in
        node.integers("perm", layer.permutation)
      }
      value = ordered
    }
    let (height, width, channels) = (
      layer.output.height, layer.output.width, layer.output.channels
    )
    if ModelShapes.Shape(layer.output).isOneList {
      let shape = integers([1, channels, height, width], "shape", of: index)
      node("Reshape", [value, shape], output(index))
    } else {
      let pixels = names.part("pixels", ofLayer: index)
      node("Reshape", [value, integers([1, height, width, channels], "shape", of: index)], pixels)
      node("Transpose", [pixels], output(index)) { (node) in
        node.integers("perm", [0, 3, 1, 2])
      }
    }
  }

  /// The axes of `[1, C, H, W]` in the output's order, where a rearrangement does no more than to put
  /// rows, columns and channels into another order.
  private func axisOrder(of layer: Layer.Rearrangement) -> [Int]? {
    guard layer.dimensions.count == 3, let shape = shapes[layer.input].numbers,
      layer.dimensions == [shape.height, shape.width, shape.channels],
      layer.permutation.map({ (axis) in layer.dimensions[axis] })
        == [layer.output.height, layer.output.width, layer.output.channels]
    else { return nil }
    let axes = layer.permutation.map { (axis) in [2, 3, 1][axis] }
    return [0, axes[2], axes[0], axes[1]]
  }

  /// The name of a value whose numbers lie in the order of `[H, W, C]`, row by row.
  mutating func inRows(_ source: Layer.Source, at index: Int) -> String {
    guard !shapes[source].isOneList else { return names[source] }
    let rows = names.part("rows", ofLayer: index)
    node("Transpose", [names[source]], rows) { (node) in node.integers("perm", [0, 2, 3, 1]) }
    return rows
  }
}

internal import DiceWeights

/// Layers that move numbers, and those that combine two values.
extension ONNXGraph {
  mutating func add(_ layer: Layer.Elementwise, at index: Int) {
    let result = beforeActivation(layer.activation, at: index)
    let operation =
      switch layer.operation {
      case .addition: "Add"
      case .subtraction: "Sub"
      case .multiplication: "Mul"
      case .division: "Div"
      case .maximum: "Max"
      case .minimum: "Min"
      case .requantizedSum: ""
      }
    if layer.operation == .requantizedSum {
      addRequantizedSum(layer, result, at: index)
    } else {
      node(operation, [names[layer.first], names[layer.second]], result)
    }
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

  mutating func add(_ layer: Layer.Ranking, at index: Int) {
    let places = names.part("places", ofLayer: index)
    node(
      "TopK", [names[layer.input], integers([layer.count], "count", of: index)],
      names.part("numbers", ofLayer: index), second: places
    ) { (node) in node.integer("axis", Self.axis(.width)) }
    node("Cast", [places], output(index)) { (node) in node.integer("to", Self.floatType) }
  }

  /// Columns that places name: as many places as there are channels, whole and within the columns.
  mutating func add(_ layer: Layer.Selection, at index: Int) {
    let parts = [
      "floor", "bounded", "size", "columns", "count", "last", "limited", "places", "all",
    ].map { (part) in names.part(part, ofLayer: index) }
    node("Floor", [names[layer.places]], parts[0])
    node("Max", [parts[0], number(0, "zero", of: index)], parts[1])
    node("Shape", [names[layer.input]], parts[2])
    node("Gather", [parts[2], integers([Self.axis(.width)], "axis", of: index)], parts[3])
    node("Cast", [parts[3]], parts[4]) { (node) in node.integer("to", Self.floatType) }
    node("Sub", [parts[4], number(1, "one", of: index)], parts[5])
    node("Min", [parts[1], parts[5]], parts[6])
    node("Cast", [parts[6]], parts[7]) { (node) in node.integer("to", Self.integerType) }
    // Repeated for each channel, where there is one place for all.
    let channels = shapes[layer.input].channels
    node("Expand", [parts[7], integers([1, channels, 1, 1], "repeats", of: index)], parts[8])
    node("GatherElements", [names[layer.input], parts[8]], output(index)) { (node) in
      node.integer("axis", Self.axis(.width))
    }
  }

  /// The codes of floats and of 64-bit integers.
  static let (floatType, integerType) = (1, 7)

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

internal import DiceWeights

/// Convolutions, dense layers, pooling, reductions and batch normalisation.
extension ONNXGraph {
  mutating func add(_ layer: Layer.Convolution, at index: Int) {
    let operands = [
      names[layer.input], tensor(layer.weights, .convolution), tensor(layer.bias, .plain),
    ]
    node("Conv", operands, beforeActivation(layer.activation, at: index)) { (node) in
      node.window(layer.window)
      node.integers("dilations", [layer.window.dilationY, layer.window.dilationX])
      node.integer("group", layer.groups)
    }
    addActivation(layer.activation, at: index)
  }

  mutating func add(_ layer: Layer.TransposedConvolution, at index: Int) {
    let operands = [
      names[layer.input], tensor(layer.weights, .transposedConvolution(groups: layer.groups)),
      tensor(layer.bias, .plain),
    ]
    node("ConvTranspose", operands, beforeActivation(layer.activation, at: index)) { (node) in
      node.window(layer.window)
      node.integers("dilations", [layer.window.dilationY, layer.window.dilationX])
      node.integer("group", layer.groups)
      node.integers("output_padding", [layer.extraRows, layer.extraColumns])
    }
    addActivation(layer.activation, at: index)
  }

  /// All numbers in the order of `[H, W, C]` as one row, times the weights, as one pixel.
  mutating func add(_ layer: Layer.Dense, at index: Int) {
    let rows = inRows(layer.input, at: index)
    let list = names.part("list", ofLayer: index)
    let products = names.part("products", ofLayer: index)
    node("Flatten", [rows], list) { (node) in node.integer("axis", 1) }
    node("Gemm", [list, tensor(layer.weights, .plain), tensor(layer.bias, .plain)], products)
    let shape = integers([1, layer.outputChannels, 1, 1], "shape", of: index)
    node("Reshape", [products, shape], beforeActivation(layer.activation, at: index))
    addActivation(layer.activation, at: index)
  }

  mutating func add(_ layer: Layer.Pooling, at index: Int) {
    let operation = layer.kind == .maximum ? "MaxPool" : "AveragePool"
    node(operation, [names[layer.input]], output(index)) { (node) in
      node.window(layer.window)
      if layer.kind != .maximum {
        node.integer("count_include_pad", layer.kind == .averageWithPadding ? 1 : 0)
      }
    }
  }

  mutating func add(_ layer: Layer.Reduction, at index: Int) {
    let input = names[layer.input]
    let axes =
      (layer.overChannels ? [1] : []) + (layer.overHeight ? [2] : [])
      + (layer.overWidth ? [3] : [])
    let operation: String
    switch layer.kind {
    case .maximum: operation = "ReduceMax"
    case .mean: operation = "ReduceMean"
    case .sum: operation = "ReduceSum"
    case .indexOfMaximum:
      let place = names.part("place", ofLayer: index)
      node("ArgMax", [input], place) { (node) in node.integer("axis", axes[0]) }
      node("Cast", [place], output(index)) { (node) in
        node.integer("to", InitializerList.float32)
      }
      return
    }
    node(operation, [input, integers(axes, "axes", of: index)], output(index))
  }

  mutating func add(_ layer: Layer.BatchNormalization, at index: Int) {
    var operands = [names[layer.input]]
    for operand in [layer.scale, layer.shift, layer.mean, layer.variance] {
      operands.append(tensor(operand, .plain))
    }
    node("BatchNormalization", operands, output(index)) { (node) in
      node.float("epsilon", layer.epsilon)
    }
  }
}

extension ProtobufWriter {
  /// The attributes of every window.
  fileprivate mutating func window(_ window: Layer.Window) {
    integers("kernel_shape", [window.height, window.width])
    let padding = window.padding
    integers("pads", [padding.top, padding.left, padding.bottom, padding.right])
    integers("strides", [window.strideY, window.strideX])
  }
}

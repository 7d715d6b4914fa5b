internal import DiceWeights

/// Convolutions, dense layers, pooling and reductions.
extension CoreMLGraph {
  /// `[KH, KW, I, O]` in another order of its axes; the kernel's rows and columns come last.
  private static func kernel(
    _ numbers: [Float], _ window: Layer.Window, _ inputs: Int, _ outputs: Int,
    _ place: (_ input: Int, _ output: Int) -> Int, isSpread: Bool
  ) -> [Float] {
    let (height, width) = isSpread ? (window.spanY, window.spanX) : (window.height, window.width)
    let (stepY, stepX) = isSpread ? (window.dilationY, window.dilationX) : (1, 1)
    var result = [Float](repeating: 0, count: inputs * outputs * height * width)
    for y in 0..<window.height {
      for x in 0..<window.width {
        let from = (y * window.width + x) * inputs * outputs
        let at = y * stepY * width + x * stepX
        for input in 0..<inputs {
          for output in 0..<outputs {
            result[place(input, output) * height * width + at] =
              numbers[from + input * outputs + output]
          }
        }
      }
    }
    return result
  }

  mutating func add(_ layer: Layer.Convolution, _ output: String) {
    let inputs = layer.inputChannels / layer.groups
    let weights = Self.kernel(
      floats(layer.weights), layer.window, inputs, layer.outputChannels,
      { (input, output) in output * inputs + input }, isSpread: false)
    let bias = floats(layer.bias)
    let inner = beforeActivation(layer.activation, output)
    self.layer(100, [name(layer.input)], inner) { (convolution) in
      convolution.integer(1, layer.outputChannels)
      convolution.integer(2, inputs)
      convolution.integer(10, layer.groups)
      convolution.window(layer.window, kernel: 20, stride: 30)
      convolution.packed(40, [layer.window.dilationY, layer.window.dilationX])
      convolution.valid(50, layer.window.padding)
      convolution.integer(70, 1)
      convolution.weights(90, weights)
      convolution.weights(91, bias)
    }
    activate(layer.activation, inner, output, channels: layer.outputChannels)
  }

  /// Core ML has neither dilations nor extra rows here: kernels get zeros between their numbers, and rows
  /// that no kernel reaches are padding, to which the bias is added.
  mutating func add(_ layer: Layer.TransposedConvolution, _ index: Int) {
    let output = name(index)
    let shareIn = layer.inputChannels / layer.groups
    let shareOut = layer.outputChannels / layer.groups
    let weights = Self.kernel(
      floats(layer.weights), layer.window, shareIn, layer.outputChannels,
      { (input, output) in
        (output / shareOut * shareIn + input) * shareOut + output % shareOut
      }, isSpread: true)
    let bias = floats(layer.bias)
    var edges = layer.window.padding
    let (rows, columns) = (
      max(0, layer.extraRows - edges.bottom), max(0, layer.extraColumns - edges.right)
    )
    edges.bottom = max(0, edges.bottom - layer.extraRows)
    edges.right = max(0, edges.right - layer.extraColumns)
    let whole = Layer.Window(
      height: layer.window.spanY, width: layer.window.spanX, strideY: layer.window.strideY,
      strideX: layer.window.strideX, padding: edges)
    let isPadded = rows > 0 || columns > 0
    let inner = beforeActivation(layer.activation, output)
    let sums = isPadded ? part() : inner
    self.layer(100, [name(layer.input)], sums) { (convolution) in
      convolution.integer(1, layer.outputChannels)
      convolution.integer(2, layer.inputChannels)
      convolution.integer(10, layer.groups)
      convolution.window(whole, kernel: 20, stride: 30)
      convolution.valid(50, edges)
      convolution.integer(60, 1)
      convolution.weights(90, weights)
      if !isPadded {
        convolution.integer(70, 1)
        convolution.weights(91, bias)
      }
    }
    if isPadded {
      let padded = part()
      pad(sums, padded, [0, 0, 0, 0, 0, rows, 0, columns], value: 0)
      self.layer(250, [padded], inner) { (layer) in
        layer.packed(1, [bias.count])
        layer.weights(2, bias)
      }
    }
    activate(layer.activation, inner, output, channels: layer.outputChannels)
  }

  mutating func add(_ layer: Layer.Dense, _ output: String) {
    let shape = shape(layer.input)
    let count = shape.elementCount
    let numbers = floats(layer.weights)
    let bias = floats(layer.bias)
    let outputs = layer.outputChannels
    // [H, W, C] rows of [O] to [O] rows of [C, H, W].
    var weights = numbers
    let area = shape.height * shape.width
    for o in 0..<outputs {
      for place in 0..<count {
        let from = place % area * shape.channels + place / area
        weights[o * count + place] = numbers[from * outputs + o]
      }
    }
    let inner = beforeActivation(layer.activation, output)
    self.layer(140, [name(layer.input)], inner) { (product) in
      product.integer(1, count)
      product.integer(2, outputs)
      product.integer(10, 1)
      product.weights(20, weights)
      product.weights(21, bias)
    }
    activate(layer.activation, inner, output, channels: outputs)
  }

  mutating func add(_ layer: Layer.Pooling, _ output: String) {
    self.layer(120, [name(layer.input)], output) { (pooling) in
      pooling.integer(1, layer.kind == .maximum ? 0 : 1)
      pooling.window(layer.window, kernel: 10, stride: 20)
      pooling.valid(30, layer.window.padding)
      pooling.integer(50, layer.kind == .average ? 1 : 0)
    }
  }

  mutating func add(_ layer: Layer.Reduction, _ output: String) {
    let axes =
      (layer.overChannels ? [1] : []) + (layer.overHeight ? [2] : [])
      + (layer.overWidth ? [3] : [])
    let field: Int
    switch layer.kind {
    case .maximum: field = 1260
    case .mean: field = 1280
    case .sum: field = 1270
    case .indexOfMaximum:
      self.layer(1025, [name(layer.input)], output) { (place) in place.integer(1, axes[0]) }
      return
    }
    self.layer(field, [name(layer.input)], output) { (reduction) in
      reduction.packed(1, axes)
      reduction.integer(2, 1)
    }
  }
}

extension ProtobufWriter {
  fileprivate mutating func window(_ window: Layer.Window, kernel: Int, stride: Int) {
    packed(kernel, [window.height, window.width])
    packed(stride, [window.strideY, window.strideX])
  }

  /// A field that is a message `ValidPadding`.
  fileprivate mutating func valid(_ field: Int, _ edges: Layer.Edges) {
    message(field) { (valid) in
      valid.message(1) { (amounts) in amounts.borders(edges) }
    }
  }

  /// The contents of a message `BorderAmounts`.
  mutating func borders(_ edges: Layer.Edges) {
    for (start, end) in [(edges.top, edges.bottom), (edges.left, edges.right)] {
      message(10) { (edge) in
        edge.integer(1, start)
        edge.integer(2, end)
      }
    }
  }
}

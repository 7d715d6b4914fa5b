import DiceWeights

/// Puts a number into one of the fields of a layer, counted in the order of its declaration.
struct ExtremeNumbers {
  static let count = 24
  let place: Int
  let value: Int
  private var next = 0

  init(place: Int, value: Int) {
    self.place = place
    self.value = value
  }

  /// The layer with the number, or nil where it has fewer fields.
  mutating func change(_ layer: Layer) -> Layer? {
    let result: Layer
    switch layer {
    case .convolution(var layer):
      set(&layer.input)
      set(&layer.inputChannels, &layer.outputChannels, &layer.groups, &layer.weights, &layer.bias)
      set(&layer.window)
      result = .convolution(layer)
    case .transposedConvolution(var layer):
      set(&layer.input)
      set(&layer.inputChannels, &layer.outputChannels, &layer.groups, &layer.weights, &layer.bias)
      set(&layer.extraRows)
      set(&layer.extraColumns)
      set(&layer.window)
      result = .transposedConvolution(layer)
    case .dense(var layer):
      set(&layer.input)
      set(&layer.outputChannels)
      set(&layer.weights)
      set(&layer.bias)
      result = .dense(layer)
    case .pooling(var layer):
      set(&layer.input)
      set(&layer.window)
      result = .pooling(layer)
    case .reduction(var layer):
      set(&layer.input)
      result = .reduction(layer)
    case .elementwise(var layer):
      set(&layer.first)
      set(&layer.second)
      result = .elementwise(layer)
    case .concatenation(var layer):
      set(&layer.inputs[1])
      result = .concatenation(layer)
    case .slice(var layer):
      set(&layer.input)
      set(&layer.start)
      set(&layer.count)
      set(&layer.step)
      result = .slice(layer)
    case .resizing(var layer):
      set(&layer.input)
      switch layer.extent {
      case .factors(var y, var x):
        set(&y)
        set(&x)
        layer.extent = .factors(y: y, x: x)
      case .size(var height, var width):
        set(&height)
        set(&width)
        layer.extent = .size(height: height, width: width)
      }
      result = .resizing(layer)
    case .padding(var layer):
      set(&layer.input)
      set(&layer.edges)
      set(&layer.channelsBefore)
      set(&layer.channelsAfter)
      result = .padding(layer)
    case .rearrangement(var layer):
      set(&layer.input)
      for axis in layer.dimensions.indices { set(&layer.dimensions[axis]) }
      for axis in layer.permutation.indices { set(&layer.permutation[axis]) }
      set(&layer.output)
      result = .rearrangement(layer)
    case .activation(var layer):
      set(&layer.input)
      result = .activation(layer)
    case .softmax(var layer):
      set(&layer.input)
      result = .softmax(layer)
    case .batchNormalization(var layer):
      set(&layer.input)
      set(&layer.scale)
      set(&layer.shift)
      set(&layer.mean)
      set(&layer.variance)
      result = .batchNormalization(layer)
    case .matrixProduct(var layer):
      set(&layer.first)
      set(&layer.second)
      result = .matrixProduct(layer)
    case .ranking(var layer):
      set(&layer.input)
      set(&layer.count)
      result = .ranking(layer)
    case .selection(var layer):
      set(&layer.input)
      set(&layer.places)
      result = .selection(layer)
    case .constant(var layer):
      set(&layer.tensor)
      set(&layer.shape)
      result = .constant(layer)
    }
    return next > place ? result : nil
  }

  private mutating func set(_ field: inout Int) {
    if next == place { field = value }
    next += 1
  }

  private mutating func set(
    _ a: inout Int, _ b: inout Int, _ c: inout Int, _ d: inout Int, _ e: inout Int
  ) {
    set(&a)
    set(&b)
    set(&c)
    set(&d)
    set(&e)
  }

  private mutating func set(_ source: inout Layer.Source) {
    // Even numbers as an input, odd ones as a layer.
    if next == place { source = value % 2 == 0 ? .input(value) : .layer(value) }
    next += 1
  }

  private mutating func set(_ window: inout Layer.Window) {
    set(&window.height)
    set(&window.width)
    set(&window.strideY)
    set(&window.strideX)
    set(&window.dilationY)
    set(&window.dilationX)
    set(&window.padding)
  }

  private mutating func set(_ edges: inout Layer.Edges) {
    set(&edges.top)
    set(&edges.left)
    set(&edges.bottom)
    set(&edges.right)
  }

  private mutating func set(_ shape: inout TensorShape) {
    set(&shape.height)
    set(&shape.width)
    set(&shape.channels)
  }
}

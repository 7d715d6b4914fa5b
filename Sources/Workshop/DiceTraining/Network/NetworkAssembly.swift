internal import DiceKernels
internal import DiceNetwork
internal import DiceWeights

/// Makes the operations of a description.
struct NetworkAssembly {
  let store = ParameterStore()
  private(set) var inputs: [Value] = []
  private(set) var outputs: [TrainingNetwork.Output] = []
  private(set) var operations: [any Operation] = []

  private let description: NetworkDescription
  private let shapes: NetworkShapes
  private let graph: LayerGraph
  private let options: LayerOptions
  private let constants: (_ tensor: Int) -> [Float]?
  private let matrixKernels: MatrixKernels?
  /// By layer.
  private var values: [Value] = []

  /// - Parameters:
  ///   - shapes: those of a valid description for the samples' sizes.
  ///   - defaults: those for the description's own sizes, by which normalisations are decided.
  ///   - constants: the numbers of tensors that are not learnt, where they are known.
  init(
    _ description: NetworkDescription, shapes: NetworkShapes, defaults: NetworkShapes,
    options: LayerOptions, constants: @escaping (_ tensor: Int) -> [Float]?,
    matrixKernels: MatrixKernels?
  ) throws(TrainingError) {
    self.description = description
    self.shapes = shapes
    self.options = options
    self.constants = constants
    self.matrixKernels = matrixKernels
    graph = LayerGraph(description, shapes: defaults)
    try check()
    for (index, shape) in shapes.inputs.enumerated() {
      let isNarrow = shape.channels <= 4 && graph.isReadByConvolutionsAlone(input: index)
      inputs.append(Value(ValueShape(shape), learns: false, pixelStep: isNarrow ? 4 : nil))
    }
    for (index, layer) in description.layers.enumerated() {
      var value = try makeValue(of: layer, at: index)
      if let rate = options.dropout[index], rate > 0 {
        value = append(
          DropoutOperation(
            rate: rate, key: index, from: value, to: Value(value.shape, learns: value.learns)))
      }
      values.append(value)
    }
    for output in description.outputs {
      var value = values[output.layer]
      // The loss has the logits.
      if case .softmax(let softmax) = description.layers[output.layer] {
        value = self.value(softmax.input)
      }
      guard value.learns else { throw .outputLearnsNothing(output: output.name) }
      outputs.append(TrainingNetwork.Output(name: output.name, value: value))
    }
  }

  /// Checks what a description may have and training does not know, and the options.
  private func check() throws(TrainingError) {
    var isUsed = [Bool](repeating: false, count: shapes.tensors.count)
    for (index, layer) in description.layers.enumerated() {
      for (tensor, _) in layer.weightTensors(
        input: layer.sources.first.map { shapes.shape(of: $0) } ?? shapes.layers[index],
        output: shapes.layers[index])
      {
        if isUsed[tensor] { throw .sharedTensor(tensor: tensor) }
        isUsed[tensor] = true
      }
    }
    for index in options.normalization.keys.sorted() {
      guard description.layers.indices.contains(index), isSum(description.layers[index]) else {
        throw .invalidOption(
          name: "layers.normalization", found: "layer \(index)",
          required: "a convolution or dense layer")
      }
    }
    for (index, rate) in options.dropout.sorted(by: { $0.key < $1.key }) {
      try TrainingError.require(
        description.layers.indices.contains(index), "layers.dropout", "layer \(index)",
        "a layer of the network")
      try TrainingError.require(
        (0..<1).contains(rate), "layers.dropout", rate, "0 up to, not with, 1")
    }
  }

  private func isSum(_ layer: Layer) -> Bool {
    switch layer {
    case .convolution, .transposedConvolution, .dense: true
    default: false
    }
  }

  // MARK: Parts

  private func value(_ source: Layer.Source) -> Value {
    switch source {
    case .input(let index): inputs[index]
    case .layer(let index): values[index]
    }
  }

  private mutating func append(_ operation: any Operation) -> Value {
    operations.append(operation)
    return operation.output
  }

  /// The value of a layer before its activation, learning where one of its sources does.
  private func output(at index: Int, of inputs: [Value]) -> Value {
    Value(ValueShape(shapes.layers[index]), learns: inputs.contains { $0.learns })
  }

  private mutating func makeValue(
    of layer: Layer, at index: Int
  ) throws(TrainingError) -> Value {
    let sources = layer.sources.map { value($0) }
    switch layer {
    case .convolution(let layer):
      return try convolution(
        ConvolutionGeometry(layer.window), groups: layer.groups,
        tensors: .init(weights: layer.weights, bias: layer.bias), activation: layer.activation,
        from: sources[0], at: index)
    case .transposedConvolution(let layer):
      return try convolution(
        ConvolutionGeometry(layer.window), groups: layer.groups, isTransposed: true,
        tensors: .init(weights: layer.weights, bias: layer.bias), activation: layer.activation,
        from: sources[0], at: index)
    case .dense(let layer):
      return try convolution(
        ConvolutionGeometry(kernelHeight: 1, kernelWidth: 1), groups: 1,
        tensors: .init(weights: layer.weights, bias: layer.bias), activation: layer.activation,
        from: flattened(sources[0]), at: index)
    case .pooling(let layer):
      return append(
        PoolingOperation(
          PoolingOperation.Kind(layer.kind), window: ConvolutionGeometry(layer.window),
          from: sources[0], to: output(at: index, of: sources)))
    case .reduction(let layer):
      guard let kind = ReductionOperation.Kind(layer.kind) else {
        throw .unsupportedLayer(layer: index, what: "a place of the greatest number")
      }
      return append(
        ReductionOperation(kind, from: sources[0], to: output(at: index, of: sources)))
    case .elementwise(let layer):
      guard let kind = ElementwiseOperation.Kind(layer.operation) else {
        throw .unsupportedLayer(layer: index, what: "a sum that is rounded")
      }
      let combined = append(
        ElementwiseOperation(
          kind, sources[0], sources[1],
          to: output(at: index, of: sources)))
      return try activated(combined, layer.activation, at: index)
    case .concatenation(let layer):
      var places: [MapPlace] = []
      var place = MapPlace()
      for source in sources {
        places.append(place)
        switch layer.axis {
        case .height: place.row += source.shape.height
        case .width: place.column += source.shape.width
        case .channels: place.channel += source.shape.channelCount
        }
      }
      return append(
        ConcatenationOperation(sources, at: places, to: output(at: index, of: sources)))
    case .slice(let layer):
      return gather(.init(layer, of: sources[0].shape), from: sources[0], at: index)
    case .padding(let layer):
      var constant: Float = 0
      if case .constant(let number) = layer.mode { constant = number }
      return gather(
        .init(layer, of: sources[0].shape), constant: constant, from: sources[0], at: index)
    case .resizing(let layer): return resized(layer, sources[0], at: index)
    case .rearrangement(let layer):
      return append(
        RearrangementOperation(
          dimensions: layer.dimensions, permutation: layer.permutation, from: sources[0],
          to: output(at: index, of: sources)))
    case .activation(let layer):
      return try activated(sources[0], layer.function, at: index)
    case .softmax(let layer):
      // In front of an output it is left out.
      guard graph.isRead(index) else { return sources[0] }
      return append(
        SoftmaxOperation(
          along: SoftmaxOperation.Axis(layer.axis), from: sources[0],
          to: output(at: index, of: sources)))
    case .batchNormalization(let layer):
      return append(
        BatchNormalizationOperation(
          tensors: .init(
            scale: layer.scale, shift: layer.shift, mean: layer.mean, variance: layer.variance),
          epsilon: layer.epsilon, from: sources[0],
          to: Value(sources[0].shape, learns: true), store: store))
    case .matrixProduct(let layer):
      return append(
        MatrixProductOperation(
          sources[0], sources[1], transposesFirst: layer.transposesFirst,
          transposesSecond: layer.transposesSecond, to: output(at: index, of: sources)))
    case .ranking, .selection:
      throw .unsupportedLayer(layer: index, what: "a choice by computed numbers")
    case .constant(let layer):
      let output = output(at: index, of: [])
      guard let numbers = constants(layer.tensor), numbers.count == layer.shape.elementCount else {
        throw .missingConstant(tensor: layer.tensor)
      }
      return append(ConstantOperation(numbers, tensor: layer.tensor, to: output))
    }
  }

  /// A convolution, its normalisation where it has one, and its activation.
  private mutating func convolution(
    _ geometry: ConvolutionGeometry, groups: Int, isTransposed: Bool = false,
    tensors: ConvolutionOperation.Tensors, activation: Layer.Activation, from input: Value,
    at index: Int
  ) throws(TrainingError) -> Value {
    let isNormalized = options.normalization[index] ?? graph.isNormalized(index)
    // A rectifier that keeps signs goes with the normalisation.
    var slope: Float = 1
    if case .leakyReLU(let value) = activation, isNormalized, value > 0 { slope = value }
    var beginning = ConvolutionOperation.Beginning.rectified(slope: activation.slopeBelowZero)
    if !isNormalized, graph.isInFrontOfOutput(index) { beginning = .small }
    let sum = append(
      ConvolutionOperation(
        geometry, groups: groups, isTransposed: isTransposed, tensors: tensors, from: input,
        to: Value(ValueShape(shapes.layers[index]), learns: true), isNormalized: isNormalized,
        slope: slope, beginning: beginning, store: store, matrixKernels: matrixKernels))
    return slope == 1 ? try activated(sum, activation, at: index) : sum
  }

  /// A function of each number of a value; the value itself for the identity.
  private mutating func activated(
    _ value: Value, _ activation: Layer.Activation, at index: Int
  ) throws(TrainingError) -> Value {
    let output = Value(value.shape, learns: value.learns)
    switch activation {
    case .identity: return value
    case .parametricReLU(let slopes):
      return append(
        ParametricRectifierOperation(
          tensor: slopes, from: value, to: Value(value.shape, learns: true), store: store))
    default:
      guard ActivationFunction.isSupported(activation) else {
        throw .unsupportedLayer(layer: index, what: "a function without a derivative")
      }
      return append(ActivationOperation(activation, from: value, to: output))
    }
  }

  /// All numbers of a value as the channels of one pixel.
  private mutating func flattened(_ value: Value) -> Value {
    let shape = value.shape
    if shape.height == 1, shape.width == 1 { return value }
    let count = shape.height * shape.width * shape.channelCount
    return append(
      RearrangementOperation(
        dimensions: [count], permutation: [0], from: value,
        to: Value(ValueShape(height: 1, width: 1, channelCount: count), learns: value.learns)))
  }

  private mutating func gather(
    _ positions: GatherOperation.Positions, constant: Float = 0, from input: Value, at index: Int
  ) -> Value {
    append(
      GatherOperation(
        positions, constant: constant, from: input, to: output(at: index, of: [input])))
  }

  private mutating func resized(
    _ layer: Layer.Resizing, _ input: Value, at index: Int
  ) -> Value {
    let shape = shapes.layers[index]
    let rows = ResizedAxis(layer, from: input.shape.height, to: shape.height)
    let columns = ResizedAxis(layer, from: input.shape.width, to: shape.width)
    guard layer.interpolation == .bilinear else {
      var positions = GatherOperation.Positions(all: input.shape)
      positions.rows = rows.nearest(layer.interpolation)
      positions.columns = columns.nearest(layer.interpolation)
      return gather(positions, from: input, at: index)
    }
    func places(_ axis: ResizedAxis, _ count: Int) -> BilinearOperation.Places {
      BilinearOperation.Places(
        (0..<count).map {
          let neighbours = axis.neighbours(of: $0)
          return (neighbours.first, neighbours.second, neighbours.weight)
        })
    }
    return append(
      BilinearOperation(
        rows: places(rows, shape.height), columns: places(columns, shape.width), from: input,
        to: output(at: index, of: [input])))
  }
}

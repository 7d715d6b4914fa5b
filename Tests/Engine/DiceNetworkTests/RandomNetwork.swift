import DiceNetwork
import DiceWeights
import TestSupport

extension SeededGenerator {
  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func isOne(in count: Int) -> Bool { int(1...count) == 1 }
}

/// A valid network with layers drawn at random: every kind, odd channels and sizes, joins of joins.
///
/// A layer is drawn without much care and kept where the rules of the format allow it. Functions that
/// jump or that have poles are left out, since roundings before them would make large differences.
struct RandomNetwork {
  private(set) var description: NetworkDescription
  private(set) var tensors: [[Float]] = []
  private(set) var shapes: NetworkShapes
  private var generator: SeededGenerator
  private let suitsMatrices: Bool

  /// - Parameter suitsMatrices: Only layers that can be computed with bfloat16 numbers.
  init(seed: UInt64, layerCount: Int = 16, suitsMatrices: Bool = false) throws {
    self.suitsMatrices = suitsMatrices
    generator = SeededGenerator(seed: seed)
    var inputs = [
      NetworkInput(
        name: "first",
        shape: suitsMatrices
          ? TensorShape(height: 32, width: 64, channels: 3)
          : TensorShape(
            height: generator.int(1...20), width: generator.int(1...20),
            channels: generator.int(1...20)), isResizable: suitsMatrices)
    ]
    if !suitsMatrices {
      inputs.append(
        NetworkInput(
          name: "second",
          shape: TensorShape(
            height: inputs[0].shape.height, width: inputs[0].shape.width,
            channels: generator.isOne(in: 3) ? 1 : inputs[0].shape.channels)))
    }
    description = NetworkDescription(
      name: "random \(seed)", inputs: inputs, layers: [], outputs: [])
    shapes = try NetworkShapes.placeholder()
    if inputs.count > 1 {
      description.layers = [.activation(Layer.Pointwise(input: .input(1), function: .tanh))]
    }
    // Every input must be read.
    while description.layers.count < inputs.count {
      appendConvolution(.input(0), channels: inputs[0].shape.channels)
    }
    while description.layers.count < layerCount { appendLayer() }
    if suitsMatrices { appendHeads() }
  }

  /// Everything that nothing reads gets a convolution without an activation.
  private mutating func appendHeads() {
    for index in description.layers.indices {
      let isRead = description.layers.contains { (layer) in layer.sources.contains(.layer(index)) }
      guard !isRead else { continue }
      let before = description.layers.count
      while description.layers.count == before {
        appendConvolution(
          .layer(index), channels: shapes.layers[index].channels, isLast: true)
      }
    }
  }

  /// Adds a layer if the rules allow it and its output is not too large.
  private mutating func append(_ layer: Layer, _ values: [[Float]] = []) {
    var changed = description
    changed.layers.append(layer)
    changed.outputs = []
    for index in changed.layers.indices {
      let isRead = changed.layers.contains { (layer) in layer.sources.contains(.layer(index)) }
      // Some that are read are outputs as well.
      if !isRead || index % 7 == 3 && !suitsMatrices {
        changed.outputs.append(NetworkOutput(name: "\(index)", layer: index))
      }
    }
    guard let valid = try? changed.validated(),
      valid.layers[valid.layers.count - 1].elementCount <= (suitsMatrices ? 100_000 : 20_000),
      valid.layers[valid.layers.count - 1].channels <= 70
    else { return }
    description = changed
    shapes = valid
    tensors += values
  }

  private mutating func appendConvolution(
    _ source: Layer.Source, channels: Int, isLast: Bool = false
  ) {
    var groups = 1
    var outputs = generator.int(1...24)
    if !suitsMatrices {
      switch generator.int(0...5) {
      case 0: (groups, outputs) = (channels, channels)
      case 1:
        groups = [2, 3, 4, 8].first { (count) in channels % count == 0 } ?? 1
        outputs = groups * generator.int(1...10)
      case 2: outputs = 32
      default: break
      }
    }
    let window = window(upTo: 5, dilates: !suitsMatrices)
    let limit = (3 / Float(window.height * window.width * channels / groups)).squareRoot()
    append(
      .convolution(
        Layer.Convolution(
          input: source, inputChannels: channels, outputChannels: outputs, window: window,
          groups: groups, activation: isLast ? .identity : activation(outputs),
          weights: tensors.count, bias: tensors.count + 1)),
      [
        generator.floats(
          window.height * window.width * channels / groups * outputs, -limit...limit),
        generator.floats(outputs, -0.5...0.5),
      ] + slopes(outputs))
  }

  private var usesSlopes = false

  /// The tensor that the activation drawn last needs.
  private mutating func slopes(_ channels: Int) -> [[Float]] {
    defer { usesSlopes = false }
    return usesSlopes ? [generator.floats(channels, -0.5...0.5)] : []
  }

  /// A function; its tensor would be the third one.
  private mutating func activation(_ channels: Int, tensor: Int = 2) -> Layer.Activation {
    let rectifiers: [Layer.Activation] = [
      .identity, .leakyReLU(slope: 0.1), .relu, .identity,
    ]
    if suitsMatrices { return rectifiers[generator.int(0...3)] }
    if tensor > 0, generator.isOne(in: 2) { return .identity }
    let functions: [Layer.Activation] =
      rectifiers + [
        .relu6, .sigmoid, .hardSigmoid(scale: 0.2, offset: 0.5), .silu, .hardSwish, .tanh,
        .elu(alpha: 0.7), .gelu, .softplus, .linear(scale: -0.5, offset: 0.25),
        .leakyReLU(slope: -0.3), .clamp(lower: 0.25, upper: 2), .absolute,
        .parametricReLU(slopes: tensors.count + tensor),
      ]
    let function = functions[generator.int(0...functions.count - 1)]
    if case .parametricReLU = function { usesSlopes = true }
    return function
  }

  private mutating func window(upTo size: Int, dilates: Bool) -> Layer.Window {
    if generator.isOne(in: 3) { return Layer.Window(size: 3, stride: 1, padding: 1) }
    var window = Layer.Window(
      height: generator.int(1...size), width: generator.int(1...size),
      strideY: generator.int(1...3), strideX: generator.int(1...3),
      dilationY: dilates ? generator.int(1...2) : 1,
      dilationX: dilates ? generator.int(1...2) : 1)
    if suitsMatrices {
      // Sizes that fit each other for concatenations.
      let stride = generator.int(1...2)
      return Layer.Window(size: stride == 1 ? 3 : 2, stride: stride, padding: stride == 1 ? 1 : 0)
    }
    let (spanY, spanX) = (window.spanY - 1, window.spanX - 1)
    window.padding = Layer.Edges(
      top: generator.int(0...spanY), left: generator.int(0...spanX),
      bottom: generator.int(0...spanY), right: generator.int(0...spanX))
    return window
  }

  private mutating func appendLayer() {
    // Chains as well as joins.
    let index =
      generator.isOne(in: 2)
      ? description.layers.count - 1 : generator.int(0...description.layers.count)
    let source: Layer.Source =
      index == description.layers.count
      ? .input(description.inputs.count - 1) : .layer(index)
    let shape =
      index == description.layers.count
      ? description.inputs[description.inputs.count - 1].shape : shapes.layers[index]
    if suitsMatrices {
      switch generator.int(0...5) {
      // What copies bfloat16 numbers reads a layer: the network's input comes as floats.
      case 0:
        if case .layer = source { append(.resizing(.repeating(source, factor: 2))) }
      case 1...2: appendConcatenation(source, .channels)
      default:
        if case .layer = source { appendConvolution(source, channels: shape.channels) }
      }
      return
    }
    switch generator.int(0...22) {
    case 0...2: appendConvolution(source, channels: shape.channels)
    case 3: appendTransposed(source, shape)
    case 4: appendDense(source, shape)
    case 5:
      var window = window(upTo: 4, dilates: false)
      window.padding.bottom = min(window.padding.bottom, window.height - 1)
      append(
        .pooling(
          Layer.Pooling(
            input: source, kind: Layer.Pooling.Kind.allCases[generator.int(0...2)],
            window: window)))
    case 6:
      append(
        .reduction(
          Layer.Reduction(
            input: source, kind: generator.isOne(in: 3) ? .maximum : .mean,
            overHeight: generator.isOne(in: 2), overWidth: generator.isOne(in: 2),
            overChannels: generator.isOne(in: 3))))
    case 7...8: appendElementwise(source)
    case 9: appendConcatenation(source, Layer.Axis.allCases[generator.int(0...2)])
    case 10: appendConcatenation(source, .channels)
    case 11: appendSlice(source, shape)
    case 12: appendResizing(source, shape)
    case 13: appendPadding(source)
    case 14: appendRearrangement(source, shape)
    case 15...16: appendMatrixProduct(source, shape)
    case 17...18: appendSelection(source, shape)
    default: appendPointwise(source, shape)
    }
  }
}

// MARK: - Kinds

extension RandomNetwork {
  private mutating func appendTransposed(_ source: Layer.Source, _ shape: TensorShape) {
    let window = window(upTo: 4, dilates: true)
    let groups = generator.isOne(in: 3) && shape.channels % 2 == 0 ? 2 : 1
    let outputs = groups * generator.int(1...12)
    let limit = (3 / Float(shape.channels * 2)).squareRoot()
    append(
      .transposedConvolution(
        Layer.TransposedConvolution(
          input: source, inputChannels: shape.channels, outputChannels: outputs, window: window,
          extraRows: generator.int(0...window.strideY - 1),
          extraColumns: generator.int(0...window.strideX - 1), groups: groups,
          activation: activation(outputs), weights: tensors.count, bias: tensors.count + 1)),
      [
        generator.floats(
          window.height * window.width * shape.channels / groups * outputs, -limit...limit),
        generator.floats(outputs, -0.5...0.5),
      ] + slopes(outputs))
  }

  private mutating func appendDense(_ source: Layer.Source, _ shape: TensorShape) {
    guard shape.elementCount < 4000 else { return }
    let outputs = generator.int(1...40)
    let limit = (3 / Float(shape.elementCount)).squareRoot()
    append(
      .dense(
        Layer.Dense(
          input: source, outputChannels: outputs, activation: activation(outputs),
          weights: tensors.count, bias: tensors.count + 1)),
      [
        generator.floats(shape.elementCount * outputs, -limit...limit),
        generator.floats(outputs, -0.5...0.5),
      ] + slopes(outputs))
  }

  private mutating func appendElementwise(_ source: Layer.Source) {
    let other = generator.int(0...description.layers.count - 1)
    let operations: [Layer.Elementwise.Operation] = [
      .addition, .subtraction, .multiplication, .maximum, .minimum,
    ]
    let operation = operations[generator.int(0...4)]
    // Products of products would leave the range.
    append(
      .elementwise(
        Layer.Elementwise(
          operation, generator.isOne(in: 2) ? source : .layer(other),
          generator.isOne(in: 2) ? source : .layer(other),
          activation: operation == .multiplication ? .tanh : .identity)))
  }

  private mutating func appendConcatenation(_ source: Layer.Source, _ axis: Layer.Axis) {
    guard case .layer(let first) = source else { return }
    let fitting = shapes.layers.indices.filter { (other) in
      var shape = shapes.layers[other]
      shape[axis] = shapes.layers[first][axis]
      return shape == shapes.layers[first]
    }
    var inputs = [source]
    for _ in 0..<generator.int(1...3) {
      inputs.append(.layer(fitting[generator.int(0...fitting.count - 1)]))
    }
    append(.concatenation(Layer.Concatenation(inputs: inputs, axis: axis)))
  }

  private mutating func appendSlice(_ source: Layer.Source, _ shape: TensorShape) {
    let axis = Layer.Axis.allCases[generator.int(0...2)]
    append(
      .slice(
        Layer.Slice(
          input: source, axis: axis, start: generator.int(0...shape[axis] - 1),
          count: generator.int(1...shape[axis]), step: generator.int(1...2))))
  }

  private mutating func appendResizing(_ source: Layer.Source, _ shape: TensorShape) {
    let interpolations = Layer.Resizing.Interpolation.allCases
    append(
      .resizing(
        Layer.Resizing(
          input: source,
          extent: generator.isOne(in: 2)
            ? .factors(y: generator.int(1...3), x: generator.int(1...3))
            : .size(height: generator.int(1...17), width: generator.int(1...17)),
          interpolation: interpolations[generator.int(0...interpolations.count - 1)],
          coordinates: Layer.Resizing.Coordinates.allCases[generator.int(0...2)])))
  }

  private mutating func appendPadding(_ source: Layer.Source) {
    let mode: Layer.Padding.Mode = [.constant(0.5), .constant(0), .edge, .reflection][
      generator.int(0...3)]
    append(
      .padding(
        Layer.Padding(
          input: source,
          edges: Layer.Edges(
            top: generator.int(0...3), left: generator.int(0...3), bottom: generator.int(0...3),
            right: generator.int(0...3)), channelsBefore: generator.int(0...2) / 2,
          channelsAfter: generator.int(0...2) / 2, mode: mode)))
  }

  private mutating func appendRearrangement(_ source: Layer.Source, _ shape: TensorShape) {
    let dimensions = [shape.height, shape.width, shape.channels, 1]
    let permutation = [0, 1, 2, 3].shuffled(using: &generator)
    let permuted = permutation.map { (axis) in dimensions[axis] }
    append(
      .rearrangement(
        Layer.Rearrangement(
          input: source, dimensions: dimensions, permutation: permutation,
          output: TensorShape(
            height: permuted[0], width: permuted[1] * permuted[2], channels: permuted[3]))))
  }

  /// A product with a value that fits, or with the value itself; then a function that keeps the range.
  private mutating func appendMatrixProduct(_ source: Layer.Source, _ shape: TensorShape) {
    let transposesFirst = generator.isOne(in: 2)
    let terms = transposesFirst ? shape.width : shape.channels
    let fitting = shapes.layers.indices.filter { (other) in
      let other = shapes.layers[other]
      return other.height == shape.height && (other.width == terms || other.channels == terms)
    }
    var second = source
    var transposesSecond = !transposesFirst
    if let other = fitting.randomElement(using: &generator), generator.isOne(in: 2) {
      second = .layer(other)
      let fitsAsItIs = shapes.layers[other].width == terms
      transposesSecond =
        !fitsAsItIs || shapes.layers[other].channels == terms && generator.isOne(in: 2)
    }
    let before = description.layers.count
    append(
      .matrixProduct(
        Layer.MatrixProduct(
          source, second, transposesFirst: transposesFirst, transposesSecond: transposesSecond)))
    guard description.layers.count > before else { return }
    append(.activation(Layer.Pointwise(input: .layer(before), function: .tanh)))
  }

  /// Columns in the order of numbers that are known, so that no rounding changes it.
  private mutating func appendSelection(_ source: Layer.Source, _ shape: TensorShape) {
    let channels = generator.isOne(in: 2) ? 1 : shape.channels
    // Some places lie behind the last column.
    let width = shape.width + generator.int(0...2)
    let before = description.layers.count
    let places = TensorShape(height: shape.height, width: width, channels: channels)
    guard places.elementCount < 4000 else { return }
    append(
      .constant(Layer.Constant(tensor: tensors.count, shape: places)),
      [generator.floats(places.elementCount, -1...1)])
    append(.ranking(Layer.Ranking(input: .layer(before), count: generator.int(1...width))))
    guard description.layers.count == before + 2 else { return }
    append(.selection(Layer.Selection(input: source, places: .layer(before + 1))))
  }

  private mutating func appendPointwise(_ source: Layer.Source, _ shape: TensorShape) {
    switch generator.int(0...3) {
    case 0:
      append(
        .softmax(
          Layer.Softmax(input: source, axis: Layer.Axis.allCases[generator.int(0...2)])))
    case 1:
      append(
        .batchNormalization(
          Layer.BatchNormalization(
            input: source, scale: tensors.count, shift: tensors.count + 1,
            mean: tensors.count + 2, variance: tensors.count + 3, epsilon: 1e-3)),
        [
          generator.floats(shape.channels, -1...1), generator.floats(shape.channels, -1...1),
          generator.floats(shape.channels, -1...1), generator.floats(shape.channels, 0.5...2),
        ])
    case 2:
      let shape = TensorShape(
        height: generator.isOne(in: 2) ? 1 : shape.height,
        width: generator.isOne(in: 2) ? 1 : shape.width, channels: shape.channels)
      let before = description.layers.count
      append(
        .constant(Layer.Constant(tensor: tensors.count, shape: shape)),
        [generator.floats(shape.elementCount, -1...1)])
      guard description.layers.count > before else { return }
      append(.elementwise(Layer.Elementwise(.addition, source, .layer(before))))
    default:
      append(
        .activation(
          Layer.Pointwise(input: source, function: activation(shape.channels, tensor: 0))),
        slopes(shape.channels))
    }
  }
}

extension NetworkShapes {
  /// The shapes of the smallest network, to stand in before there is a layer.
  static func placeholder() throws -> NetworkShapes {
    let shape = TensorShape(height: 1, width: 1, channels: 1)
    let description = NetworkDescription(
      name: "none", inputs: [NetworkInput(name: "none", shape: shape)],
      layers: [.activation(Layer.Pointwise(input: .input(0), function: .identity))],
      outputs: [NetworkOutput(name: "none", layer: 0)])
    return try description.validated()
  }
}

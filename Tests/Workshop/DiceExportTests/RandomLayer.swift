import DiceWeights

/// Networks around one layer of each kind, whose options are drawn at random.
enum RandomLayer: String, CaseIterable, Sendable {
  case convolution, depthwise, transposed, dense, pooling, reduction, elementwise, concatenation
  case slice, resizing, padding, rearrangement, softmax, normalization, constant, matrixProduct
  case ranking, selection

  /// How many networks of each kind are looked at.
  static let count = 24

  /// The network of a seed: the first one drawn that is valid.
  func network(_ number: Int) -> CaseNetwork {
    var attempt: UInt64 = 0
    while true {
      var network = CaseNetwork(seed: UInt64(number) << 32 | attempt)
      draw(&network)
      if (try? network.description.validated()) != nil { return network }
      attempt += 1
    }
  }

  private func draw(_ network: inout CaseNetwork) {
    let (height, width, channels) = (
      network.int(1...9), network.int(1...9), network.int(1...6)
    )
    switch self {
    case .convolution, .depthwise: drawConvolution(&network, height, width)
    case .transposed: drawTransposedConvolution(&network, height, width)
    case .dense: drawDense(&network, height, width, channels)
    case .pooling:
      let source = network.input(height, width, channels)
      let kind = network.one(of: Layer.Pooling.Kind.allCases)
      let window = network.window(dilations: 1...1)
      network.output(
        network.add(.pooling(Layer.Pooling(input: source, kind: kind, window: window))))
    case .reduction: drawReduction(&network, height, width, channels)
    case .elementwise: drawElementwise(&network, [height, width, channels])
    case .concatenation: drawConcatenation(&network, height, width, channels)
    case .slice:
      let source = network.input(height, width, channels)
      let layer = Layer.Slice(
        input: source, axis: network.one(of: Layer.Axis.allCases), start: network.int(0...5),
        count: network.int(1...6), step: network.int(1...3))
      network.output(network.add(.slice(layer)))
    case .resizing: drawResizing(&network, height, width, channels)
    case .padding: drawPadding(&network, height, width, channels)
    case .rearrangement: drawRearrangement(&network, height, width, channels)
    case .softmax:
      let source = network.input(height, width, channels)
      let axis = network.one(of: Layer.Axis.allCases)
      network.output(network.add(.softmax(Layer.Softmax(input: source, axis: axis))))
    case .matrixProduct:
      let (turnsFirst, turnsSecond) = (network.chance(0.5), network.chance(0.5))
      let terms = network.int(1...7)
      let first = network.input(
        height, turnsFirst ? terms : width, turnsFirst ? width : terms)
      // Often a constant, or the same value.
      let (rows, columns) = turnsSecond ? (channels, terms) : (terms, channels)
      var second = first
      if turnsFirst == turnsSecond || network.chance(0.8) {
        second =
          network.chance(0.2)
          ? network.constant(height, rows, columns) : network.input(height, rows, columns)
      }
      network.output(
        network.add(
          .matrixProduct(
            Layer.MatrixProduct(
              first, second, transposesFirst: turnsFirst, transposesSecond: turnsSecond))))
    case .ranking:
      let source = network.input(height, width, channels)
      let count = network.int(1...width)
      network.output(network.add(.ranking(Layer.Ranking(input: source, count: count))))
    case .selection:
      let source = network.input(height, width, channels)
      // Places outside, and between columns.
      let rows = network.input(height, network.int(1...7), network.chance(0.5) ? 1 : channels)
      let places = network.add(
        .activation(
          Layer.Pointwise(input: rows, function: .linear(scale: Float(width), offset: 0.37))))
      network.output(network.add(.selection(Layer.Selection(input: source, places: places))))
    case .normalization:
      let source = network.input(height, width, channels)
      let layer = Layer.BatchNormalization(
        input: source, scale: network.tensor([channels], -2...2),
        shift: network.tensor([channels]), mean: network.tensor([channels]),
        variance: network.tensor([channels], 0.1...2), epsilon: network.float(1e-5...0.1))
      network.output(network.add(.batchNormalization(layer)))
    case .constant:
      let source = network.input(1, width, channels)
      let constant = network.constant(height, 1, channels)
      network.output(constant)
      network.output(
        network.add(.elementwise(Layer.Elementwise(.multiplication, source, constant))))
    }
  }

  private func drawConvolution(_ network: inout CaseNetwork, _ height: Int, _ width: Int) {
    let groups = network.int(1...4)
    let (inputs, outputs) =
      self == .depthwise
      ? (groups, groups) : (groups * network.int(1...4), groups * network.int(1...4))
    let source = network.input(height, width, inputs)
    let window = network.window(dilations: 1...3)
    let activation = network.activation(channels: outputs)
    network.output(
      network.convolution(source, inputs, outputs, window, groups: groups, activation: activation))
  }

  private func drawTransposedConvolution(
    _ network: inout CaseNetwork, _ height: Int, _ width: Int
  ) {
    let groups = network.int(1...3)
    let (inputs, outputs) = (groups * network.int(1...3), groups * network.int(1...3))
    let source = network.input(height, width, inputs)
    let window = network.window(dilations: 1...3)
    let layer = Layer.TransposedConvolution(
      input: source, inputChannels: inputs, outputChannels: outputs, window: window,
      extraRows: network.int(0...window.strideY - 1),
      extraColumns: network.int(0...window.strideX - 1), groups: groups,
      activation: network.activation(channels: outputs),
      weights: network.tensor([window.height, window.width, inputs / groups, outputs]),
      bias: network.tensor([outputs]))
    network.output(network.add(.transposedConvolution(layer)))
  }

  private func drawDense(
    _ network: inout CaseNetwork, _ height: Int, _ width: Int, _ channels: Int
  ) {
    // Often a vector, as behind another dense layer.
    let isVector = network.chance(0.3)
    let source = network.input(isVector ? 1 : height, isVector ? 1 : width, channels)
    let count = (isVector ? 1 : height * width) * channels
    let outputs = network.int(1...7)
    let layer = Layer.Dense(
      input: source, outputChannels: outputs, activation: network.activation(channels: outputs),
      weights: network.tensor([count, outputs]), bias: network.tensor([outputs]))
    network.output(network.add(.dense(layer)))
  }

  private func drawReduction(
    _ network: inout CaseNetwork, _ height: Int, _ width: Int, _ channels: Int
  ) {
    let source = network.input(height, width, channels)
    let kind = network.one(of: Layer.Reduction.Kind.allCases)
    network.hasWholeInputs = kind == .indexOfMaximum
    let layer = Layer.Reduction(
      input: source, kind: kind, overHeight: network.chance(0.5), overWidth: network.chance(0.5),
      overChannels: network.chance(0.5))
    network.output(network.add(.reduction(layer)))
  }

  private func drawElementwise(_ network: inout CaseNetwork, _ extents: [Int]) {
    // What rounds whole numbers has tests of its own.
    let operation = network.one(
      of: Layer.Elementwise.Operation.allCases.filter { $0 != .requantizedSum })
    // Each operand is repeated along some axes.
    let first = extents.map { (extent) in network.chance(0.2) ? 1 : extent }
    let second = extents.map { (extent) in network.chance(0.2) ? 1 : extent }
    let left = network.input(first[0], first[1], first[2])
    let right =
      network.chance(0.5)
      ? network.constant(second[0], second[1], second[2])
      : network.input(second[0], second[1], second[2], range: 0.5...2)
    let activation = network.activation(channels: max(first[2], second[2]))
    network.output(
      network.add(.elementwise(Layer.Elementwise(operation, left, right, activation: activation))))
  }

  private func drawConcatenation(
    _ network: inout CaseNetwork, _ height: Int, _ width: Int, _ channels: Int
  ) {
    let axis = network.one(of: Layer.Axis.allCases)
    var sources: [Layer.Source] = []
    for _ in 0..<network.int(2...4) {
      var shape = TensorShape(height: height, width: width, channels: channels)
      shape[axis] = network.int(1...4)
      sources.append(
        network.chance(0.2) && !sources.isEmpty
          ? network.one(of: sources) : network.input(shape.height, shape.width, shape.channels))
    }
    network.output(
      network.add(.concatenation(Layer.Concatenation(inputs: sources, axis: axis))))
  }

  private func drawResizing(
    _ network: inout CaseNetwork, _ height: Int, _ width: Int, _ channels: Int
  ) {
    let source = network.input(height, width, channels)
    let extent: Layer.Resizing.Extent =
      network.chance(0.4)
      ? .factors(y: network.int(1...4), x: network.int(1...4))
      : .size(height: network.int(1...14), width: network.int(1...14))
    let layer = Layer.Resizing(
      input: source, extent: extent,
      interpolation: network.one(of: Layer.Resizing.Interpolation.allCases),
      coordinates: network.one(of: Layer.Resizing.Coordinates.allCases))
    network.output(network.add(.resizing(layer)))
  }

  private func drawPadding(
    _ network: inout CaseNetwork, _ height: Int, _ width: Int, _ channels: Int
  ) {
    let source = network.input(height, width, channels)
    let edges = Layer.Edges(
      top: network.int(0...4), left: network.int(0...4), bottom: network.int(0...4),
      right: network.int(0...4))
    let layer = Layer.Padding(
      input: source, edges: edges, channelsBefore: network.chance(0.5) ? network.int(0...3) : 0,
      channelsAfter: network.chance(0.5) ? network.int(0...3) : 0,
      mode: network.one(of: [.constant(network.float(-2...2)), .edge, .reflection]))
    network.output(network.add(.padding(layer)))
  }

  private func drawRearrangement(
    _ network: inout CaseNetwork, _ height: Int, _ width: Int, _ channels: Int
  ) {
    let source = network.input(height, width, channels)
    let count = height * width * channels
    let dimensions =
      network.chance(0.3)
      ? [height, width, channels] : network.factors(of: count, axes: network.int(1...6))
    let permutation = dimensions.indices.shuffled(using: &network.generator)
    let output =
      dimensions.count == 3 && network.chance(0.7)
      ? permutation.map { (axis) in dimensions[axis] } : network.factors(of: count, axes: 3)
    let layer = Layer.Rearrangement(
      input: source, dimensions: dimensions, permutation: permutation,
      output: TensorShape(height: output[0], width: output[1], channels: output[2]))
    network.output(network.add(.rearrangement(layer)))
  }
}

extension CaseNetwork {
  mutating func window(dilations: ClosedRange<Int>) -> Layer.Window {
    Layer.Window(
      height: int(1...4), width: int(1...4), strideY: int(1...3), strideX: int(1...3),
      dilationY: int(dilations), dilationX: int(dilations),
      padding: Layer.Edges(
        top: int(0...2), left: int(0...2), bottom: int(0...2), right: int(0...2)))
  }

  mutating func constant(_ height: Int, _ width: Int, _ channels: Int) -> Layer.Source {
    add(
      .constant(
        Layer.Constant(
          tensor: tensor([height, width, channels], 0.5...2),
          shape: TensorShape(height: height, width: width, channels: channels))))
  }

  /// A function without steps, at which two engines might part over the last bit of a sum.
  mutating func activation(channels: Int) -> Layer.Activation {
    if chance(0.2) { return .parametricReLU(slopes: tensor([channels])) }
    return one(of: [
      .identity, .relu, .leakyReLU(slope: 0.1), .silu, .relu6, .hardSwish, .gelu, .sigmoid,
    ])
  }

  /// Extents whose product is a number, drawn by giving each of its prime factors to an axis.
  mutating func factors(of number: Int, axes: Int) -> [Int] {
    var extents = [Int](repeating: 1, count: axes)
    var (rest, divisor) = (number, 2)
    while rest > 1 {
      while rest % divisor == 0 {
        extents[int(0...axes - 1)] *= divisor
        rest /= divisor
      }
      divisor += 1
    }
    return extents
  }
}

import DiceKernels
import DiceNetwork
import DiceParallel
import DiceWeights

/// Networks of layers that the bytes choose: planned, run at two sizes, read.
///
/// A layer that breaks a rule of the format is dropped, so that most inputs make a network of several.
/// Networks are small, so that many are tried.
enum Target {
  static let layerLimit = 5

  static func run(_ bytes: [UInt8]) {
    var drawing = Drawing(bytes)
    guard let (description, tensors) = drawing.network() else { return }
    let kernels: KernelChoice =
      drawing.isTrue ? .automatic : .reference
    do throws(NetworkError) {
      let plan = try NetworkPlan(description: description, tensors: tensors, kernels: kernels)
      require(plan.weightByteCount < 1 << 26, "small layers have small weights")
      let runner = try NetworkRunner(plan, keepsFeatureMaps: drawing.isTrue)
      require(runner.activationByteCount < 1 << 27, "small values take little memory")
      check(runner)
      var shapes = plan.shapes.inputs
      for (index, input) in plan.inputs.enumerated() where input.isResizable {
        let multiple = plan.shapes.sizeMultiple
        shapes[index].height = drawing.number(1...3) * multiple
        shapes[index].width = drawing.number(1...3) * multiple
      }
      guard shapes.allSatisfy({ (shape) in shape.elementCount < 1024 }),
        isSmall(description, shapes)
      else { return }
      try runner.resize(inputs: shapes)
      check(runner)
    } catch {
      require(error.description.hasSuffix("."), "an error is a sentence")
    }
  }

  private static func isSmall(_ description: NetworkDescription, _ inputs: [TensorShape]) -> Bool {
    guard let shapes = try? description.shapes(inputs: inputs) else { return true }
    return Drawing.isSmall(shapes)
  }

  private static func check(_ runner: NetworkRunner) {
    for (index, shape) in runner.shapes.inputs.enumerated() {
      runner.setInput(index, (0..<shape.elementCount).map { Float($0 % 7) - 3 })
    }
    runner.run()
    for (index, output) in runner.plan.outputs.enumerated() {
      let shape = runner.shapes.layers[output.layer]
      let map = runner.output(index)
      require(
        map.height == shape.height && map.width == shape.width
          && map.channelCount == shape.channels, "an output has its shape")
      runner.withOutput(index) { (region) in
        require(
          region[0, 0, 0].bitPattern == map[0, 0, 0].bitPattern, "a copy has the output's numbers")
      }
    }
    for index in runner.plan.layers.indices {
      let map = runner.featureMap(ofLayer: index)
      require(
        map.map { $0.channelCount == runner.shapes.layers[index].channels } ?? true,
        "a feature map has its layer's channels")
    }
  }

  static func seeds() -> [[UInt8]] {
    // For every kind of layer bytes that choose it several times, with different details.
    (0..<19).map { (kind) in
      var state = UInt64(kind) &+ 1
      return (0..<160).map { (index) in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return index % 12 == 4 ? UInt8(kind) : UInt8(state >> 56)
      }
    }
  }
}

/// A network drawn from bytes.
private struct Drawing {
  private var reader: InputReader
  private var description = NetworkDescription(name: "a", inputs: [], layers: [], outputs: [])
  private var shapes: NetworkShapes?
  private var tensors: [[Float]] = []

  init(_ bytes: [UInt8]) { reader = InputReader(bytes) }

  var isTrue: Bool { mutating get { reader.byte() & 1 == 1 } }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(reader.byte()) % range.count
  }

  /// A number of any size, often a special one.
  private mutating func float() -> Float {
    switch reader.byte() & 7 {
    case 0: return 0
    case 1: return 3.4e38
    case 2: return -1e30
    case 3: return Float(Int8(bitPattern: reader.byte())) / 16
    default: return Float(reader.byte()) / 64
    }
  }

  private mutating func tensor(_ count: Int) -> [Float] {
    let (first, step) = (float(), float())
    return (0..<max(0, min(count, 100_000))).map { (index) in first + step * Float(index % 5) }
  }

  /// A valid network and its tensors, or nil where the bytes make none.
  mutating func network() -> (NetworkDescription, [[Float]])? {
    for index in 0..<number(1...2) {
      description.inputs.append(
        NetworkInput(
          name: "\(index)",
          shape: TensorShape(
            height: number(1...8), width: number(1...8), channels: number(1...18)),
          isResizable: isTrue))
    }
    // Every input is read.
    for index in description.inputs.indices.dropFirst() {
      description.layers.append(
        .activation(Layer.Pointwise(input: .input(index), function: activation(1).0)))
    }
    description.layers.append(
      .activation(Layer.Pointwise(input: .input(0), function: .identity)))
    var attempts = 0
    while !reader.isAtEnd, attempts < 12, description.layers.count < Target.layerLimit {
      attempts += 1
      appendLayer()
    }
    guard shapes != nil else { return nil }
    return (description, tensors)
  }

  static func isSmall(_ shapes: NetworkShapes) -> Bool {
    var count = shapes.multiplyAddCount
    for shape in shapes.layers { count += Int64(shape.elementCount) }
    return count < 6_000
  }

  private mutating func append(_ layer: Layer, _ values: [[Float]] = []) {
    var changed = description
    changed.layers.append(layer)
    changed.outputs = []
    for index in changed.layers.indices {
      let isRead = changed.layers.contains { (other) in other.sources.contains(.layer(index)) }
      if !isRead { changed.outputs.append(NetworkOutput(name: "\(index)", layer: index)) }
    }
    guard let valid = try? changed.validated(), Self.isSmall(valid),
      valid.tensors.count == tensors.count + values.count
    else { return }
    for (index, shape) in valid.tensors.enumerated() {
      let found = index < tensors.count ? tensors[index] : values[index - tensors.count]
      guard shape.reduce(1, *) == found.count else { return }
    }
    description = changed
    shapes = valid
    tensors += values
  }

  private mutating func source() -> Layer.Source {
    let index = number(0...description.layers.count + description.inputs.count - 1)
    return index < description.layers.count
      ? .layer(description.layers.count - 1 - index)
      : .input(index - description.layers.count)
  }

  private func shape(_ source: Layer.Source) -> TensorShape {
    switch source {
    case .input(let index): return description.inputs[index].shape
    case .layer(let index):
      return shapes.map { (shapes) in shapes.layers[index] } ?? description.inputs[0].shape
    }
  }

  private mutating func window(dilates: Bool) -> Layer.Window {
    var window = Layer.Window(
      height: number(1...6), width: number(1...6), strideY: number(1...4), strideX: number(1...4),
      dilationY: dilates ? number(1...3) : 1, dilationX: dilates ? number(1...3) : 1)
    window.padding = Layer.Edges(
      top: number(0...3), left: number(0...3), bottom: number(0...3), right: number(0...3))
    return window
  }

  /// A function and, where it has one, its tensor, which would be the next but `tensor`.
  private mutating func activation(_ channels: Int, tensor: Int = 2) -> (
    Layer.Activation, [[Float]]
  ) {
    switch number(0...25) {
    case 0: return (.leakyReLU(slope: float()), [])
    case 1: return (.clamp(lower: float(), upper: float()), [])
    case 2: return (.sigmoid, [])
    case 3: return (.hardSigmoid(scale: float(), offset: float()), [])
    case 4: return (.silu, [])
    case 5: return (.hardSwish, [])
    case 6: return (.tanh, [])
    case 7: return (.elu(alpha: float()), [])
    case 8: return (.gelu, [])
    case 9: return (.softplus, [])
    case 10: return (.linear(scale: float(), offset: float()), [])
    case 11: return (.exponential, [])
    case 12: return (.logarithm(lower: float()), [])
    case 13: return (.squareRoot, [])
    case 14: return (.reciprocal, [])
    case 15: return (.absolute, [])
    case 16: return (.power(exponent: float()), [])
    case 17: return (.floor, [])
    case 18: return (.errorFunction, [])
    case 19...20:
      return (.parametricReLU(slopes: tensors.count + tensor), [self.tensor(channels)])
    case 21...22:
      return (
        .requantization(multipliers: tensors.count + tensor, isRoundedOnce: isTrue),
        [self.tensor(3 * channels)]
      )
    case 23: return (.table(numbers: tensors.count + tensor), [self.tensor(256)])
    default: return (.identity, [])
    }
  }

  private mutating func appendLayer() {
    let kind = number(0...16)
    let source = source()
    let shape = shape(source)
    switch kind {
    case 0, 1:
      let groups = kind == 0 ? 1 : isTrue ? shape.channels : number(1...4)
      let outputs = kind == 1 && isTrue ? shape.channels : groups * number(1...18)
      let window = window(dilates: true)
      let (function, slopes) = activation(outputs)
      append(
        .convolution(
          Layer.Convolution(
            input: source, inputChannels: shape.channels, outputChannels: outputs,
            window: window, groups: groups, activation: function, weights: tensors.count,
            bias: tensors.count + 1)),
        [
          tensor(window.height * window.width * (shape.channels / groups) * outputs),
          tensor(outputs),
        ] + slopes)
    case 2:
      let groups = number(1...2)
      let outputs = groups * number(1...18)
      let window = window(dilates: true)
      let (function, slopes) = activation(outputs)
      append(
        .transposedConvolution(
          Layer.TransposedConvolution(
            input: source, inputChannels: shape.channels, outputChannels: outputs,
            window: window, extraRows: number(0...2), extraColumns: number(0...2),
            groups: groups, activation: function, weights: tensors.count,
            bias: tensors.count + 1)),
        [
          tensor(window.height * window.width * (shape.channels / groups) * outputs),
          tensor(outputs),
        ] + slopes)
    case 3:
      let outputs = number(1...18)
      let (function, slopes) = activation(outputs)
      append(
        .dense(
          Layer.Dense(
            input: source, outputChannels: outputs, activation: function, weights: tensors.count,
            bias: tensors.count + 1)),
        [tensor(shape.elementCount * outputs), tensor(outputs)] + slopes)
    case 4:
      append(
        .pooling(
          Layer.Pooling(
            input: source, kind: Layer.Pooling.Kind.allCases[number(0...2)],
            window: window(dilates: false))))
    case 5:
      append(
        .reduction(
          Layer.Reduction(
            input: source, kind: Layer.Reduction.Kind.allCases[number(0...3)],
            overHeight: isTrue, overWidth: isTrue, overChannels: isTrue)))
    case 6:
      append(
        .elementwise(
          Layer.Elementwise(
            Layer.Elementwise.Operation.allCases[number(0...5)], source, self.source(),
            activation: activation(1).0)))
    case 7:
      append(
        .concatenation(
          Layer.Concatenation(
            inputs: [source] + (0..<number(1...3)).map { (_) in self.source() },
            axis: Layer.Axis.allCases[number(0...2)])))
    default: appendRareLayer(kind, source, shape)
    }
  }

  private mutating func appendRareLayer(
    _ kind: Int, _ source: Layer.Source, _ shape: TensorShape
  ) {
    let axis = Layer.Axis.allCases[number(0...2)]
    switch kind {
    case 8:
      append(
        .slice(
          Layer.Slice(
            input: source, axis: axis, start: number(0...5), count: number(1...6),
            step: number(1...3))))
    case 9:
      let interpolations = Layer.Resizing.Interpolation.allCases
      append(
        .resizing(
          Layer.Resizing(
            input: source,
            extent: isTrue
              ? .factors(y: number(1...3), x: number(1...3))
              : .size(height: number(1...20), width: number(1...20)),
            interpolation: interpolations[number(0...interpolations.count - 1)],
            coordinates: Layer.Resizing.Coordinates.allCases[number(0...2)])))
    case 10:
      append(
        .padding(
          Layer.Padding(
            input: source,
            edges: Layer.Edges(
              top: number(0...4), left: number(0...4), bottom: number(0...4),
              right: number(0...4)), channelsBefore: number(0...2), channelsAfter: number(0...2),
            mode: isTrue ? .constant(float()) : isTrue ? .edge : .reflection)))
    case 11:
      var permutation = [0, 1, 2]
      permutation.swapAt(number(0...2), number(0...2))
      let dimensions = [shape.height, shape.width, shape.channels]
      let permuted = permutation.map { (axis) in dimensions[axis] }
      append(
        .rearrangement(
          Layer.Rearrangement(
            input: source, dimensions: dimensions, permutation: permutation,
            output: isTrue
              ? TensorShape(height: permuted[0], width: permuted[1], channels: permuted[2])
              : TensorShape(height: 1, width: permuted[0] * permuted[1], channels: permuted[2]))))
    case 12: append(.softmax(Layer.Softmax(input: source, axis: axis)))
    case 13:
      append(
        .batchNormalization(
          Layer.BatchNormalization(
            input: source, scale: tensors.count, shift: tensors.count + 1,
            mean: tensors.count + 2, variance: tensors.count + 3, epsilon: 1e-3)),
        (0..<4).map { (_) in tensor(shape.channels) })
    case 14:
      let shape = TensorShape(
        height: number(1...4), width: number(1...4), channels: isTrue ? shape.channels : 1)
      append(
        .constant(Layer.Constant(tensor: tensors.count, shape: shape)),
        [tensor(shape.elementCount)])
    case 15:
      // A value fits its own transposition.
      let transposesFirst = isTrue
      append(
        .matrixProduct(
          Layer.MatrixProduct(
            source, isTrue ? source : self.source(), transposesFirst: transposesFirst,
            transposesSecond: number(0...3) == 0 ? isTrue : !transposesFirst)))
    case 16: append(.ranking(Layer.Ranking(input: source, count: number(1...4))))
    case 17: append(.selection(Layer.Selection(input: source, places: self.source())))
    default:
      let (function, slopes) = activation(shape.channels, tensor: 0)
      append(.activation(Layer.Pointwise(input: source, function: function)), slopes)
    }
  }
}

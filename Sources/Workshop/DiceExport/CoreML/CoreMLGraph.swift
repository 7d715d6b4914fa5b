internal import DiceWeights

/// Writes the message `NeuralNetwork` of a Core ML model, layer by layer.
///
/// Every value is a tensor `[1, C, H, W]`.
struct CoreMLGraph {
  let file: WeightFile
  private(set) var writer = ProtobufWriter()
  private let names: Names
  private var partCount = 0

  /// The message.
  var bytes: [UInt8] { writer.bytes }

  /// The most axes of a tensor.
  static let rankLimit = 5

  /// The names of values, none of which is that of an input or output.
  private struct Names {
    let prefix: String
    let inputs: [String]

    init(_ inputs: [String], besides others: [String]) {
      var prefix = "layer"
      while (inputs + others).contains(where: { $0.hasPrefix(prefix) }) { prefix = "_" + prefix }
      self.prefix = prefix
      self.inputs = inputs
    }
  }

  init(_ file: WeightFile, outputs: [String]) throws(CoreMLExportError) {
    self.file = file
    names = Names(file.description.inputs.map { $0.name }, besides: outputs)
    for (index, input) in file.description.inputs.enumerated() { addScaling(input, index) }
    for (index, layer) in file.description.layers.enumerated() { try add(layer, at: index) }
    for (output, name) in zip(file.description.outputs, outputs) {
      layer(600, [self.name(output.layer)], name)
    }
    // Arrays and pictures have the axes that they state.
    writer.integer(5, 1)
    writer.integer(6, 1)
    for input in file.description.inputs { addPreprocessing(input) }
  }

  // MARK: Names and shapes

  /// The name of a layer's value.
  func name(_ index: Int) -> String { "\(names.prefix)_\(index)" }

  /// The name of a source's value.
  func name(_ source: Layer.Source) -> String {
    switch source {
    case .layer(let index): name(index)
    case .input(let index):
      scales(index) == nil ? names.inputs[index] : "\(names.prefix)_input_\(index)"
    }
  }

  /// A name for a part of a layer.
  mutating func part() -> String {
    partCount += 1
    return "\(names.prefix)_part_\(partCount)"
  }

  func shape(_ source: Layer.Source) -> TensorShape {
    switch source {
    case .input(let index): file.shapes.inputs[index]
    case .layer(let index): file.shapes.layers[index]
    }
  }

  /// A tensor of the file.
  func floats(_ tensor: Int) -> [Float] { file.floats(of: tensor) }

  // MARK: Layers

  /// Appends a layer.
  ///
  /// - Parameter second: The name of its second output, where it has one.
  mutating func layer(
    _ field: Int, _ inputs: [String], _ output: String, second: String? = nil,
    _ parameters: (inout ProtobufWriter) -> Void = { _ in }
  ) {
    writer.message(1) { (layer) in
      layer.string(1, output)
      for input in inputs { layer.string(2, input) }
      layer.string(3, output)
      if let second { layer.string(3, second) }
      layer.message(field, parameters)
    }
  }

  /// Appends a constant; returns its name.
  mutating func constant(_ shape: [Int], _ numbers: [Float]) -> String {
    let name = part()
    constant(shape, numbers, name)
    return name
  }

  mutating func constant(_ shape: [Int], _ numbers: [Float], _ name: String) {
    layer(1070, [], name) { (layer) in
      layer.packed(1, shape)
      layer.weights(2, numbers)
    }
  }

  /// Appends the positions of an axis that some indices name.
  mutating func gather(_ input: String, axis: Int, _ indices: [Int], _ output: String) {
    let places = constant([indices.count], indices.map { Float($0) })
    layer(930, [input, places], output) { (layer) in layer.integer(1, axis) }
  }

  /// The axis of `[1, C, H, W]`.
  static func axis(_ axis: Layer.Axis) -> Int {
    switch axis {
    case .height: 2
    case .width: 3
    case .channels: 1
    }
  }

  // MARK: Inputs

  /// The scales of a picture, where its channels differ; nil where the model's own scaling does.
  private func scales(_ index: Int) -> ImageRules? {
    guard let rules = file.description.inputs[index].imageRules, rules.channelOrder != .gray,
      rules.scales != SIMD3(repeating: rules.scales[0])
    else { return nil }
    return rules
  }

  private mutating func addScaling(_ input: NetworkInput, _ index: Int) {
    guard let rules = scales(index) else { return }
    layer(245, [input.name], "\(names.prefix)_input_\(index)") { (layer) in
      layer.packed(1, [3])
      layer.weights(2, (0..<3).map { rules.scales[$0] })
      layer.integer(3, 1)
      layer.packed(4, [3])
      layer.weights(5, (0..<3).map { rules.biases[$0] })
    }
  }

  /// A message `NeuralNetworkPreprocessing` for a picture whose channels have one scale.
  private mutating func addPreprocessing(_ input: NetworkInput) {
    guard let rules = input.imageRules,
      rules.channelOrder == .gray || rules.scales == SIMD3(repeating: rules.scales[0])
    else { return }
    writer.message(2) { (step) in
      step.string(1, input.name)
      step.message(10) { (scaler) in
        scaler.float(10, rules.scales[0])
        switch rules.channelOrder {
        case .gray: scaler.float(30, rules.biases[0])
        case .rgb:
          scaler.float(20, rules.biases[2])
          scaler.float(21, rules.biases[1])
          scaler.float(22, rules.biases[0])
        case .bgr:
          scaler.float(20, rules.biases[0])
          scaler.float(21, rules.biases[1])
          scaler.float(22, rules.biases[2])
        }
      }
    }
  }

  // MARK: Kinds

  private mutating func add(_ layer: Layer, at index: Int) throws(CoreMLExportError) {
    let output = name(index)
    switch layer {
    case .convolution(let layer): add(layer, output)
    case .transposedConvolution(let layer): add(layer, index)
    case .dense(let layer): add(layer, output)
    case .pooling(let layer): add(layer, output)
    case .reduction(let layer): add(layer, output)
    case .elementwise(let layer):
      let fields: [Layer.Elementwise.Operation: Int] = [
        .addition: 880, .subtraction: 905, .multiplication: 900, .division: 890, .maximum: 875,
        .minimum: 870,
      ]
      let inner = beforeActivation(layer.activation, output)
      if let field = fields[layer.operation] {
        self.layer(field, [name(layer.first), name(layer.second)], inner)
      } else {
        addRequantizedSum(layer, inner)
      }
      activate(layer.activation, inner, output, channels: file.shapes.layers[index].channels)
    case .concatenation(let layer):
      self.layer(980, layer.inputs.map { name($0) }, output) { (concat) in
        concat.integer(1, Self.axis(layer.axis))
      }
    case .slice(let layer): add(layer, output)
    case .resizing(let layer): add(layer, index)
    case .padding(let layer): add(layer, output)
    case .rearrangement(let layer): try add(layer, index)
    case .activation(let layer):
      activate(
        layer.function, name(layer.input), output,
        channels: file.shapes.layers[index].channels, isWhole: true)
    case .softmax(let layer):
      self.layer(950, [name(layer.input)], output) { (softmax) in
        softmax.integer(1, Self.axis(layer.axis))
      }
    case .batchNormalization(let layer):
      let tensors = [layer.scale, layer.shift, layer.mean, layer.variance].map { floats($0) }
      self.layer(160, [name(layer.input)], output) { (normal) in
        normal.integer(1, tensors[0].count)
        normal.float(10, layer.epsilon)
        for (field, numbers) in zip(15...18, tensors) { normal.weights(field, numbers) }
      }
    case .matrixProduct(let layer): add(layer, output)
    case .ranking(let layer):
      self.layer(1015, [name(layer.input)], part(), second: output) { (ranking) in
        ranking.integer(1, Self.axis(.width))
        ranking.integer(2, layer.count)
      }
    case .selection(let layer): add(layer, output)
    case .constant(let layer):
      let shape = layer.shape
      let numbers = floats(layer.tensor)
      let area = shape.height * shape.width
      var turned = numbers
      for place in turned.indices {
        turned[place] = numbers[place % area * shape.channels + place / area]
      }
      constant([1, shape.channels, shape.height, shape.width], turned, output)
    }
  }

  /// The name of a value before a function: the layer's own where there is none.
  mutating func beforeActivation(_ function: Layer.Activation, _ output: String) -> String {
    function == .identity ? output : part()
  }
}

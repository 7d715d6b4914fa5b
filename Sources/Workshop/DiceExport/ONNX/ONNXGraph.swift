internal import DiceWeights

/// The graph of a model: nodes, inputs and outputs, and the constants that the nodes read.
///
/// Values are `[1, C, H, W]`.
struct ONNXGraph {
  /// Fields of `GraphProto`, all but its initializers.
  private(set) var writer = ProtobufWriter()
  /// What the nodes read besides values.
  var initializers: InitializerList
  let names: ONNXNames
  let shapes: ModelShapes

  /// The bytes of the fields.
  var bytes: [UInt8] { writer.bytes }

  private enum Field {
    static let node = 1
    static let name = 2
    static let input = 11
    static let output = 12
  }

  /// - Throws: `nearestOfOpenSize`.
  init(_ file: WeightFile, shapes: ModelShapes) throws(ONNXExportError) {
    let description = file.description
    names = ONNXNames(description)
    self.shapes = shapes
    initializers = InitializerList(file)
    writer.string(Field.name, description.name)
    for (index, layer) in description.layers.enumerated() {
      try add(layer, at: index)
    }
    for copy in names.copies { node("Identity", [copy.of], copy.output) }
    let openCount = description.inputs.count { (input) in input.isResizable }
    for (index, input) in description.inputs.enumerated() {
      value(Field.input, input.name, shapes.inputs[index], description.inputs, openCount)
    }
    for (index, output) in description.outputs.enumerated() {
      value(
        Field.output, names.outputs[index], shapes.layers[output.layer], description.inputs,
        openCount)
    }
  }

  private mutating func value(
    _ field: Int, _ name: String, _ shape: ModelShapes.Shape, _ inputs: [NetworkInput],
    _ openCount: Int
  ) {
    func dimension(_ extent: ModelExtent) -> ProtobufWriter.Dimension {
      switch extent {
      case .number(let number): return .number(number)
      case .unknown: return .unknown
      case .share(let share):
        // Where several inputs have open sizes, their names tell them apart.
        var name = openCount > 1 ? "\(inputs[share.input].name)." : ""
        name += share.axis == .height ? "height" : "width"
        if share.numerator > 1 { name += "*\(share.numerator)" }
        if share.denominator > 1 { name += "/\(share.denominator)" }
        return .name(name)
      }
    }
    writer.message(field) { (writer) in
      writer.value(
        name,
        [
          .number(1), .number(shape.channels), dimension(shape.height), dimension(shape.width),
        ])
    }
  }

  private mutating func add(_ layer: Layer, at index: Int) throws(ONNXExportError) {
    switch layer {
    case .convolution(let layer): add(layer, at: index)
    case .transposedConvolution(let layer): add(layer, at: index)
    case .dense(let layer): add(layer, at: index)
    case .pooling(let layer): add(layer, at: index)
    case .reduction(let layer): add(layer, at: index)
    case .elementwise(let layer): add(layer, at: index)
    case .concatenation(let layer): add(layer, at: index)
    case .slice(let layer): add(layer, at: index)
    case .resizing(let layer): try add(layer, at: index)
    case .padding(let layer): add(layer, at: index)
    case .rearrangement(let layer): add(layer, at: index)
    case .activation(let layer): add(layer.function, of: names[layer.input], at: index)
    case .softmax(let layer):
      node("Softmax", [names[layer.input]], output(index)) { (node) in
        node.integer("axis", Self.axis(layer.axis))
      }
    case .batchNormalization(let layer): add(layer, at: index)
    case .matrixProduct(let layer): add(layer, at: index)
    case .ranking(let layer): add(layer, at: index)
    case .selection(let layer): add(layer, at: index)
    case .constant(let layer): _ = tensor(layer.tensor, .value)
    }
  }

  // MARK: Parts of nodes

  /// The name of a layer's output.
  func output(_ index: Int) -> String { names[.layer(index)] }

  /// The name of a tensor of the file, which becomes a constant of the model.
  mutating func tensor(_ tensor: Int, _ layout: TensorLayout) -> String {
    let name = names.tensor(tensor, layout)
    initializers.add(tensor: tensor, layout, name: name)
    return name
  }

  /// The name of a number that belongs to a layer.
  mutating func number(_ number: Float, _ part: String, of index: Int) -> String {
    let name = names.part(part, ofLayer: index)
    initializers.add(number: number, name: name)
    return name
  }

  /// The name of a list of integers that belongs to a layer.
  mutating func integers(_ integers: [Int], _ part: String, of index: Int) -> String {
    let name = names.part(part, ofLayer: index)
    initializers.add(integers: integers, name: name)
    return name
  }

  /// The axis of `[1, C, H, W]`.
  static func axis(_ axis: Layer.Axis) -> Int {
    switch axis {
    case .height: 2
    case .width: 3
    case .channels: 1
    }
  }

  /// Appends a node.
  ///
  /// - Parameter second: The name of its second output, where it has one.
  mutating func node(
    _ operation: String, _ inputs: [String], _ output: String, second: String? = nil,
    _ attributes: (inout ProtobufWriter) -> Void = { _ in }
  ) {
    writer.message(Field.node) { (node) in
      for input in inputs { node.string(1, input) }
      node.string(2, output)
      if let second { node.string(2, second) }
      node.string(3, output)
      node.string(4, operation)
      attributes(&node)
    }
  }
}

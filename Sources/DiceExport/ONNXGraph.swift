internal import DiceWeights

/// The graph of a model without its initializers: nodes, inputs and outputs.
struct ONNXGraph {
  /// Fields of `GraphProto`.
  private(set) var writer = ProtobufWriter()
  /// The factors of all upsamplings, ascending: each needs an initializer.
  private(set) var resizeFactors: [Int] = []

  /// The bytes of the fields.
  var bytes: [UInt8] { writer.bytes }

  private enum Field {
    static let node = 1
    static let name = 2
    static let input = 11
    static let output = 12
  }

  /// The name of each layer's output, by layer index.
  private var names: [String] = []

  /// - Parameter inputSize: Nil for named dimensions.
  init(_ file: WeightFile, inputSize: (width: Int, height: Int)?) {
    let layers = file.description.layers
    names = Self.outputNames(of: layers)
    writer.string(Field.name, file.description.name)
    var headIndex = 0
    for (index, layer) in layers.enumerated() {
      if case .detectionHead(let head) = layer {
        addHead(head, at: headIndex)
        headIndex += 1
      } else {
        add(layer, at: index)
      }
    }
    writer.message(Field.input) { (writer) in
      writer.value(
        ONNXModel.inputName, channels: file.description.input.channelCount, downsampling: 1,
        inputSize)
    }
    headIndex = 0
    for case .detectionHead(let head) in layers {
      writer.message(Field.output) { (writer) in
        writer.value(
          ONNXModel.outputName(ofHead: headIndex), channels: head.channelCount,
          downsampling: head.stride, inputSize)
      }
      headIndex += 1
    }
    resizeFactors.sort()
  }

  /// What a head reads has the head's name, everything else its layer's.
  private static func outputNames(of layers: [Layer]) -> [String] {
    var names = layers.indices.map { (index) in "layer\(index)" }
    var isNamed = [Bool](repeating: false, count: layers.count)
    var headIndex = 0
    for case .detectionHead(let head) in layers {
      if case .layer(let source) = head.input, !isNamed[source] {
        names[source] = ONNXModel.outputName(ofHead: headIndex)
        isNamed[source] = true
      }
      headIndex += 1
    }
    return names
  }

  private func name(of source: Layer.Source) -> String {
    switch source {
    case .input: ONNXModel.inputName
    case .layer(let index): names[index]
    }
  }

  private mutating func add(_ layer: Layer, at index: Int) {
    let output = names[index]
    let inputs = layer.sources.map { (source) in name(of: source) }
    switch layer {
    case .convolution(let layer): add(layer, from: inputs[0], to: output)
    case .maxPooling(let layer):
      node("MaxPool", inputs, output) { (node) in
        node.integers("kernel_shape", [layer.size, layer.size])
        node.integers("pads", [Int](repeating: layer.padding, count: 4))
        node.integers("strides", [layer.stride, layer.stride])
      }
    case .upsampling(let layer):
      if !resizeFactors.contains(layer.factor) { resizeFactors.append(layer.factor) }
      let scales = InitializerList.scalesName(factor: layer.factor)
      // The second operand, a region of interest, is left out.
      node("Resize", [inputs[0], "", scales], output) { (node) in
        node.text("coordinate_transformation_mode", "asymmetric")
        node.text("mode", "nearest")
        node.text("nearest_mode", "floor")
      }
    case .concatenation:
      node("Concat", inputs, output) { (node) in node.integer("axis", 1) }
    case .addition: node("Add", inputs, output)
    case .detectionHead: break
    }
  }

  private mutating func add(
    _ layer: Layer.Convolution, from input: String, to output: String
  ) {
    let sums = layer.activation == .identity ? output : "\(output).sums"
    let operands = [
      input, InitializerList.name(ofTensor: layer.weights),
      InitializerList.name(ofTensor: layer.bias),
    ]
    node("Conv", operands, sums) { (node) in
      node.integers("kernel_shape", [layer.kernelSize, layer.kernelSize])
      node.integers("pads", [Int](repeating: layer.padding, count: 4))
      node.integers("strides", [layer.stride, layer.stride])
    }
    switch layer.activation {
    case .identity: break
    case .leakyReLU(let slope) where slope == 0: node("Relu", [sums], output)
    case .leakyReLU(let slope):
      node("LeakyRelu", [sums], output) { (node) in node.float("alpha", slope) }
    case .sigmoidWeighted:
      node("Sigmoid", [sums], "\(output).sigmoid")
      node("Mul", [sums, "\(output).sigmoid"], output)
    }
  }

  /// A head is the output that it reads; where two read the same, the later ones are copies.
  private mutating func addHead(_ head: Layer.DetectionHead, at headIndex: Int) {
    let output = ONNXModel.outputName(ofHead: headIndex)
    let input = name(of: head.input)
    if input != output { node("Identity", [input], output) }
  }

  private mutating func node(
    _ operation: String, _ inputs: [String], _ output: String,
    _ attributes: (inout ProtobufWriter) -> Void = { _ in }
  ) {
    writer.message(Field.node) { (node) in
      for input in inputs { node.string(1, input) }
      node.string(2, output)
      node.string(3, output)
      node.string(4, operation)
      attributes(&node)
    }
  }
}

extension ProtobufWriter {
  /// The type codes of `AttributeProto`.
  private enum AttributeType {
    static let float = 1
    static let integer = 2
    static let text = 3
    static let integers = 7
  }

  fileprivate mutating func integer(_ name: String, _ value: Int) {
    attribute(name, AttributeType.integer) { (writer) in writer.integer(3, value) }
  }

  fileprivate mutating func integers(_ name: String, _ values: [Int]) {
    attribute(name, AttributeType.integers) { (writer) in
      for value in values { writer.integer(8, value) }
    }
  }

  fileprivate mutating func float(_ name: String, _ value: Float) {
    attribute(name, AttributeType.float) { (writer) in writer.float(2, value) }
  }

  fileprivate mutating func text(_ name: String, _ value: String) {
    attribute(name, AttributeType.text) { (writer) in writer.string(4, value) }
  }

  private mutating func attribute(
    _ name: String, _ type: Int, _ value: (inout ProtobufWriter) -> Void
  ) {
    message(5) { (writer) in
      writer.string(1, name)
      value(&writer)
      writer.integer(20, type)
    }
  }

  /// Name and type of a float32 input or output, `[1, channels, H, W]`.
  fileprivate mutating func value(
    _ name: String, channels: Int, downsampling: Int, _ inputSize: (width: Int, height: Int)?
  ) {
    string(1, name)
    message(2) { (type) in
      type.message(1) { (tensor) in
        tensor.integer(1, InitializerList.float32)
        tensor.message(2) { (shape) in
          shape.message(1) { (dimension) in dimension.integer(1, 1) }
          shape.message(1) { (dimension) in dimension.integer(1, channels) }
          let sides = [("height", inputSize?.height), ("width", inputSize?.width)]
          for (sideName, side) in sides {
            shape.message(1) { (dimension) in
              if let side {
                dimension.integer(1, side / downsampling)
              } else {
                dimension.string(2, downsampling == 1 ? sideName : "\(sideName)/\(downsampling)")
              }
            }
          }
        }
      }
    }
  }
}

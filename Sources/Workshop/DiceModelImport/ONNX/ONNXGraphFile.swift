internal import DiceWeights

/// What an ONNX file says, before anything is made of it.
///
/// Source: `onnx.proto` of the ONNX project; numbers in comments are fields of its messages.
struct ONNXGraphFile {
  /// An operation.
  struct Node {
    var name = ""
    var operation = ""
    var domain = ""
    /// Which of several functions with the same name it calls.
    var overload = ""
    /// The operator set that it belongs to; nil for the file's.
    var operatorSet: Int?
    var inputs: [String] = []
    var outputs: [String] = []
    var attributes: [String: Attribute] = [:]
  }

  /// A constant of an operation.
  struct Attribute {
    var float: Float?
    var integer: Int?
    var text: String?
    var tensor: ConstantTensor?
    var elementType: Int?
    var floats: [Float] = []
    var integers: [Int] = []
    var texts: [String] = []
    /// The graph that an operation carries out, at most one.
    var graphs: [Subgraph] = []
    /// Whether it holds several graphs, or tensors that are not kept.
    var hasMore = false
    /// The attribute of a function's call that it stands for.
    var reference: String?
  }

  /// A graph within an operation.
  struct Subgraph {
    var nodes: [Node]
    var constants: [String: ConstantTensor]
    var elementTypes: [String: Int]
    var inputs: [Port]
    var outputs: [Port]
  }

  /// An input or output of the graph; an extent is nil where it has a name instead of a number.
  struct Port {
    var name = ""
    var shape: [Int?]?
    var elementType = 0
  }

  private(set) var producer = ""
  private(set) var operatorSet = 0
  private(set) var otherDomains: [String] = []
  private(set) var metadata: [(key: String, value: String)] = []
  private(set) var name = ""
  private(set) var nodes: [Node] = []
  private(set) var constants: [String: ConstantTensor] = [:]
  /// The types of constants' elements.
  private(set) var elementTypes: [String: Int] = [:]
  private(set) var inputs: [Port] = []
  private(set) var outputs: [Port] = []
  private(set) var functions: [Function] = []

  /// The most numbers that operations on constants may give all together.
  let knownCountLimit: Int

  /// The bytes of the files beside the model, by their names.
  let externalFiles: [String: [UInt8]]

  /// - Parameter externalFiles: The bytes of the files that the model names, by these names.
  init(_ bytes: [UInt8], externalFiles: [String: [UInt8]] = [:]) throws(ModelImportError) {
    self.externalFiles = externalFiles
    let count = externalFiles.values.reduce(bytes.count) { (sum, file) in sum + file.count }
    knownCountLimit = 1 << 23 + 8 * count
    do throws(ReadingFault) {
      try readModel(ProtobufReader(bytes))
    } catch {
      switch error {
      case .protobuf(let error): throw .protobuf(error)
      case .model(let error): throw error
      }
    }
    guard !functions.isEmpty else { return }
    // A file whose operations all stand in functions states no operator set of its own.
    if operatorSet == 0 { operatorSet = functions.map { $0.operatorSet }.max() ?? 0 }
    var inliner = ONNXInliner(self)
    nodes = try inliner.inlined()
  }

  /// The same file with other operations and outputs.
  func with(nodes: [Node], outputs: [Port]) -> Self {
    var file = self
    (file.nodes, file.outputs) = (nodes, outputs)
    return file
  }

  /// The same file with inputs that are known.
  func fixing(_ inputs: FixedInputs) -> Self {
    var file = self
    for (name, tensor) in inputs.values {
      file.constants[name] = tensor
      file.elementTypes[name] = self.inputs.first { $0.name == name }?.elementType
    }
    file.inputs.removeAll { inputs.contains($0.name) }
    return file
  }

  /// What may go wrong while a message is read.
  enum ReadingFault: Error {
    case protobuf(ProtobufError)
    case model(ModelImportError)
  }

  /// Calls `body` with each field of a message.
  func forEachField(
    _ reader: ProtobufReader,
    _ body: (ProtobufReader, ProtobufReader.Field) throws(ReadingFault) -> Void
  ) throws(ReadingFault) {
    var reader = reader
    while true {
      let field: ProtobufReader.Field?
      do throws(ProtobufError) { field = try reader.next() } catch { throw .protobuf(error) }
      guard let field else { return }
      try body(reader, field)
    }
  }

  /// Carries the errors of the wire format over.
  func wire<Result>(
    _ read: () throws(ProtobufError) -> Result
  ) throws(ReadingFault) -> Result {
    do throws(ProtobufError) { return try read() } catch { throw .protobuf(error) }
  }

  // MARK: Messages

  private mutating func readModel(_ reader: ProtobufReader) throws(ReadingFault) {
    var graphs: [ProtobufReader] = []
    var model = self
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 2: model.producer = try wire { () throws(ProtobufError) in try reader.text(field) }
      case 7:
        graphs.append(try wire { () throws(ProtobufError) in try reader.message(field) })
      case 8: try model.readOperatorSet(try message(reader, field))
      case 14:
        model.metadata.append(try readPair(try message(reader, field)))
      case 25: model.functions.append(try readFunction(try message(reader, field)))
      default: break
      }
    }
    self = model
    guard graphs.count == 1 else {
      throw .model(
        .invalid(place: "The model", rule: "It has \(graphs.count) graphs; it must have one."))
    }
    try readGraph(graphs[0])
  }

  func message(
    _ reader: ProtobufReader, _ field: ProtobufReader.Field
  ) throws(ReadingFault) -> ProtobufReader {
    try wire { () throws(ProtobufError) in try reader.message(field) }
  }

  func text(
    _ reader: ProtobufReader, _ field: ProtobufReader.Field
  ) throws(ReadingFault) -> String {
    try wire { () throws(ProtobufError) in try reader.text(field) }
  }

  func integer(
    _ reader: ProtobufReader, _ field: ProtobufReader.Field
  ) throws(ReadingFault) -> Int {
    try wire { () throws(ProtobufError) in try reader.integer(field) }
  }

  /// Reads a message `OperatorSetIdProto`.
  func readDomain(
    _ reader: ProtobufReader
  ) throws(ReadingFault) -> (domain: String, version: Int) {
    var domain = ""
    var version = 0
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1: domain = try text(reader, field)
      case 2: version = try integer(reader, field)
      default: break
      }
    }
    return (domain, version)
  }

  private mutating func readOperatorSet(_ reader: ProtobufReader) throws(ReadingFault) {
    let (domain, version) = try readDomain(reader)
    if domain.isEmpty || domain == "ai.onnx" {
      operatorSet = max(operatorSet, version)
    } else {
      otherDomains.append(domain)
    }
  }

  /// Reads a message `StringStringEntryProto`.
  func readPair(
    _ reader: ProtobufReader
  ) throws(ReadingFault) -> (key: String, value: String) {
    var pair = (key: "", value: "")
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1: pair.key = try text(reader, field)
      case 2: pair.value = try text(reader, field)
      default: break
      }
    }
    return pair
  }

  /// Reads a message `GraphProto`.
  private mutating func readGraph(_ reader: ProtobufReader) throws(ReadingFault) {
    var graph = self
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1:
        let node = try readNode(try message(reader, field))
        if node.operation == "Constant", let type = node.attributes["value"]?.elementType {
          graph.elementTypes[node.outputs.first ?? ""] = type
        }
        graph.nodes.append(node)
      case 2: graph.name = try text(reader, field)
      case 5:
        let (name, tensor, type) = try readTensor(try message(reader, field))
        graph.constants[name] = tensor
        graph.elementTypes[name] = type
      case 11: graph.inputs.append(try readPort(try message(reader, field)))
      case 12: graph.outputs.append(try readPort(try message(reader, field)))
      case 15:
        throw .model(
          .invalid(
            place: "The model", rule: "It has sparse weights, which cannot be imported."))
      default: break
      }
    }
    // Old models list their constants among the inputs.
    let known = graph.constants
    graph.inputs.removeAll { (port) in known[port.name] != nil }
    self = graph
  }

  /// Reads a message `NodeProto`.
  func readNode(_ reader: ProtobufReader) throws(ReadingFault) -> Node {
    var node = Node()
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1: node.inputs.append(try text(reader, field))
      case 2: node.outputs.append(try text(reader, field))
      case 3: node.name = try text(reader, field)
      case 4: node.operation = try text(reader, field)
      case 5:
        let (name, attribute) = try readAttribute(try message(reader, field))
        node.attributes[name] = attribute
      case 7: node.domain = try text(reader, field)
      case 8: node.overload = try text(reader, field)
      default: break
      }
    }
    return node
  }

  /// Reads a message `AttributeProto`.
  func readAttribute(
    _ reader: ProtobufReader
  ) throws(ReadingFault) -> (String, Attribute) {
    var name = ""
    var attribute = Attribute()
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1: name = try text(reader, field)
      case 2:
        attribute.float = try wire { () throws(ProtobufError) in try reader.float(field) }
      case 3: attribute.integer = try integer(reader, field)
      case 4:
        // Bytes that are no text belong to operations that are not carried over.
        let range = try wire { () throws(ProtobufError) in try reader.range(field) }
        attribute.text = String(decoding: reader.bytes[range], as: UTF8.self)
      case 5:
        let (_, tensor, type) = try readTensor(try message(reader, field))
        (attribute.tensor, attribute.elementType) = (tensor, type)
      case 6:
        var inner = self
        (inner.nodes, inner.constants, inner.elementTypes) = ([], [:], [:])
        (inner.inputs, inner.outputs) = ([], [])
        try inner.readGraph(try message(reader, field))
        attribute.graphs.append(
          Subgraph(
            nodes: inner.nodes, constants: inner.constants, elementTypes: inner.elementTypes,
            inputs: inner.inputs, outputs: inner.outputs))
      case 9:
        let range = try wire { () throws(ProtobufError) in try reader.range(field) }
        attribute.texts.append(String(decoding: reader.bytes[range], as: UTF8.self))
      case 10, 11: attribute.hasMore = true
      case 7:
        try wire { () throws(ProtobufError) in
          try reader.append(field, to: &attribute.floats)
        }
      case 8:
        try wire { () throws(ProtobufError) in
          try reader.append(field, to: &attribute.integers)
        }
      case 21: attribute.reference = try text(reader, field)
      default: break
      }
    }
    return (name, attribute)
  }

  /// Reads a message `ValueInfoProto` and those within it.
  private func readPort(_ reader: ProtobufReader) throws(ReadingFault) -> Port {
    var port = Port()
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1: port.name = try text(reader, field)
      case 2:
        try forEachField(try message(reader, field)) { (reader, field) throws(ReadingFault) in
          guard field.number == 1 else { return }
          try forEachField(try message(reader, field)) {
            (reader, field) throws(ReadingFault) in
            if field.number == 1 { port.elementType = try integer(reader, field) }
            if field.number == 2 { port.shape = try readShape(try message(reader, field)) }
          }
        }
      default: break
      }
    }
    return port
  }

  private func readShape(_ reader: ProtobufReader) throws(ReadingFault) -> [Int?] {
    var shape: [Int?] = []
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      guard field.number == 1 else { return }
      var extent: Int?
      try forEachField(try message(reader, field)) { (reader, field) throws(ReadingFault) in
        if field.number == 1 { extent = try integer(reader, field) }
      }
      // Some exporters write 0 or -1 for an open extent.
      shape.append((extent ?? 0) > 0 ? extent : nil)
    }
    return shape
  }
}

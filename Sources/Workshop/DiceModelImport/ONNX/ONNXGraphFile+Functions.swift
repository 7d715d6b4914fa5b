/// The functions that a file defines.
extension ONNXGraphFile {
  /// An operation that stands for others.
  struct Function {
    /// What operations call it by.
    struct Identifier: Hashable {
      var domain = ""
      var name = ""
      var overload = ""
    }

    var identifier = Identifier()
    var inputs: [String] = []
    var outputs: [String] = []
    var nodes: [Node] = []
    /// Attributes with the values that they have where a call has none.
    var defaults: [String: Attribute] = [:]
    /// The operator set of its operations; 0 where it names none.
    var operatorSet = 0
  }

  /// Reads a message `FunctionProto`.
  func readFunction(_ reader: ProtobufReader) throws(ReadingFault) -> Function {
    var function = Function()
    try forEachField(reader) { (reader, field) throws(ReadingFault) in
      switch field.number {
      case 1: function.identifier.name = try text(reader, field)
      case 4: function.inputs.append(try text(reader, field))
      case 5: function.outputs.append(try text(reader, field))
      case 7: function.nodes.append(try readNode(try message(reader, field)))
      case 9:
        let (domain, version) = try readDomain(try message(reader, field))
        if domain.isEmpty || domain == "ai.onnx" {
          function.operatorSet = max(function.operatorSet, version)
        }
      case 10: function.identifier.domain = Self.plainDomain(try text(reader, field))
      case 11:
        let (name, attribute) = try readAttribute(try message(reader, field))
        function.defaults[name] = attribute
      case 13: function.identifier.overload = try text(reader, field)
      default: break
      }
    }
    return function
  }

  /// A domain by the shorter of its names.
  static func plainDomain(_ domain: String) -> String { domain == "ai.onnx" ? "" : domain }

  /// The names of all tensors, those of inner graphs too.
  var tensorNames: Set<String> {
    var names = Set(constants.keys)
    names.formUnion(inputs.map { $0.name })
    names.formUnion(outputs.map { $0.name })
    var rest = nodes
    while let node = rest.popLast() {
      names.formUnion(node.inputs)
      names.formUnion(node.outputs)
      for graph in node.attributes.values.flatMap({ $0.graphs }) {
        names.formUnion(graph.constants.keys)
        names.formUnion(graph.inputs.map { $0.name })
        names.formUnion(graph.outputs.map { $0.name })
        rest += graph.nodes
      }
    }
    return names
  }
}

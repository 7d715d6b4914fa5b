internal import DiceDetectorHeads

/// Puts the operations of a file's own functions in the places of the operations that call them.
///
/// Tensors within a function get names that no other tensor has, and operations the place of the call before
/// their own. An attribute that stands for one of the call has its value, else the function's, else none.
///
/// Source: `FunctionProto` and `AttributeProto.ref_attr_name` in `onnx.proto`.
struct ONNXInliner {
  typealias Node = ONNXGraphFile.Node
  typealias Function = ONNXGraphFile.Function

  /// The most that calls may add: operations, their operands, results and attributes, and constants.
  private static let limit = 1 << 20
  /// How deep calls and graphs may lie within each other.
  private static let depthLimit = 64

  /// What one call knows.
  private struct Scope {
    /// Where the call stands.
    var place: String
    /// The operator set of the function; nil for the file's.
    var operatorSet: Int?
    /// The tensors of the file by the function's names for them.
    var names: [String: String] = [:]
    var attributes: [String: ONNXGraphFile.Attribute]
  }

  private let file: ONNXGraphFile
  private let functions: [Function.Identifier: Function]
  /// The names that the file uses itself.
  private let used: Set<String>
  private var nameCount = 0
  private var count = 0
  /// The functions that are being put in place, from the outermost one.
  private var active: [Function.Identifier] = []
  private var depth = 0

  init(_ file: ONNXGraphFile) {
    self.file = file
    functions = Dictionary(file.functions.map { ($0.identifier, $0) }) { (first, _) in first }
    used = file.tensorNames
  }

  /// The file's operations without calls.
  mutating func inlined() throws(ModelImportError) -> [Node] {
    var scope: Scope?
    return try inlined(file.nodes, &scope)
  }

  private mutating func inlined(
    _ nodes: [Node], _ scope: inout Scope?
  ) throws(ModelImportError) -> [Node] {
    var result: [Node] = []
    for node in nodes {
      let node = try renamed(node, &scope)
      let identifier = Function.Identifier(
        domain: ONNXGraphFile.plainDomain(node.domain), name: node.operation,
        overload: node.overload)
      if let function = functions[identifier] {
        result += try body(of: function, for: node)
      } else {
        result.append(node)
      }
    }
    return result
  }

  /// The operations that a call stands for.
  private mutating func body(
    of function: Function, for call: Node
  ) throws(ModelImportError) -> [Node] {
    let place = call.name.isEmpty ? call.outputs.first ?? call.operation : call.name
    guard !active.contains(function.identifier) else {
      throw .invalid(place: place, rule: "The function \(call.operation) calls itself.")
    }
    guard call.inputs.count <= function.inputs.count,
      call.outputs.count <= function.outputs.count
    else {
      throw .invalid(
        place: place,
        rule: "The function \(call.operation) takes \(function.inputs.count) tensors and gives "
          + "\(function.outputs.count); the call has \(call.inputs.count) and \(call.outputs.count)."
      )
    }
    try enter(place)
    defer { depth -= 1 }
    active.append(function.identifier)
    defer { active.removeLast() }

    let isOfFile = function.operatorSet == 0 || function.operatorSet == file.operatorSet
    var inner = Scope(
      place: place, operatorSet: isOfFile ? nil : function.operatorSet,
      attributes: function.defaults.merging(call.attributes) { (_, stated) in stated })
    for (index, name) in function.inputs.enumerated() {
      inner.names[name] = index < call.inputs.count ? call.inputs[index] : ""
    }
    var copies: [Node] = []
    for (name, result) in zip(function.outputs, call.outputs) where !result.isEmpty {
      if let known = inner.names[name] {
        // An operand, or the same result once more.
        copies.append(
          Node(name: place, operation: "Identity", inputs: [known], outputs: [result]))
      } else {
        inner.names[name] = result
      }
    }
    var scope: Scope? = inner
    return try inlined(function.nodes, &scope) + copies
  }

  /// An operation within a call, with the names and attributes that it has there.
  private mutating func renamed(
    _ node: Node, _ scope: inout Scope?
  ) throws(ModelImportError) -> Node {
    var result = node
    if let inner = scope {
      let own = node.name.isEmpty ? node.operation : node.name
      result.name = ModelTensor.cut("\(inner.place)/\(own)", to: 240)
      result.operatorSet = inner.operatorSet
      try add(
        1 + node.inputs.count + node.outputs.count + node.attributes.count, at: result.name)
      result.inputs = node.inputs.map { name($0, &scope) }
      result.outputs = node.outputs.map { name($0, &scope) }
    }
    let place = result.name.isEmpty ? result.outputs.first ?? result.operation : result.name
    // In order, so that names do not depend on chance.
    for (key, attribute) in node.attributes.sorted(by: { $0.key < $1.key }) {
      if let reference = attribute.reference {
        let value = scope?.attributes[reference]
        for graph in value?.graphs ?? [] { try add(size(of: graph), at: place) }
        result.attributes[key] = value
        continue
      }
      guard !attribute.graphs.isEmpty else { continue }
      try enter(place)
      defer { depth -= 1 }
      var graphs: [ONNXGraphFile.Subgraph] = []
      for graph in attribute.graphs { graphs.append(try renamed(graph, &scope, at: place)) }
      result.attributes[key]?.graphs = graphs
    }
    return result
  }

  private mutating func renamed(
    _ graph: ONNXGraphFile.Subgraph, _ scope: inout Scope?, at place: String
  ) throws(ModelImportError) -> ONNXGraphFile.Subgraph {
    var result = graph
    result.nodes = try inlined(graph.nodes, &scope)
    guard scope != nil else { return result }
    try add(
      graph.constants.count + graph.elementTypes.count + graph.inputs.count + graph.outputs.count,
      at: place)
    result.constants = [:]
    for (key, tensor) in graph.constants.sorted(by: { $0.key < $1.key }) {
      result.constants[name(key, &scope)] = tensor
    }
    result.elementTypes = [:]
    for (key, type) in graph.elementTypes.sorted(by: { $0.key < $1.key }) {
      result.elementTypes[name(key, &scope)] = type
    }
    for index in graph.inputs.indices {
      result.inputs[index].name = name(graph.inputs[index].name, &scope)
    }
    for index in graph.outputs.indices {
      result.outputs[index].name = name(graph.outputs[index].name, &scope)
    }
    return result
  }

  /// The file's name for a function's tensor.
  private mutating func name(_ own: String, _ scope: inout Scope?) -> String {
    if own.isEmpty { return own }
    if let known = scope?.names[own] { return known }
    var name: String
    repeat {
      nameCount += 1
      name = "\(ModelTensor.cut(own, to: 64))/\(nameCount)"
    } while used.contains(name)
    scope?.names[own] = name
    return name
  }

  // MARK: Limits

  /// How many operations, operands, results and constants a graph has.
  private func size(of graph: ONNXGraphFile.Subgraph) -> Int {
    var count = 1 + graph.constants.count
    for node in graph.nodes {
      count += 1 + node.inputs.count + node.outputs.count
      for inner in node.attributes.values.flatMap({ $0.graphs }) { count += size(of: inner) }
    }
    return count
  }

  private mutating func add(_ count: Int, at place: String) throws(ModelImportError) {
    self.count += count
    guard self.count <= Self.limit else {
      throw .unsupported([
        UnsupportedOperation(
          name: "a function", place: place, count: 1,
          reason:
            "calls of the file's functions make more than \(Self.limit) operations and tensors")
      ])
    }
  }

  private mutating func enter(_ place: String) throws(ModelImportError) {
    guard depth < Self.depthLimit else {
      throw .unsupported([
        UnsupportedOperation(
          name: "a function", place: place, count: 1,
          reason: "calls and graphs lie within each other more than \(Self.depthLimit) deep")
      ])
    }
    depth += 1
  }
}

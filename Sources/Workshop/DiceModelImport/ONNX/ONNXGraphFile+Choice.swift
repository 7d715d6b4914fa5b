/// The choice among boxes at the end of a file's graph.
extension ONNXGraphFile {
  /// What the graph chooses at its end; nil where it chooses nothing there.
  var finalChoice: FinalChoice<String>? {
    FinalChoice(
      GraphOutline(
        inputs: inputs.map { $0.name },
        operations: nodes.map { (node) in
          GraphOutline.Operation(
            name: node.operation, role: Self.roles[node.operation] ?? .other,
            reads: Self.reads(node), gives: node.outputs.filter { !$0.isEmpty })
        },
        outputs: outputs.map { $0.name }))
  }

  /// The same file without the choice.
  func without(_ choice: FinalChoice<String>) -> Self {
    with(
      nodes: choice.remaining.map { nodes[$0] },
      outputs: choice.outputs.map { (name) in
        outputs.first { $0.name == name } ?? Port(name: name)
      })
  }

  private static let roles: [String: GraphOutline<String>.Role] = {
    var roles: [String: GraphOutline<String>.Role] = ["Shape": .shape, "Size": .shape]
    for name in ["TopK", "NonMaxSuppression", "NonZero"] { roles[name] = .choice }
    for name in [
      "ReduceMax", "ArgMax", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Not",
      "Cast", "Gather", "Squeeze", "Transpose", "Unsqueeze", "Identity",
    ] { roles[name] = .preparation }
    for name in [
      "Conv", "ConvInteger", "ConvTranspose", "DeformConv", "Einsum", "GRU", "Gemm", "LSTM",
      "MatMul", "MatMulInteger", "QLinearConv", "QLinearMatMul", "RNN", "QGemm", "FusedConv",
      "FusedGemm", "FusedMatMul", "Attention", "MultiHeadAttention",
    ] { roles[name] = .learnt }
    return roles
  }()

  /// The names that an operation reads, its graphs' too.
  static func reads(_ node: Node) -> [String] {
    node.attributes.values.reduce(into: node.inputs.filter { !$0.isEmpty }) { (names, attribute) in
      for graph in attribute.graphs { names += graph.nodes.flatMap { reads($0) } }
    }
  }
}

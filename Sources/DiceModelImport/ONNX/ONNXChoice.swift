internal import DiceWeights

/// The choice among boxes at the end of a detector's graph: suppression, the best so many, those above a
/// threshold.
///
/// How many results it has, or which, depends on the picture, and a network of the weight format has no such
/// layer. Where nothing behind it was learnt, the network can end before it: its outputs are then what the
/// choice reads.
struct ONNXChoice {
  /// The graph without it.
  ///
  /// Its outputs are those that do not depend on the choice, and what the choice reads, in the order of the
  /// operations.
  let graph: ONNXGraphFile
  /// The choosing operations, by name, and how often each is there.
  let operations: [(name: String, count: Int)]

  /// Operations that choose.
  private static let choices: Set = ["TopK", "NonMaxSuppression", "NonZero"]
  /// Operations that prepare a choice where nothing else reads their results.
  private static let preparations: Set = [
    "ReduceMax", "ArgMax", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Not", "Cast",
    "Gather",
    "Squeeze", "Transpose", "Unsqueeze", "Identity",
  ]
  /// Operations with weights: what comes before them is no end of a network.
  private static let learnt: Set = [
    "Conv", "ConvInteger", "ConvTranspose", "DeformConv", "Einsum", "GRU", "Gemm", "LSTM", "MatMul",
    "MatMulInteger", "QLinearConv", "QLinearMatMul", "RNN",
  ]

  /// Nil where the graph does not end with a choice.
  init?(_ file: ONNXGraphFile) {
    let computed = Self.computed(file)
    let reads = file.nodes.map { (node) in Self.reads(node).filter { computed.contains($0) } }
    var isLeft = Self.behindChoices(file, computed)
    guard isLeft.contains(true),
      !file.nodes.indices.contains(where: {
        isLeft[$0] && Self.learnt.contains(file.nodes[$0].operation)
      })
    else { return nil }
    Self.addPreparations(file, reads, &isLeft)

    let left = file.nodes.indices.filter { isLeft[$0] }
    let gone = Set(left.flatMap { file.nodes[$0].outputs })
    var outputs = file.outputs.filter { !gone.contains($0.name) }
    guard outputs.count < file.outputs.count else { return nil }
    let needed = Set(left.flatMap { reads[$0] }).subtracting(outputs.map { $0.name })
    for index in file.nodes.indices where !isLeft[index] {
      for name in file.nodes[index].outputs where needed.contains(name) {
        outputs.append(ONNXGraphFile.Port(name: name))
      }
    }
    guard !outputs.isEmpty else { return nil }
    graph = file.with(
      nodes: file.nodes.indices.filter { !isLeft[$0] }.map { file.nodes[$0] }, outputs: outputs)
    operations = Self.choices.sorted().compactMap { (name) in
      let count = left.count { file.nodes[$0].operation == name }
      return count > 0 ? (name, count) : nil
    }
  }

  /// A sentence for the user.
  var note: String {
    let names = operations.map { (name, count) in
      "\(name) (\(count) \(count == 1 ? "place" : "places"))"
    }
    return "The choice among boxes at the end was left out: \(names.joined(separator: ", ")). "
      + "The outputs are what it reads."
  }

  /// The entry of a weight file that names the choosing operations which were left out.
  static let key = "onnx.left out"

  /// The names of tensors that depend on the numbers of an input.
  private static func computed(_ file: ONNXGraphFile) -> Set<String> {
    var computed = Set(file.inputs.map { $0.name })
    for node in file.nodes where node.operation != "Shape" && node.operation != "Size" {
      if reads(node).contains(where: { computed.contains($0) }) { computed.formUnion(node.outputs) }
    }
    computed.remove("")
    return computed
  }

  /// The names that an operation reads, its graphs' too.
  private static func reads(_ node: ONNXGraphFile.Node) -> [String] {
    node.attributes.values.reduce(into: node.inputs) { (names, attribute) in
      for graph in attribute.graphs { names += graph.nodes.flatMap { reads($0) } }
    }
  }

  /// Whether each operation is a choice, or depends on one.
  private static func behindChoices(_ file: ONNXGraphFile, _ computed: Set<String>) -> [Bool] {
    var names: Set<String> = []
    return file.nodes.map { (node) in
      let reads = reads(node)
      let chooses =
        choices.contains(node.operation) && reads.contains { computed.contains($0) }
      guard chooses || reads.contains(where: { names.contains($0) }) else { return false }
      names.formUnion(node.outputs)
      return true
    }
  }

  /// Adds operations whose results only choices read.
  private static func addPreparations(
    _ file: ONNXGraphFile, _ reads: [[String]], _ isLeft: inout [Bool]
  ) {
    // What the operations that stay read, and the graph gives.
    var kept = Set(file.outputs.map { $0.name })
    for index in file.nodes.indices.reversed() {
      let node = file.nodes[index]
      if !isLeft[index] {
        isLeft[index] =
          preparations.contains(node.operation) && !reads[index].isEmpty
          && !node.outputs.contains { kept.contains($0) }
      }
      if !isLeft[index] { kept.formUnion(reads[index]) }
    }
  }
}

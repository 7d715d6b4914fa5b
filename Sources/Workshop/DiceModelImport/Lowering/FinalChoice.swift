internal import DiceWeights

/// A graph as what its operations read and give, for finding where a network can end.
struct GraphOutline<Tensor: Hashable> {
  /// What an operation does to a graph's end.
  enum Role {
    /// It chooses: how many results it has, or which, depends on the numbers.
    case choice
    /// It prepares a choice where nothing else reads its results: it moves, compares or reduces numbers.
    case preparation
    /// It has weights: what comes before it is no end of a network.
    case learnt
    /// Its result follows from the shape of what it reads.
    case shape
    case other
  }

  /// An operation.
  struct Operation {
    let name: String
    let role: Role
    /// The tensors that it reads, those within its own graphs too.
    let reads: [Tensor]
    let gives: [Tensor]
  }

  let inputs: [Tensor]
  let operations: [Operation]
  let outputs: [Tensor]
}

/// The choice among boxes at the end of a detector's graph: suppression, the best so many, those above a
/// threshold.
///
/// How many results it has, or which, depends on the picture. Where nothing behind it was learnt, the network
/// can end before it: its outputs are then what the choice reads, among which the program around the
/// network chooses.
struct FinalChoice<Tensor: Hashable> {
  /// The operations that stay, by their numbers.
  let remaining: [Int]
  /// The outputs that do not depend on the choice, and what the choice reads, in the order of the operations.
  let outputs: [Tensor]
  /// The names of the choosing operations, and how often each is there.
  let operations: [(name: String, count: Int)]

  /// Nil where the graph does not end with a choice.
  init?(_ graph: GraphOutline<Tensor>) {
    let operations = graph.operations
    let computed = Self.computed(graph)
    let reads = operations.map { (operation) in operation.reads.filter { computed.contains($0) } }
    var isLeft = Self.behindChoices(graph, reads)
    guard isLeft.contains(true),
      !operations.indices.contains(where: { isLeft[$0] && operations[$0].role == .learnt })
    else { return nil }
    Self.addPreparations(graph, reads, &isLeft)

    let left = operations.indices.filter { isLeft[$0] }
    let gone = Set(left.flatMap { operations[$0].gives })
    var outputs = graph.outputs.filter { !gone.contains($0) }
    guard outputs.count < graph.outputs.count else { return nil }
    let needed = Set(left.flatMap { reads[$0] }).subtracting(outputs)
    remaining = operations.indices.filter { !isLeft[$0] }
    outputs += remaining.flatMap { operations[$0].gives.filter { needed.contains($0) } }
    guard !outputs.isEmpty else { return nil }
    self.outputs = outputs
    let names = left.filter { operations[$0].role == .choice }.map { operations[$0].name }
    self.operations = Set(names).sorted().map { (name) in
      (name, names.count { $0 == name })
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

  /// The tensors that depend on the numbers of an input.
  private static func computed(_ graph: GraphOutline<Tensor>) -> Set<Tensor> {
    var computed = Set(graph.inputs)
    for operation in graph.operations where operation.role != .shape {
      if operation.reads.contains(where: { computed.contains($0) }) {
        computed.formUnion(operation.gives)
      }
    }
    return computed
  }

  /// Whether each operation is a choice, or depends on one.
  private static func behindChoices(_ graph: GraphOutline<Tensor>, _ reads: [[Tensor]]) -> [Bool] {
    var behind: Set<Tensor> = []
    return zip(graph.operations, reads).map { (operation, reads) in
      let chooses = operation.role == .choice && !reads.isEmpty
      guard chooses || operation.reads.contains(where: { behind.contains($0) }) else {
        return false
      }
      behind.formUnion(operation.gives)
      return true
    }
  }

  /// Adds operations whose results only choices read.
  private static func addPreparations(
    _ graph: GraphOutline<Tensor>, _ reads: [[Tensor]], _ isLeft: inout [Bool]
  ) {
    // What the operations that stay read, and the graph gives.
    var kept = Set(graph.outputs)
    for (index, operation) in graph.operations.enumerated().reversed() {
      if !isLeft[index] {
        isLeft[index] =
          operation.role == .preparation && !reads[index].isEmpty
          && !operation.gives.contains { kept.contains($0) }
      }
      if !isLeft[index] { kept.formUnion(reads[index]) }
    }
  }
}

/// The entry of a weight file's provenance that names the choosing operations which were left out.
enum LeftOutChoice {
  private static let ending = ".left out"

  /// - Parameter format: The model's format: "onnx".
  static func entry<Tensor>(_ choice: FinalChoice<Tensor>, format: String) -> ProvenanceEntry {
    ProvenanceEntry(
      key: format + ending, value: choice.operations.map { $0.name }.joined(separator: " "))
  }

  /// The names of the operations; empty where none was left out.
  static func operations(of network: NetworkDescription) -> [String] {
    let entry = network.provenance.first { (entry) in entry.key.hasSuffix(ending) }
    return entry?.value.split(separator: " ").map { String($0) } ?? []
  }
}

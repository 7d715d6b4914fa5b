/// Which inputs decide what a graph does.
extension ONNXGraphFile {
  /// The most positions of an input whose numbers someone may want to fix.
  private static let smallCount = 16

  /// The inputs that a tensor follows from; empty where one of them is no small one.
  func decidingInputs(of name: String) -> [String] {
    var producers: [String: Node] = [:]
    var rest = nodes
    while let node = rest.popLast() {
      for output in node.outputs where !output.isEmpty { producers[output] = node }
      for attribute in node.attributes.values {
        rest += attribute.graphs.flatMap { $0.nodes }
      }
    }
    let ports = Dictionary(inputs.map { ($0.name, $0) }) { (first, _) in first }
    var found: Set<String> = []
    var seen: Set<String> = [name]
    var open = [name]
    while let tensor = open.popLast() {
      if let port = ports[tensor] {
        guard let shape = port.shape, shape.count <= 8,
          shape.allSatisfy({ ($0 ?? 1) <= Self.smallCount }),
          shape.reduce(1, { $0 * ($1 ?? 1) }) <= Self.smallCount
        else { return [] }
        found.insert(tensor)
      }
      // What follows from a shape alone is known.
      guard let node = producers[tensor], node.operation != "Shape", node.operation != "Size"
      else { continue }
      for input in Self.reads(node) where seen.insert(input).inserted { open.append(input) }
    }
    return found.sorted()
  }
}

internal import DiceWeights

/// Lowers the graph of an ONNX file to layers, operation by operation.
struct ONNXLowering {
  let file: ONNXGraphFile
  var builder = GraphBuilder()
  var report: ImportReport
  /// Tensors by name.
  private var values: [String: Value] = [:]
  /// The types of tensors' elements, as far as they are known.
  private var elementTypes: [String: Int]
  /// Results of operations that are not carried over, with the operation and its place.
  private var missing: [String: (operation: String, place: String)] = [:]
  /// What the integers of tensors stand for that are kept as these numbers.
  private var quantizations: [String: ONNXQuantization] = [:]
  /// The numbers of all tensors that are known beforehand.
  private var knownCount = 0
  private var unsupported = UnsupportedList()
  /// How many refused branches have been said how to decide.
  private var explainedCount = 0

  init(_ file: ONNXGraphFile) {
    self.file = file
    elementTypes = file.elementTypes
    report = ImportReport(
      format: "ONNX, operator set \(file.operatorSet)", operationCount: file.nodes.count)
  }

  /// Lowers the whole graph.
  ///
  /// - Parameter shapes: The shape of each input.
  mutating func run(shapes: [[Int]]) throws(ModelImportError) {
    for (name, tensor) in file.constants { values[name] = .constant(tensor) }
    for (port, shape) in zip(file.inputs, shapes) {
      guard values[port.name] == nil else {
        throw .invalid(place: port.name, rule: "Two inputs have this name.")
      }
      let map =
        shape.count == 3 || shape.count == 4 ? MapAxes.channelsFirst(rank: shape.count) : nil
      do throws(LoweringFault) {
        values[port.name] = .computed(
          try builder.input(port.name, shape: shape, GraphBuilder.standardPlaces(shape, map)))
      } catch {
        throw Self.failure(error, at: port.name)
      }
      elementTypes[port.name] = port.elementType
    }
    for node in file.nodes { try lower(node) }
    for port in file.outputs {
      guard let value = values[port.name] else {
        throw .invalid(place: port.name, rule: "No operation gives this output.")
      }
      noteUse(of: port.name)
      do throws(LoweringFault) {
        try builder.output(
          port.name, try plain(value, port.name), map: .channelsFirst(rank: 4))
      } catch {
        throw Self.failure(error, at: port.name)
      }
    }
    guard unsupported.operations.isEmpty else { throw .unsupported(unsupported.operations) }
  }

  /// The type of a tensor's elements; nil where it is not known.
  func elementType(of name: String) -> Int? { elementTypes[name] }

  /// Whether an operand holds integers or truth values.
  func isInteger(_ call: ONNXCall, _ index: Int) -> Bool {
    guard call.node.inputs.indices.contains(index),
      let type = elementType(of: call.node.inputs[index])
    else { return false }
    return ONNXTensor.ElementType(rawValue: type)?.isInteger == true
  }

  /// Notes that a tensor is needed, which may be a result that is not carried over.
  private mutating func noteUse(of name: String) {
    guard let place = missing[name] else { return }
    unsupported.add(place.operation, at: place.place, "its result \(name) is used")
  }

  /// Notes what the integers of a tensor stand for that is kept as these numbers.
  mutating func note(_ quantization: ONNXQuantization, of name: String) {
    quantizations[name] = quantization
  }

  /// A tensor as the file has it: integers where it is kept as the numbers that they stand for.
  private mutating func plain(_ value: Value, _ name: String) throws(LoweringFault) -> Value {
    guard let quantization = quantizations[name], case .computed(let computed) = value else {
      return value
    }
    return .computed(try builder.activated(computed, quantization.integers))
  }

  /// What the integers of a result stand for, if the operation only moves those of its operands.
  private func movedQuantization(_ node: ONNXGraphFile.Node) -> ONNXQuantization? {
    guard ONNXOperations.movements.contains(node.operation), let first = node.inputs.first,
      let quantization = quantizations[first]
    else { return nil }
    let others = node.operation == "Concat" ? node.inputs : []
    return others.allSatisfy { quantizations[$0] == quantization } ? quantization : nil
  }

  private static func failure(_ fault: LoweringFault, at place: String) -> ModelImportError {
    switch fault {
    case .invalid(let rule): .invalid(place: place, rule: rule)
    case .unsupported(let reason):
      .unsupported([
        UnsupportedOperation(name: "an input or output", place: place, count: 1, reason: reason)
      ])
    }
  }

  private mutating func lower(_ node: ONNXGraphFile.Node) throws(ModelImportError) {
    let place = node.name.isEmpty ? node.outputs.first ?? node.operation : node.name
    var operands: [Value?] = []
    var isUnknown = false
    var isKnown = true
    for name in node.inputs {
      if name.isEmpty {
        operands.append(nil)
        continue
      }
      guard let value = values[name] else {
        throw .invalid(place: place, rule: "It reads \(name), which no earlier operation gives.")
      }
      if case .unknown = value { isUnknown = true }
      if case .constant = value {} else { isKnown = false }
      noteUse(of: name)
      operands.append(value)
    }
    let outputNames = node.outputs.filter { !$0.isEmpty }
    for name in outputNames where values[name] != nil {
      throw .invalid(place: place, rule: "Its output \(name) is there already.")
    }
    if node.operation == "If", case .constant(let condition)? = operands.first ?? nil {
      return try lowerBranch(of: node, holds: condition.scalar != 0, at: place)
    }
    let moved = movedQuantization(node)
    var results: [Value] = []
    var isLowered = false
    do throws(LoweringFault) {
      let operation = try ONNXOperations.operation(node)
      if !isUnknown {
        if moved == nil, !ONNXOperations.quantizationNames.contains(node.operation) {
          for (index, name) in node.inputs.enumerated() {
            if let value = operands[index] { operands[index] = try plain(value, name) }
          }
        }
        operands = try adapted(node, operands)
        results = try operation.lower(
          &self,
          ONNXCall(
            node: node, inputs: operands, operatorSet: file.operatorSet,
            quantizations: node.inputs.map { quantizations[$0] }))
        isLowered = true
        if isKnown, !operands.isEmpty { report.foldedConstantCount += 1 }
      }
    } catch {
      switch error {
      case .invalid(let rule): throw .invalid(place: place, rule: rule)
      case .unsupported(let reason):
        // What a condition follows from may be what is missing.
        let isBranch = node.operation == "If"
        if !isBranch || !isUnknown {
          unsupported.add(
            node.operation, at: place, reason + (isBranch ? decision(of: node) : ""))
        }
        if isBranch { noteContents(of: node) }
      }
    }
    for case .constant(let tensor) in results { knownCount += tensor.count }
    guard knownCount <= file.knownCountLimit else {
      throw .invalid(place: place, rule: "Constants that follow from others are too many.")
    }
    for (index, name) in node.outputs.enumerated() where !name.isEmpty {
      if let moved { quantizations[name] = moved }
      if results.indices.contains(index) {
        values[name] = results[index]
      } else {
        values[name] = .unknown
        if isLowered { missing[name] = (node.operation, place) }
      }
      elementTypes[name] = ONNXOperations.resultType(of: node, index, elementTypes)
    }
  }

  /// How the condition of an If can be decided.
  private mutating func decision(of node: ONNXGraphFile.Node) -> String {
    guard explainedCount < 16, let condition = node.inputs.first else { return "" }
    explainedCount += 1
    let names = file.decidingInputs(of: condition)
    if names.isEmpty { return "" }
    return "; a fixed value of \(names.prefix(4).joined(separator: " and ")) decides it"
  }

  /// Notes what the graphs of an operation hold that cannot be carried over in any place.
  private mutating func noteContents(of node: ONNXGraphFile.Node) {
    for (_, attribute) in node.attributes.sorted(by: { $0.key > $1.key }) {
      for inner in attribute.graphs.flatMap({ $0.nodes }) {
        if inner.operation != "If" {
          do throws(LoweringFault) {
            _ = try ONNXOperations.operation(inner)
          } catch {
            if case .unsupported(let reason) = error {
              let place = inner.name.isEmpty ? inner.outputs.first ?? "" : inner.name
              unsupported.add(inner.operation, at: "\(place) in a branch", reason)
            }
          }
        }
        noteContents(of: inner)
      }
    }
  }

  /// Lowers the branch of an If whose condition is known.
  private mutating func lowerBranch(
    of node: ONNXGraphFile.Node, holds: Bool, at place: String
  ) throws(ModelImportError) {
    let attribute = node.attributes[holds ? "then_branch" : "else_branch"]
    guard let attribute, attribute.graphs.count == 1, !attribute.hasMore,
      attribute.graphs[0].outputs.count >= node.outputs.count
    else { throw .invalid(place: place, rule: "It lacks a branch.") }
    let branch = attribute.graphs[0]
    for (name, tensor) in branch.constants {
      guard values[name] == nil else {
        throw .invalid(place: place, rule: "Its constant \(name) is there already.")
      }
      values[name] = .constant(tensor)
      elementTypes[name] = branch.elementTypes[name]
    }
    for inner in branch.nodes { try lower(inner) }
    for (name, port) in zip(node.outputs, branch.outputs) where !name.isEmpty {
      guard let value = values[port.name] else {
        throw .invalid(place: place, rule: "Nothing gives its result \(port.name).")
      }
      noteUse(of: port.name)
      guard values[name] == nil || name == port.name else {
        throw .invalid(place: place, rule: "Its output \(name) is there already.")
      }
      values[name] = value
      elementTypes[name] = elementTypes[port.name]
      quantizations[name] = quantizations[port.name]
    }
  }
}

internal import DiceWeights

/// Lowers the graph of an ONNX file to layers, operation by operation.
struct ONNXLowering {
  let file: ONNXGraphFile
  var builder = GraphBuilder()
  var report: ImportReport
  /// Tensors by name.
  var values: [String: Value] = [:]
  /// The types of tensors' elements, as far as they are known.
  var elementTypes: [String: Int]
  /// Results of operations that are not carried over, with the operation and its place.
  var missing: [String: (operation: String, place: String)] = [:]
  /// What the integers of tensors stand for that are kept as these numbers.
  var quantizations: [String: ONNXQuantization] = [:]
  /// The numbers of all tensors that are known beforehand.
  private var knownCount = 0
  var unsupported = UnsupportedList()
  /// How many refused branches have been said how to decide.
  private var explainedCount = 0
  /// What graphs the operations lie in, to go on after the place of one.
  var surroundings = ""
  /// How many operations loops have repeated.
  var repeatedCount = 0
  /// The most tensors of all sequences together.
  private static let listedCountLimit = 1 << 20
  /// How many tensors all sequences have.
  private var listedCount = 0

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
  mutating func noteUse(of name: String) {
    guard let place = missing[name] else { return }
    unsupported.add(place.operation, at: place.place, "its result \(name) is used")
  }

  /// Notes what the integers of a tensor stand for that is kept as these numbers.
  mutating func note(_ quantization: ONNXQuantization, of name: String) {
    quantizations[name] = quantization
  }

  /// A tensor as the file has it: integers where it is kept as the numbers that they stand for.
  mutating func plain(_ value: Value, _ name: String) throws(LoweringFault) -> Value {
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

  mutating func lower(_ node: ONNXGraphFile.Node) throws(ModelImportError) {
    let place = node.name.isEmpty ? node.outputs.first ?? node.operation : node.name
    var operands: [Value?] = []
    var isUnknown = false
    var isKnown = true
    var hasList = false
    for name in node.inputs {
      if name.isEmpty {
        operands.append(nil)
        continue
      }
      guard let value = values[name] else {
        throw .invalid(place: place, rule: "It reads \(name), which no earlier operation gives.")
      }
      switch value {
      case .constant: break
      case .computed: isKnown = false
      case .list: (isKnown, hasList) = (false, true)
      case .unknown: (isKnown, isUnknown) = (false, true)
      }
      noteUse(of: name)
      operands.append(value)
    }
    for name in node.outputs where !name.isEmpty && values[name] != nil {
      throw .invalid(place: place, rule: "Its output \(name) is there already.")
    }
    if ONNXOperations.runsGraphs(node) {
      if isUnknown {
        // What a repetition or choice follows from may be what is missing.
        noteContents(of: node)
        for name in node.outputs where !name.isEmpty { values[name] = .unknown }
        return
      }
      return try lowerGraphs(of: node, operands, at: place)
    }
    if hasList, !isUnknown, !ONNXOperations.takesLists(node) {
      throw .invalid(place: place, rule: "It takes a sequence where it needs a tensor.")
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
            node: node, inputs: operands, operatorSet: node.operatorSet ?? file.operatorSet,
            quantizations: node.inputs.map { quantizations[$0] }))
        isLowered = true
        if isKnown, !operands.isEmpty { report.foldedConstantCount += 1 }
      }
    } catch {
      switch error {
      case .invalid(let rule): throw .invalid(place: place, rule: rule)
      case .unsupported(let reason): refuse(node, at: place, reason)
      }
    }
    for case .constant(let tensor) in results { knownCount += tensor.count }
    guard knownCount <= file.knownCountLimit else {
      throw .invalid(place: place, rule: "Constants that follow from others are too many.")
    }
    for case .list(let elements) in results { listedCount += elements.count }
    guard listedCount <= Self.listedCountLimit else {
      throw .invalid(
        place: place, rule: "Sequences have more than \(Self.listedCountLimit) tensors together.")
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

  /// Notes that an operation cannot be carried over.
  mutating func refuse(_ node: ONNXGraphFile.Node, at place: String, _ reason: String) {
    unsupported.add(node.operation, at: place + surroundings, reason)
  }

  /// How what a tensor decides can be known; empty where no fixed input does that.
  mutating func decision(by name: String) -> String {
    guard explainedCount < 16, !name.isEmpty else { return "" }
    explainedCount += 1
    let names = file.decidingInputs(of: name)
    if names.isEmpty { return "" }
    return "; a fixed value of \(names.prefix(4).joined(separator: " and ")) decides it"
  }

  /// Notes what the graphs of an operation hold that cannot be carried over in any place.
  mutating func noteContents(of node: ONNXGraphFile.Node) {
    let kind = node.operation == "If" ? "a branch" : "a loop"
    for (_, attribute) in node.attributes.sorted(by: { $0.key > $1.key }) {
      for inner in attribute.graphs.flatMap({ $0.nodes }) {
        if !ONNXOperations.runsGraphs(inner) {
          do throws(LoweringFault) {
            _ = try ONNXOperations.operation(inner)
          } catch {
            if case .unsupported(let reason) = error {
              let place = inner.name.isEmpty ? inner.outputs.first ?? "" : inner.name
              unsupported.add(inner.operation, at: "\(place) in \(kind)", reason)
            }
          }
        }
        noteContents(of: inner)
      }
    }
  }
}

internal import DiceWeights

/// Lowers the graph of an ONNX file to layers, operation by operation.
struct ONNXLowering {
  let file: ONNXGraphFile
  var builder = GraphBuilder()
  var report: ImportReport
  /// Tensors by name.
  private var values: [String: Value] = [:]
  /// Tensors that hold integers and depend on an input.
  private var integerNames: Set<String> = []
  /// Tensors that QuantizeLinear gives, or that are such in another shape.
  private var quantizedNames: Set<String> = []
  /// The numbers of all tensors that are known beforehand.
  private var knownCount = 0
  private var unsupported = UnsupportedList()

  init(_ file: ONNXGraphFile) {
    self.file = file
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
      if let type = ONNXTensor.ElementType(rawValue: port.elementType), type.isInteger {
        integerNames.insert(port.name)
      }
    }
    for node in file.nodes { try lower(node) }
    for port in file.outputs {
      guard let value = values[port.name] else {
        throw .invalid(place: port.name, rule: "No operation gives this output.")
      }
      do throws(LoweringFault) {
        try builder.output(port.name, value, map: .channelsFirst(rank: 4))
      } catch {
        throw Self.failure(error, at: port.name)
      }
    }
    guard unsupported.operations.isEmpty else { throw .unsupported(unsupported.operations) }
  }

  /// Whether a constant has elements of a signed type.
  func isSigned(_ name: String) -> Bool { file.signedConstants.contains(name) }

  /// Whether a tensor comes from a quantization.
  func isQuantized(_ name: String) -> Bool { quantizedNames.contains(name) }

  /// Notes once that numbers are not rounded.
  mutating func noteQuantization() {
    let note =
      "Numbers between layers are clamped as the model's quantization does, but not rounded."
    if !report.notes.contains(note) { report.notes.append(note) }
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
      operands.append(value)
    }
    let outputNames = node.outputs.filter { !$0.isEmpty }
    for name in outputNames where values[name] != nil {
      throw .invalid(place: place, rule: "Its output \(name) is there already.")
    }
    let isInteger =
      node.operation != "Cast" && node.inputs.contains { integerNames.contains($0) }
    var results: [Value] = []
    do throws(LoweringFault) {
      let operation = try ONNXOperations.operation(node)
      if isInteger, node.operation == "Div" || node.operation == "Mod" {
        throw .unsupported("it divides integers that depend on the network's input")
      }
      if !isUnknown {
        results = try operation.lower(
          &self, ONNXCall(node: node, inputs: operands, operatorSet: file.operatorSet))
        if isKnown, !operands.isEmpty { report.foldedConstantCount += 1 }
      }
    } catch {
      switch error {
      case .invalid(let rule): throw .invalid(place: place, rule: rule)
      case .unsupported(let reason): unsupported.add(node.operation, at: place, reason)
      }
    }
    let isQuantized =
      node.operation == "QuantizeLinear"
      || node.operation != "DequantizeLinear"
        && node.inputs.contains { quantizedNames.contains($0) }
    for case .constant(let tensor) in results { knownCount += tensor.count }
    guard knownCount <= file.knownCountLimit else {
      throw .invalid(place: place, rule: "Constants that follow from others are too many.")
    }
    for (index, name) in node.outputs.enumerated() where !name.isEmpty {
      if isQuantized { quantizedNames.insert(name) }
      values[name] = results.indices.contains(index) ? results[index] : .unknown
      if isInteger || ONNXOperations.integerResults.contains(node.operation),
        case .computed? = values[name]
      {
        integerNames.insert(name)
      }
    }
  }
}

internal import DiceWeights

/// Lowers Core ML networks to layers, one layer after the other.
struct CoreMLLowering {
  var builder = GraphBuilder()
  var report: ImportReport
  private var unsupported = UnsupportedList()
  /// The numbers of all tensors that are known beforehand.
  private var knownCount = 0
  private let knownCountLimit: Int

  /// The most layers of a network.
  private static let layerLimit = 4 * WeightFormat.layerCounts.upperBound
  /// The most operands and results of a layer.
  private static let operandLimit = 1024

  init(format: String, byteCount: Int) {
    report = ImportReport(format: format, operationCount: 0)
    knownCountLimit = 1 << 23 + 8 * byteCount
  }

  /// What cannot be carried over, if there is such.
  func check() throws(ModelImportError) {
    guard unsupported.operations.isEmpty else { throw .unsupported(unsupported.operations) }
  }

  /// Notes something once.
  mutating func note(_ note: String) {
    if !report.notes.contains(note) { report.notes.append(note) }
  }

  /// Lowers the layers of a message `NeuralNetwork`; adds their results to some values by name.
  mutating func run(
    _ network: ProtobufMessage, _ values: inout [String: Value]
  ) throws(ModelImportError) {
    let layers: [ProtobufMessage]?
    do throws(ProtobufError) {
      layers = try network.messages(1, limit: Self.layerLimit)
    } catch {
      throw .protobuf(error)
    }
    guard let layers else {
      throw .invalid(
        place: "The network", rule: "It has more than \(Self.layerLimit) layers.")
    }
    report.operationCount += layers.count
    for (index, layer) in layers.enumerated() { try lower(layer, index, &values) }
  }

  /// A message `NeuralNetworkLayer`.
  private struct LayerMessage {
    var name = ""
    var inputs: [String]? = []
    var outputs: [String]? = []
    /// The field of the layer's kind and its message; nil where there is none.
    var kind: (field: Int, parameters: ProtobufMessage)?

    init(_ message: ProtobufMessage, _ index: Int) throws(ProtobufError) {
      inputs = try message.texts(2, limit: operandLimit)
      outputs = try message.texts(3, limit: operandLimit)
      name = try message.text(1) ?? ""
      if name.isEmpty { name = outputs?.first ?? "layer \(index)" }
      if let field = try message.lastField({ (number) in number >= 100 }) {
        kind = (field.number, try message.message(field))
      }
    }
  }

  private mutating func lower(
    _ message: ProtobufMessage, _ index: Int, _ values: inout [String: Value]
  ) throws(ModelImportError) {
    let layer: LayerMessage
    do throws(ProtobufError) {
      layer = try LayerMessage(message, index)
    } catch {
      throw .protobuf(error)
    }
    guard let inputs = layer.inputs, let outputs = layer.outputs else {
      throw .invalid(
        place: layer.name, rule: "It has more than \(Self.operandLimit) inputs or outputs.")
    }
    guard let (field, parameters) = layer.kind else {
      throw .invalid(place: layer.name, rule: "It is of no kind; a layer must have one.")
    }
    var operands: [Value] = []
    var isUnknown = false
    var isKnown = true
    for name in inputs {
      guard let value = values[name] else {
        throw .invalid(
          place: layer.name, rule: "It reads \(name), which no earlier layer gives.")
      }
      if case .unknown = value { isUnknown = true }
      if case .constant = value {} else { isKnown = false }
      operands.append(value)
    }
    // Only a copy may take the place of what is there.
    for name in outputs where values[name] != nil && field != Self.copyField {
      throw .invalid(place: layer.name, rule: "Its output \(name) is there already.")
    }
    var results: [Value] = []
    let kind = CoreMLOperations.name(field)
    do throws(LoweringFault) {
      let operation = try CoreMLOperations.operation(field)
      if !isUnknown {
        results = try operation.lower(
          &self,
          CoreMLCall(
            kind: kind, parameters: CoreMLParameters(parameters), inputs: operands,
            outputCount: outputs.count))
        if isKnown, !operands.isEmpty { report.foldedConstantCount += 1 }
      }
    } catch {
      switch error {
      case .invalid(let rule): throw .invalid(place: layer.name, rule: rule)
      case .unsupported(let reason): unsupported.add(kind, at: layer.name, reason)
      }
    }
    for case .constant(let tensor) in results { knownCount += tensor.count }
    guard knownCount <= knownCountLimit else {
      throw .invalid(
        place: layer.name, rule: "Constants that follow from others are too many.")
    }
    for (index, name) in outputs.enumerated() {
      values[name] = results.indices.contains(index) ? results[index] : .unknown
    }
  }

  /// The field of a layer that copies its input.
  private static let copyField = 600
}

internal import DiceWeights

/// Imports one TensorFlow Lite file.
struct TFLiteImporter {
  private let file: TFLiteFile
  private let options: ImportOptions

  init(_ bytes: [UInt8], _ options: ImportOptions) throws(ModelImportError) {
    file = try TFLiteFile(bytes)
    self.options = options
  }

  func importModel() throws(ModelImportError) -> ImportedModel {
    let shapes = try inputShapes()
    var model = try lowered(shapes)
    if isOpen, let resizable = try? resized(model, shapes) { model = resizable }
    return model
  }

  // MARK: Shapes

  /// Whether the model leaves rows and columns of its only input open.
  private var isOpen: Bool {
    guard file.inputs.count == 1 else { return false }
    let tensor = file.tensors[file.inputs[0]]
    return tensor.shape.count == 4 && tensor.isOpen[1] && tensor.isOpen[2]
  }

  /// The shape of each input: the model's own, with what the options give.
  private func inputShapes() throws(ModelImportError) -> [[Int]] {
    let names = file.inputs.map { file.name($0) }
    for name in options.inputShapes.keys.sorted() where !names.contains(name) {
      throw .unknownInput(name: name, known: names)
    }
    var shapes: [[Int]] = []
    var open: [OpenInput] = []
    for (number, name) in zip(file.inputs, names) {
      let tensor = file.tensors[number]
      let stated = tensor.shape.indices.map { tensor.isOpen[$0] ? nil : tensor.shape[$0] }
      if let given = options.inputShapes[name] {
        let fits =
          given.count == stated.count
          && zip(given, stated).allSatisfy { (given, stated) in stated == nil || stated == given }
        guard fits, given.allSatisfy({ (1...(1 << 24)).contains($0) }) else {
          throw .inputShape(name: name, given: given, required: stated)
        }
        shapes.append(given)
        continue
      }
      // What is open has the extent that the file states besides, 1 mostly; rows need more than that.
      let isUnknown = tensor.shape.indices.contains { (axis) in
        axis > 0 && tensor.isOpen[axis] && tensor.shape[axis] == 1
      }
      if isUnknown {
        open.append(
          OpenInput(name: name, shape: [tensor.isOpen[0] ? 1 : stated[0]] + stated.dropFirst()))
      }
      guard tensor.shape.allSatisfy({ (1...(1 << 24)).contains($0) }) else {
        throw .invalid(place: name, rule: "Its shape is \(tensor.shape).")
      }
      shapes.append(tensor.shape)
    }
    guard open.isEmpty else { throw .openShapes(open) }
    return shapes
  }

  // MARK: The network

  private func lowered(_ shapes: [[Int]]) throws(ModelImportError) -> ImportedModel {
    var lowering = TFLiteLowering(file)
    if file.graphCount > 1 {
      lowering.note("The model has \(file.graphCount) graphs; the first one was read.")
    }
    try lowering.run(shapes: shapes)
    var provenance = [ProvenanceEntry(key: "format", value: lowering.report.format)]
    if !file.description.isEmpty {
      provenance.append(
        ProvenanceEntry(
          key: "producer", value: ModelTensor.cut(ModelTensor.printable(file.description), to: 1024)
        ))
    }
    let name =
      options.name ?? (file.graphName.isEmpty ? "TensorFlow Lite model" : file.graphName)
    return try lowering.builder.finish(
      name: name, task: lowering.replaced.isEmpty ? "" : CoreMLSuppression.task,
      provenance: provenance, report: lowering.report)
  }

  /// The model for other sizes of its input, too; nil where a layer depends on the size.
  ///
  /// It is imported once more at another size. Where that gives the same layers and the same numbers,
  /// nothing of it depends on the size.
  private func resized(_ model: ImportedModel, _ shapes: [[Int]]) throws -> ImportedModel? {
    let multiple = try model.description.validated().sizeMultiple
    guard model.description.inputs.count == 1, shapes[0][1] % multiple == 0,
      shapes[0][2] % multiple == 0
    else { return nil }
    var other = shapes
    other[0][1] += multiple
    other[0][2] += 2 * multiple
    let second = try lowered(other)
    guard second.description.layers == model.description.layers, second.tensors == model.tensors
    else { return nil }
    var result = model
    result.description.inputs[0].isResizable = true
    _ = try result.description.validated()
    return result
  }
}

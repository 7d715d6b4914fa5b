internal import DiceDetectorHeads
internal import DiceWeights

/// Imports one TensorFlow Lite file.
struct TFLiteImporter {
  private let file: TFLiteFile
  private let options: ImportOptions
  private let fixed: FixedInputs

  init(_ bytes: [UInt8], _ options: ImportOptions) throws(ModelImportError) {
    let file = try TFLiteFile(bytes)
    self.options = options
    fixed = try FixedInputs(
      options,
      of: file.inputs.map { (number) in
        let tensor = file.tensors[number]
        return (file.name(number), file.statedShape(number), tensor.type.isInteger)
      })
    self.file = file.fixing(fixed)
  }

  func importModel() throws(ModelImportError) -> ImportedModel {
    let shapes = try inputShapes()
    var model = try lowered(shapes)
    if isOpen {
      model = model.resizable(sides: (shapes[0][1], shapes[0][2])) { (height, width) in
        var other = shapes
        (other[0][1], other[0][2]) = (height, width)
        return try lowered(other)
      }
    }
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
    for name in options.inputShapes.keys.sorted()
    where !fixed.contains(name) && !names.contains(name) {
      throw .unknownInput(name: name, known: names)
    }
    var shapes: [[Int]] = []
    var open: [OpenInput] = []
    for (number, name) in zip(file.inputs, names) {
      let tensor = file.tensors[number]
      let stated = file.statedShape(number)
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
    var lowering = TFLiteLowering(file, roundsInputs: options.roundsInputs)
    var choice: FinalChoice<Int>?
    do throws(ModelImportError) {
      try lowering.run(shapes: shapes)
    } catch {
      guard case .unsupported = error else { throw error }
      choice = file.finalChoice
      lowering = TFLiteLowering(
        choice.map { file.without($0) } ?? file, roundsInputs: options.roundsInputs)
      lowering.builder.ranksMany = choice == nil
      try lowering.run(shapes: shapes)
      if let choice { lowering.note(choice.note) }
    }
    for note in fixed.notes { lowering.note(note) }
    if file.graphCount > 1, !file.operations.contains(where: TFLiteOperations.runsGraphs) {
      lowering.note("The model has \(file.graphCount) graphs; the first one was read.")
    }
    var provenance = [ProvenanceEntry(key: "format", value: lowering.report.format)]
    provenance += fixed.provenance
    if !file.description.isEmpty {
      provenance.append(
        ProvenanceEntry(
          key: "producer", value: ModelTensor.cut(ModelTensor.printable(file.description), to: 1024)
        ))
    }
    if let choice { provenance.append(LeftOutChoice.entry(choice, format: "tflite")) }
    let name =
      options.name ?? (file.graphName.isEmpty ? "TensorFlow Lite model" : file.graphName)
    return try lowering.builder.finish(
      name: name, task: lowering.replaced.isEmpty ? "" : CoreMLSuppression.task,
      provenance: provenance, report: lowering.report)
  }
}

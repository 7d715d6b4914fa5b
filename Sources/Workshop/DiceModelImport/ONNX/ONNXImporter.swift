internal import DiceDetectorHeads
internal import DiceWeights

/// Imports one ONNX file.
struct ONNXImporter {
  /// The operator sets whose operations are known.
  static let operatorSets = 1...24

  private let file: ONNXGraphFile
  private let options: ImportOptions
  private let fixed: FixedInputs

  init(_ bytes: [UInt8], _ options: ImportOptions) throws(ModelImportError) {
    let file = try ONNXGraphFile(bytes, externalFiles: options.externalFiles)
    self.options = options
    fixed = try FixedInputs(
      options,
      of: file.inputs.map { (port) in
        (
          port.name, port.shape,
          ONNXTensor.ElementType(rawValue: port.elementType)?.isInteger ?? false
        )
      })
    self.file = file.fixing(fixed)
    guard file.operatorSet >= Self.operatorSets.lowerBound else {
      throw .invalid(
        place: "The model",
        rule: "Its operator set is \(file.operatorSet); it must be 1 or newer.")
    }
  }

  func importModel() throws(ModelImportError) -> ImportedModel {
    let shapes = try inputShapes()
    var model = try lowered(shapes)
    if isOpen {
      model = model.resizable(sides: (shapes[0][2], shapes[0][3])) { (height, width) in
        var other = shapes
        (other[0][2], other[0][3]) = (height, width)
        return try lowered(other)
      }
    }
    return model
  }

  // MARK: Shapes

  /// Whether the model leaves rows or columns of its only input open.
  private var isOpen: Bool {
    file.inputs.count == 1 && file.inputs[0].shape?.count == 4
      && file.inputs[0].shape?.suffix(2).allSatisfy { $0 == nil } == true
  }

  /// The shape of each input: the model's own, with what the options give.
  private func inputShapes() throws(ModelImportError) -> [[Int]] {
    for name in options.inputShapes.keys.sorted()
    where !fixed.contains(name) && !file.inputs.contains(where: { $0.name == name }) {
      throw .unknownInput(name: name, known: file.inputs.map { $0.name })
    }
    var shapes: [[Int]] = []
    var open: [OpenInput] = []
    for port in file.inputs {
      let stated = port.shape ?? []
      if let given = options.inputShapes[port.name] {
        let fits =
          port.shape == nil
          || given.count == stated.count
            && zip(given, stated).allSatisfy { (given, stated) in stated == nil || stated == given }
        guard fits, given.count <= 32, given.allSatisfy({ (1...(1 << 24)).contains($0) }) else {
          throw .inputShape(name: port.name, given: given, required: stated)
        }
        shapes.append(given)
        continue
      }
      // A batch that is open has one picture.
      var shape = stated
      if let first = shape.first, first == nil { shape[0] = 1 }
      if port.shape == nil || shape.contains(nil) {
        open.append(OpenInput(name: port.name, shape: shape))
      }
      guard shape.count <= 32, shape.allSatisfy({ ($0 ?? 1) <= 1 << 24 }) else {
        throw .invalid(place: port.name, rule: "Its shape is \(ModelImportError.text(shape)).")
      }
      shapes.append(shape.compactMap { $0 })
    }
    guard open.isEmpty else { throw .openShapes(open) }
    return shapes
  }

  // MARK: The network

  private func lowered(_ shapes: [[Int]]) throws(ModelImportError) -> ImportedModel {
    var lowering = ONNXLowering(file)
    var choice: FinalChoice<String>?
    do throws(ModelImportError) {
      try lowering.run(shapes: shapes)
    } catch {
      guard case .unsupported = error else { throw error }
      choice = file.finalChoice
      lowering = ONNXLowering(choice.map { file.without($0) } ?? file)
      lowering.builder.ranksMany = choice == nil
      try lowering.run(shapes: shapes)
      if let choice { lowering.report.notes.append(choice.note) }
    }
    lowering.report.notes += fixed.notes
    let name = options.name ?? (file.name.isEmpty ? "ONNX model" : file.name)
    var provenance = [ProvenanceEntry(key: "format", value: lowering.report.format)]
    provenance += fixed.provenance
    if !file.producer.isEmpty {
      provenance.append(
        ProvenanceEntry(
          key: "producer", value: ModelTensor.cut(ModelTensor.printable(file.producer), to: 1024)))
    }
    for pair in file.metadata.prefix(64) {
      let key = ModelTensor.cut(ModelTensor.printable(pair.key), to: 48)
      provenance.append(
        ProvenanceEntry(
          key: "onnx.\(key)", value: ModelTensor.cut(ModelTensor.printable(pair.value), to: 65_536))
      )
    }
    if let choice { provenance.append(LeftOutChoice.entry(choice, format: "onnx")) }
    return try lowering.builder.finish(
      name: name, provenance: provenance, report: lowering.report)
  }
}

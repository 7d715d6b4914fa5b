internal import DiceDetectorHeads
internal import DiceWeights

/// Imports one Core ML model: a neural network, or a pipeline of networks, perhaps with a spectrogram of
/// sound before them, and a linear classifier or a suppression of boxes behind.
struct CoreMLImporter {
  private let file: CoreMLModelFile
  private let options: ImportOptions
  private let fixed: FixedInputs
  private var lowering: CoreMLLowering
  /// The values of features by name.
  private var values: [String: Value] = [:]
  /// The labels of the classes that each feature with a number for each has.
  private var labels: [String: [String]] = [:]
  /// What the suppression at the end of a pipeline does.
  private var suppression: CoreMLSuppression?
  private var provenance: [ProvenanceEntry] = []

  /// The versions of the format that hold neural networks.
  static let versions = 1...5

  init(_ bytes: [UInt8], _ options: ImportOptions) throws(ModelImportError) {
    file = try CoreMLModelFile(ProtobufMessage(bytes))
    self.options = options
    fixed = try FixedInputs(
      options,
      of: file.inputs.compactMap { (feature) in
        feature.numbers(isSized: options.inputShapes[feature.name] != nil)
      })
    lowering = CoreMLLowering(
      format: "Core ML, specification version \(file.version)", byteCount: bytes.count)
  }

  mutating func importModel() throws(ModelImportError) -> ImportedModel {
    var model = try imported(options.inputShapes)
    model = resizable(model)
    return model
  }

  /// Imports the model at some shapes of its inputs.
  private func imported(_ shapes: [String: [Int]]) throws(ModelImportError) -> ImportedModel {
    var importer = self
    return try importer.run(shapes)
  }

  private mutating func run(_ shapes: [String: [Int]]) throws(ModelImportError) -> ImportedModel {
    if case .other(let name, let reason) = file.kind {
      throw Self.unsupported(name, reason)
    }
    guard file.version >= Self.versions.lowerBound else {
      throw .invalid(
        place: "The model", rule: "Its specification version is \(file.version).")
    }
    for name in shapes.keys.sorted() where !file.inputs.contains(where: { $0.name == name }) {
      throw .unknownInput(name: name, known: file.inputs.map { $0.name })
    }
    let networks = try CoreMLPipeline.parts(of: file)
    var inputs = CoreMLInputs(shapes, fixed)
    let isDetector = networks.last?.kind == .suppression
    for (index, part) in networks.enumerated() {
      switch part.kind {
      case .network:
        try run(part, &inputs, isDetector: isDetector)
      case .suppression:
        guard index == networks.count - 1 else {
          throw Self.unsupported(
            "nonMaximumSuppression", "models behind a suppression of boxes are not read")
        }
        suppression = try CoreMLSuppression(part.content)
      case .soundPreprocessing: try preprocess(part, &inputs)
      case .linearClassifier: try classify(part, &inputs)
      case .pipeline, .other: break
      }
    }
    try lowering.check()
    try inputs.checkFixed()
    for note in fixed.notes { lowering.note(note) }
    try finishOutputs()
    addProvenance()
    let name = options.name ?? file.metadata.first { $0.key == "name" }?.value ?? "Core ML model"
    return try lowering.builder.finish(
      name: name, task: task, provenance: provenance, report: lowering.report)
  }

  /// What the network is for, where the model says so.
  private var task: String {
    if suppression != nil { return CoreMLSuppression.task }
    return isActionClassifier ? Self.actionTask : ""
  }

  /// What a network is for that names what a person does.
  private static let actionTask = "actions"

  /// Whether the model reads poses of 18 joints, each with x, y and a confidence, in some frames one behind
  /// the other, and gives probabilities: a classifier of actions of Create ML.
  private var isActionClassifier: Bool {
    guard file.inputs.count == 1, case .array(let array) = file.inputs[0].content,
      array.shape.count == 3, array.shape.suffix(2) == [3, 18]
    else { return false }
    return lowering.builder.outputs.first?.head?.kind == "classes"
  }

  static func unsupported(_ name: String, _ reason: String) -> ModelImportError {
    .unsupported([
      UnsupportedOperation(name: name, place: "the model", count: 1, reason: reason)
    ])
  }

  static func failure(_ fault: LoweringFault, at place: String) -> ModelImportError {
    switch fault {
    case .invalid(let rule): .invalid(place: place, rule: rule)
    case .unsupported(let reason):
      .unsupported([
        UnsupportedOperation(name: "an input or output", place: place, count: 1, reason: reason)
      ])
    }
  }

  // MARK: Networks

  /// Lowers one network: its inputs are the model's, or what an earlier one gives.
  private mutating func run(
    _ part: CoreMLModelFile, _ inputs: inout CoreMLInputs, isDetector: Bool
  ) throws(ModelImportError) {
    let network = CoreMLNetwork(part.content)
    let settings: CoreMLNetwork.Settings
    do throws(ProtobufError) {
      settings = try network.settings(version: part.version)
    } catch {
      throw .protobuf(error)
    }
    var blobs: [String: Value] = [:]
    for feature in part.inputs {
      do throws(LoweringFault) {
        if let value = values[feature.name] {
          blobs[feature.name] = try network.mapped(value, feature, settings, &lowering.builder)
        } else {
          let own = file.inputs.first { $0.name == feature.name } ?? feature
          blobs[feature.name] = try inputs.add(
            own, network, settings, &lowering, isDetector: isDetector)
        }
      } catch {
        throw Self.failure(error, at: feature.name)
      }
    }
    try lowering.run(part.content, &blobs)
    var classLabels: [String] = []
    if case .network(isClassifier: true) = part.kind {
      do throws(ProtobufError) {
        classLabels = try CoreMLLabels.read(part.content, texts: 100, integers: 101)
      } catch {
        throw .protobuf(error)
      }
    }
    for feature in part.outputs {
      if feature.name == part.labelName, !part.labelName.isEmpty { continue }
      var source = feature.name
      var own: [String] = []
      if case .dictionary = feature.content {
        // The probabilities may have another name within the network.
        own = classLabels
        source = try network.probabilitiesName() ?? feature.name
        if blobs[source] == nil { source = feature.name }
      }
      guard let value = blobs[source] else {
        throw .invalid(place: feature.name, rule: "No layer gives this output.")
      }
      do throws(LoweringFault) {
        values[feature.name] = try network.external(
          value, feature, settings, labelCount: own.count, &lowering.builder)
      } catch {
        throw Self.failure(error, at: feature.name)
      }
      if !own.isEmpty { labels[feature.name] = CoreMLLabels.legal(own) }
    }
  }

  // MARK: Other models

  /// A feature that an earlier model gives, or an input of the whole.
  private mutating func numbers(
    _ feature: CoreMLFeature, _ inputs: inout CoreMLInputs
  ) throws(LoweringFault) -> Value {
    if let value = values[feature.name] { return value }
    return try inputs.numbers(
      file.inputs.first { $0.name == feature.name } ?? feature, &lowering)
  }

  /// Lowers the spectrogram of a sound.
  private mutating func preprocess(
    _ part: CoreMLModelFile, _ inputs: inout CoreMLInputs
  ) throws(ModelImportError) {
    guard part.inputs.count == 1, part.outputs.count == 1 else {
      throw .invalid(
        place: "The preprocessing of sound", rule: "It must have one input and one output.")
    }
    do throws(LoweringFault) {
      values[part.outputs[0].name] = try CoreMLSoundPreprocessing.spectrogram(
        numbers(part.inputs[0], &inputs), &lowering.builder)
    } catch {
      throw Self.failure(error, at: part.inputs[0].name)
    }
  }

  /// Lowers a linear classifier.
  private mutating func classify(
    _ part: CoreMLModelFile, _ inputs: inout CoreMLInputs
  ) throws(ModelImportError) {
    let classifier = try CoreMLLinearClassifier(part.content)
    do throws(LoweringFault) {
      var operands: [Value] = []
      for feature in part.inputs { operands.append(try numbers(feature, &inputs)) }
      for feature in part.outputs {
        guard case .dictionary = feature.content else { continue }
        values[feature.name] = try classifier.probabilities(operands, &lowering.builder)
        if !classifier.labels.isEmpty {
          labels[feature.name] = CoreMLLabels.legal(classifier.labels)
        }
      }
    } catch {
      throw Self.failure(error, at: CoreMLLinearClassifier.place)
    }
  }

  // MARK: Outputs

  private mutating func finishOutputs() throws(ModelImportError) {
    if let suppression {
      try finish(suppression)
      return
    }
    // A pipeline's label is that of its classifier.
    let labelName = file.labelName
    for feature in file.outputs where feature.name != labelName || labelName.isEmpty {
      guard let value = values[feature.name] else {
        throw .invalid(place: feature.name, rule: "No network gives this output.")
      }
      let classLabels = labels[feature.name] ?? []
      try output(
        feature.name, value,
        classLabels.isEmpty ? nil : NetworkHead(kind: "classes", labels: classLabels))
    }
    if !labelName.isEmpty {
      provenance.append(
        ProvenanceEntry(key: ModelTensor.labelKey, value: ModelTensor.shortName(labelName)))
    }
  }

  /// The lists of scores and boxes that a suppression reads.
  private mutating func finish(_ suppression: CoreMLSuppression) throws(ModelImportError) {
    guard let scores = values[suppression.scoresName],
      let boxes = values[suppression.boxesName]
    else {
      throw .invalid(
        place: "The suppression of boxes",
        rule: "No network gives \(suppression.scoresName) and \(suppression.boxesName).")
    }
    let classCount = suppression.classCount(scores)
    for (name, value, width, head) in [
      (
        suppression.scoresName, scores, classCount, suppression.scoresHead(classCount: classCount)
      ),
      (suppression.boxesName, boxes, 4, CoreMLSuppression.boxesHead),
    ] {
      do throws(LoweringFault) {
        let list = try CoreMLSuppression.list(value, width: width, &lowering.builder)
        try lowering.builder.output(name, list, map: nil, head: head)
      } catch {
        throw Self.failure(error, at: name)
      }
    }
    provenance += suppression.provenance(classCount: classCount)
  }

  private mutating func output(
    _ name: String, _ value: Value, _ head: NetworkHead?
  ) throws(ModelImportError) {
    do throws(LoweringFault) {
      let rank = value.shape?.count ?? 0
      try lowering.builder.output(
        name, value, map: rank == 4 ? .last(ofRank: 4) : nil, head: head)
    } catch {
      throw Self.failure(error, at: name)
    }
  }

  private mutating func addProvenance() {
    var entries = [ProvenanceEntry(key: "format", value: lowering.report.format)]
    for entry in file.metadata.prefix(64) {
      let key = ModelTensor.cut(ModelTensor.printable(entry.key), to: 64)
      guard !key.isEmpty, !entry.value.isEmpty else { continue }
      entries.append(
        ProvenanceEntry(
          key: key, value: ModelTensor.cut(ModelTensor.printable(entry.value), to: 65_536)))
    }
    provenance = entries + fixed.provenance + provenance
  }

  // MARK: Sizes

  /// The model for other sizes of its input, too, where the model and all layers allow some.
  private func resizable(_ model: ImportedModel) -> ImportedModel {
    guard file.inputs.count == 1, model.inputs.count == 1, let ranges = file.inputs[0].sizeRanges
    else { return model }
    let shape = model.description.inputs[0].shape
    return model.resizable(sides: (shape.height, shape.width)) { (height, width) in
      guard ranges[0].contains(height), ranges[1].contains(width),
        let other = file.inputs[0].shape(ofSize: [height, width])
      else { return nil }
      return try imported([file.inputs[0].name: other])
    }
  }
}

/// The models of a pipeline, those of pipelines within it in their places.
enum CoreMLPipeline {
  /// The most models of a pipeline.
  private static let limit = 64

  /// The networks and suppressions of a model, in order.
  static func parts(of file: CoreMLModelFile) throws(ModelImportError) -> [CoreMLModelFile] {
    guard case .pipeline(let isPlain) = file.kind else { return [file] }
    var parts: [CoreMLModelFile] = []
    var unsupported = UnsupportedList()
    let models: [ProtobufMessage]?
    do throws(ProtobufError) {
      let pipeline = isPlain ? file.content : try file.content.message(1) ?? file.content
      models = try pipeline.messages(1, limit: limit)
    } catch {
      throw .protobuf(error)
    }
    guard let models, !models.isEmpty else {
      throw .invalid(
        place: "The pipeline", rule: "It must have 1 to \(limit) models.")
    }
    for message in models {
      let model = try CoreMLModelFile(message)
      if case .other(let name, let reason) = model.kind {
        unsupported.add(name, at: "the pipeline", reason)
      }
      parts += try Self.parts(of: model)
      guard parts.count <= limit else {
        throw .invalid(place: "The pipeline", rule: "It must have 1 to \(limit) models.")
      }
    }
    guard unsupported.operations.isEmpty else { throw .unsupported(unsupported.operations) }
    return parts
  }
}

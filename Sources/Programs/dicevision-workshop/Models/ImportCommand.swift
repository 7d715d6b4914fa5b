internal import DiceCommandLine
internal import DiceFiles
internal import DiceModelImport
internal import DiceWeights

/// What `--detector` may be.
enum DetectorChoice: Hashable, Sendable {
  /// The model shows it.
  case automatic
  /// No detector.
  case none
  /// A family.
  case kind(DetectorKind)
}

/// `dicevision import`: makes a weight file of another program's model.
enum ImportCommand {
  static let name = "import"

  static let output = ValueOption.text("output", "FILE", "The weight file to write. Required.")

  static let weights = ValueOption.text(
    "weights", "FILE", "The weights of a darknet model.",
    default: "the file beside the configuration that ends with `.weights`")

  static let labels = ValueOption.text(
    "labels", "FILE", "The names of a detector's classes, a line each.")

  static let detector = ValueOption<DetectorChoice>.choice(
    "detector",
    [("automatic", .automatic), ("none", .none)]
      + DetectorKind.allCases.map { ($0.rawValue, .kind($0)) },
    placeholder: "KIND",
    "What family of detectors an ONNX model is of, so that `dicevision detect` can use it.",
    default: "automatic, recognised by metadata and shapes")

  static let crop = ValueOption<ImageRules.CropAndScale>.choice(
    "crop", [("fit", .scaleFit), ("fill", .scaleFill), ("center", .centerCrop)],
    "How a detector's pictures are brought to its input: all with a border (fit), stretched (fill), or "
      + "the middle (center).", default: "as its makers do")

  static let colors = ValueOption<ImageRules.ChannelOrder>.choice(
    "colors", [("rgb", .rgb), ("bgr", .bgr)],
    "The order of colours that a detector or a network of poses takes.",
    default: "as its makers do")

  static let networkName = ValueOption.text(
    "name", "TEXT", "The network's name.", default: "the model's, or the file's")

  static let inputShape = ValueOption<(name: String, shape: [Int])>(
    "input-shape", "NAME=SHAPE",
    "The shape of an input whose model leaves it open, such as `image=1x3x320x320`.",
    requirement: "an input's name, =, and extents with x between them", isRepeatable: true
  ) { (text) in
    guard let equals = text.lastIndex(of: "=") else { return nil }
    let extents = text[text.index(after: equals)...].split(
      separator: "x", omittingEmptySubsequences: false
    ).map { (part) in NumberText.integer(String(part)) }
    guard extents.allSatisfy({ ($0 ?? 0) > 0 }), equals != text.startIndex else { return nil }
    return (String(text[..<equals]), extents.compactMap { $0 })
  }

  static let inputValue = ValueOption<(name: String, numbers: [Double])>(
    "input-value", "NAME=NUMBERS",
    "The numbers of an input of an ONNX or TensorFlow Lite model that is always the same, such as `sr=16000`: "
      + "one for all its positions, or one for each with commas between them. The network has no such "
      + "input, and what the model chooses by it is chosen.",
    requirement: "an input's name, =, and numbers with commas between them", isRepeatable: true
  ) { (text) in
    guard let equals = text.lastIndex(of: "=") else { return nil }
    let numbers = text[text.index(after: equals)...].split(
      separator: ",", omittingEmptySubsequences: false
    ).map { (part) in NumberText.number(String(part)) }
    guard numbers.allSatisfy({ $0 != nil }), equals != text.startIndex else { return nil }
    return (String(text[..<equals]), numbers.compactMap { $0 })
  }

  static let roundsInputs = Switch(
    "round-inputs",
    "Rounds floating-point inputs of layers whose weights are integers to 8 bits, as LiteRT does while it "
      + "runs such a TensorFlow Lite model. Answers are nearer to LiteRT's, and a little less exact."
  )

  static let storage = ValueOption<WeightStorage>.choice(
    "storage", WeightStorage.allCases.map { ($0.name, $0) },
    "How weights are stored. Other numbers stay float32.", default: "float32")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary:
        "Makes a weight file of another program's model: Core ML, ONNX, TensorFlow Lite or darknet.",
      discussion: [
        .paragraph(
          "Whatever the network is for, it then runs here: `dicevision run` gives it tensors as the "
            + "model's makers have them. Normalisations and functions become part of the layers "
            + "before them. A model with an operation that the weight format does not have is refused "
            + "with a list of all such operations; nothing is left out silently."),
        .paragraph("The guide Docs/ImportedModels.md lists the operations."),
      ],
      argument: CommandDescription.Argument(
        name: "MODEL",
        summary:
          "The model: a file `.mlmodel`, `.onnx` or `.tflite`, or a darknet configuration `.cfg`.",
        counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Model",
          options: [
            inputShape.description, inputValue.description, weights.description,
            networkName.description, roundsInputs.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Detectors",
          options: [
            detector.description, labels.description, crop.description, colors.description,
          ]),
        PoseImport.group,
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            output.description, OutputPlan.force.description, storage.description,
            ResultArguments.json.description,
          ]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) import detector.mlmodel --output detector.dvweights",
          meaning: "A Core ML model, from Create ML for instance."),
        CommandDescription.Example(
          call: "\(Tool.name) import yolo.onnx --output yolo.dvweights",
          meaning: "An ONNX model."),
        CommandDescription.Example(
          call: "\(Tool.name) import detect.tflite --output detect.dvweights",
          meaning: "A TensorFlow Lite model."),
        CommandDescription.Example(
          call: "\(Tool.name) import yolo.cfg --labels coco.names --output darknet.dvweights",
          meaning: "A darknet model, whose weights are in `yolo.weights`."),
        CommandDescription.Example(
          call: "\(Tool.name) import seg.onnx --input-shape image=1x3x320x320 "
            + "--output seg.dvweights",
          meaning: "A model that leaves the size of its input open."),
        CommandDescription.Example(
          call: "\(Tool.name) import rtmpose.onnx --pose simcc --joints coco "
            + "--output joints.dvweights",
          meaning: "A network that finds the joints of a person."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let path = try arguments.required(output, of: name)
    let source = arguments.positionals[0]
    var plan = OutputPlan(arguments)
    plan.read(source, arguments[weights], arguments[labels])
    let stem = Paths.removingExtension(of: source)
    if arguments[weights] == nil { plan.read("\(stem).weights", "\(stem).cfg") }
    plan.write(path, for: output.description.spelling, .unsigned)
    try plan.check()
    let isPose = try PoseImport.isAsked(arguments)
    let plain = try imported(source, arguments)
    let model =
      isPose
      ? try PoseImport.network(of: plain, source, arguments)
      : try detector(of: plain, source, arguments, environment)
    if isPose {
      environment.note("it finds joints: `\(Tool.name) pose --joints` takes it")
    }
    let bytes: [UInt8]
    do throws(WeightFileError) {
      bytes = try model.weightFile(storage: arguments[storage] ?? .float32)
    } catch {
      throw .failure(subject: source, sentence: "\(error)")
    }
    try OutputFile.write(bytes, to: path)
    try report(model, path, byteCount: bytes.count, arguments, environment)
    return .success
  }

  // MARK: - The model

  /// How a model of another kind becomes one that is read; nil where nothing is known.
  private static func advice(_ source: String) -> String? {
    func ends(_ extensions: String...) -> Bool {
      extensions.contains { Paths.hasExtension($0, path: source) }
    }
    if ends("pt", "pth", "ckpt", "safetensors") {
      return "PyTorch's torch.onnx.export writes an ONNX file."
    }
    if ends("h5", "keras", "pb") { return "TensorFlow's converter writes a .tflite file." }
    if ends("dvweights") { return "A weight file needs no import: `\(Tool.name) run` runs it." }
    return nil
  }

  private static func imported(
    _ source: String, _ arguments: ParsedArguments
  ) throws(ToolError) -> ImportedModel {
    guard let format = ModelImporter.format(ofFileNamed: source) else {
      throw .failure(
        subject: source,
        sentence:
          "The name ends with none of .mlmodel, .onnx, .tflite, .cfg and .weights."
          + (advice(source).map { " \($0)" } ?? ""))
    }
    var options = ImportOptions(
      name: arguments[networkName], roundsInputs: arguments.contains(roundsInputs))
    for (name, shape) in arguments.all(inputShape) { options.inputShapes[name] = shape }
    for (name, numbers) in arguments.all(inputValue) { options.inputValues[name] = numbers }
    switch format {
    case .onnx:
      return try importedONNX(source, options)
    case .tensorFlowLite:
      let bytes = try file(source)
      options.name = options.name ?? Paths.lastComponent(of: Paths.removingExtension(of: source))
      do throws(ModelImportError) {
        return try ModelImporter.importTensorFlowLite(bytes, options: options)
      } catch {
        throw .failure(subject: source, sentence: "\(error)")
      }
    case .coreML:
      let bytes = try file(coreMLFile(source))
      options.name = options.name ?? Paths.lastComponent(of: Paths.removingExtension(of: source))
      do throws(ModelImportError) {
        return try ModelImporter.importCoreML(bytes, options: options)
      } catch {
        throw .failure(subject: source, sentence: "\(error)")
      }
    case .darknet:
      let stem = Paths.removingExtension(of: source)
      let isWeights = Paths.hasExtension("weights", path: source)
      let configuration = try file(isWeights ? "\(stem).cfg" : source)
      let weights = try file(
        arguments[weights] ?? (isWeights ? source : "\(stem).weights"))
      let labels = try labelNames(arguments)
      options.name = options.name ?? Paths.lastComponent(of: stem)
      do throws(ModelImportError) {
        return try ModelImporter.importDarknet(
          configuration: configuration, weights: weights, labels: labels, options: options)
      } catch {
        throw .failure(subject: source, sentence: "\(error)")
      }
    }
  }

  /// An ONNX model, with the files beside it that it keeps weights in.
  private static func importedONNX(
    _ source: String, _ options: ImportOptions
  ) throws(ToolError) -> ImportedModel {
    var options = options
    let bytes = try file(source)
    while true {
      let missing: String
      do throws(ModelImportError) {
        return try ModelImporter.importONNX(bytes, options: options)
      } catch {
        // A plain name, so that a model does not read files of other folders.
        guard case .externalData(_, let name) = error, options.externalFiles[name] == nil,
          !name.isEmpty, name != "..", !name.contains(where: { $0 == "/" || $0 == "\\" })
        else { throw .failure(subject: source, sentence: "\(error)") }
        missing = name
      }
      let folder = Paths.parent(of: source)
      options.externalFiles[missing] = try file(Paths.joined(folder, missing))
    }
  }

  /// The names of classes that the call gives.
  private static func labelNames(_ arguments: ParsedArguments) throws(ToolError) -> [String] {
    guard let path = arguments[labels] else { return [] }
    return String(decoding: try file(path), as: UTF8.self).split { $0.isNewline }
      .map(String.init)
  }

  /// The model as a detector, where it is one.
  private static func detector(
    of model: ImportedModel, _ source: String, _ arguments: ParsedArguments,
    _ environment: Environment
  ) throws(ToolError) -> ImportedModel {
    var kind: DetectorKind?
    switch arguments[detector] ?? .automatic {
    case .none: return model
    case .automatic: break
    case .kind(let given): kind = given
    }
    let names = try labelNames(arguments)
    let result: ImportedModel?
    do throws(ModelImportError) {
      result = try model.detector(
        DetectorOptions(
          kind: kind, labels: names, cropAndScale: arguments[crop],
          channelOrder: arguments[colors]))
    } catch {
      throw .failure(subject: source, sentence: "\(error)")
    }
    guard let result else {
      let given = [labels.description, crop.description, colors.description].first { (option) in
        option.name == labels.description.name && arguments.contains(labels)
          || option.name == crop.description.name && arguments.contains(crop)
          || option.name == colors.description.name && arguments.contains(colors)
      }
      if let given {
        throw .failure(
          subject: source,
          sentence: "The model does not show what family of detectors it is of: \(given.spelling) "
            + "needs --detector.")
      }
      return model
    }
    environment.note("it finds objects: `\(Tool.name) detect --weights` takes it")
    return result
  }

  /// The file of a Core ML model: itself, or the one in a package.
  private static func coreMLFile(_ source: String) -> String {
    guard Paths.hasExtension("mlpackage", path: source) else { return source }
    return Paths.joined(source, "Data/com.apple.CoreML/model.mlmodel")
  }

  /// The most bytes of a model: some have their weights twice, or as double precision.
  private static let byteLimit = 2 * WeightFormat.maximumFileByteCount

  private static func file(_ path: String) throws(ToolError) -> [UInt8] {
    do throws(FileError) {
      return try FileSystem.readFile(at: path, byteLimit: byteLimit)
    } catch {
      throw .file(error)
    }
  }

  // MARK: - What is said

  private static func report(
    _ model: ImportedModel, _ path: String, byteCount: Int, _ arguments: ParsedArguments,
    _ environment: Environment
  ) throws(ToolError) {
    let report = model.report
    if try ResultArguments.isJSON(arguments) {
      let result: JSONValue = [
        "output": .string(path), "byteCount": JSONValue(byteCount),
        "network": .string(model.description.name), "format": .string(report.format),
        "inputs": .array(model.inputs.map { json($0) }),
        "outputs": .array(model.outputs.map { json($0) }),
        "operationCount": JSONValue(report.operationCount),
        "layerCount": JSONValue(report.layerCount),
        "foldedConstantCount": JSONValue(report.foldedConstantCount),
        "foldedAffineCount": JSONValue(report.foldedAffineCount),
        "fusedActivationCount": JSONValue(report.fusedActivationCount),
        "fusedPaddingCount": JSONValue(report.fusedPaddingCount),
        "droppedLayerCount": JSONValue(report.droppedLayerCount),
        "notes": .array(report.notes.map { .string($0) }),
      ]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
      return
    }
    for note in report.notes { environment.note(printable(note)) }
    environment.note(
      "wrote \(quoted(path)) with \(printable(model.description.name)) from "
        + "\(printable(report.format)): \(report.operationCount) operations are now "
        + "\(report.layerCount) layers, \(NumberText.grouped(byteCount)) bytes")
  }

  private static func json(_ tensor: ModelTensor) -> JSONValue {
    [
      "name": .string(tensor.name),
      "shape": .array(tensor.shape.map { JSONValue($0) }),
    ]
  }
}

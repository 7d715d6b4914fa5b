internal import DiceCommandLine
internal import DiceExport
internal import DiceFiles
internal import DiceFinders
internal import DiceWeights

/// `dicevision export`: writes a weight file's network for other engines.
enum ExportCommand {
  enum Format: Sendable {
    case onnx
    case coreML
  }

  static let name = "export"

  static let format = ValueOption<Format>.choice(
    "format", [("onnx", .onnx), ("mlmodel", .coreML)], "The format of the file.",
    default: "onnx, or mlmodel if the file's name ends so")

  static let output = ValueOption.text("output", "FILE", "The file to write. Required.")

  static let input: ValueOption<InputSize> = {
    var option = DetectorArguments.inputSize
    option.description.summary = "Size of the model's input in pixels, `SIZE` or `WIDTHxHEIGHT`."
    return option
  }()

  static let flexible = Switch(
    "flexible",
    "Leaves the input's size open: height and width get names instead of numbers, and each picture "
      + "may have a size of its own, in multiples of the network's. Not together with --input.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Writes a network as an ONNX or Core ML model, for other engines.",
      discussion: [
        .paragraph(
          "The model has the inputs and outputs of the network under their names, float32 "
            + "`[1, channels, height, width]`. A picture enters at the input's size, with values "
            + "already scaled as the weight file says (`sample * scale + bias` for samples from 0 "
            + "to 255, channels in the file's order). Outputs are what the network gives: for boxes "
            + "on grids `[1, 5 + classes, height / stride, width / stride]`, not decoded."),
        .paragraph(
          "The rules of pictures, labels, thresholds, strides, base sizes, how outputs become "
            + "boxes, and everything else that the file says stand in the model's metadata. Weights "
            + "become float32. The model has operator set 20 and IR version 9."),
        .paragraph(
          "A Core ML model is a neural network of specification version 5, for Xcode and Apple's systems, at "
            + "the file's own input sizes. Pictures are images with their scaling in the model; other "
            + "inputs and all outputs are arrays `[1, channels, height, width]`. Its metadata are the same."
        ),
      ],
      argument: CommandDescription.Argument(
        name: "WEIGHTS", summary: "The weight file; without it, the bundled weights.",
        counts: 0...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            format.description, output.description, OutputPlan.force.description, input.description,
            flexible.description,
            ResultArguments.json.description,
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) export --format onnx --output dice.onnx",
          meaning: "Writes the bundled network at its own input size."),
        CommandDescription.Example(
          call: "\(Tool.name) export dice.dvweights --output dice.mlmodel",
          meaning: "A Core ML model for Xcode."),
        CommandDescription.Example(
          call: "\(Tool.name) export dice.dvweights --flexible --output dice.onnx",
          meaning: "A network from a file, for inputs of any size."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let path = try arguments.required(ExportCommand.output, of: name)
    let format =
      arguments[format] ?? (Paths.hasExtension("mlmodel", path: path) ? .coreML : .onnx)
    var size = ONNXModel.InputSize.standard
    if let chosen = arguments[input] {
      size = .fixed(width: chosen.width, height: chosen.height)
    }
    if arguments.contains(flexible) {
      guard case .standard = size else {
        throw .usage(.conflict(sentence: "--flexible and --input exclude each other."))
      }
      size = .flexible
    }
    if case .coreML = format {
      guard case .standard = size else {
        throw .usage(
          .conflict(sentence: "--format mlmodel goes with neither --input nor --flexible."))
      }
    }
    var plan = OutputPlan(arguments)
    plan.read(arguments.positionals.first)
    plan.write(
      path, for: ExportCommand.output.description.spelling,
      .beginning(format == .onnx ? ONNXModel.beginning : CoreMLModel.beginning))
    try plan.check()
    let file = try WeightSource.load(arguments.positionals.first, environment)
    let model = try encoded(file, format, size)
    try OutputFile.write(model, to: path)
    try OutputFile.tell(
      path, byteCount: model.count, of: file, saying: "\(NumberText.grouped(model.count)) bytes",
      arguments, environment)
    return .success
  }

  private static func encoded(
    _ file: WeightFile, _ format: Format, _ size: ONNXModel.InputSize
  ) throws(ToolError) -> [UInt8] {
    switch format {
    case .onnx:
      do throws(ONNXExportError) {
        return try ONNXModel.encode(file, inputSize: size)
      } catch {
        throw .failure(subject: file.description.name, sentence: "\(error)")
      }
    case .coreML:
      do throws(CoreMLExportError) {
        return try CoreMLModel.encode(file)
      } catch {
        throw .failure(subject: file.description.name, sentence: "\(error)")
      }
    }
  }
}

internal import DiceFiles
internal import DiceWeights

/// `dicevision inspect`: shows what a weight file holds.
enum InspectCommand {
  static let format = ValueOption<DetectCommand.Format>.choice(
    "format", [("text", .text), ("json", .json)], "How the result is printed.", default: "text")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: "inspect",
      summary: "Shows what a weight file holds: input, classes, thresholds, layers, origin.",
      discussion: [
        .paragraph(
          "The file is checked completely. One that breaks a rule of the weight format is refused "
            + "with that rule, and the exit status is 1.")
      ],
      argument: CommandDescription.Argument(
        name: "FILE",
        summary:
          "The weight file, or `standard`, `fast` or `reader` for one of the library's; without it, "
          + "the standard one.", counts: 0...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output", options: [format.description, ResultArguments.json.description])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) inspect", meaning: "Shows the bundled weights."),
        CommandDescription.Example(
          call: "\(Tool.name) inspect --format json dice.dvweights",
          meaning: "The same about a file, for programs."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[format])
    let file = try WeightSource.load(arguments.positionals.first)
    if isJSON {
      let text = JSONWriter.write(json(file.overview), layout: .pretty)
      try environment.print(String(decoding: text, as: UTF8.self))
    } else {
      try environment.print(file.summary())
    }
    return .success
  }

  // MARK: - JSON

  private static func json(_ overview: WeightFileOverview) -> JSONValue {
    let input = overview.input
    return [
      "name": .string(overview.name),
      "formatVersion": .string(overview.formatVersion),
      "byteCount": JSONValue(overview.byteCount),
      "checksum": .string(NumberText.hexadecimal(overview.checksum)),
      "input": [
        "width": JSONValue(input.width),
        "height": JSONValue(input.height),
        "channelOrder": .string(input.channelOrder == .rgb ? "rgb" : "bgr"),
        "scales": .array((0..<3).map { .number(Double(input.scales[$0])) }),
        "biases": .array((0..<3).map { .number(Double(input.biases[$0])) }),
        "cropAndScale": .string(name(of: input.cropAndScale)),
        "paddingValue": JSONValue(Int(input.paddingValue)),
      ],
      "labels": .array(overview.labels.map { .string($0) }),
      "thresholds": [
        "confidence": .number(Double("\(overview.thresholds.confidence)") ?? .nan),
        "intersectionOverUnion": .number(
          Double("\(overview.thresholds.intersectionOverUnion)") ?? .nan),
      ],
      "parameterCount": JSONValue(Int(overview.parameterCount)),
      "multiplyAddCount": JSONValue(Int(overview.multiplyAddCount)),
      "storages": .array(overview.storages.map { json($0) }),
      "layers": .array(overview.layers.map { json($0) }),
      "provenance": .array(
        overview.provenance.map { ["key": .string($0.key), "value": .string($0.value)] }),
    ]
  }

  private static func name(of cropAndScale: InputRules.CropAndScale) -> String {
    switch cropAndScale {
    case .centerCrop: "center"
    case .scaleFit: "fit"
    case .scaleFill: "fill"
    }
  }

  private static func json(_ use: WeightFileOverview.StorageUse) -> JSONValue {
    [
      "storage": .string(use.storage.name),
      "tensorCount": JSONValue(use.tensorCount),
      "parameterCount": JSONValue(Int(use.parameterCount)),
      "byteCount": JSONValue(use.byteCount),
    ]
  }

  private static func json(_ row: WeightFileOverview.LayerRow) -> JSONValue {
    var sources: [JSONValue] = []
    for source in row.sources {
      switch source {
      case .input: sources.append("input")
      case .layer(let index): sources.append(JSONValue(index))
      }
    }
    return [
      "index": JSONValue(row.index),
      "kind": .string(row.kind),
      "sources": .array(sources),
      "width": JSONValue(row.width),
      "height": JSONValue(row.height),
      "channels": JSONValue(row.channels),
      "details": .string(row.details),
      "storage": row.storage.map { .string($0.name) } ?? .null,
      "parameterCount": JSONValue(Int(row.parameterCount)),
      "multiplyAddCount": JSONValue(Int(row.multiplyAddCount)),
    ]
  }
}

internal import DiceFiles
internal import DiceWeights

/// `dicevision inspect`: shows what a weight file holds.
package enum InspectCommand {
  package static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json)], "How the result is printed.", default: "text")

  /// The command.
  package static let command = Tool.Command(
    description: CommandDescription(
      name: "inspect",
      summary: "Shows what a weight file holds: inputs, outputs, classes, layers, origin.",
      discussion: [
        .paragraph(
          "The file is checked completely. One that breaks a rule of the weight format is refused "
            + "with that rule, and the exit status is 1."),
        .paragraph(
          "The thresholds of a detector count if it works alone. With a second stage, which the "
            + "library's detectors have by default, those of the second stage's weights count."),
      ],
      argument: CommandDescription.Argument(
        name: "FILE",
        summary:
          "The weight file, or `standard`, `fast`, `second-stage`, `digits`, `pen-ways`, "
          + "`digit-or-none`, `speech` or "
          + "`actions` for one of the library's; without it, the standard one.", counts: 0...1),
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
    let file = try WeightSource.load(arguments.positionals.first, environment)
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
    [
      "name": .string(overview.name),
      "task": .string(overview.task),
      "formatVersion": .string(overview.formatVersion),
      "byteCount": JSONValue(overview.byteCount),
      "checksum": .string(NumberText.hexadecimal(overview.checksum)),
      "inputs": .array(overview.inputs.map { json($0) }),
      "sizeMultiple": JSONValue(overview.sizeMultiple),
      "outputs": .array(overview.outputs.map { json($0) }),
      "profile": json(overview.profile),
      "parameterCount": JSONValue(Int(overview.parameterCount)),
      "multiplyAddCount": JSONValue(Int(overview.multiplyAddCount)),
      "storages": .array(overview.storages.map { json($0) }),
      "layers": .array(overview.layers.map { json($0) }),
      "provenance": .array(
        overview.provenance.map { ["key": .string($0.key), "value": .string($0.value)] }),
    ]
  }

  private static func json(_ shape: TensorShape) -> JSONValue {
    [
      "height": JSONValue(shape.height), "width": JSONValue(shape.width),
      "channels": JSONValue(shape.channels),
    ]
  }

  private static func json(_ input: NetworkInput) -> JSONValue {
    [
      "name": .string(input.name), "shape": json(input.shape),
      "isResizable": .bool(input.isResizable),
      "image": input.imageRules.map { json($0) } ?? .null,
    ]
  }

  private static func json(_ rules: ImageRules) -> JSONValue {
    let channels = 0..<rules.channelOrder.channelCount
    return [
      "channelOrder": .string(name(of: rules.channelOrder)),
      "scales": .array(channels.map { .number(Double(rules.scales[$0])) }),
      "biases": .array(channels.map { .number(Double(rules.biases[$0])) }),
      "cropAndScale": .string(name(of: rules.cropAndScale)),
      "paddingValue": JSONValue(Int(rules.paddingValue)),
    ]
  }

  private static func json(_ output: NetworkOutput) -> JSONValue {
    var head = JSONValue.null
    if let stated = output.head {
      head = [
        "kind": .string(stated.kind), "labels": .array(stated.labels.map { .string($0) }),
        "parameters": json(stated.parameters),
      ]
    }
    return ["name": .string(output.name), "layer": JSONValue(output.layer), "head": head]
  }

  private static func json(_ entries: [NamedValues]) -> JSONValue {
    .object(
      JSONObject(
        entries.map { JSONObject.Member(key: $0.name, value: numbers($0.values)) }))
  }

  /// Numbers of single precision as the decimal numbers that stand for them.
  private static func numbers(_ values: [Float]) -> JSONValue {
    .array(values.map { .number(Double("\($0)") ?? .nan) })
  }

  private static func name(of order: ImageRules.ChannelOrder) -> String {
    switch order {
    case .rgb: "rgb"
    case .bgr: "bgr"
    case .gray: "gray"
    }
  }

  private static func name(of cropAndScale: ImageRules.CropAndScale) -> String {
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
      case .input(let index): sources.append(.string("input \(index)"))
      case .layer(let index): sources.append(JSONValue(index))
      }
    }
    return [
      "index": JSONValue(row.index),
      "kind": .string(row.kind),
      "sources": .array(sources),
      "shape": json(row.shape),
      "details": .string(row.details),
      "storage": row.storage.map { .string($0.name) } ?? .null,
      "parameterCount": JSONValue(Int(row.parameterCount)),
      "multiplyAddCount": JSONValue(Int(row.multiplyAddCount)),
    ]
  }
}

internal import DiceExport
internal import DiceFiles
internal import DiceWeights

/// `dicevision convert`: writes a weight file of an older format version in the current one.
enum ConvertCommand {
  static let name = "convert"

  static let output = ValueOption.text("output", "FILE", "The weight file to write. Required.")

  static let task = ValueOption.text(
    "task", "TEXT", "What the network is for, which older files do not say.",
    default: VersionOneWeights.detectionTask)

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Converts a weight file of format version 1 to the version that is read today.",
      discussion: [
        .paragraph(
          "The network computes what it did: the bytes of its weights stay as they are. Its input "
            + "is named `image`; each detection head becomes an output `boxes-STRIDE` with the "
            + "file's labels and thresholds. The old file is checked completely before anything is "
            + "written.")
      ],
      argument: CommandDescription.Argument(
        name: "OLD", summary: "The weight file of version 1.", counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            output.description, OutputPlan.force.description, task.description,
            ResultArguments.json.description,
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) convert old.dvweights --output converted.dvweights",
          meaning: "A detector."),
        CommandDescription.Example(
          call: "\(Tool.name) convert old.dvweights --task detection --output other.dvweights",
          meaning: "A network whose task has another name."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let output = try arguments.required(ConvertCommand.output, of: name)
    let path = arguments.positionals[0]
    var plan = OutputPlan(arguments)
    plan.read(path)
    plan.write(output, for: ConvertCommand.output.description.spelling, .unsigned)
    try plan.check()
    let old = try WeightSource.bytes(at: path)
    let file: WeightFile
    do throws(VersionOneError) {
      file = try VersionOneWeights.converted(
        old, task: arguments[task] ?? VersionOneWeights.detectionTask)
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
    try OutputFile.write(file.bytes, to: output)
    try OutputFile.tell(
      output, byteCount: file.bytes.count, of: file, saying: NumberText.hexadecimal(file.checksum),
      arguments, environment)
    return .success
  }
}

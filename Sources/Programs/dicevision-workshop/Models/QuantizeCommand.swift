internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceVisionKit
internal import DiceVisionTraining
internal import DiceWeights

/// `dicevision quantize`: measures the ranges of a network's values, for arithmetic with 8-bit integers.
enum QuantizeCommand {
  static let name = "quantize"

  static let output = ValueOption.text(
    "output", "FILE", "The detector's weight file to write. Required.")
  static let secondStage = ValueOption.text(
    "second-stage", "WEIGHTS",
    "The second stage's weight file, or the name of one of the library's.", default: "none")
  static let secondStageOutput = ValueOption.text(
    "second-stage-output", "FILE", "The second stage's weight file to write.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Measures what 8-bit arithmetic needs, over pictures.",
      discussion: [
        .paragraph(
          "Runs a detector over pictures and keeps, of each value between its layers, the range "
            + "that is cut into 255 steps with the least error. The weights stay as they are; their "
            + "profile gets the ranges, and --precision int8 then works. Some hundred pictures with "
            + "dice are enough.")
      ],
      argument: CommandDescription.Argument(
        name: "WEIGHTS PICTURE…",
        summary: "The detector's weight file, or the name of one of the library's; then pictures.",
        counts: 2...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            output.description, secondStage.description, secondStageOutput.description,
            OutputPlan.force.description, ResultArguments.json.description,
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) quantize dice.dvweights photos/*.jpg --output dice-int8.dvweights",
          meaning: "Adds the ranges to a detector's weights.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let output = try arguments.required(QuantizeCommand.output, of: name)
    let secondOutput = arguments[secondStageOutput]
    guard (secondOutput == nil) == (arguments[secondStage] == nil) else {
      throw .usage(.conflict(sentence: "--second-stage and --second-stage-output go together."))
    }
    let path = arguments.positionals[0]
    var plan = OutputPlan(arguments)
    for input in arguments.positionals + [arguments[secondStage]].compactMap({ $0 }) {
      plan.read(input)
    }
    plan.write(output, for: QuantizeCommand.output.description.spelling, .signed)
    plan.write(secondOutput, for: secondStageOutput.description.spelling, .signed)
    try plan.check()
    let file = try WeightSource.load(path, environment)
    let second = try arguments[secondStage].map { (path) throws(ToolError) in
      try WeightSource.load(path, environment)
    }
    let measured = ActivationMeasurement()
    let configuration = DiceDetector.Configuration(
      secondStage: second.map { .weights($0.bytes) } ?? .none)
    let detector: DiceDetector
    do {
      detector = try measured.observing {
        try DiceDetector(weights: file.bytes, configuration: configuration)
      }
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
    for picture in arguments.positionals.dropFirst() {
      do throws(DetectorError) {
        _ = try detector.detect(inImageFileAt: picture)
      } catch {
        if case .file(let error) = error { throw .file(error) }
        throw .failure(subject: picture, sentence: "\(error)")
      }
    }
    let changed = try with(measured, file, path)
    let changedSecond = try second.map { (second) throws(ToolError) in
      try with(measured, second, arguments[secondStage] ?? path)
    }
    try write(changed, to: output, arguments, environment)
    if let changedSecond, let secondOutput {
      try write(changedSecond, to: secondOutput, arguments, environment)
    }
    return .success
  }

  /// A weight file with the ranges of its network's values.
  private static func with(
    _ measured: ActivationMeasurement, _ file: WeightFile, _ path: String
  ) throws(ToolError) -> WeightFile {
    guard let ranges = measured.profile(of: file.description) else {
      throw .failure(subject: path, sentence: "The network was never run: no picture shows a die.")
    }
    var description = file.description
    description.profile.removeAll { (entry) in entry.name.hasPrefix("activations.") }
    description.profile += ranges
    do throws(WeightFileError) {
      return try file.with(description: description)
    } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }

  private static func write(
    _ file: WeightFile, to output: String, _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) {
    try OutputFile.write(file.bytes, to: output)
    try OutputFile.tell(
      output, byteCount: file.bytes.count, of: file, saying: NumberText.hexadecimal(file.checksum),
      arguments, environment)
  }
}

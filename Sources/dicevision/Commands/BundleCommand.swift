internal import DiceBundledWeights
internal import DiceFiles

/// `dicevision bundle`: turns a weight file into a Swift source file.
enum BundleCommand {
  static let name = "bundle"

  static let output = ValueOption.text("output", "FILE", "The Swift file to write. Required.")

  static let constant = ValueOption<WeightSource.Name>.choice(
    "as", WeightSource.Name.allCases.map { ($0.rawValue, $0) },
    "Which of the library's weights the file replaces.", default: "standard")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Turns a weight file into the Swift source file that the library is built with.",
      discussion: [
        .paragraph(
          "The weights become part of the executable: no file has to be found at run time. The "
            + "weight file is checked completely before anything is written.")
      ],
      argument: CommandDescription.Argument(
        name: "WEIGHTS", summary: "The weight file.", counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output", options: [output.description, constant.description])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) bundle dice.dvweights --output "
            + "Sources/DiceBundledWeights/StandardWeights.swift",
          meaning: "Makes the weights the library's own.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    guard let output = arguments[output] else {
      throw .usage(
        .missingOption(option: BundleCommand.output.description.spelling, command: name))
    }
    let file = try WeightSource.load(arguments.positionals[0])
    let source = BundledWeights.sourceFile(
      for: file.bytes, constant: "\((arguments[constant] ?? .standard).rawValue)Weights")
    do throws(FileError) {
      try FileSystem.writeFile([UInt8](source.utf8), to: output)
    } catch {
      throw .file(error)
    }
    environment.note(
      "wrote \(quoted(output)) with \(printable(file.description.name)), "
        + NumberText.hexadecimal(file.checksum))
    return .success
  }
}

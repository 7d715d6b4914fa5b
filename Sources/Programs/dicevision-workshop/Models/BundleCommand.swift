internal import DiceCommandLine
internal import DiceDetection
internal import DiceFiles
internal import DiceVisionKit
internal import DiceVisionTraining
internal import DiceVisionWeights
internal import DiceWeights
internal import ThrowVisionKit

/// `dicevision bundle`: turns a weight file into a Swift source file.
enum BundleCommand {
  static let name = "bundle"

  static let output = ValueOption.text("output", "FILE", "The Swift file to write. Required.")

  static let constant = ValueOption<WeightSource.Name>.choice(
    "as", WeightSource.Name.allCases.map { ($0.rawValue, $0) }, placeholder: "NAME",
    "Which of the library's weights the file replaces: "
      + NumberText.alternatives(WeightSource.Name.allCases.map { $0.rawValue }) + ".",
    default: "the one that WEIGHTS names, else by what the network is for")

  static let confidence = ValueOption.number(
    "confidence", "SHARE", in: 0...1,
    "The confidence that the weights are to recommend, chosen on validation pictures.",
    default: "what the weight file says")
  static let overlap = ValueOption.number(
    "iou", "SHARE", in: 0...1, "The overlap that the weights are to recommend.",
    default: "what the weight file says")

  static let storage = ValueOption<WeightStorage>.choice(
    "storage", [("float32", .float32), ("float16", .float16), ("int8", .int8)],
    "How the weights are kept: numbers of 4, 2 or 1 bytes.", default: "as in the weight file")

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
        name: "WEIGHTS", summary: "The weight file, or the name of one of the library's.",
        counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            output.description, OutputPlan.force.description, constant.description,
            confidence.description, overlap.description,
            storage.description, TrainCommand.provenance.description,
            ResultArguments.json.description,
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) bundle dice.dvweights --output "
            + "Sources/Kits/DiceVisionWeights/StandardWeights.swift",
          meaning: "Makes the weights the library's own.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let output = try arguments.required(BundleCommand.output, of: name)
    let path = arguments.positionals[0]
    var plan = OutputPlan(arguments)
    plan.read(path)
    plan.write(output, for: BundleCommand.output.description.spelling, .signed)
    try plan.check()
    let original = try WeightSource.load(path, environment)
    let place = try place(of: original, path, chosen: arguments[constant])
    let file = try changed(by: arguments, original, for: place)
    let source = BundledWeights.sourceFile(for: file.bytes, constant: place.constant)
    try OutputFile.write([UInt8](source.utf8), to: output)
    try OutputFile.tell(
      output, byteCount: source.utf8.count, of: file, saying: NumberText.hexadecimal(file.checksum),
      arguments, environment)
    return .success
  }

  /// Which of the library's weights a file replaces: the one that was chosen, else the one that it
  /// is, else by what it is for.
  ///
  /// - Throws: `ToolError.failure` for a second stage in a detector's place.
  private static func place(
    of file: WeightFile, _ path: String, chosen: WeightSource.Name?
  ) throws(ToolError) -> WeightSource.Name {
    let isSecondStage =
      file.description.task == StandardNetwork.secondStage.description().task
    let byTask: [String: WeightSource.Name] = [
      ActionClassifier.task: .actions, PoseDetector.jointTask: .joints,
      PoseDetector.personTask: .people,
    ]
    let place =
      chosen ?? WeightSource.Name(rawValue: path)
      ?? (isSecondStage ? .secondStage : byTask[file.description.task] ?? .standard)
    if isSecondStage, !place.isSecondStage {
      throw .failure(
        subject: path,
        sentence: "The weights are those of a second stage, and cannot replace "
          + "\(place.rawValue); --as second-stage says where they belong.")
    }
    return place
  }

  /// The weight file with the thresholds, facts and storage that the arguments ask for.
  private static func changed(
    by arguments: ParsedArguments, _ file: WeightFile, for place: WeightSource.Name
  ) throws(ToolError) -> WeightFile {
    let storage = arguments[storage]
    let facts = arguments.all(TrainCommand.provenance)
    var description = file.description
    description.recommend(
      overlap: arguments[overlap].map { Float($0) },
      confidence: arguments[confidence].map { Float($0) })
    let isOfDice =
      place == .standard || place == .fast || place == .anyDice || place == .secondStage
      || place == .anyDiceSecondStage
    // Ranges of activations are numbers of the network, not of the pipeline around it.
    if isOfDice, description.profile.allSatisfy({ $0.name.hasPrefix("activations.") }) {
      // The numbers that the pipeline works with go with the weights that they were tuned for.
      description.profile += PipelineProfile.bundled.values(
        ofSecondStage: place.isSecondStage
      ).map { NamedValues($0.name, [$0.value]) }
    }
    description.provenance = facts + description.provenance
    do throws(WeightFileError) {
      guard let storage else { return try file.with(description: description) }
      return try WeightFile(
        bytes: WeightFile.encode(
          description: description, tensors: file.tensors.indices.map(file.floats),
          storage: storage))
    } catch {
      throw .failure(subject: arguments.positionals[0], sentence: "\(error)")
    }
  }
}

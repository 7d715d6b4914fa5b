internal import DiceCommandLine
internal import DiceFiles
internal import DiceParallel
internal import DiceThrowTraining
internal import DiceTraining
internal import ThrowArguments
internal import ThrowVisionKit

/// `dicevision evaluate actions`: measures a classifier of actions.
enum EvaluateActionsCommand {
  static let name = "evaluate actions"

  static let noise = ValueOption.number(
    "noise", "SHARE", in: 0...10,
    "Moves every joint in every frame by chance, by so many lengths of the trunk (deviation), as "
      + "poor finders of joints do.", default: "0")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Measures how many sequences of joints a classifier of actions tells right.",
      argument: CommandDescription.Argument(
        name: "FILE", summary: "Labelled sequences as JSON lines, plain or with gzip.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Measurement",
          options: [
            ActionArguments.weights.description, noise.description,
            EvaluationArguments.seed.description, EvaluationArguments.threads.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Output", options: [ResultArguments.json.description]),
      ],
      sections: [
        ActionArguments.format,
        HelpSection(
          title: "Results",
          blocks: [
            .paragraph(
              "The balanced accuracy is the mean over the labels of the share of their sequences that are "
                + "told right; behind it, where 95 of 100 measurements on as many other sequences would "
                + "lie. Sequences with labels that the classifier does not know are left out. Figures "
                + "count on sequences that the weights were not trained on.")
          ]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) --noise 0.15 throws.jsonl",
          meaning: "Measures the library's own weights on unsteady joints.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments)
    let classifier = try ActionArguments.classifier(arguments[ActionArguments.weights])
    var sequences = try ActionArguments.sequences(arguments.positionals, environment)
    if let noise = arguments[noise], noise > 0 {
      var random = TrainingRandom(arguments[EvaluationArguments.seed] ?? 1)
      sequences = sequences.map {
        ActionAccuracy.disturbed($0, by: Float(noise), using: &random)
      }
    }
    let pool = TrainingArguments.pool(arguments, environment)
    let accuracy: ActionAccuracy
    do throws(ActionClassifierError) {
      accuracy = try ActionAccuracy(of: classifier, on: sequences, pool: pool)
    } catch { throw .failure(subject: name, sentence: "\(error)") }
    guard !accuracy.readings.isEmpty else {
      throw .failure(
        subject: arguments.positionals[0],
        sentence: "No sequence has a label that the classifier knows.")
    }
    try environment.print(
      isJSON
        ? String(
          decoding: JSONWriter.write(ActionArguments.json(accuracy), layout: .pretty),
          as: UTF8.self)
        : ActionArguments.text("read", accuracy))
    return .success
  }
}

internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameKit
internal import DiceGameTraining
internal import DiceParallel
internal import DiceWeights

/// What the commands about digits share.
enum DigitArguments {
  static let weights = ValueOption.text(
    "weights", "FILE", "The weight file.", default: "the library's")

  /// Reads one part of a folder with MNIST's files.
  static func dataset(
    _ folder: String, _ part: DigitDataset.Part
  ) throws(ToolError) -> DigitDataset {
    let dataset: DigitDataset
    do throws(DigitDatasetError) {
      dataset = try DigitDataset(mnistFolder: folder, part: part)
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .failure(subject: folder, sentence: "\(error)")
    }
    guard dataset.count > 0 else {
      throw .failure(subject: folder, sentence: "The set has no pictures.")
    }
    return dataset
  }
}

/// `dicevision evaluate digits`: measures a classifier of handwritten digits.
enum EvaluateDigitsCommand {
  static let name = "evaluate digits"

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Measures how many handwritten digits are read right.",
      argument: CommandDescription.Argument(
        name: "FOLDER",
        summary: "A folder with t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, plain or with "
          + "gzip (.gz).", counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Network",
          options: [DigitArguments.weights.description, EvaluationArguments.threads.description]),
        CommandDescription.OptionGroup(
          title: "Output", options: [ResultArguments.json.description]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) mnist", meaning: "Measures the library's own weights.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments)
    let classifier = try classifier(arguments[DigitArguments.weights])
    let dataset = try DigitArguments.dataset(arguments.positionals[0], .test)
    let pool = TrainingArguments.pool(arguments, environment)
    let accuracy: DigitAccuracy
    do throws(DigitClassifierError) {
      accuracy = try DigitAccuracy(of: classifier, on: dataset, pool: pool)
    } catch { throw .failure(subject: name, sentence: "\(error)") }
    if isJSON {
      let result: JSONValue = [
        "count": JSONValue(accuracy.count), "rightCount": JSONValue(accuracy.rightCount),
        "share": .number(NumberText.rounded(accuracy.share, decimals: 5)),
        "confusions": .array(
          accuracy.confusions.map { row in .array(row.map { JSONValue($0) }) }),
        "mistakes": .array(accuracy.mistakes.map { JSONValue($0) }),
      ]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
      return .success
    }
    try environment.print(text(accuracy))
    return .success
  }

  private static func classifier(_ path: String?) throws(ToolError) -> DigitClassifier {
    let bytes = try path.map { (path) throws(ToolError) in try WeightSource.bytes(at: path) }
    do throws(DigitClassifierError) {
      guard let bytes else { return try DigitClassifier() }
      return try DigitClassifier(weights: bytes)
    } catch { throw .failure(subject: path ?? name, sentence: "\(error)") }
  }

  private static func text(_ accuracy: DigitAccuracy) -> String {
    var text =
      "\(NumberText.grouped(accuracy.rightCount)) of "
      + "\(NumberText.grouped(accuracy.count)) \(accuracy.count == 1 ? "digit" : "digits") "
      + "read right, "
      + "\(NumberText.fixed(100 * accuracy.share, decimals: 2)) %\n"
    for digit in 0..<10 {
      for reading in 0..<10 where digit != reading {
        let count = accuracy.confusions[digit][reading]
        if count > 0 { text += "  \(digit) read as \(reading): \(count)\n" }
      }
    }
    return text
  }
}

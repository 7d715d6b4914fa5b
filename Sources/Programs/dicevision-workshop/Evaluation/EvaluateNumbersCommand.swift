internal import DiceCommandLine
internal import DiceFiles
internal import DiceGameKit
internal import DiceGameTraining

/// `dicevision evaluate numbers`: measures the recognisers of numbers.
enum EvaluateNumbersCommand {
  static let name = "evaluate numbers"

  static let writers = ValueOption.text(
    "writers", "WRITERS", "Writers, with commas between them, whose digits are read.",
    default: "all")
  static let mnist = ValueOption.text(
    "mnist", "FOLDER",
    "A folder with MNIST's test pictures: reads pictures of numbers instead, drawn of these and of "
      + "the strokes.", default: "none")
  static let count = ValueOption.integer(
    "count", "N", in: 1...1_000_000,
    "How many numbers are composed for each row; of MNIST's pictures themselves, five times as many "
      + "are read.",
    default: "600")
  static let ways = ValueOption.text(
    "pen-ways", "FILE", "The weights of the network that `train pen-ways` trains, for drawings.",
    default: "pen-ways")
  static let orNone = ValueOption.text(
    "digit-or-none", "FILE",
    "The weights of the network that `train digit-or-none` trains.", default: "digit-or-none")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Measures how many drawn numbers are read right.",
      discussion: [
        .paragraph(
          "Numbers are composed of digits of one writer. A row says how many were read exactly "
            + "right, the mean confidence, and the calibration error; letters and scribbles are "
            + "right if no digit is read.")
      ],
      argument: CommandDescription.Argument(
        name: "FILE", summary: "A file of pen strokes as `train pen-ways` takes it.", counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Numbers",
          options: [
            writers.description, mnist.description, TrainPenWaysCommand.letters.description,
            ways.description, orNone.description, count.description,
            EvaluationArguments.seed.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Output", options: [ResultArguments.json.description]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) strokes.jsonl.gz --writers w1,w2",
          meaning: "Reads drawings of two writers' digits."),
        CommandDescription.Example(
          call: "\(Tool.name) \(name) strokes.jsonl.gz --mnist mnist --count 100",
          meaning: "Reads pictures."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments)
    let source = arguments.positionals[0]
    var strokes: StrokeDataset
    do throws(StrokeDatasetError) { strokes = try StrokeDataset(file: source) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .failure(subject: source, sentence: "\(error)")
    }
    if let names = arguments[writers] {
      let wanted = Set(names.split(separator: ",").map { String($0) })
      strokes = strokes.ofWriters { wanted.contains($0) }
    }
    guard strokes.count > 0 else {
      throw .failure(subject: source, sentence: "There is no digit to read.")
    }
    let evaluation = NumberEvaluation(
      strokes, count: arguments[count] ?? 600, seed: arguments[EvaluationArguments.seed] ?? 1,
      letters: try TrainPenWaysCommand.letters(arguments))
    func weights(
      _ option: ValueOption<String>, _ name: WeightSource.Name
    ) throws(ToolError) -> [UInt8]? {
      guard let path = arguments[option], path != name.rawValue else { return nil }
      return try WeightSource.bytes(at: path)
    }
    let orNoneWeights = try weights(orNone, .digitOrNone)
    let wayWeights = try weights(ways, .penWays)
    let rows: [NumberMeasurement]
    if let folder = arguments[mnist] {
      let digits = try DigitArguments.dataset(folder, .test)
      do throws(DigitClassifierError) {
        rows = try evaluation.pictures(
          of: digits, with: PictureNumberReader(digitOrNone: orNoneWeights))
      } catch { throw .failure(subject: name, sentence: "\(error)") }
    } else {
      do throws(NumberRecognizerError) {
        rows = try evaluation.drawings(
          with: NumberRecognizer(penWays: wayWeights, digitOrNone: orNoneWeights))
      } catch { throw .failure(subject: name, sentence: "\(error)") }
    }
    for row in rows { try environment.print(isJSON ? json(row) : text(row)) }
    return .success
  }

  private static func json(_ row: NumberMeasurement) -> String {
    func rounded(_ share: Double) -> JSONValue {
      .number(NumberText.rounded(share, decimals: 5))
    }
    var members = [
      JSONObject.Member(key: "name", value: .string(row.name)),
      JSONObject.Member(key: "count", value: JSONValue(row.accuracy.count)),
      JSONObject.Member(key: "rightCount", value: JSONValue(row.accuracy.rightCount)),
      JSONObject.Member(key: "share", value: rounded(row.accuracy.share)),
    ]
    if row.hasConfidence {
      members += [
        JSONObject.Member(key: "confidence", value: rounded(row.accuracy.meanConfidence)),
        JSONObject.Member(
          key: "calibrationError", value: rounded(row.accuracy.calibrationError)),
      ]
    }
    let value = JSONValue.object(JSONObject(members))
    return String(decoding: JSONWriter.write(value, layout: .compact), as: UTF8.self) + "\n"
  }

  private static func text(_ row: NumberMeasurement) -> String {
    func percent(_ share: Double) -> String { NumberText.fixed(100 * share, decimals: 1) }
    var text =
      "\(percent(row.accuracy.share)) % of \(NumberText.grouped(row.accuracy.count)) right"
    if row.hasConfidence {
      text +=
        ", confidence \(percent(row.accuracy.meanConfidence)) %, calibration error "
        + "\(percent(row.accuracy.calibrationError)) %"
    }
    return text + ": \(row.name)\n"
  }
}

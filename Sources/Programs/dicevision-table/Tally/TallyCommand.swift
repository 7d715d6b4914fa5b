internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceRolls
internal import DiceStatistics

/// `dicevision tally`: counts the faces of many rolls, and tests whether the dice are fair.
enum TallyCommand {
  static let name = "tally"
  static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json)], "How the report is printed.", default: "text")
  static let page = ValueOption.text(
    "page", "FILE",
    "Also writes the report as a page with plots: a file that ends in html, or a folder for "
      + "index.html.")
  static let faces = ValueOption.integer(
    "faces", "N", in: DiceTally.faceCounts, "How many faces each die has.",
    default: "6, or those of --kinds")
  static let expect = ValueOption<[Double]>(
    "expect", "P,P,...",
    "How likely each face is, that of value 1 first: numbers or fractions, for loaded dice.",
    default: "the same for each face",
    requirement:
      "2 to 100 numbers or fractions from 0 to 1 with commas between them, which add up to 1",
    read: { readProbabilities($0) })
  static let misreadings = ValueOption.text(
    "misreadings", "WHICH",
    "How often faces are misread: as on the library's validation photos (`bundled`), never (`none`, for "
      + "values that a person wrote down), or as a report of `evaluate dice --format json` says.",
    default: "bundled for six faces, else none", knownWords: ["bundled", "none"])
  static let bias = ValueOption.number(
    "bias", "SHARE", in: 0.001...0.99,
    "The bias for which the number of rolls is told, besides some others: 0.05 means that a face comes up "
      + "in 5 of 100 rolls more than expected.", default: "0.05")
  static let power = ValueOption.number(
    "power", "SHARE", in: 0.1...0.999, "How likely a bias is to be seen.", default: "0.8")
  static let level = ValueOption.number(
    "level", "SHARE", in: 0.0001...0.09,
    "How often dice without a bias may give an alarm, all dice of the call together.",
    default: "0.05")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Counts the faces of many rolls, and tests whether the dice are fair.",
      argument: CommandDescription.Argument(
        name: "INPUT",
        summary:
          "Rolls: pictures and folders of them, a roll each; films as `track` reads them; logs "
          + "of `track` or `live` with an event a line, or of `detect` with a picture a line, as JSON. `-` "
          + "reads a film or a log from standard input.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            format.description, ResultArguments.json.description, page.description,
            OutputPlan.force.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Question",
          options: [
            faces.description, expect.description, misreadings.description, bias.description,
            power.description, level.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Rolls", options: [RollArguments.dice.description, RollArguments.laid.description]),
        CommandDescription.OptionGroup(
          title: "Pictures and frames",
          options: [
            FilmArguments.frameRate.description, RollArguments.every.description,
            PictureArguments.orientation.description, PictureArguments.region.description,
            PictureArguments.recursive.description, DetectorArguments.resolution.description,
            PictureArguments.pixelLimit.description,
          ]),
        CommandDescription.OptionGroup(title: "Detections", options: DetectorArguments.thresholds),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "Output",
          blocks: [
            .paragraph(
              "Dice of six sides are counted, or of the kind that --kinds names; with --faces or --expect "
                + "alone, all dice are."),
            .paragraph(
              "As text: what was counted, then for all dice, and for each die that colour or size tells "
                + "apart, its shares, tests and what they mean. Dice are told apart in at least 8 rolls "
                + "of the commonest number of dice. A die that lies as it lay before a roll is not "
                + "counted again."),
            .paragraph(
              "Shares are corrected for the reader's errors, and their intervals are wider for them. "
                + "Chi-square decides if each face is expected at least five times, else the exact test "
                + "does. Of several dice each is tested at a share of --level."),
            .paragraph(
              "As JSON: one object. `parts` has all dice first, then each die: `counts`, `faces` with "
                + "`value`, `share`, `low` and `high`, `chiSquare`, `exact` with its `method` (enumerated, "
                + "simulated or approximated), `runs`, the `p` that decides, the `verdict` (noRolls, "
                + "noBiasSeen, hint or bias) and the `leastBias` that so many rolls show. `rollsNeeded` has "
                + "the number of rolls for each bias, null for never."),
            .code([
              #"{"rolls":1000,"leftOut":0,…,"parts":[{"name":"the dice","counts":[163,…],…}],…}"#
            ]),
            .paragraph(
              "A line, a picture or a film that cannot be read is named on standard error and passed "
                + "over; the exit status is then 1."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) tally photos", meaning: "The dice of a folder, a roll each picture."),
        CommandDescription.Example(
          call: "\(Tool.name) track --format json roll.y4m "
            + "| \(Tool.name) tally --page tally.html -",
          meaning: "The rolls of a film, with a page."),
        CommandDescription.Example(
          call: "\(Tool.name) tally --expect 1/12,1/6,1/6,1/6,1/6,1/4 --bias 0.03 rolls.jsonl",
          meaning: "Is the die as loaded as it was meant to be?"),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    try InputFiles.checkStandardInput(
      arguments.positionals + (arguments[misreadings].map { [$0] } ?? []))
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[format])
    let question = try question(arguments, environment)
    // What cannot be asked is told before the work.
    do throws(DiceStatisticsError) {
      let detection = try BiasDetection(
        expected: question.expected, reader: question.reader, level: question.level)
      _ = try detection.power(bias: question.bias, rollCount: 1)
    } catch { throw .usage(.conflict(sentence: "\(error)")) }
    var plan = OutputPlan(arguments)
    plan.read(arguments.positionals.filter { $0 != InputFiles.standardInput })
    plan.read(
      PictureList(
        arguments.positionals, isRecursive: arguments.contains(PictureArguments.recursive)
      ).paths)
    plan.read(DetectorArguments.files(arguments))
    plan.read(arguments[misreadings])
    plan.writePage(arguments[page], for: page.description.spelling)
    try plan.check()
    if let destination = arguments[page] { try PageFile.prepare(destination) }
    var input = TallyInput(arguments, environment)
    try input.read()
    let report = try report(input.rolls, question, hasColors: input.hasColors)
    guard report.parts[0].results != nil else {
      throw .failure(
        subject: name,
        sentence: (["No die with a value was counted."]
          + [report.otherKindsSentence].compactMap { $0 })
          .joined(separator: " "))
    }
    // First what a full disk cannot take away.
    try environment.print(isJSON ? report.json : report.text(environment.style(on: .output)))
    if let destination = arguments[page] {
      try PageFile.write(
        TallyPage(report: report).file(madeBy: Tool.nameAndVersion), to: destination)
    }
    return input.status
  }

  private static func report(
    _ rolls: CountedRolls, _ question: TallyQuestion, hasColors: Bool
  ) throws(ToolError) -> TallyReport {
    do throws(DiceStatisticsError) {
      return try TallyReport(rolls, question, hasColors: hasColors)
    } catch { throw .usage(.conflict(sentence: "\(error)")) }
  }

  // MARK: - The question

  private static func question(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> TallyQuestion {
    let shares = arguments[expect]
    var kind = arguments[DetectorArguments.kinds]?.first
    if let kinds = arguments[DetectorArguments.kinds], kinds.count > 1 {
      throw .usage(
        .conflict(sentence: "\(name) counts dice of one kind: name one with --kinds, such as d20."))
    }
    // Logs that people write may have values alone.
    if arguments[faces] == nil, shares == nil { kind = kind ?? .d6 }
    let faceCount = arguments[faces] ?? shares?.count ?? kind?.sides ?? 6
    if let kind, kind.sides != faceCount {
      throw .usage(
        .conflict(
          sentence: "A \(kind.rawValue) has \(kind.sides) faces, not \(faceCount)."))
    }
    if let shares, shares.count != faceCount {
      throw .usage(
        .conflict(
          sentence: "--expect has \(shares.count) probabilities and --faces \(faceCount)."))
    }
    let expected: FaceProbabilities
    do throws(DiceStatisticsError) {
      if let shares {
        expected = try FaceProbabilities(shares)
      } else {
        expected = try .fair(faceCount: faceCount)
      }
    } catch { throw .usage(.conflict(sentence: "--expect: \(error)")) }
    let (matrix, matrixName) = try matrix(arguments[misreadings], faceCount, environment)
    return TallyQuestion(
      kind: kind, faceCount: faceCount, expected: expected,
      reader: matrix, readerName: matrixName, dieCount: arguments[RollArguments.dice],
      bias: arguments[bias] ?? 0.05, power: arguments[power] ?? 0.8,
      level: arguments[level] ?? 0.05)
  }

  /// Numbers or fractions with commas between them; nil for others.
  static func readProbabilities(_ text: String) -> [Double]? {
    var shares: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = part.split(separator: "/", omittingEmptySubsequences: false).map {
        NumberText.number(String($0))
      }
      guard (1...2).contains(numbers.count), let above = numbers[0] else { return nil }
      var share = above
      if numbers.count == 2 {
        guard let below = numbers[1], below > 0 else { return nil }
        share = above / below
      }
      guard (0...1).contains(share) else { return nil }
      shares.append(share)
    }
    guard DiceTally.faceCounts.contains(shares.count),
      (shares.reduce(0, +) - 1).magnitude <= 1e-6
    else { return nil }
    return shares
  }

  /// The reader's matrix, and what it comes from as a sentence.
  private static func matrix(
    _ which: String?, _ faceCount: Int, _ environment: Environment
  ) throws(ToolError) -> (ReadingMatrix?, String) {
    switch which {
    case "none": return (nil, "The reader counts as one without errors.")
    case nil where faceCount != 6:
      return (nil, "The reader counts as one without errors: --misreadings tells its errors.")
    case nil, "bundled":
      let matrix = ReadingMatrix.validationPhotos
      guard faceCount == matrix.faceCount else {
        throw .usage(.conflict(sentence: "--misreadings bundled is for six faces."))
      }
      return (
        matrix,
        "The reader's errors are those of the validation photos: \(percent(matrix)) of dice misread."
      )
    case .some(let path):
      let matrix = try matrix(at: path, environment)
      guard matrix.faceCount == faceCount else {
        throw .failure(
          subject: path,
          sentence: "The matrix has \(matrix.faceCount) faces, and the dice have \(faceCount).")
      }
      return (matrix, "The reader's errors are those of \(quoted(path)): \(percent(matrix)).")
    }
  }

  private static func percent(_ matrix: ReadingMatrix) -> String {
    TallyReport.percent(matrix.errorShare)
  }

  /// The matrix in a report of `evaluate dice`.
  private static func matrix(
    at path: String, _ environment: Environment
  ) throws(ToolError) -> ReadingMatrix {
    let bytes = try InputFiles.bytes(path, byteLimit: 1 << 28, environment)
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.parse(bytes) } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
    let overall = value["overall"] ?? value
    guard let rows = overall["confusion"]?["counts"]?.array else {
      throw .failure(
        subject: path,
        sentence:
          "A report of `\(Tool.name) evaluate dice --format json` has overall.confusion.counts.")
    }
    var counts: [[Int]] = []
    for row in rows {
      guard let numbers = row.array?.map(\.integer), !numbers.contains(nil) else {
        throw .failure(subject: path, sentence: "confusion.counts has rows of whole numbers.")
      }
      counts.append(numbers.compactMap { $0 })
    }
    do throws(DiceStatisticsError) { return try ReadingMatrix(counts: counts) } catch {
      throw .failure(subject: path, sentence: "\(error)")
    }
  }
}

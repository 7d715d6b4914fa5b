internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceFinders
internal import DiceReports
internal import DiceVisionKit

/// `dicevision evaluate dice`: measures a detector on annotated pictures.
enum EvaluateCommand {
  static let format = ValueOption<ResultFormat>.choice(
    "format", ResultFormat.allCases.map { ($0.rawValue, $0) },
    "What is printed: the report for people or as JSON, or in its place a table with a row for each "
      + "die, or all detections as COCO's results.", default: "text")
  static let output = ValueOption.text(
    "output", "FILE", "Also writes the report as JSON to a file.")
  static let page = ValueOption.text(
    "report", "OUT",
    "Also writes a page for a browser, with curves and a gallery of mistakes: a file that ends in "
      + "html, or a folder for index.html. It holds parts of the pictures.")
  static let gallery = ValueOption.integer(
    "gallery", "N", in: 0...500, "The most mistakes that the page shows.",
    default: "\(MistakeGallery.standardCount)")
  static let name = "evaluate dice"

  /// Detections down to this confidence count for average precision.
  static let lowestConfidence = 0.01

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Measures how well dice are found and read in annotated pictures.",
      argument: CommandDescription.Argument(
        name: "ANNOTATIONS",
        summary:
          "Files and folders with annotations (Create ML, COCO, YOLO, Pascal VOC), each a set "
          + "of its own. Of a YOLO data set with parts the part `val` is read, else `test`.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Report",
          options: [
            format.description, ResultArguments.json.description, output.description,
            page.description, gallery.description, OutputPlan.force.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Pictures",
          options: [LabelledSet.images.description, DetectorArguments.resolution.description]),
        CommandDescription.OptionGroup(title: "Detections", options: DetectorArguments.thresholds),
        DetectorArguments.networkGroup,
        DetectorArguments.measuringGroup,
      ],
      sections: [
        HelpSection(
          title: "What is measured",
          blocks: [
            .list([
              "Detections at the given confidence: how many dice are read right (same value, centre "
                + "in the labelled box, one to one), how many pictures without any mistake, what "
                + "is missed, confused or a false positive, and whether confidences say how often they "
                + "are right.",
              "Average precision over all detections down to a confidence of "
                + "\(NumberText.short(lowestConfidence)), at overlaps from 0.5 to 0.95, as COCO "
                + "defines it.",
              "With labels that tell kinds of dice, such as d20-17: how many dice of each kind are "
                + "read with the right kind, and with the right kind and number; which kinds and "
                + "numbers are read as others; and dice by their size in pixels. The label 3 then "
                + "stands for d6-3.",
              "A die with the label ? cannot be read by anyone: it need not be found, and a "
                + "detection with its centre in its box, and in no other die's box, does not count.",
              "Pictures are taken in the order of the file. The same files give the same report.",
            ]),
            .paragraph(
              "--format csv prints what became of each labelled die and of each detection: `outcome` "
                + "is right, confused, missed or false_positive, `label` what the die shows, `value` "
                + "what was read. --format coco prints all detections, with the numbers that a COCO file "
                + "gives to its pictures and categories; pictures of other files are counted from 1, as "
                + "`convert-annotations` does, and the number of a value is the value. Labels that tell "
                + "kinds of dice, such as d20-17, add the columns `label_kind` and `value_kind`."),
            .code([CSVTable.row(EvaluationFormats.columns).trimmingLineEnd]),
            .paragraph(
              "A picture that cannot be read is named on standard error and left out; the exit "
                + "status is then 1."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) evaluate dice photos/validation.json",
          meaning: "A report on one set with the bundled weights."),
        CommandDescription.Example(
          call:
            "\(Tool.name) evaluate dice --weights new.dvweights --output report.json a.json b.json",
          meaning: "Other weights on two sets, each by itself and both together."),
        CommandDescription.Example(
          call: "\(Tool.name) evaluate dice --report report photos/validation.json",
          meaning: "Also writes report/index.html with curves and mistakes."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let format = try ResultArguments.format(arguments, arguments[format])
    if format == .coco, arguments.positionals.count > 1 {
      throw .usage(
        .conflict(sentence: "--format coco is for one set, whose numbers pictures have."))
    }
    if arguments.contains(gallery), !arguments.contains(page) {
      throw .usage(.conflict(sentence: "--gallery needs --report."))
    }
    var plan = OutputPlan(arguments)
    plan.read(arguments.positionals + DetectorArguments.files(arguments))
    plan.write(arguments[output], for: output.description.spelling, .signed)
    plan.writePage(arguments[page], for: page.description.spelling)
    try plan.check()
    let work = OrderedWork(
      partCount: .max,
      threadCount: arguments[PictureArguments.threads] ?? environment.processorCount)
    let finder = try environment.makeFinder(
      DetectorArguments.finderOptions(arguments, besides: work))
    let network = finder.network
    let confidence = arguments[DetectorArguments.confidence] ?? network.confidence
    let request = FinderRequest(
      orientation: nil, regionOfInterest: nil, confidence: min(confidence, lowestConfidence),
      intersectionOverUnion: arguments[DetectorArguments.overlap] ?? network.intersectionOverUnion)

    var inputs: [LabelledSet] = []
    for (path, name) in zip(arguments.positionals, setNames(for: arguments.positionals)) {
      inputs.append(
        try LabelledSet(
          name: name, annotations: path, images: arguments[LabelledSet.images],
          labels: network.labels))
    }
    inputs.forEach { plan.read($0) }
    try plan.check()
    if let input = inputs.first(where: \.pictures.isEmpty) {
      throw .failure(subject: input.annotations, sentence: "The file names no pictures.")
    }
    if let path = arguments[page] { try PageFile.prepare(path) }
    var runner = EvaluationRunner(
      finder: finder, request: request, work: work, environment: environment,
      pictureCount: inputs.reduce(0) { $0 + $1.pictures.count }, title: "evaluate")
    var sets: [EvaluationSet] = []
    for input in inputs { sets.append(try runner.evaluate(input)) }
    runner.finish()

    let report = EvaluationReport(
      evaluating: sets, classNames: network.labels, confidenceThreshold: confidence)
    let json = JSONWriter.write(
      json(of: report, network, request, leftOut: runner.failureCount), layout: .pretty)
    // First what a full disk cannot take away.
    switch format {
    case .json: try environment.print(String(decoding: json, as: UTF8.self))
    case .text:
      try environment.print(
        "\(printable(network.name)), weights \(NumberText.hexadecimal(network.checksum)), input "
          + "\(network.inputWidth) x \(network.inputHeight)\n\n\(report.text)")
    case .csv:
      try environment.print(
        EvaluationFormats.table(sets, labels: network.labels, threshold: confidence))
    case .coco:
      try environment.print(
        EvaluationFormats.results(of: sets[0], inputs[0], labels: network.labels))
    }
    var status = CallStatus.success
    do throws(ToolError) {
      if let path = arguments[output] { try OutputFile.write(json, to: path) }
    } catch {
      environment.report(error)
      status = .failure
    }
    if let path = arguments[page] {
      var gallery = MistakeGallery(
        sets, paths: inputs.map { $0.paths }, labels: network.labels, threshold: confidence,
        limit: arguments[gallery] ?? MistakeGallery.standardCount)
      let reader = PictureReader(environment: environment)
      gallery.addCrops { try? reader.read(.file(path: $0)).image.oriented() }
      let page = EvaluationPage(
        report: report, network: network, leastConfidence: request.confidence,
        intersectionOverUnion: request.intersectionOverUnion, leftOutCount: runner.failureCount,
        gallery: gallery)
      try PageFile.write(page.file(madeBy: Tool.nameAndVersion), to: path)
    }
    if let note = runner.outsideNote { environment.note(note) }
    if runner.failureCount > 0 {
      environment.note(
        "\(NumberText.count(runner.failureCount, "picture was", "pictures were")) left out")
      status = .failure
    }
    return status
  }

  /// The report with what gave it in front.
  private static func json(
    of report: EvaluationReport, _ network: ReportedNetwork, _ request: FinderRequest, leftOut: Int
  ) -> JSONValue {
    var result = JSONObject([
      JSONObject.Member(key: Signature.key, value: .string(Tool.nameAndVersion)),
      JSONObject.Member(
        key: "network",
        value: [
          "name": .string(network.name),
          "checksum": .string(NumberText.hexadecimal(network.checksum)),
          "inputWidth": JSONValue(network.inputWidth),
          "inputHeight": JSONValue(network.inputHeight),
        ]),
      JSONObject.Member(
        key: "intersectionOverUnionThreshold", value: .number(request.intersectionOverUnion)),
      JSONObject.Member(key: "lowestConfidence", value: .number(request.confidence)),
      JSONObject.Member(key: "photosLeftOut", value: JSONValue(leftOut)),
    ])
    if case .object(let members) = report.json { result.members += members.members }
    return .object(result)
  }

  /// A name for each set: the file's, with as many of its folders as tell it from the others, and
  /// one at least where the file's name says only which part it is.
  static func setNames(for paths: [String]) -> [String] {
    let parts = paths.map { path in
      Paths.removingExtension(of: path).split(separator: "/").map { String($0) }
    }
    let longest = parts.reduce(1) { max($0, $1.count) }
    var count = min(2, longest)
    func names() -> [String] { parts.map { $0.suffix(count).joined(separator: "/") } }
    while count < longest, Set(names()).count < Set(paths).count { count += 1 }
    return names()
  }
}

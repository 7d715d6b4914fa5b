internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry
internal import DiceVisionKit

/// `dicevision explain`: shows how the reading of a picture came about.
enum ExplainCommand {
  static let name = "explain"

  static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json)], "How the result is printed.", default: "text")
  static let page = ValueOption.text(
    "output", "OUT",
    "Writes a page for a browser: a file that ends in html, or a folder for index.html. It holds "
      + "the picture.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Shows how a result came about: what the networks saw, proposed and decided.",
      argument: CommandDescription.Argument(
        name: "IMAGE", summary: "A picture (PNG, JPEG, PPM, PGM); `-` reads standard input.",
        counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            format.description, ResultArguments.json.description, page.description,
            OutputPlan.force.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Pictures",
          options: [
            PictureArguments.orientation.description, PictureArguments.region.description,
            PictureArguments.pixelLimit.description,
          ]),
        CommandDescription.OptionGroup(title: "Detections", options: DetectorArguments.thresholds),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "What is shown",
          blocks: [
            .list([
              "Passes: the parts of the picture that the detector saw, each as the network got it, "
                + "and where it sees dice: the objectness of every cell of every scale.",
              "Proposals: every box that the detector proposed, and what became of it: seen better "
                + "in tiles, suppressed by a surer box, below the threshold, classified, or kept.",
              "Second stage: the crop of each proposal, the detector's scores, the second stage's, "
                + "both fused, and the confidence after contextual rescoring, which counts. The "
                + "strip along a crop's left edge is drawn for the network: it tells how far "
                + "down in the picture the die lies.",
            ])
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) explain roll.jpg", meaning: "Why these values, in a few lines."),
        CommandDescription.Example(
          call: "\(Tool.name) explain --output roll.html roll.jpg",
          meaning: "The same as a page with pictures."),
        CommandDescription.Example(
          call: "\(Tool.name) explain --json --confidence 0.05 roll.jpg",
          meaning: "Everything for programs, with doubtful detections."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[format])
    let path = arguments.positionals[0]
    var plan = OutputPlan(arguments)
    if path != "-" { plan.read(path) }
    plan.read(DetectorArguments.files(arguments))
    plan.writePage(arguments[page], for: page.description.spelling)
    try plan.check()
    if let destination = arguments[page] { try PageFile.prepare(destination) }
    let source: PictureSource = path == "-" ? .standardInput : .file(path: path)
    let reader = PictureReader(
      environment: environment,
      pixelLimit: arguments[PictureArguments.pixelLimit] ?? DecodingLimits().pixelCount)
    var image = try reader.read(source).image
    if let orientation = arguments[PictureArguments.orientation] { image.orientation = orientation }
    let finder = try environment.makeFinder(
      DetectorArguments.finderOptions(
        arguments, besides: OrderedWork(partCount: 1, threadCount: 1)))
    let network = finder.network
    let explanation = try finder.explain(
      image, subject: source.name,
      FinderRequest(
        orientation: nil, regionOfInterest: arguments[PictureArguments.region],
        confidence: arguments[DetectorArguments.confidence] ?? network.confidence,
        intersectionOverUnion: arguments[DetectorArguments.overlap]
          ?? network.intersectionOverUnion))
    let report = ExplanationReport(
      name: source.name, labels: network.labels, explanation: explanation)
    // First what a full disk cannot take away.
    if isJSON {
      try environment.print(
        String(decoding: JSONWriter.write(report.json, layout: .pretty), as: UTF8.self))
    } else {
      try environment.print(report.text(environment.style(on: .output)))
    }
    if let destination = arguments[page] {
      let page = ExplanationPage(
        report: report, network: network, picture: AnnotatedCopies.upright(image))
      try PageFile.write(page.file(madeBy: Tool.nameAndVersion), to: destination)
    }
    return .success
  }
}

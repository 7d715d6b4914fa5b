internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceFinders

/// `dicevision relabel`: tightens boxes around whole dice to their top faces.
enum RelabelCommand {
  static let output = ValueOption.text(
    "output", "FILE",
    "The annotation file to write, as Create ML's JSON. It names the same pictures.")
  static let name = "relabel"

  /// Detections down to this confidence are considered: the label says which are right.
  static let lowestConfidence = 0.1

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Tightens boxes around whole dice to the top faces that a network finds in them.",
      argument: CommandDescription.Argument(
        name: "ANNOTATIONS", summary: "A file or folder with annotations in any format.",
        counts: 1...1),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            output.description, OutputPlan.force.description, ResultArguments.json.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Pictures", options: [LabelledSet.images.description]),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "What is replaced",
          blocks: [
            .paragraph(
              "Training learns the place of a top face from boxes that enclose it. Where a set's "
                + "boxes enclose whole dice, a box is replaced by the network's detection of the "
                + "labelled value that lies in it; a box without one stays as it is. "
                + "Labels never change. Look at the result before you train with it.")
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) relabel --input 640 --output tight.json whole.json",
          meaning: "Writes tight.json, with the bundled weights at a larger input.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let target = try arguments.required(output, of: name)
    let isJSON = try ResultArguments.isJSON(arguments)
    let source = arguments.positionals[0]
    var plan = OutputPlan(arguments)
    plan.read(source)
    plan.read(DetectorArguments.files(arguments))
    plan.write(target, for: output.description.spelling, .unsigned)
    try plan.check()
    let work = OrderedWork(
      partCount: .max,
      threadCount: arguments[PictureArguments.threads] ?? environment.processorCount)
    let finder = try environment.makeFinder(
      DetectorArguments.finderOptions(arguments, besides: work))
    let labels = finder.network.labels
    var entries = try LabelledSet.read(
      source, images: arguments[LabelledSet.images], labels: labels, part: .all
    ).images
    let set = try LabelledSet(
      name: source, annotations: source, images: arguments[LabelledSet.images], labels: labels,
      part: .all)
    plan.read(set)
    try plan.check()
    var runner = EvaluationRunner(
      finder: finder,
      request: FinderRequest(
        orientation: nil, regionOfInterest: nil, confidence: lowestConfidence,
        intersectionOverUnion: finder.network.intersectionOverUnion),
      work: work, environment: environment, pictureCount: set.pictures.count, title: name)
    let found = try runner.evaluate(set)
    runner.finish()

    let readings = Dictionary(uniqueKeysWithValues: found.images.map { ($0.name, $0.detections) })
    var boxCount = 0
    var relabelledCount = 0
    for entry in entries.indices {
      let detections = readings[entries[entry].fileName] ?? []
      for index in entries[entry].objects.indices {
        boxCount += 1
        let object = entries[entry].objects[index]
        guard let classIndex = labels.firstIndex(of: object.label),
          let face = BoxRelabelling.topFace(
            in: object.boundingBox, classIndex: classIndex, readings: detections)
        else { continue }
        entries[entry].objects[index].boundingBox = face
        relabelledCount += 1
      }
    }
    let text: [UInt8]
    do throws(AnnotationError) {
      text = try AnnotationFile.encode(entries)
    } catch { throw .failure(subject: target, sentence: "\(error)") }
    try OutputFile.write(text, to: target)
    if isJSON {
      let result: JSONValue = [
        "output": .string(target), "photoCount": JSONValue(entries.count),
        "photosLeftOut": JSONValue(runner.failureCount), "boxCount": JSONValue(boxCount),
        "replacedCount": JSONValue(relabelledCount),
      ]
      try environment.print(
        String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
      return runner.failureCount > 0 ? .failure : .success
    }
    try environment.print(
      "\(relabelledCount) of \(NumberText.count(boxCount, "box", "boxes")) replaced\n")
    return runner.failureCount > 0 ? .failure : .success
  }
}

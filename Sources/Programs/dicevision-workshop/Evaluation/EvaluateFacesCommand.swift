internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceVisionKit

/// `dicevision evaluate faces`: measures how taught faces are read, on rendered dice with symbols.
enum EvaluateFacesCommand {
  static let name = "evaluate faces"

  static let dice = ValueOption.integer(
    "dice", "N", in: 1...100, "How many makes of dice to teach, each in a set of its own.",
    default: "8")
  static let photos = ValueOption.integer(
    "photos", "N", in: 1...FaceSet.exampleLimit, "Photos of each face to teach it with.",
    default: "5")
  static let pictures = ValueOption.integer(
    "pictures", "N", in: 1...10_000, "Pictures of each make to read it in.", default: "40")
  static let seed = ValueOption.integer(
    "seed", "N", in: 0...1_000_000, "The seed of all pictures.", default: "1")
  static let style = ValueOption<SymbolPictures.Style>.choice(
    "style", [("varied", .varied), ("plain", .plain)],
    "Tables and light of every kind (varied), or calm ones (plain).", default: "varied")
  static let output = ValueOption.text(
    "output", "FILE", "Also writes the report as JSON to a file.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Measures how taught faces are read, on rendered dice with symbols.",
      argument: nil,
      groups: [
        CommandDescription.OptionGroup(
          title: "Dice",
          options: [
            dice.description, photos.description, pictures.description, seed.description,
            style.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Report",
          options: [
            output.description, ResultArguments.json.description, OutputPlan.force.description,
          ]),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "What is measured",
          blocks: [
            .list([
              "Known faces: each make is taught all six faces, from photos with one die that are taken "
                + "from 55 to 90 degrees above the table, and read in pictures with one to five, other "
                + "light and other ground, from 45 to 90 degrees. A face is right, another one, unknown, or its "
                + "die not found.",
              "Unknown faces: the make is taught three of its faces, and those dice are read that show "
                + "the others. They are to be unknown.",
              "Likeness: the same for every threshold of the likeness, of the dice that are found. The "
                + "best one has the greatest smaller share of both, each in parts of its goal, "
                + "97 % and 90 %; it is the number `faces.leastLikeness` of the profile of `any-dice-faces`.",
            ])
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) evaluate faces", meaning: "Eight dice, five photos of each face."),
        CommandDescription.Example(
          call: "\(Tool.name) evaluate faces --photos 1 --weights any-dice",
          meaning: "One photo of each face, with other weights."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let isJSON = try ResultArguments.isJSON(arguments)
    var plan = OutputPlan(arguments)
    plan.read(DetectorArguments.files(arguments))
    plan.write(arguments[output], for: output.description.spelling, .signed)
    try plan.check()
    let work = OrderedWork(
      partCount: .max,
      threadCount: arguments[PictureArguments.threads] ?? environment.processorCount)
    var options = DetectorArguments.finderOptions(arguments, besides: work)
    options.weights = options.weights ?? WeightSource.Name.anyDice.rawValue
    let teacher = try DetectorFinder(options).detector
    let makes = Array(1...(arguments[dice] ?? 8))
    let rule = FaceMeasurement.Rule(
      photoCount: arguments[photos] ?? 5, pictureCount: arguments[pictures] ?? 40,
      pictures: SymbolPictures(
        style: arguments[style] ?? .varied, seed: UInt64(arguments[seed] ?? 1)))
    var measurement = FaceMeasurement()
    var progress = ProgressBar(environment, title: "evaluate", total: makes.count)
    var doneCount = 0
    try work.run(count: makes.count) { (index) -> Result<FaceMeasurement, ToolError> in
      do throws(ToolError) {
        return .success(
          try FaceMeasurement.measure(make: makes[index], rule, teacher) {
            (faces) throws(ToolError) in
            var ofMake = options
            ofMake.faceSet = faces
            return try DetectorFinder(ofMake).detector
          })
      } catch { return .failure(error) }
    } _: { (_, result) throws(ToolError) in
      measurement.add(try result.get())
      doneCount += 1
      progress.show(doneCount, "")
    }
    progress.clear()
    let json = JSONWriter.write(measurement.json(madeBy: Tool.nameAndVersion), layout: .pretty)
    if isJSON {
      try environment.print(String(decoding: json, as: UTF8.self))
    } else {
      try environment.print(measurement.text)
    }
    if let path = arguments[output] { try OutputFile.write(json, to: path) }
    return .success
  }
}

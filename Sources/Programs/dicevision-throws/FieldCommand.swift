internal import DiceCommandLine
internal import DiceFields
internal import DiceFiles
internal import DiceGeometry
internal import DiceImaging

/// `dicevision field`: finds boards, sheets, trays and mats in pictures.
enum FieldCommand {
  static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json)],
    "How results are printed: for people, or as a line of JSON for each picture.", default: "text")
  static let annotate = ValueOption.text(
    "annotate", "OUT",
    "Writes a copy with the fields marked: a file for one picture, otherwise a folder. Files end in "
      + "png, jpg or svg.")
  static let rectify = ValueOption.text(
    "rectify", "OUT",
    "Writes the best field as seen from straight above: a file for one picture, otherwise a "
      + "folder. Without --size its sides have the mean lengths of those in the picture.")
  static let size = ValueOption<FieldSize>(
    "size", "WxHcm",
    "The field's real size: the length of its upper side in the picture and of its left one, in cm, "
      + "mm, m or in.",
    requirement: "two lengths from 0.1 to 100000 and their unit (cm, mm, m, in), such as 40x40cm",
    read: { FieldSize($0) })
  static let prefer = ValueOption<Bool>.choice(
    "prefer", [("playing-field", true), ("frame", false)],
    "Which comes first if a grid has a frame around it: the grid, or the frame.",
    default: "playing-field")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: "field",
      summary: "Finds the field of play in pictures: a board, a sheet, a tray or a mat.",
      argument: CommandDescription.Argument(
        name: "PHOTO",
        summary: "Pictures (PNG, JPEG, PPM, PGM) and folders of them; `-` reads one picture from "
          + "standard input.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            format.description, ResultArguments.json.description, annotate.description,
            rectify.description, size.description, OutputPlan.force.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Pictures",
          options: [
            prefer.description, PictureArguments.orientation.description,
            PictureArguments.recursive.description, PictureArguments.pixelLimit.description,
            PictureArguments.threads.description,
          ]),
      ],
      sections: [
        HelpSection(
          title: "Output",
          blocks: [
            .paragraph(
              "As text: for each picture what was found, how much of it is there, and the corners in "
                + "pixels, clockwise from the upper left."),
            .code([
              "board.jpg: grid of 8 x 8, 93 %: 104.2,20.0 543.5,43.9 600.1,460.2 40.7,431.0"
            ]),
            .paragraph(
              "As JSON: one object for each picture on a line of its own. `corners` are four pairs of "
                + "pixels of the upright picture, clockwise from the upper left, or null; `others` "
                + "are the corners of more candidates, best first."),
            .code([
              #"{"image":"board.jpg","corners":[[104.2,20],[543.5,43.9],[600.1,460.2],"#
                + #"[40.7,431]],"confidence":0.931,"others":[]}"#
            ]),
            .paragraph(
              "A picture that cannot be read is named on standard error with the rule it breaks; "
                + "the others are still read, and the exit status is 1."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) field board.jpg", meaning: "The corners of the board."),
        CommandDescription.Example(
          call: "\(Tool.name) field --size 40x40cm --rectify above.png board.jpg",
          meaning: "The board as seen from straight above."),
        CommandDescription.Example(
          call: "\(Tool.name) field --format json --annotate marked photos > fields.jsonl",
          meaning: "A line of JSON and a marked copy for each picture of a folder."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let pictures = try PictureWalk(arguments, environment)
    let format = try ResultArguments.format(arguments, arguments[format])
    if arguments.contains(size), !arguments.contains(rectify) {
      throw .usage(.conflict(sentence: "--size needs --rectify."))
    }
    let outputs = try pictures.copies([
      (arguments[annotate], nil, annotate.description.spelling),
      (arguments[rectify], nil, rectify.description.spelling),
    ])
    guard pictures.begin() else { return .failure }
    var options = FieldDetector.Options()
    options.prefersPlayingField = arguments[prefer] ?? true
    let search = PictureFields(
      detector: FieldDetector(options), reader: pictures.makeReader(),
      orientation: arguments[PictureArguments.orientation], isJSON: format == .json,
      size: arguments[size], copies: outputs[0], views: outputs[1])
    return try pictures.run(on: pictures.makeWork(), title: "field", as: format) { (source, _) in
      search.perform(source)
    }
  }
}

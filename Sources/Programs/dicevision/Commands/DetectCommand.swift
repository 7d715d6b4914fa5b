internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry

/// `dicevision detect`: finds and reads the dice of pictures.
enum DetectCommand {
  static let format = ValueOption<ResultFormat>.choice(
    "format", ResultFormat.allCases.map { ($0.rawValue, $0) },
    "How results are printed: for people, as a line of JSON for each picture, as a table with a row "
      + "for each die, or as COCO's results.", default: "text")
  static let annotate = ValueOption.text(
    "annotate", "OUT",
    "Writes a copy with the dice marked: a file for one picture, otherwise a folder. Files end in "
      + "png, jpg or svg.")
  static let annotateAs = ValueOption<CopyFormat>.choice(
    "annotate-as", CopyFormat.allCases.map { ($0.rawValue, $0) },
    "What the copies are: pictures, or drawings with the picture inside (svg), beside (svg-link) or "
      + "without it (svg-overlay).",
    default: "what OUT ends in, in a folder what each picture is")
  static let crops = ValueOption.text(
    "crops", "FOLDER",
    "Writes each die as a picture of its own, upright and with some of what lies around it: "
      + "PICTURE-01-value-4.png, numbered from left to right. No file is ever replaced.")
  static let cropsAs = ValueOption<DieCrops.Format>.choice(
    "crops-as", DieCrops.Format.allCases.map { ($0.rawValue, $0) }, "What these pictures are.",
    default: "png")
  static let timings = Switch("timings", "Adds the time that each part of the work took.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: "detect",
      summary: "Finds the dice in pictures and prints the value on top of each.",
      argument: CommandDescription.Argument(
        name: "PATH",
        summary: "Pictures (PNG, JPEG, PPM, PGM) and folders, whose pictures are read in the order "
          + "of their names, also those without an extension; pictures of other kinds are counted on "
          + "standard error. `-` reads one picture from standard input.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Results",
          options: [
            format.description, ResultArguments.json.description, annotate.description,
            annotateAs.description, crops.description, cropsAs.description,
            OutputPlan.force.description, timings.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Pictures",
          options: [
            PictureArguments.orientation.description, PictureArguments.region.description,
            PictureArguments.recursive.description,
            DetectorArguments.resolution.description, PictureArguments.pixelLimit.description,
          ]),
        CommandDescription.OptionGroup(title: "Detections", options: DetectorArguments.thresholds),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "Output",
          blocks: [
            .paragraph(
              "As text: for each picture the values from left to right and their sum, then a line "
                + "for each die with its value, how sure that is, and its box: left edge, top "
                + "edge, width x height in pixels of the upright picture."),
            .code([
              "roll.jpg: 2 5, sum 7",
              "  2  97.9 %  x 104.2  y 220.0  43.5 x 43.9",
              "  5  99.2 %  x 310.8  y 180.4  45.1 x 44.6",
            ]),
            .paragraph(
              "As JSON: one object for each picture on a line of its own, dice from left to right. "
                + "`x` and `y` are the upper left corner of the box, `width` and `height` at the "
                + "top the size of the upright picture. If the label of the weights is no "
                + "number, the value is the class counted from 1, and `label` is added. With "
                + "--timings, `milliseconds` holds the times of `file` (reading its bytes), "
                + "`image` (decoding), `preparation` (of inputs), `network`, `boxes` (decoding "
                + "outputs), `secondStage` and `suppression`."),
            .code([
              #"{"image":"roll.jpg","width":640,"height":480,"dice":[{"value":2,"#
                + #""confidence":0.979,"box":{"x":104.2,"y":220,"width":43.5,"height":43.9}}]}"#
            ]),
            .paragraph(
              "As CSV: a header and a row for each die. `image`, `width` and `height` are the "
                + "picture's, `die` counts from 1 in each picture, and `x`, `y`, `box_width` and "
                + "`box_height` are the box. Fields with commas, quotes or line breaks are quoted "
                + "as RFC 4180 says. A picture without dice has no row."),
            .code([CSVTable.row(ReadingPrinter.columns).trimmingLineEnd]),
            .paragraph(
              "As COCO: an array with an object for each die, as COCO's tools read it. `image_id` "
                + "counts the pictures of the call from 1, unreadable ones too; `category_id` is "
                + "the value, `bbox` is x, y, width and height, `score` the confidence."),
            .code([
              #"{"image_id":1,"file_name":"roll.jpg","category_id":2,"#
                + #""bbox":[104.2,220,43.5,43.9],"score":0.979}"#
            ]),
            .paragraph(
              "A picture that cannot be read is named on standard error with the rule it breaks; "
                + "the others are still read, and the exit status is 1."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) detect roll.jpg", meaning: "The values and their sum."),
        CommandDescription.Example(
          call: "\(Tool.name) detect --annotate marked.png roll.jpg",
          meaning: "Also draws the boxes into a copy."),
        CommandDescription.Example(
          call: "\(Tool.name) detect --annotate-as svg-overlay --annotate overlays photos",
          meaning: "Drawings of the boxes alone, sharp at every size."),
        CommandDescription.Example(
          call: "\(Tool.name) detect --format json --confidence 0.5 photos > dice.jsonl",
          meaning: "A line of JSON for each picture of a folder, sure detections only."),
        CommandDescription.Example(
          call: "\(Tool.name) detect --format csv --crops dice photos > dice.csv",
          meaning: "A table for a spreadsheet, and a small picture of each die."),
        CommandDescription.Example(
          call: "curl -s https://example.com/roll.jpg | \(Tool.name) detect -",
          meaning: "Reads a picture from standard input."),
        CommandDescription.Example(
          call: "\(Tool.name) detect --tiling none --second-stage none photos",
          meaning: "A single pass for each picture: fast, for large dice."),
        CommandDescription.Example(
          call: "\(Tool.name) detect --region 0,0.5,1,0.5 --input 640 table.png",
          meaning: "Looks at the lower half, for small dice."),
      ]), run: run)

  // MARK: - Carrying out

  /// Reads every picture; what cannot be read is reported and passed over.
  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let pictures = try PictureWalk(arguments, environment)
    let format = try ResultArguments.format(arguments, arguments[format])
    if arguments.contains(annotateAs), !arguments.contains(annotate) {
      throw .usage(.conflict(sentence: "--annotate-as needs --annotate."))
    }
    if arguments.contains(cropsAs), !arguments.contains(crops) {
      throw .usage(.conflict(sentence: "--crops-as needs --crops."))
    }
    if arguments.contains(timings), format == .csv || format == .coco {
      throw .usage(
        .conflict(sentence: "--format \(format.rawValue) has no place for --timings."))
    }
    let copies = try pictures.copies(
      [(arguments[annotate], arguments[annotateAs], annotate.description.spelling)],
      besides: DetectorArguments.files(arguments))
    let crops =
      pictures.list.sources.isEmpty
      ? nil
      : arguments[crops].map { folder in
        DieCrops(folder, as: arguments[cropsAs] ?? .png, for: pictures.list)
      }
    try crops?.prepare(reading: arguments.positionals)
    guard pictures.begin() else { return .failure }

    let start = environment.seconds()
    let work = pictures.makeWork()
    let finder = try environment.makeFinder(
      DetectorArguments.finderOptions(arguments, besides: work))
    if arguments.contains(timings) {
      let time = NumberText.fixed((environment.seconds() - start) * 1000, decimals: 1)
      environment.note("the detector was ready after \(time) ms")
    }
    let network = finder.network
    let detection = PictureDetection(
      finder: finder, reader: pictures.makeReader(),
      request: FinderRequest(
        orientation: arguments[PictureArguments.orientation],
        regionOfInterest: arguments[PictureArguments.region],
        confidence: arguments[DetectorArguments.confidence] ?? network.confidence,
        intersectionOverUnion: arguments[DetectorArguments.overlap]
          ?? network.intersectionOverUnion),
      printer: ReadingPrinter(
        format: format, showsTimings: arguments.contains(timings),
        style: environment.style(on: .output)),
      copies: copies[0], crops: crops)
    return try pictures.run(
      on: work, title: "detect", as: format, columns: ReadingPrinter.columns
    ) { (source, number) in
      detection.perform(source, number: number)
    }
  }
}

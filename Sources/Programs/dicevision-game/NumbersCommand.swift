internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles

/// `dicevision numbers`: reads numbers that somebody drew or wrote.
enum NumbersCommand {
  static let name = "numbers"

  /// The most bytes of a file.
  static let byteLimit = 1 << 28

  static let annotate = ValueOption.text(
    "annotate", "FOLDER",
    "Writes a picture of what was read: for a picture PICTURE.png, for a drawing FILE-LINE.png.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Reads numbers drawn with a finger or a pen, from their strokes or from pictures.",
      discussion: [
        .paragraph(
          "A file of drawings has a line of JSON for each, {\"id\": ..., \"strokes\": [[[x, y], "
            + "...], ...]}: the strokes in the order they were drawn, x to the right and y down, in "
            + "any unit. Other members are passed over. A line that is no such drawing is named on "
            + "standard error, gets no answer, and makes the exit status 1."),
        .paragraph(
          "An answer in JSON is a line, {\"id\": ..., \"text\": \"24\", \"confidence\": 0.98, "
            + "\"digits\": [{\"value\": 2, \"confidence\": 0.99, \"strokes\": [0]}, ...]}. Strokes "
            + "that show no digit are in none; several numbers below each other are lines of the "
            + "text."),
        .paragraph(
          "A picture (PNG, JPEG, PPM, PGM), told by its first bytes, may be a photo, a scan or a "
            + "canvas, dark on light or light on dark. Its answer in JSON is a line, {\"image\": "
            + "PATH, \"width\": 640, \"height\": 480, \"numbers\": [{\"text\": \"24\", \"box\": "
            + "{...}, \"confidence\": 0.98, \"digits\": [{\"value\": 2, \"confidence\": 0.99, "
            + "\"box\": {...}}, ...]}, ...]}: numbers in reading order, boxes in pixels of the "
            + "upright picture."),
      ],
      argument: CommandDescription.Argument(
        name: "FILE", summary: "Files of drawings, one a line, and pictures; - for standard input.",
        counts: 1...Int.max),
      groups: [
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            InspectCommand.format.description, ResultArguments.json.description,
            annotate.description, OutputPlan.force.description,
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) \(name) drawings.jsonl --format json",
          meaning: "A line of JSON for each drawing."),
        CommandDescription.Example(
          call: "\(Tool.name) \(name) homework.jpg --annotate read",
          meaning: "The numbers of a photo, and a copy with their boxes in the folder read."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    try InputFiles.checkStandardInput(arguments.positionals)
    let isJSON = try ResultArguments.isJSON(
      arguments, format: arguments[InspectCommand.format])
    let copies = try NumberCopies(arguments)
    var readers = NumberReaders(isJSON: isJSON, copies: copies)
    var attempts = Attempts(environment)
    for path in arguments.positionals {
      let bytes = attempts.result { () throws(ToolError) in
        try InputFiles.bytes(path, byteLimit: byteLimit, environment)
      }
      guard let bytes else { continue }
      if ImageDecoder.decodes(beginning: Array(bytes.prefix(64))) {
        try attempts.print { () throws(ToolError) in
          try readers.answer(picture: bytes, path)
        }
        continue
      }
      let lines = attempts.result { () throws(ToolError) in
        try JSONLines.lines(of: bytes, things: "drawings", path: path, advice: advice)
      }
      guard let lines else { continue }
      if lines.isEmpty { environment.note("\(printable(InputFiles.name(path))): no drawings.") }
      for line in lines {
        try attempts.print { () throws(ToolError) in
          try readers.answer(line: line.bytes, number: line.number, path)
        }
      }
    }
    return attempts.status
  }

  /// What helps with a file that holds neither drawings nor a picture that is read.
  private static func advice(_ kind: FileKind) -> String? {
    switch kind {
    case .film:
      "ffmpeg takes pictures out of a film: `ffmpeg -i in.mp4 out-%04d.png`."
    case .picture: "Pictures of this kind are not read; PNG, JPEG, PPM and PGM are."
    case .sound: "`\(Tool.name) \(ListenCommand.name)` hears numbers in sound."
    }
  }
}

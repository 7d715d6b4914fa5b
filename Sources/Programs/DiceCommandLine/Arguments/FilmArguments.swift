package import DiceCodecs

/// What the commands that follow a film share.
package enum FilmArguments {
  package static let format = ValueOption<ResultFormat>.choice(
    "format", [("text", .text), ("json", .json)], "How events are printed.", default: "text")
  package static let annotateAs = ValueOption<CopyFormat>.choice(
    "annotate-as",
    [CopyFormat.jpeg, .png, .svg, .svgOverlay].map { ($0.rawValue, $0) },
    "What the numbered pictures are; drawings have the frame inside (svg) or not (svg-overlay).",
    default: "jpeg")
  package static let frameRate = ValueOption<FrameRate>(
    "frame-rate", "RATE", "Frames in a second, for films that do not say.", default: "30",
    requirement: "a number above 0, or a fraction such as 30000/1001"
  ) { text in
    FrameRate(text)
  }

  /// The film.
  package static let argument = CommandDescription.Argument(
    name: "INPUT",
    summary: "A film as YUV4MPEG2 (.y4m) or motion JPEG, a folder of numbered pictures, or `-` "
      + "for standard input. Other films and cameras come through ffmpeg.",
    counts: 1...1)

  /// How results are given.
  ///
  /// - Parameter annotate: the command's own option for marked frames.
  package static func results(annotate: ValueOption<String>) -> CommandDescription.OptionGroup {
    CommandDescription.OptionGroup(
      title: "Results",
      options: [
        format.description, ResultArguments.json.description, annotate.description,
        annotateAs.description, OutputPlan.force.description,
      ])
  }

  /// Refuses a kind of marked frames where none are asked for.
  ///
  /// - Throws: `ToolError.usage`.
  package static func check(
    _ arguments: ParsedArguments, annotate: ValueOption<String>
  ) throws(ToolError) {
    if arguments.contains(annotateAs), !arguments.contains(annotate) {
      throw .usage(.conflict(sentence: "--annotate-as needs --annotate."))
    }
  }

  /// The marked film that is to be written, nil for none, when it is known that nothing that is read is
  /// replaced.
  ///
  /// - Parameter others: what is read besides the film.
  package static func markedFilm(
    _ arguments: ParsedArguments, annotate: ValueOption<String>, besides others: [String] = []
  ) throws(ToolError) -> MarkedFilm? {
    let path = arguments.positionals[0]
    let film = try arguments[annotate].map { (destination) throws(ToolError) in
      try MarkedFilm(destination, as: arguments[annotateAs])
    }
    var plan = OutputPlan(arguments)
    if path != "-" { plan.read(path) }
    if let folder = try? FolderPictures(in: path) { plan.read(folder.paths) }
    plan.read(others)
    try film?.declare(in: &plan)
    try plan.check()
    return film
  }

  /// The film that a call names.
  ///
  /// - Parameter pictureAdvice: a sentence that names the command for pictures; empty for none.
  package static func input(
    _ arguments: ParsedArguments, for command: String, pictureAdvice: String = "",
    _ environment: Environment
  ) throws(ToolError) -> FrameInput {
    try FrameInput(
      arguments.positionals[0], frameRate: arguments[frameRate] ?? .standard, command: command,
      pictureAdvice: pictureAdvice, environment)
  }
}

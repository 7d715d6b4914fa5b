internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceGeometry
internal import DiceVisionKit

/// `dicevision track`: follows the dice of a film and prints its rolls.
enum TrackCommand {
  static let name = "track"
  static let annotate = ValueOption.text(
    "annotate", "OUT",
    "Writes the frames with dice, values, identities, trails and the state of the roll: "
      + "a film if OUT ends in y4m, otherwise a folder of numbered pictures.")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Follows the dice of a film or a camera and prints each roll when it has ended.",
      argument: FilmArguments.argument,
      groups: [
        FilmArguments.results(annotate: annotate),
        CommandDescription.OptionGroup(
          title: "Rolls", options: [RollArguments.dice.description, RollArguments.laid.description]),
        CommandDescription.OptionGroup(
          title: "Field of play", options: FieldArguments.descriptions),
        CommandDescription.OptionGroup(
          title: "Frames",
          options: [
            FilmArguments.frameRate.description, RollArguments.every.description,
            PictureArguments.orientation.description,
            PictureArguments.region.description,
          ]),
        CommandDescription.OptionGroup(title: "Detections", options: DetectorArguments.thresholds),
        DetectorArguments.networkGroup,
      ],
      sections: [
        HelpSection(
          title: "Output",
          blocks: [
            .paragraph(
              "As text: a line for each roll, with the time of the frame in which it was told, and "
                + "the values from left to right. On a terminal, a line of progress shows the dice "
                + "while they roll."),
            .code([
              "   1.600 s  roll 1: 5 6 2, sum 13", "   4.233 s  roll 1, now: 5 6 3, sum 14",
              "   7.900 s  no dice",
            ]),
            .paragraph(
              "As JSON: an object for each event on a line of its own. `event` is rollStarted, "
                + "rollEnded, resultRevised, rollAbandoned, cleared or cameraMoved; `frame` counts "
                + "from 0, `time` is in seconds. A result has its `roll`, `values`, `sum`, when "
                + "the dice were at rest, and each die with its identity, value, confidence and "
                + "box. With --field a result has the dice `outside`, and each die its `place`: the "
                + "`foot` in pixels, whether it is `outside` or `cocked`, `centimeters` from the first "
                + "corner if --field-size is given, and `fromPlayer`, shares of the field from "
                + "the player's left and side."),
            .code([
              #"{"event":"rollEnded","frame":48,"time":1.6,"roll":1,"values":[5,6,2],"sum":13,…}"#
            ]),
            .paragraph(
              "A frame that cannot be read is named on standard error and passed over; the exit "
                + "status is then 1. If no roll was seen, standard error says what was seen."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "ffmpeg -loglevel error -i roll.mp4 -pix_fmt yuv420p -f yuv4mpegpipe - | "
            + "\(Tool.name) track -",
          meaning: "The rolls of any film that ffmpeg reads."),
        CommandDescription.Example(
          call: "ffmpeg -loglevel error -f v4l2 -i /dev/video0 -pix_fmt yuv420p "
            + "-f yuv4mpegpipe - | "
            + "\(Tool.name) track --tiling none --format json -",
          meaning: "A camera, an event a line; a single pass for each frame, for speed."),
        CommandDescription.Example(
          call: "\(Tool.name) track --annotate marked.y4m roll.y4m",
          meaning: "Also writes the film with the dice marked."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    var configuration = RollFollower.Configuration(
      detectionInterval: arguments[RollArguments.every] ?? 1)
    configuration.tracker.expectedDiceCount = arguments[RollArguments.dice]
    configuration.tracker.requiresMotion = !arguments.contains(RollArguments.laid)
    try FilmArguments.check(arguments, annotate: annotate)
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[FilmArguments.format])
    var follower: RollFollower
    let field = try FieldArguments.field(arguments)
    do {
      follower = try RollFollower(configuration: configuration)
      follower.field = field
    } catch { throw .failure(subject: name, sentence: "\(error)") }
    let film = try FilmArguments.markedFilm(
      arguments, annotate: annotate, besides: DetectorArguments.files(arguments))
    let input = try FilmArguments.input(
      arguments, for: name, pictureAdvice: PictureArguments.diceAdvice, environment)
    let work = OrderedWork(partCount: 1, threadCount: 1)
    let finder = try environment.makeFinder(
      DetectorArguments.finderOptions(arguments, besides: work))
    try film?.prepare()
    var run = TrackingRun(
      follower: follower, finder: finder,
      request: FinderRequest(
        orientation: arguments[PictureArguments.orientation],
        regionOfInterest: arguments[PictureArguments.region],
        confidence: arguments[DetectorArguments.confidence] ?? finder.network.confidence,
        intersectionOverUnion: arguments[DetectorArguments.overlap]
          ?? finder.network.intersectionOverUnion),
      printer: EventPrinter(isJSON: isJSON, hasField: field != nil),
      film: film.map { DiceFilm($0) }, environment: environment)
    return try run.follow(input)
  }
}

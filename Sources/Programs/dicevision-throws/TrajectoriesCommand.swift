internal import DiceCommandLine
internal import DiceGeometry
internal import DiceTrajectories

/// `dicevision trajectories`: finds what is thrown in a film and prints its ways.
enum TrajectoriesCommand {
  static let name = "trajectories"
  static let annotate = ValueOption.text(
    "annotate", "OUT",
    "Writes the frames with the ways of what flies: a film if OUT ends in y4m, otherwise a folder "
      + "of numbered pictures.")
  static let length = ValueOption.integer(
    "length", "N", in: TrajectoryDetector.Options.lengthRange,
    "The fewest points of a trajectory before it is told.", default: "5")
  static let patience = ValueOption.integer(
    "patience", "N", in: TrajectoryDetector.Options.patienceRange,
    "A trajectory has ended after so many frames without a point.", default: "20")
  static let minimumRadius = radius(
    "minimum-radius", "The smallest radius of what is looked for", default: "0")
  static let maximumRadius = radius(
    "maximum-radius", "The largest radius of what is looked for", default: "0.06")

  private static func radius(
    _ name: String, _ meaning: String, default value: String
  ) -> ValueOption<Double> {
    ValueOption<Double>(
      name, "SHARE", "\(meaning), as a share of the picture's longer side.", default: value,
      requirement: "a number from 0 to 0.5"
    ) { text in
      guard let share = Double(text), share >= 0, share <= 0.5 else { return nil }
      return share
    }
  }

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Finds thrown objects in a film and prints their trajectories.",
      argument: FilmArguments.argument,
      groups: [
        FilmArguments.results(annotate: annotate),
        CommandDescription.OptionGroup(
          title: "Trajectories",
          options: [
            length.description, patience.description, minimumRadius.description,
            maximumRadius.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Frames",
          options: [
            FilmArguments.frameRate.description, PictureArguments.orientation.description,
            PictureArguments.region.description,
          ]),
      ],
      sections: [
        HelpSection(
          title: "Output",
          blocks: [
            .paragraph(
              "As text: a line for each trajectory that has ended, with the time of its first and "
                + "last point, how many points it has, and the speed at the first one."),
            .code(["   0.733 s to 1.600 s  trajectory 1: 53 points, 6.9 m/s"]),
            .paragraph(
              "As JSON: an object on a line of its own for each trajectory that began, has a "
                + "further point or ended with a frame. `points` are all of its points so far, one "
                + "for each of `frames`, which count from 0; if the object was hidden, a point is "
                + "that of the path. `coefficients` are a, b and c of y = a x^2 + b x + c. Points "
                + "and coefficients are in shares of the upright picture's sides, with the origin "
                + "at the lower left. `speed` is that at the first point in metres a second, "
                + "measured by gravity; null if the trajectory is still too short."),
            .code([
              #"{"event":"trajectory","identity":1,"state":"began","frame":53,"points":[[0.21,0.58],…],…}"#
            ]),
            .paragraph(
              "The camera must stand still or shake a little. A frame that cannot be read is named "
                + "on standard error and passed over; the exit status is then 1."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "ffmpeg -loglevel error -i throw.mp4 -pix_fmt yuv420p -f yuv4mpegpipe - | "
            + "\(Tool.name) trajectories -",
          meaning: "What is thrown in any film that ffmpeg reads."),
        CommandDescription.Example(
          call: "\(Tool.name) trajectories --annotate marked.y4m throw.y4m",
          meaning: "Also writes the film with the ways drawn in."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    try FilmArguments.check(arguments, annotate: annotate)
    var options = TrajectoryDetector.Options()
    if let value = arguments[length] { options.trajectoryLength = value }
    if let value = arguments[patience] { options.framesWithoutEvidence = value }
    if let value = arguments[minimumRadius] { options.objectMinimumNormalizedRadius = value }
    if let value = arguments[maximumRadius] { options.objectMaximumNormalizedRadius = value }
    guard options.objectMinimumNormalizedRadius <= options.objectMaximumNormalizedRadius else {
      throw .usage(
        .conflict(sentence: "--minimum-radius must not be above --maximum-radius."))
    }
    options.regionOfInterest = arguments[PictureArguments.region]
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[FilmArguments.format])
    let film = try FilmArguments.markedFilm(arguments, annotate: annotate)
    let input = try FilmArguments.input(arguments, for: name, environment)
    try film?.prepare()
    var run = FlightRun(
      detector: TrajectoryDetector(options),
      orientation: arguments[PictureArguments.orientation],
      printer: TrajectoryPrinter(isJSON: isJSON), film: film, environment: environment)
    return try run.follow(input)
  }
}

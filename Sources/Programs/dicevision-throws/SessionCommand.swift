internal import DiceCommandLine
internal import DiceFiles
internal import DiceGeometry
internal import DicePoses
internal import ThrowArguments
internal import ThrowVisionKit

/// `dicevision session`: plays a game of throws from a film.
enum SessionCommand {
  static let name = "session"
  static let annotate = ValueOption.text(
    "annotate", "OUT",
    "Writes the frames with the board, the player's joints, the bag's trajectory and the score: a film if "
      + "OUT ends in y4m, otherwise a folder of numbered pictures.")
  static let rules = ValueOption<ThrowRules>.choice(
    "rules", [("physical", .standard), ("sample", .sample)],
    "physical: speed and angle measured in space, and a bag is where it lies in the end. sample: as Apple's "
      + "sample app for bean bags has it: from left to right, speed of the first points, angle of the forearm, "
      + "scored by the last point.", default: "physical")
  static let throwCount = ValueOption.integer(
    "throws", "N", in: ThrowRules.throwCountRange, "How many throws a game has.", default: "8")
  static let poses = ValueOption.text(
    "poses", "FILE",
    "The joints of the people in the film as JSON lines, a line for each of them with a pose for each frame; "
      + "none: no player is waited for, and types of throws are not told.",
    default: "people and joints are found in the frames")
  static let field = ValueOption<Quadrilateral>(
    "field", "X,Y,X,Y,X,Y,X,Y",
    "The board's corners: eight numbers, pixels of the upright picture, clockwise from the upper left corner; "
      + "without it the board is looked for.",
    requirement: CornerArguments.requirement, read: { CornerArguments.corners($0) })
  static let fieldSize = ValueOption<FieldSize>(
    "field-size", "WxHcm",
    "The board's real size: the length of its upper side in the picture and of its left one, in cm, mm, m or "
      + "in.", default: "122x61cm",
    requirement: "two lengths from 1 cm to 1 km and their unit (cm, mm, m, in), such as 122x61cm"
  ) { text in
    FieldSize(text).flatMap {
      (1...100_000).contains($0.width) && (1...100_000).contains($0.height) ? $0 : nil
    }
  }
  static let hole = ValueOption<ThrowSession.Hole?>(
    "hole", "X,Y,RADIUS",
    "The hole's middle and radius in centimetres from the board's upper left corner in the picture, along its "
      + "upper and its left side; none for a board without one.", default: "99,30.5,7.6",
    requirement: "three numbers from -100000 to 100000 with commas between them, or none"
  ) { text in
    if text == "none" { return .some(nil) }
    guard let numbers = CornerArguments.numbers(text, count: 3), numbers[2] >= 0 else { return nil }
    return ThrowSession.Hole(center: SIMD2(numbers[0], numbers[1]), radius: numbers[2])
  }
  static let focalLength = ValueOption.number(
    "focal-length", "PIXELS", in: 1...1_000_000, "The camera's focal length in pixels.",
    default: "the picture's longer side")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary:
        "Plays a game of bean bags from a film: finds the board, follows each throw and scores it.",
      argument: FilmArguments.argument,
      groups: [
        FilmArguments.results(annotate: annotate),
        CommandDescription.OptionGroup(
          title: "Game",
          options: [
            rules.description, throwCount.description, poses.description,
            ActionArguments.weights.description, PoseArguments.joints.description,
            PoseArguments.people.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Board",
          options: [
            field.description, fieldSize.description, hole.description, focalLength.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Frames",
          options: [FilmArguments.frameRate.description, PictureArguments.orientation.description]),
      ],
      sections: [
        HelpSection(
          title: "Output",
          blocks: [
            .paragraph(
              "As text: a line for each event with its time, and a last line with the summary."),
            .code(["   9.967 s  throw 1: underhand, board, 1 point, 5.2 m/s, 48 degrees"]),
            .paragraph(
              "As JSON: an object for each event on a line of its own. `event` is fieldFound, fieldLost, "
                + "sceneStable, sceneMoved, playerEntered, playerLeft, ready, throwStarted, throwEnded, "
                + "scored or finished; the last line's is summary. A score has its place (board, hole or "
                + "missed), points, type, speed in metres a second, angle in degrees, the position on the "
                + "board in centimetres, and the path in pixels; what could not be measured is null."
            ),
            .code([
              #"{"event":"scored","frame":299,"time":9.9667,"throw":1,"place":"board","points":1,…}"#
            ]),
            .paragraph(
              "The camera must stand still or shake a little, and be held level. A frame that cannot be "
                + "read is named on standard error and passed over; the exit status is then 1."),
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "ffmpeg -loglevel error -i game.mp4 -pix_fmt yuv420p -f yuv4mpegpipe - | "
            + "\(Tool.name) session -",
          meaning: "A game from any film that ffmpeg reads."),
        CommandDescription.Example(
          call: "\(Tool.name) session --throws 10 --poses film/poses.jsonl --annotate marked.y4m "
            + "film/session.y4m",
          meaning: "A film that `render --session` has drawn, with the player's joints."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    try FilmArguments.check(arguments, annotate: annotate)
    let joints = arguments[poses]
    if arguments.contains(ActionArguments.weights), joints == noPoses {
      throw .usage(.conflict(sentence: "--weights needs poses."))
    }
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[FilmArguments.format])
    if arguments.positionals[0] == "-", joints == "-" {
      throw .usage(.conflict(sentence: "Standard input (-) can be read only once."))
    }
    let film = try FilmArguments.markedFilm(
      arguments, annotate: annotate,
      besides: [
        joints, arguments[ActionArguments.weights], arguments[PoseArguments.joints],
        arguments[PoseArguments.people],
      ].compactMap { $0 }.filter { $0 != "-" && $0 != noPoses })
    if joints != nil,
      let option = [PoseArguments.joints, PoseArguments.people].first(where: arguments.contains)
    {
      throw .usage(
        .conflict(
          sentence: "\(option.description.spelling) is for finding poses, which --poses tells."))
    }
    let people = try people(joints, arguments, environment)
    let session = try session(arguments, findsPeople: people != nil)
    let input = try FilmArguments.input(
      arguments, for: name,
      pictureAdvice: "`\(Tool.name) field` finds the board in pictures.", environment)
    try film?.prepare()
    var run = SessionRun(
      session: session, people: people, orientation: arguments[PictureArguments.orientation],
      printer: SessionPrinter(isJSON: isJSON), film: film, environment: environment)
    return try run.follow(input)
  }

  /// What stands for no poses.
  private static let noPoses = "none"

  /// Who finds people: the library, a file, or nobody.
  private static func people(
    _ path: String?, _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> (any PeopleFinder)? {
    guard let path else { return FoundPeople(try PoseArguments.detector(arguments)) }
    guard path != noPoses else { return nil }
    return FilePeople(sequences: try ActionArguments.sequences([path], environment))
  }

  private static func session(
    _ arguments: ParsedArguments, findsPeople: Bool
  ) throws(ToolError) -> ThrowSession {
    var chosen = arguments[rules] ?? .standard
    if let value = arguments[throwCount] { chosen.throwCount = value }
    chosen.requiresPlayer = findsPeople
    var configuration = ThrowSession.Configuration(chosen)
    configuration.fieldCorners = arguments[field]
    if let size = arguments[fieldSize] {
      configuration.fieldWidth = size.width
      configuration.fieldHeight = size.height
    }
    if let value = arguments[hole] { configuration.hole = value }
    configuration.focalLength = arguments[focalLength]
    let classifier =
      findsPeople ? try ActionArguments.classifier(arguments[ActionArguments.weights]) : nil
    do throws(ThrowSessionError) {
      return try ThrowSession(configuration, classifier: classifier)
    } catch {
      if case .field = error { throw .usage(.conflict(sentence: "--field: \(error)")) }
      throw .failure(subject: name, sentence: "\(error)")
    }
  }
}

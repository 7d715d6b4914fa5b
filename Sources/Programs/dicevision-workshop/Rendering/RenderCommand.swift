internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceImaging
internal import DiceScenes

/// `dicevision render`: draws scenes with dice, and says what is in them.
enum RenderCommand {
  static let name = "render"

  static let output = ValueOption.text(
    "output", "DIR", "The folder for the pictures; it is made if it does not exist. Required.")
  static let count = ValueOption.integer(
    "count", "N", in: 1...1_000_000, "How many pictures to draw, or throws of a session.",
    default: "1, of a session 10")
  static let seed = ValueOption.integer(
    "seed", "N", in: 0...Int.max, "The seed of the first picture; each next one has the next seed.",
    default: "1")
  static let width = ValueOption.integer(
    "width", "PIXELS", in: 32...4096, "Columns of a picture.", default: "640")
  static let height = ValueOption.integer(
    "height", "PIXELS", in: 32...4096, "Rows of a picture.", default: "480")
  static let style = ValueOption<SceneOptions>.choice(
    "style",
    [
      ("plain", .fixture), ("varied", .training), ("hard-negatives", .hardNegatives),
      ("clutter", .clutter), ("pieces", .gamePieces),
    ],
    "plain: one to six ordinary dice, seen well. varied: one to forty dice of any make on any "
      + "ground in any light. hard-negatives: no dice, but clutter and things that resemble them. "
      + "clutter: no dice, but keyboards, screens, lamps, plugs, print, fruit and fronts of houses. "
      + "pieces: no dice with pips, but game pieces, labelled \(RenderCommand.pieceNames).",
    default: "plain")
  /// The labels of game pieces, as a list in words.
  private static var pieceNames: String {
    let names = PieceKind.ofGames.map(\.label)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
  static let faces = ValueOption<SceneOptions.Faces>.choice(
    "faces", [("pips", .pips), ("numerals", .numerals)],
    "What the faces of the dice show; with the same seed all else is the same.", default: "pips")
  static let symbols = ValueOption<ClosedRange<Int>>(
    "symbols", "MAKES",
    "Dice with six symbols in place of pips, such as star, heart and a blank face, which are their "
      + "labels; makes have numbers, and each number a body, colours and symbols of its own that are "
      + "the same in every picture of a style; a number or two as FIRST-LAST.",
    default: "none", requirement: "whole numbers from 0 to 100",
    read: diceCount)
  static let makes = ValueOption<SceneOptions.Makes>.choice(
    "makes", [("usual", .usual), ("rare", .rare), ("large-one", .largeOne)],
    "Of what make dice are in every style but plain: mostly as they are sold; what is "
      + "rare among them, such as metal, two colours, faint coloured pips, and discs behind the "
      + "pips; or with one large pip on the one, mostly red on white, which half of them show.",
    default: "usual")
  static let dice = ValueOption<ClosedRange<Int>>(
    "dice", "NUMBER", "How many dice to lay, a number or two as FIRST-LAST.",
    default: "what the style says", requirement: "whole numbers from 0 to 100",
    read: diceCount)
  static let polyhedra = ValueOption<ClosedRange<Int>>(
    "polyhedra", "NUMBER",
    "How many dice of 4 to 20 sides with numerals to lay as well, a number or two as FIRST-LAST. In "
      + "every style but plain.",
    default: "0", requirement: "whole numbers from 0 to 100",
    read: diceCount)
  static let sides = ValueOption<Set<Int>>(
    "sides", "NUMBERS", "How many sides the dice of --polyhedra have, as 4,20.", default: "all",
    requirement: "numbers of sides, 4, 6, 8, 10, 12 or 20, with commas between them"
  ) { text in
    let sides = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    return sides.allSatisfy([4, 6, 8, 10, 12, 20].contains) ? Set(sides) : nil
  }
  static let polyhedronLabels = ValueOption<SceneOptions.PolyhedronLabels>.choice(
    "label-polyhedra", [("none", .none), ("kinds", .kinds), ("values", .values)],
    "What the dice of --polyhedra are labelled with. kinds: d4, d6, d8, d10, d12 and d20, with boxes "
      + "around all of what can be seen of them. values: kind and face, such as d20-17, d10-0 and "
      + "d%-30, with boxes around the uppermost face, on four sides around the die; dice with pips "
      + "are then d6-1 to d6-6.",
    default: "none")
  static let dieSize = ValueOption<ClosedRange<Double>>(
    "die-size", "PERCENT",
    "How long the edge of a die in the middle is, in percent of the picture's longer side; a number "
      + "or two as FIRST-LAST.",
    default: "what the style says", requirement: "numbers from 0.7 to 90"
  ) { text in
    NumberRange.read(text).flatMap { $0.lowerBound >= 0.7 && $0.upperBound <= 90 ? $0 : nil }
  }
  static let elevation = ValueOption<ClosedRange<Double>>(
    "elevation", "DEGREES",
    "How high the camera stands above the table: 90 looks straight down; a number or two as "
      + "FIRST-LAST.",
    default: "what the style says", requirement: "numbers from 15 to 90"
  ) { text in
    NumberRange.read(text).flatMap { $0.lowerBound >= 15 && $0.upperBound <= 90 ? $0 : nil }
  }
  static let throwing = Switch(
    "throws",
    "Draws throws instead of pictures, each with a seed of its own: a folder throw-SEED with "
      + "pictures in a row and roll.json.")
  static let session = Switch(
    "session",
    "Draws a film of a player who throws bags at a board, instead of pictures: session.y4m, with "
      + "session.json, which says what is true of it, and poses.jsonl, the player's joints. The picture "
      + "is 16 by 9.")
  static let frameRate = ValueOption.number(
    "frames-per-second", "NUMBER", in: 1...240, "Pictures a second of a throw or a session.",
    default: "30")
  /// Reads how many dice there may be.
  private static func diceCount(_ text: String) -> ClosedRange<Int>? {
    guard let range = NumberRange.read(text), 0...100 ~= range.lowerBound,
      range.upperBound <= 100, range.lowerBound.rounded() == range.lowerBound,
      range.upperBound.rounded() == range.upperBound
    else { return nil }
    return Int(range.lowerBound)...Int(range.upperBound)
  }
  static let format = ValueOption<ImageFormat>.choice(
    "format", [("jpeg", .jpeg), ("png", .png)], "The format of the pictures.", default: "jpeg")
  static let threads = ValueOption.integer(
    "threads", "N", in: 1...64, "Threads that draw at once; the pictures do not depend on it.",
    default: "one per processor")

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Draws scenes with dice, for tests and for training.",
      discussion: [
        .paragraph(
          "Writes pictures named scene-SEED and `annotations.json` beside them, with the box of "
            + "every top face and its value, as `train dice` and `evaluate dice` read them. A die that "
            + "nobody could read has the label \"?\": too little of its face is visible, or its pips "
            + "do not stand out, being too small, blurred, dark or like the face's own pattern. "
            + "Game pieces are labelled with words, and their boxes enclose all of what can be seen of "
            + "them."),
        .paragraph(
          "The same seed and size give the same picture. The annotations are written as the "
            + "pictures are, so that a run that is stopped leaves a file of those drawn so far. Where "
            + "the folder holds rendered scenes already, their annotations stay, and a scene "
            + "that is drawn again takes its place among them."),
        .paragraph(
          "With --throws, dice are thrown before a hand-held camera: an empty table, the throw, and "
            + "the dice at rest. `roll.json` says the values from left to right, the first frame "
            + "at rest, and for each frame which dice are seen where; boxes count in pixels from "
            + "the top left corner of the picture to that of the box."),
      ],
      argument: nil,
      groups: [
        CommandDescription.OptionGroup(
          title: "Scenes",
          options: [
            count.description, seed.description, width.description, height.description,
            style.description, faces.description, symbols.description, makes.description,
            dice.description,
            polyhedra.description, sides.description, polyhedronLabels.description,
            dieSize.description,
            elevation.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Throws",
          options: [
            throwing.description, session.description, frameRate.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            output.description, OutputPlan.force.description, format.description,
            threads.description,
            ResultArguments.json.description,
          ]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) render --count 100 --style varied --output scenes",
          meaning: "A hundred pictures of every kind, with annotations."),
        CommandDescription.Example(
          call: "\(Tool.name) render --style varied --width 4000 --height 3000 --dice 24 "
            + "--die-size 1.2 --output far",
          meaning: "Twenty-four small dice in a large picture."),
        CommandDescription.Example(
          call: "\(Tool.name) render --style varied --dice 0-6 --polyhedra 1-8 --output mixed",
          meaning: "Dice with pips among dice of many sides, which have no label."),
        CommandDescription.Example(
          call: "\(Tool.name) render --symbols 7 --count 30 --output symbols",
          meaning: "One die with symbols on many tables, to teach its faces and to test them."),
        CommandDescription.Example(
          call: "\(Tool.name) render --style pieces --count 100 --output pieces",
          meaning: "Game pieces with their names, to train a detector of words."),
        CommandDescription.Example(
          call: "\(Tool.name) render --throws --count 5 --width 480 --height 360 --output throws",
          meaning: "Five throws, with what is true of every frame."),
        CommandDescription.Example(
          call: "\(Tool.name) render --session --count 3 --output film",
          meaning: "A film of three throws of bags, with what is true of it."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let request = try RenderRequest(arguments, environment)
    try request.checkFiles()
    try OutputFile.createFolder(request.folder)
    let startTime = environment.seconds()
    let drawn =
      try request.isSession
      ? drawSession(request, environment)
      : request.isThrown ? drawThrows(request, environment) : drawPictures(request, environment)
    noteSpeed(drawn.pictureCount, since: startTime, environment)
    if request.isJSON {
      try environment.print(
        String(decoding: JSONWriter.write(drawn.json, layout: .pretty), as: UTF8.self))
    }
    return .success
  }

  /// What was drawn.
  struct Outcome {
    /// Pictures, or frames of all throws.
    var pictureCount: Int
    /// What `--json` prints.
    var json: JSONValue
  }

  /// Tells how many pictures a second there were.
  private static func noteSpeed(_ count: Int, since start: Double, _ environment: Environment) {
    let elapsed = environment.seconds() - start
    guard count > 1, elapsed > 0 else { return }
    environment.note(
      "\(NumberText.grouped(count)) pictures in \(NumberText.fixed(elapsed, decimals: 1)) s: "
        + "\(NumberText.fixed(Double(count) / elapsed, decimals: 1)) a second.")
  }

  static func fileExtension(of format: ImageFormat) -> String { format == .png ? "png" : "jpg" }

  /// The picture's file, or why there is none.
  static func encoded(_ image: PixelImage, _ format: ImageFormat) -> Result<[UInt8], JPEGError> {
    if format == .png { return .success(PNGEncoder.encode(image)) }
    do throws(JPEGError) {
      return .success(try JPEGEncoder.encode(image, quality: 90, subsampling: .s444))
    } catch { return .failure(error) }
  }

  static func write(_ picture: Result<[UInt8], JPEGError>, to path: String) throws(ToolError) {
    switch picture {
    case .failure(let error): throw .failure(subject: path, sentence: "\(error)")
    case .success(let bytes): try OutputFile.write(Signature.added(to: bytes), to: path)
    }
  }
}

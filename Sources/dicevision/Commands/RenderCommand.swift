internal import DiceFiles
internal import DiceImaging
internal import DiceScenes
internal import DiceTraining

/// `dicevision render`: draws scenes with dice, and says what is in them.
enum RenderCommand {
  static let name = "render"

  static let output = ValueOption.text(
    "output", "DIR", "The folder for the pictures; it is made where it does not exist. Required.")
  static let count = ValueOption.integer(
    "count", "N", in: 1...1_000_000, "How many pictures to draw.", default: "1")
  static let seed = ValueOption.integer(
    "seed", "N", in: 0...Int.max, "The seed of the first picture; each next one has the next seed.",
    default: "1")
  static let width = ValueOption.integer(
    "width", "PIXELS", in: 32...4096, "Columns of a picture.", default: "640")
  static let height = ValueOption.integer(
    "height", "PIXELS", in: 32...4096, "Rows of a picture.", default: "480")
  static let style = ValueOption<SceneOptions>.choice(
    "style", [("plain", .fixture), ("varied", .training), ("lookalikes", .lookalikes)],
    "plain: one to six ordinary dice, seen well. varied: one to forty dice of any make on any "
      + "ground in any light. lookalikes: no dice, but clutter and things that resemble them.",
    default: "plain")
  static let faces = ValueOption<SceneOptions.Faces>.choice(
    "faces", [("pips", .pips), ("numerals", .numerals)],
    "What the faces of the dice show; with the same seed all else is the same.", default: "pips")
  static let makes = ValueOption<SceneOptions.Makes>.choice(
    "makes", [("usual", .usual), ("rare", .rare)],
    "Of what make dice are in the styles varied and lookalikes: mostly as they are sold, or what is "
      + "rare among them, such as metal, two colours, faint coloured pips, and discs behind the pips.",
    default: "usual")
  static let dice = ValueOption<ClosedRange<Int>>(
    "dice", "NUMBER", "How many dice to lay, a number or two as FIRST-LAST.",
    default: "what the style says", requirement: "whole numbers from 0 to 100"
  ) { text in
    guard let range = NumberRange.read(text), 0...100 ~= range.lowerBound,
      range.upperBound <= 100, range.lowerBound.rounded() == range.lowerBound,
      range.upperBound.rounded() == range.upperBound
    else { return nil }
    return Int(range.lowerBound)...Int(range.upperBound)
  }
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
  static let frameRate = ValueOption.number(
    "frames-per-second", "NUMBER", in: 1...240, "Pictures a second of a throw.", default: "30")
  static let format = ValueOption<ImageFormat>.choice(
    "format", [("jpeg", .jpeg), ("png", .png)], "The format of the pictures.", default: "jpeg")
  static let threads = ValueOption.integer(
    "threads", "N", in: 1...64, "Threads that draw at once; the pictures do not depend on it.",
    default: "one per processor")

  /// The least visible share of a top face that can be read; less is labelled "?".
  static let readableVisibility = 0.55

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary: "Draws scenes with dice, for tests and for training.",
      discussion: [
        .paragraph(
          "Writes pictures named scene-SEED and `annotations.json` beside them, with the box of "
            + "every top face and its value, as `train` and `evaluate` read them. A die that "
            + "nobody could read has the label \"?\": too little of its face is visible, or its pips "
            + "do not stand out, being too small, blurred, dark or like the face's own pattern. "
            + "The same seed and size give the same picture. The annotations are written as the "
            + "pictures are, so that a run that is stopped leaves a file of those drawn so far."),
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
            style.description, faces.description, makes.description, dice.description,
            dieSize.description, elevation.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Throws", options: [throwing.description, frameRate.description]),
        CommandDescription.OptionGroup(
          title: "Output",
          options: [
            output.description, format.description, threads.description,
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
          call: "\(Tool.name) render --throws --count 5 --width 480 --height 360 --output throws",
          meaning: "Five throws, with what is true of every frame."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    guard let folder = arguments[output] else {
      throw .usage(
        .missingOption(option: RenderCommand.output.description.spelling, command: name))
    }
    let isJSON = try ResultArguments.isJSON(arguments)
    let width = arguments[width] ?? 640
    let height = arguments[height] ?? 480
    let format = arguments[format] ?? .jpeg
    if arguments.contains(frameRate) && !arguments.contains(throwing) {
      throw .usage(
        .conflict(
          sentence: "\(frameRate.description.spelling) needs --\(throwing.description.name)."))
    }
    var options = arguments[style] ?? .fixture
    options.faces = arguments[faces] ?? options.faces
    options.makes = arguments[makes] ?? options.makes
    options.diceCount = arguments[dice] ?? options.diceCount
    options.cameraElevation = arguments[elevation] ?? options.cameraElevation
    if let percent = arguments[dieSize] {
      // Sizes count in pixels of a picture whose longer side is 640.
      options.dieSize = percent.lowerBound * 6.4...percent.upperBound * 6.4
    }
    if options.style == .plain && arguments.contains(makes) {
      throw .usage(
        .conflict(sentence: "\(makes.description.spelling) needs --style varied or lookalikes."))
    }
    options.aspectRatio = Double(width) / Double(height)
    let layout = [
      faces.description, makes.description, dice.description, dieSize.description,
      elevation.description,
    ]
    if let option = layout.first(where: { arguments.contains($0) }), arguments.contains(throwing) {
      throw .usage(.conflict(sentence: "\(option.spelling) does not go with --throws."))
    }
    if options.diceCount.upperBound == 0 && arguments.contains(throwing) {
      throw .usage(.conflict(sentence: "There is nothing to throw in the style lookalikes."))
    }
    do throws(FileError) { try FileSystem.createFolder(at: folder) } catch { throw .file(error) }
    let count = arguments[count] ?? 1
    let firstSeed = UInt64(arguments[seed] ?? 1)
    let threadCount = arguments[threads] ?? environment.processorCount
    let startTime = environment.seconds()
    if arguments.contains(throwing) {
      let throwOptions = ThrowOptions(
        width: width, height: height, frameRate: arguments[frameRate] ?? 30, style: options.style)
      var progress = ProgressBar(environment, title: name, total: count)
      defer { progress.clear() }
      var frameCount = 0
      for index in 0..<count {
        frameCount += try writeThrow(
          seed: firstSeed + UInt64(index), throwOptions, format, to: folder,
          threadCount: threadCount)
        progress.show(index + 1, "throw-\(firstSeed + UInt64(index))")
      }
      progress.clear()
      noteSpeed(frameCount, since: startTime, environment)
      if isJSON {
        try print(
          [
            "output": .string(folder), "throwCount": JSONValue(count),
            "frameCount": JSONValue(frameCount),
          ],
          environment)
      }
      return .success
    }

    var annotations = GrowingAnnotations(in: folder, environment)
    let work = OrderedWork(partCount: count, threadCount: threadCount)
    var progress = ProgressBar(environment, title: name, total: count)
    defer { progress.clear() }
    do throws(ToolError) {
      try work.run(count: count) { index in
        draw(
          seed: firstSeed + UInt64(index), options, width: width, height: height, format: format)
      } _: { (_, drawn: Drawn) throws(ToolError) in
        let (annotation, bytes) = drawn
        try write(bytes, to: Paths.joined(folder, annotation.fileName))
        annotations.append(annotation)
        progress.show(annotations.images.count, annotation.fileName)
      } whenCaughtUp: { () throws(ToolError) in
        try annotations.saveWhereDue()
      }
    } catch {
      // What went wrong first is what is told.
      if !annotations.images.isEmpty { try? annotations.save() }
      throw error
    }
    progress.clear()
    try annotations.save()
    noteSpeed(count, since: startTime, environment)
    if isJSON {
      try print(
        [
          "output": .string(folder), "photoCount": JSONValue(count),
          "dieCount": JSONValue(annotations.images.reduce(0) { $0 + $1.objects.count }),
          "annotations": .string(annotations.path),
        ], environment)
    }
    return .success
  }

  /// A picture's annotation and its file.
  private typealias Drawn = (annotation: AnnotatedImage, bytes: Result<[UInt8], JPEGError>)

  private static func draw(
    seed: UInt64, _ options: SceneOptions, width: Int, height: Int, format: ImageFormat
  ) -> Drawn {
    let scene = DiceScene.random(seed: seed, options: options)
    let rendered = SceneRenderer.render(scene, width: width, height: height)
    let fileName = "scene-\(seed)." + fileExtension(of: format)
    return (
      AnnotatedImage(fileName: fileName, objects: objects(of: rendered.dice)),
      encoded(rendered.image, format)
    )
  }

  /// Tells how many pictures a second there were.
  private static func noteSpeed(_ count: Int, since start: Double, _ environment: Environment) {
    let elapsed = environment.seconds() - start
    guard count > 1, elapsed > 0 else { return }
    environment.note(
      "\(NumberText.grouped(count)) pictures in \(NumberText.fixed(elapsed, decimals: 1)) s: "
        + "\(NumberText.fixed(Double(count) / elapsed, decimals: 1)) a second.")
  }

  private static func print(
    _ result: JSONValue, _ environment: Environment
  ) throws(ToolError) {
    try environment.print(
      String(decoding: JSONWriter.write(result, layout: .pretty), as: UTF8.self))
  }

  /// The dice that can be read, and those that cannot with the label "?".
  private static func objects(of dice: [DieTruth]) -> [AnnotatedObject] {
    var objects: [AnnotatedObject] = []
    for die in dice where die.topFace.width > 0 && die.topFace.height > 0 {
      let isReadable =
        die.visibility >= readableVisibility && die.legibility?.isSufficient ?? true
      let label = isReadable ? String(die.value) : "?"
      objects.append(AnnotatedObject(label: label, boundingBox: die.topFace))
    }
    return objects
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
    case .success(let bytes):
      do throws(FileError) { try FileSystem.writeFile(bytes, to: path) } catch {
        throw .file(error)
      }
    }
  }
}

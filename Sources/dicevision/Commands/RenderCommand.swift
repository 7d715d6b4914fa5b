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
    "style", [("plain", .fixture), ("varied", .training)],
    "plain: one to six ordinary dice, seen well. varied: one to forty dice of any make on any "
      + "ground in any light.", default: "plain")
  static let format = ValueOption<ImageFormat>.choice(
    "format", [("jpeg", .jpeg), ("png", .png)], "The format of the pictures.", default: "jpeg")

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
            + "every top face and its value, as `train` and `evaluate` read them. A die of which "
            + "too little is visible has the label \"?\". The same seed and size give the same "
            + "picture.")
      ],
      argument: nil,
      groups: [
        CommandDescription.OptionGroup(
          title: "Scenes",
          options: [
            count.description, seed.description, width.description, height.description,
            style.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Output", options: [output.description, format.description]),
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) render --count 100 --style varied --output scenes",
          meaning: "A hundred pictures of every kind, with annotations.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    guard let folder = arguments[output] else {
      throw .usage(
        .missingOption(option: RenderCommand.output.description.spelling, command: name))
    }
    let width = arguments[width] ?? 640
    let height = arguments[height] ?? 480
    let format = arguments[format] ?? .jpeg
    var options = arguments[style] ?? .fixture
    options.aspectRatio = Double(width) / Double(height)
    do throws(FileError) { try FileSystem.createFolder(at: folder) } catch { throw .file(error) }

    var annotations: [AnnotatedImage] = []
    for index in 0..<(arguments[count] ?? 1) {
      let seed = UInt64(arguments[seed] ?? 1) + UInt64(index)
      let scene = SceneSampler.random(seed: seed, options: options)
      let rendered = SceneRenderer.render(scene, width: width, height: height)
      let fileName = "scene-\(seed)." + (format == .png ? "png" : "jpg")
      try write(rendered.image, format, to: Paths.joined(folder, fileName))
      annotations.append(
        AnnotatedImage(
          fileName: fileName,
          objects: rendered.dice.filter { $0.topFace.width > 0 && $0.topFace.height > 0 }.map {
            AnnotatedObject(
              label: $0.visibility < readableVisibility ? "?" : "\($0.value)",
              boundingBox: $0.topFace)
          }))
    }
    let text: [UInt8]
    do throws(AnnotationError) {
      text = try AnnotationFile.encode(annotations)
    } catch {
      throw .failure(subject: folder, sentence: "\(error)")
    }
    do throws(FileError) {
      try FileSystem.writeFile(text, to: Paths.joined(folder, "annotations.json"))
    } catch { throw .file(error) }
    return .success
  }

  private static func write(
    _ image: PixelImage, _ format: ImageFormat, to path: String
  ) throws(ToolError) {
    let bytes: [UInt8]
    if format == .png {
      bytes = PNGEncoder.encode(image)
    } else {
      do throws(JPEGError) {
        bytes = try JPEGEncoder.encode(image, quality: 90, subsampling: .s444)
      } catch { throw .failure(subject: path, sentence: "\(error)") }
    }
    do throws(FileError) { try FileSystem.writeFile(bytes, to: path) } catch { throw .file(error) }
  }
}

internal import DiceCodecs
internal import DiceImaging
internal import DiceScenes

/// What `dicevision render` is to draw, checked.
struct RenderRequest {
  /// The folder for the pictures.
  var folder: String
  var width: Int
  var height: Int
  var format: ImageFormat
  var scene: SceneOptions
  /// Whether dice are thrown, at so many frames a second.
  var isThrown: Bool
  var frameRate: Double
  /// How many pictures or throws, and the seed of the first.
  var count: Int
  var firstSeed: UInt64
  var threadCount: Int
  /// Whether the result is printed as JSON.
  var isJSON: Bool

  /// - Throws: `ToolError.usage` for options that are missing or do not go together.
  init(_ arguments: ParsedArguments, _ environment: Environment) throws(ToolError) {
    guard let output = arguments[RenderCommand.output] else {
      throw .usage(
        .missingOption(
          option: RenderCommand.output.description.spelling, command: RenderCommand.name))
    }
    folder = output
    isJSON = try ResultArguments.isJSON(arguments)
    width = arguments[RenderCommand.width] ?? 640
    height = arguments[RenderCommand.height] ?? 480
    format = arguments[RenderCommand.format] ?? .jpeg
    isThrown = arguments.contains(RenderCommand.throwing)
    frameRate = arguments[RenderCommand.frameRate] ?? 30
    count = arguments[RenderCommand.count] ?? 1
    firstSeed = UInt64(arguments[RenderCommand.seed] ?? 1)
    threadCount = arguments[RenderCommand.threads] ?? environment.processorCount
    scene = Self.scene(arguments, aspectRatio: Double(width) / Double(height))
    try check(arguments)
  }

  private static func scene(_ arguments: ParsedArguments, aspectRatio: Double) -> SceneOptions {
    var scene = arguments[RenderCommand.style] ?? .fixture
    scene.faces = arguments[RenderCommand.faces] ?? scene.faces
    scene.makes = arguments[RenderCommand.makes] ?? scene.makes
    scene.polyhedra = arguments[RenderCommand.polyhedra] ?? scene.polyhedra
    scene.diceCount = arguments[RenderCommand.dice] ?? scene.diceCount
    scene.cameraElevation = arguments[RenderCommand.elevation] ?? scene.cameraElevation
    if let percent = arguments[RenderCommand.dieSize] {
      // Sizes count in pixels of a picture whose longer side is 640.
      scene.dieSize = percent.lowerBound * 6.4...percent.upperBound * 6.4
    }
    scene.aspectRatio = aspectRatio
    return scene
  }

  /// Refuses options that do not go together.
  private func check(_ arguments: ParsedArguments) throws(ToolError) {
    if arguments.contains(RenderCommand.frameRate) && !isThrown {
      throw .usage(
        .conflict(
          sentence: "\(RenderCommand.frameRate.description.spelling) needs "
            + "--\(RenderCommand.throwing.description.name)."))
    }
    let ofVariedScenes = [RenderCommand.makes.description, RenderCommand.polyhedra.description]
    if scene.style == .plain, let option = ofVariedScenes.first(where: { arguments.contains($0) }) {
      throw .usage(.conflict(sentence: "\(option.spelling) does not go with --style plain."))
    }
    guard isThrown else { return }
    let layout = [
      RenderCommand.faces.description, RenderCommand.makes.description,
      RenderCommand.dice.description, RenderCommand.polyhedra.description,
      RenderCommand.dieSize.description,
      RenderCommand.elevation.description,
    ]
    if let option = layout.first(where: { arguments.contains($0) }) {
      throw .usage(.conflict(sentence: "\(option.spelling) does not go with --throws."))
    }
    if scene.diceCount.upperBound == 0 {
      throw .usage(.conflict(sentence: "There is nothing to throw in a style without dice."))
    }
  }
}

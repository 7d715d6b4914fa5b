internal import DiceCodecs
internal import DiceCommandLine
internal import DiceEvaluation
internal import DiceFiles
internal import DiceImaging
internal import DiceScenes
internal import DiceVisionTraining

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
  /// How many dice are thrown; nil for what a throw has by itself.
  var thrownDice: ClosedRange<Int>?
  var frameRate: Double
  /// Whether a player throws bags at a board.
  var isSession: Bool
  /// How many pictures or throws, and the seed of the first.
  var count: Int
  var firstSeed: UInt64
  var threadCount: Int
  /// Whether the result is printed as JSON.
  var isJSON: Bool
  /// Whether files that others made are replaced.
  var isForced: Bool

  /// - Throws: `ToolError.usage` for options that are missing or do not go together.
  init(_ arguments: ParsedArguments, _ environment: Environment) throws(ToolError) {
    let output = try arguments.required(RenderCommand.output, of: RenderCommand.name)
    folder = output
    isJSON = try ResultArguments.isJSON(arguments)
    isForced = arguments.contains(OutputPlan.force)
    width = arguments[RenderCommand.width] ?? 640
    height = arguments[RenderCommand.height] ?? 480
    format = arguments[RenderCommand.format] ?? .jpeg
    isThrown = arguments.contains(RenderCommand.throwing)
    thrownDice = arguments[RenderCommand.dice]
    frameRate = arguments[RenderCommand.frameRate] ?? 30
    isSession = arguments.contains(RenderCommand.session)
    count = arguments[RenderCommand.count] ?? (isSession ? 10 : 1)
    firstSeed = UInt64(arguments[RenderCommand.seed] ?? 1)
    threadCount = arguments[RenderCommand.threads] ?? environment.processorCount
    scene = Self.scene(arguments, aspectRatio: Double(width) / Double(height))
    try check(arguments)
  }

  private static func scene(_ arguments: ParsedArguments, aspectRatio: Double) -> SceneOptions {
    var scene = arguments[RenderCommand.style] ?? .fixture
    scene.faces = arguments[RenderCommand.faces] ?? scene.faces
    scene.symbols = arguments[RenderCommand.symbols] ?? scene.symbols
    scene.makes = arguments[RenderCommand.makes] ?? scene.makes
    scene.polyhedra = arguments[RenderCommand.polyhedra] ?? scene.polyhedra
    scene.polyhedronSides = arguments[RenderCommand.sides] ?? scene.polyhedronSides
    scene.polyhedronLabels =
      arguments[RenderCommand.polyhedronLabels] ?? scene.polyhedronLabels
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
    if arguments.contains(RenderCommand.frameRate) && !isThrown && !isSession {
      throw .usage(
        .conflict(
          sentence: "\(RenderCommand.frameRate.description.spelling) needs "
            + "--\(RenderCommand.throwing.description.name) or "
            + "--\(RenderCommand.session.description.name)."))
    }
    if scene.polyhedronLabels == .kinds,
      !arguments.contains(RenderCommand.polyhedra)
    {
      throw .usage(
        .conflict(
          sentence: "--\(RenderCommand.polyhedronLabels.description.name) kinds needs "
            + "\(RenderCommand.polyhedra.description.spelling)."))
    }
    if arguments.contains(RenderCommand.sides), !arguments.contains(RenderCommand.polyhedra) {
      throw .usage(
        .conflict(
          sentence: "\(RenderCommand.sides.description.spelling) needs "
            + "\(RenderCommand.polyhedra.description.spelling)."))
    }
    let ofVariedScenes = [RenderCommand.makes.description, RenderCommand.polyhedra.description]
    if scene.style == .plain, let option = ofVariedScenes.first(where: { arguments.contains($0) }) {
      throw .usage(.conflict(sentence: "\(option.spelling) does not go with --style plain."))
    }
    if arguments.contains(RenderCommand.symbols), arguments.contains(RenderCommand.faces) {
      throw .usage(
        .conflict(
          sentence: "\(RenderCommand.symbols.description.spelling) does not go with "
            + "\(RenderCommand.faces.description.spelling)."))
    }
    if scene.pieces.upperBound > 0, scene.polyhedronLabels == .values {
      throw .usage(
        .conflict(
          sentence:
            "\(RenderCommand.polyhedronLabels.description.spelling) does not go with --style "
            + "pieces."))
    }
    if scene.pieces.upperBound > 0, arguments.contains(RenderCommand.polyhedra) {
      // A die of twenty sides would have a label here, and none there.
      throw .usage(
        .conflict(
          sentence: "\(RenderCommand.polyhedra.description.spelling) does not go with --style "
            + "pieces."))
    }
    guard isThrown || isSession else { return }
    if isThrown && isSession {
      throw .usage(.conflict(sentence: "--throws and --session contradict each other."))
    }
    let option = isSession ? "--session" : "--throws"
    let layout = [
      RenderCommand.faces.description, RenderCommand.symbols.description,
      RenderCommand.makes.description, RenderCommand.polyhedra.description,
      RenderCommand.sides.description,
      RenderCommand.dieSize.description,
      RenderCommand.elevation.description,
    ]
    let ofSessions = [
      RenderCommand.height.description, RenderCommand.style.description,
      RenderCommand.format.description, RenderCommand.dice.description,
    ]
    if let other = (layout + (isSession ? ofSessions : [])).first(where: {
      arguments.contains($0)
    }) {
      throw .usage(.conflict(sentence: "\(other.spelling) does not go with \(option)."))
    }
    if isSession, count > 1000 {
      throw .usage(.conflict(sentence: "A session has at most 1000 throws."))
    }
    if let thrownDice, thrownDice.lowerBound < 1 || thrownDice.upperBound > 6 {
      throw .usage(.conflict(sentence: "A throw has 1 to 6 dice."))
    }
    if scene.diceCount.upperBound == 0 {
      throw .usage(.conflict(sentence: "There is nothing to throw in a style without dice."))
    }
  }
}

// MARK: - Files

extension RenderRequest {
  /// The annotations of scenes that were rendered into the folder before; none where there are none,
  /// or they are to be replaced.
  ///
  /// - Throws: `ToolError.usage` where others made the file; `.file` where it cannot be read.
  func scenesThere() throws(ToolError) -> [AnnotatedImage] {
    let path = GrowingAnnotations.path(in: folder)
    guard !isForced, FileSystem.kind(of: path) == .file else { return [] }
    let entries: [AnnotatedImage]?
    do throws(FileError) {
      let bytes = try FileSystem.readFile(at: path, byteLimit: TrainingSource.fileByteLimit)
      entries = try? AnnotationFile.parse(bytes)
    } catch { throw .file(error) }
    guard let entries, entries.allSatisfy({ Self.isScene($0.fileName) }) else {
      throw .usage(
        .conflict(
          sentence: "--output: \(quoted(path)) is there already, and names pictures that were not "
            + "rendered. --\(OutputPlan.force.description.name) replaces it."))
    }
    return entries
  }

  /// Refuses to replace what others made.
  func checkFiles() throws(ToolError) {
    guard FileSystem.isFolder(at: folder) else { return }
    var plan = OutputPlan(isForced: isForced)
    func write(_ name: String) {
      plan.write(
        Paths.joined(folder, name), for: RenderCommand.output.description.spelling, .signed,
        makesFolder: true)
    }
    if isSession {
      write(RenderCommand.sessionNames.film)
      write(RenderCommand.sessionNames.truth)
      plan.write(
        Paths.joined(folder, RenderCommand.sessionNames.poses),
        for: RenderCommand.output.description.spelling,
        .beginning([UInt8]("{\"id\":\"player\"".utf8)), makesFolder: true)
    }
    for seed in firstSeed..<firstSeed + UInt64(isSession ? 0 : count) {
      if isThrown {
        let name = RenderCommand.throwName(seed: seed)
        guard FileSystem.isFolder(at: Paths.joined(folder, name)) else { continue }
        write(Paths.joined(name, RenderCommand.rollName))
        write(Paths.joined(name, RenderCommand.frameName(0, format)))
      } else {
        write(RenderCommand.sceneName(seed: seed, format))
      }
    }
    try plan.check()
    if !isThrown, !isSession { _ = try scenesThere() }
  }

  /// Whether a name is one that scenes get.
  private static func isScene(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("scene-"), ["jpg", "png"].contains(parts[1]) else {
      return false
    }
    return UInt64(parts[0].dropFirst("scene-".count)) != nil
  }
}

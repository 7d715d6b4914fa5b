internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceGeometry
internal import DiceScenes

extension RenderCommand {
  /// Draws throws, each into a folder of its own.
  static func drawThrows(
    _ request: RenderRequest, _ environment: Environment
  ) throws(ToolError) -> Outcome {
    let options = ThrowOptions(
      diceCount: request.thrownDice ?? ThrowOptions().diceCount, width: request.width,
      height: request.height, frameRate: request.frameRate, style: request.scene.style)
    var progress = ProgressBar(environment, title: name, total: request.count)
    defer { progress.clear() }
    var frameCount = 0
    for index in 0..<request.count {
      let seed = request.firstSeed + UInt64(index)
      frameCount += try writeThrow(seed: seed, options, request)
      progress.show(index + 1, "throw-\(seed)")
    }
    return Outcome(
      pictureCount: frameCount,
      json: [
        "output": .string(request.folder), "throwCount": JSONValue(request.count),
        "frameCount": JSONValue(frameCount),
      ])
  }

  /// Draws a throw into a folder of its own, with `roll.json` beside the frames.
  ///
  /// - Returns: how many frames it has.
  private static func writeThrow(
    seed: UInt64, _ options: ThrowOptions, _ request: RenderRequest
  ) throws(ToolError) -> Int {
    let folder = Paths.joined(request.folder, throwName(seed: seed))
    try OutputFile.createFolder(folder)
    let renderer = ThrowRenderer(ThrowScene.random(seed: seed, options: options))
    let scene = renderer.scene
    var frames: [JSONValue] = []
    let work = OrderedWork(partCount: scene.frameCount, threadCount: request.threadCount)
    try work.run(count: scene.frameCount) { index in
      let frame = renderer.frame(index)
      return (frame.dice, frame.isAtRest, encoded(frame.image, request.format))
    } _: { (index, drawn) throws(ToolError) in
      let (dice, isAtRest, picture) = drawn
      let fileName = frameName(index, request.format)
      try write(picture, to: Paths.joined(folder, fileName))
      frames.append([
        "image": .string(fileName), "isAtRest": .bool(isAtRest),
        "dice": .array(dice.map { json($0) }),
      ])
    }
    let roll: JSONValue = [
      Signature.key: .string(Tool.nameAndVersion),
      "seed": .string(String(seed)),
      "values": .array(scene.values.map { JSONValue($0) }),
      "framesPerSecond": .number(scene.options.frameRate),
      "frameCount": JSONValue(scene.frameCount),
      "firstFrameAtRest": JSONValue(scene.firstFrameAtRest),
      "width": JSONValue(scene.options.width),
      "height": JSONValue(scene.options.height),
      "frames": .array(frames),
    ]
    try OutputFile.write(
      JSONWriter.write(roll, layout: .pretty), to: Paths.joined(folder, rollName))
    return scene.frameCount
  }

  /// The folder of a throw.
  static func throwName(seed: UInt64) -> String { "throw-\(seed)" }

  /// The file that says what is true of a throw.
  static let rollName = "roll.json"

  /// The file of a frame.
  static func frameName(_ index: Int, _ format: ImageFormat) -> String {
    let digits = String(index)
    return "frame_" + String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits + "."
      + fileExtension(of: format)
  }

  private static func json(_ die: ThrownDie) -> JSONValue {
    [
      "die": JSONValue(die.number), "value": JSONValue(die.truth.value),
      "isAtRest": .bool(die.isAtRest), "visibility": rounded(die.truth.visibility),
      "topFace": json(die.truth.topFace), "wholeDie": json(die.truth.wholeDie),
    ]
  }

  private static func json(_ box: BoundingBox) -> JSONValue {
    [
      "x": rounded(box.x), "y": rounded(box.y), "width": rounded(box.width),
      "height": rounded(box.height),
    ]
  }

  /// To a thousandth.
  private static func rounded(_ value: Double) -> JSONValue {
    .number((value * 1000).rounded() / 1000)
  }
}

internal import DiceFiles
internal import DiceGeometry
internal import DiceCodecs
internal import DiceScenes

extension RenderCommand {
  /// Draws throws, each into a folder of its own.
  static func drawThrows(
    _ request: RenderRequest, _ environment: Environment
  ) throws(ToolError) -> Outcome {
    let options = ThrowOptions(
      width: request.width, height: request.height, frameRate: request.frameRate,
      style: request.scene.style)
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
    let folder = Paths.joined(request.folder, "throw-\(seed)")
    do throws(FileError) { try FileSystem.createFolder(at: folder) } catch { throw .file(error) }
    let renderer = ThrowRenderer(ThrowScene.random(seed: seed, options: options))
    let scene = renderer.scene
    var frames: [JSONValue] = []
    let work = OrderedWork(partCount: scene.frameCount, threadCount: request.threadCount)
    try work.run(count: scene.frameCount) { index in
      let frame = renderer.frame(index)
      return (frame.dice, frame.isAtRest, encoded(frame.image, request.format))
    } _: { (index, drawn) throws(ToolError) in
      let (dice, isAtRest, picture) = drawn
      let digits = String(index)
      let fileName =
        "frame_" + String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits + "."
        + fileExtension(of: request.format)
      try write(picture, to: Paths.joined(folder, fileName))
      frames.append([
        "image": .string(fileName), "isAtRest": .bool(isAtRest),
        "dice": .array(dice.map { json($0) }),
      ])
    }
    let roll: JSONValue = [
      "seed": .string(String(seed)),
      "values": .array(scene.values.map { JSONValue($0) }),
      "framesPerSecond": .number(scene.options.frameRate),
      "frameCount": JSONValue(scene.frameCount),
      "firstFrameAtRest": JSONValue(scene.firstFrameAtRest),
      "width": JSONValue(scene.options.width),
      "height": JSONValue(scene.options.height),
      "frames": .array(frames),
    ]
    do throws(FileError) {
      try FileSystem.writeFile(
        JSONWriter.write(roll, layout: .pretty), to: Paths.joined(folder, "roll.json"))
    } catch { throw .file(error) }
    return scene.frameCount
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

internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceGeometry
internal import DicePoses
internal import DiceThrowFilms

extension RenderCommand {
  /// The files of a film of throws.
  static let sessionNames = (film: "session.y4m", truth: "session.json", poses: "poses.jsonl")

  /// Draws a player who throws bags at a board: a film, what is true of it, and the player's joints.
  static func drawSession(
    _ request: RenderRequest, _ environment: Environment
  ) throws(ToolError) -> Outcome {
    let plan = (0..<request.count).map { ThrowFilm.tenThrows[$0 % ThrowFilm.tenThrows.count] }
    let film = ThrowFilm(
      plan, seed: request.firstSeed, width: request.width, framesPerSecond: request.frameRate)
    let renderer = ThrowFilmRenderer(film, seed: request.firstSeed)
    let path = Paths.joined(request.folder, sessionNames.film)
    let writer: Y4MWriter
    do throws(Y4MError) {
      writer = try Y4MWriter(
        width: film.camera.width, height: film.camera.height,
        frameRate: FrameRate(NumberText.short(request.frameRate)) ?? .standard)
    } catch { throw .failure(subject: path, sentence: "\(error)") }
    try OutputFile.write(Signature.added(to: writer.header), to: path)
    var progress = ProgressBar(environment, title: name, total: film.frameCount)
    defer { progress.clear() }
    let work = OrderedWork(partCount: film.frameCount, threadCount: request.threadCount)
    try work.run(count: film.frameCount) { index in
      Result { () throws(Y4MError) in try writer.frame(renderer.frame(index)) }
    } _: { (index, frame) throws(ToolError) in
      switch frame {
      case .failure(let error): throw .failure(subject: path, sentence: "\(error)")
      case .success(let bytes):
        do throws(FileError) { try FileSystem.append(bytes, toFileAt: path) } catch {
          throw .file(error)
        }
      }
      progress.show(index + 1, "frame \(index + 1)")
    }
    try OutputFile.write(
      film.sequence(id: "player").jsonLine() + [0x0A],
      to: Paths.joined(request.folder, sessionNames.poses))
    let truth = truth(film, seed: request.firstSeed)
    try OutputFile.write(
      JSONWriter.write(truth, layout: .pretty),
      to: Paths.joined(request.folder, sessionNames.truth))
    return Outcome(
      pictureCount: film.frameCount,
      json: [
        "output": .string(request.folder), "throwCount": JSONValue(request.count),
        "frameCount": JSONValue(film.frameCount),
      ])
  }

  /// What is true of a film.
  private static func truth(_ film: ThrowFilm, seed: UInt64) -> JSONValue {
    func pair(_ x: Double, _ y: Double) -> JSONValue { .array([rounded(x), rounded(y)]) }
    let corners = film.board.outline(in: film.camera)?.corners ?? []
    return [
      Signature.key: .string(Tool.nameAndVersion),
      "seed": .string(String(seed)),
      "width": JSONValue(film.camera.width),
      "height": JSONValue(film.camera.height),
      "framesPerSecond": .number(film.framesPerSecond),
      "frameCount": JSONValue(film.frameCount),
      "focalLength": rounded(film.camera.focalLength),
      "field": [
        "corners": .array(corners.map { pair($0.x, $0.y) }),
        "width": rounded(film.board.length), "height": rounded(film.board.width),
        "hole": [
          "x": rounded(film.board.hole.x), "y": rounded(film.board.hole.y),
          "radius": rounded(film.board.holeRadius),
        ],
      ],
      "player": [
        "from": rounded(film.presence.lowerBound), "to": rounded(film.presence.upperBound),
      ],
      "throws": .array(
        film.throwsInOrder.enumerated().map { (index, flight) in
          [
            "throw": JSONValue(index + 1), "type": .string(flight.action.rawValue),
            "place": .string(flight.place.rawValue),
            "releaseTime": rounded(flight.releaseTime),
            "landingTime": rounded(flight.landingTime),
            "speed": rounded(flight.releaseSpeed), "releaseAngle": rounded(flight.releaseAngle),
            "position": flight.position.map { pair($0.x, $0.y) } ?? .null,
          ]
        }),
    ]
  }

  private static func rounded(_ value: Double) -> JSONValue {
    .number(NumberText.rounded(value, decimals: 4))
  }
}

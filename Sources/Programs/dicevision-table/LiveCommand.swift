internal import DiceCodecs
internal import DiceCommandLine
internal import DiceFiles
internal import DiceFinders
internal import DiceServer
internal import DiceVisionKit

/// `dicevision live`: shows a table in the browser and tells other programs of its rolls.
enum LiveCommand {
  static let name = "live"
  /// The port that is used unless another one is named.
  static let standardPort = 8484

  static let port = ValueOption.integer(
    "port", "N", in: 0...65_535, "The port of the pages; 0 takes any free one.",
    default: "\(standardPort)")
  static let listen = ValueOption.text(
    "listen", "ADDRESS",
    "The address to listen on: `0.0.0.0` lets other computers and phones of the network in, with the "
      + "token in the printed address.", default: "127.0.0.1, this computer only")
  static let token = ValueOption.text(
    "token", "WORD",
    "What a request must bring, as `?token=WORD` or `Authorization: Bearer WORD`: "
      + "\(ServerAccess.tokenLength) characters at least.",
    default: "none on this computer, else one by chance for each start")
  static let origin = ValueOption.text(
    "allow-origin", "SITE",
    "Another site whose pages may listen, such as `http://localhost:30000`; `*` is all. May be repeated.",
    isRepeatable: true)
  static let browser = Switch(
    "browser", "Pictures come from a browser: the page /camera sends them. Takes no SOURCE.")
  static let loop = Switch("loop", "Begins a film again at its end.")
  static let everyFrame = Switch(
    "every-frame",
    "Reads every frame of a film as fast as it can, in place of the latest one in real time.")
  static let untilEnd = Switch(
    "until-end", "Ends with the film, in place of showing its rolls until it is interrupted.")
  static let cameraSize = ValueOption<String>(
    "camera-size", "SIZE", "The size of a camera's pictures.", default: "1280x720",
    requirement: "two numbers as WIDTHxHEIGHT, or `any`"
  ) { text in
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    let isSize = sides.count == 2 && sides.allSatisfy { (1...16_384).contains(Int($0) ?? 0) }
    return isSize || text == "any" ? text : nil
  }
  static let cameraRate = ValueOption<String>(
    "camera-rate", "RATE", "How many frames a second a camera is asked for.", default: "30",
    requirement: "a number from 1 to 240, or `any`"
  ) { text in
    (1...240).contains(Int(text) ?? 0) || text == "any" ? text : nil
  }
  static let inputOptions = ValueOption.text(
    "ffmpeg", "OPTIONS",
    "Options for ffmpeg before its input, with spaces between them, such as `-input_format mjpeg`.")

  private static let outputSection = HelpSection(
    title: "Events",
    blocks: [
      .paragraph(
        "/events sends server-sent events, /socket messages over a WebSocket, and --format json prints "
          + "the same: an object for each event. `version` is 1; readers pass over keys and events that "
          + "they do not know. `number` counts events, `unixTime` says when the frame came, and `event` "
          + "is rollStarted, rollEnded, resultRevised, rollAbandoned, cleared or cameraMoved, with the keys "
          + "that `track` prints, or sourceLost, sourceFound, sourceEnded, or `state` at the beginning."
      ),
      .code([
        #"{"version":1,"number":2,"unixTime":1764250000.25,"event":"rollEnded","frame":48,"time":1.6,"#,
        #" "roll":1,"values":[5,6,2],"sum":13,…}"#,
      ]),
      .paragraph(
        "`?frames=1` adds events `frame` with the dice of each frame. `?after=N` begins behind the event "
          + "with the number N. GET /roll, /history and /health answer with objects."),
    ])

  private static let pageSection = HelpSection(
    title: "Pages",
    blocks: [
      .list([
        "/: the picture, the dice, the roll, totals and history.",
        "/overlay: the dice without a background, for OBS's browser source; `?theme=` light, dark, gold, "
          + "neon or plain, `?seconds=8` hides them after a while.",
        "/large: large type, and the browser's voice.",
        "/camera with --browser: sends this browser's pictures. Browsers open a camera only on localhost "
          + "and over https; elsewhere the page takes photos and films.",
      ])
    ])

  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: name,
      summary:
        "Shows the dice of a camera or a film in the browser, and tells other programs of each roll.",
      discussion: [
        .paragraph(
          "Prints each roll, and serves pages and events until it is interrupted. A camera or a stream "
            + "that is lost is tried again, at first after half a second, then every 15 seconds at least."
        )
      ],
      argument: CommandDescription.Argument(
        name: "SOURCE",
        summary:
          "`camera`, `camera:NAME` (a number or a device), an address such as rtsp://… or http://…, "
          + "a film, or `-` for a YUV4MPEG2 or motion JPEG stream on standard input. Cameras, addresses and "
          + "most films need ffmpeg.",
        counts: 0...1, completion: .files(words: ["camera"])),
      groups: [
        CommandDescription.OptionGroup(
          title: "Pages and events",
          options: [
            port.description, listen.description, token.description, origin.description,
            FilmArguments.format.description, ResultArguments.json.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Source",
          options: [
            browser.description, loop.description, everyFrame.description, untilEnd.description,
            cameraSize.description, cameraRate.description, inputOptions.description,
            FilmArguments.frameRate.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Rolls",
          options: [
            RollArguments.dice.description, RollArguments.laid.description,
            RollArguments.every.description,
          ]),
        CommandDescription.OptionGroup(
          title: "Pictures",
          options: [PictureArguments.orientation.description, PictureArguments.region.description]),
        CommandDescription.OptionGroup(title: "Detections", options: DetectorArguments.thresholds),
        DetectorArguments.networkGroup,
      ],
      sections: [pageSection, outputSection],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) live camera", meaning: "The first camera of this computer."),
        CommandDescription.Example(
          call: "\(Tool.name) live --loop roll.mp4", meaning: "A film, again and again, to try it."),
        CommandDescription.Example(
          call: "\(Tool.name) live --browser --listen 0.0.0.0",
          meaning: "A phone in the same network sends photos and films."),
        CommandDescription.Example(
          call: "\(Tool.name) live --format json rtsp://camera.local/stream >rolls.jsonl",
          meaning: "A network camera, and a log of all events."),
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let source = try source(arguments)
    let isJSON = try ResultArguments.isJSON(arguments, format: arguments[FilmArguments.format])
    var configuration = RollFollower.Configuration(
      detectionInterval: arguments[RollArguments.every] ?? 1)
    configuration.tracker.expectedDiceCount = arguments[RollArguments.dice]
    configuration.tracker.requiresMotion = !arguments.contains(RollArguments.laid)
    let follower: RollFollower
    do { follower = try RollFollower(configuration: configuration) } catch {
      throw .failure(subject: name, sentence: "\(error)")
    }
    let finder = try environment.makeFinder(
      DetectorArguments.finderOptions(
        arguments, besides: OrderedWork(partCount: 1, threadCount: 1)))
    let request = FinderRequest(
      orientation: arguments[PictureArguments.orientation],
      regionOfInterest: arguments[PictureArguments.region],
      confidence: arguments[DetectorArguments.confidence] ?? finder.network.confidence,
      intersectionOverUnion: arguments[DetectorArguments.overlap]
        ?? finder.network.intersectionOverUnion)
    let server = try server(arguments, takesPictures: source == .browser)
    let table = LiveTable()
    let pace = FrameFeed.Pace(
      isLooped: arguments.contains(loop), isEveryFrame: arguments.contains(everyFrame),
      frameRate: arguments[FilmArguments.frameRate] ?? .standard)
    let feed = source == .browser ? nil : FrameFeed(source, pace: pace, environment)
    let camera = source == .browser ? BrowserCamera() : nil
    try feed?.start()
    defer {
      feed?.stop()
      server.stop()
    }
    let service = LiveService(
      table: table, feed: feed, camera: camera, server: server, sourceName: source.name,
      startTime: Clock.unixTime)
    do throws(ServerError) { try server.start(service.respond) } catch {
      throw .failure(subject: name, sentence: "\(error)")
    }
    environment.note(addressNote(arguments, server, camera != nil))
    var run = LiveRun(
      table: table, feed: feed, camera: camera, follower: follower, finder: finder,
      request: request, isJSON: isJSON, endsWithFilm: arguments.contains(untilEnd), environment)
    return try run.follow()
  }

  // MARK: - Arguments

  private static func source(_ arguments: ParsedArguments) throws(ToolError) -> LiveSource {
    let path = arguments.positionals.first
    guard let path else {
      guard arguments.contains(browser) else {
        throw .usage(.missingArgument(name: "SOURCE or --browser", command: name))
      }
      if arguments.contains(loop) || arguments.contains(untilEnd) || arguments.contains(everyFrame)
      {
        throw .usage(
          .conflict(
            sentence: "--browser is no film: --loop, --every-frame and --until-end need one."))
      }
      return .browser
    }
    if arguments.contains(browser) {
      throw .usage(.conflict(sentence: "--browser takes no SOURCE."))
    }
    if arguments.contains(loop), arguments.contains(untilEnd) {
      throw .usage(.conflict(sentence: "--loop has no end for --until-end."))
    }
    if arguments.contains(loop), path == "-" {
      throw .usage(.conflict(sentence: "--loop needs a film that can be read again."))
    }
    var camera = LiveSource.CameraRequest(size: "1280x720", frameRate: "30")
    if let size = arguments[cameraSize] { camera.size = size == "any" ? nil : size }
    if let rate = arguments[cameraRate] { camera.frameRate = rate == "any" ? nil : rate }
    camera.options = (arguments[inputOptions] ?? "").split(separator: " ").map { String($0) }
    let source = try LiveSource(path, camera)
    if case .ffmpeg(_, true) = source, arguments.contains(loop) || arguments.contains(untilEnd) {
      throw .usage(.conflict(sentence: "A camera has no end: --loop and --until-end need a film."))
    }
    return source
  }

  private static func server(
    _ arguments: ParsedArguments, takesPictures: Bool
  ) throws(ToolError) -> Server {
    let address = arguments[listen] ?? "127.0.0.1"
    let port = arguments[port] ?? standardPort
    var access = ServerAccess(
      address: address, port: UInt16(clamping: port), token: arguments[token])
    access.origins = arguments.all(origin)
    var limits = ServerLimits()
    // A photo of a phone, or nothing.
    limits.bodyByteCount = takesPictures ? 16 << 20 : 0
    limits.messageByteCount = takesPictures ? 2 << 20 : 1024
    do throws(ServerError) {
      do throws(ServerError) { return try Server(access, limits: limits) } catch {
        guard case .missingToken = error else { throw error }
        access.token = randomToken()
        return try Server(access, limits: limits)
      }
    } catch {
      let advice =
        switch error {
        case .portInUse, .noPermission: " --port names another one; --port 0 takes any."
        default: ""
        }
      throw .failure(subject: "\(address) port \(port)", sentence: "\(error)\(advice)")
    }
  }

  /// A token that nobody can guess.
  private static func randomToken() -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789")
    return String((0..<24).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }

  private static func addressNote(
    _ arguments: ParsedArguments, _ server: Server, _ takesPictures: Bool
  ) -> String {
    let address = arguments[listen] ?? "127.0.0.1"
    let isEverywhere = address == "0.0.0.0" || address == "::"
    let host = isEverywhere ? "ADDRESS" : address.contains(":") ? "[\(address)]" : address
    var text = "http://\(host):\(server.port)/\(takesPictures ? "camera" : "")"
    if let token = server.token { text += "?token=\(token)" }
    if isEverywhere { text += " (ADDRESS is that of this computer in its network)" }
    return text
  }
}

import DiceCodecs
import DiceFiles
import DiceImaging
import DiceServer
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders
@testable import dicevision_table

@Suite struct LiveCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  /// A film whose brightness tells the number of the frame, so that the detector knows where the dice
  /// are: none at first, two thrown in from frame 5, at rest from frame 15, gone from 34.
  init() throws {
    folder = try TemporaryFolder()
    call.find = { (image, _) in
      let frame = (Int(image.samples[0]) + 2) / 4
      var dice: [FoundDie] = []
      if (5..<34).contains(frame) {
        let slide = Double(max(0, 15 - frame))
        dice = [
          die(3, 0.9, x: 100 - 8 * slide, y: 40 + 5 * slide, width: 30, height: 30),
          die(5, 0.8, x: 200 - 11 * slide, y: 90 + slide, width: 30, height: 30),
        ]
      }
      return PictureReading(width: image.width, height: image.height, dice: dice)
    }
  }

  private func film(_ name: String = "roll.y4m", frameCount: Int = 60) throws -> String {
    let writer = try Y4MWriter(width: 320, height: 180, chroma: .s444, range: .full)
    var bytes = writer.header
    for index in 0..<frameCount {
      bytes += try writer.frame(
        PixelImage(
          width: 320, height: 180, format: .gray,
          samples: [UInt8](repeating: UInt8(4 * index), count: 320 * 180)))
    }
    return try folder.write(bytes, to: name)
  }

  private let whole = ["live", "--port", "0", "--every-frame", "--until-end"]

  @Test func printsTheRollsOfAFilm() throws {
    expectEqual(call.run(whole + [try film()]), .success)
    expectEqual(call.outputLines.count, 2, "\(call.output)")
    expectEqual(call.outputLines.first?.hasSuffix(" s  roll 1: 3 5, sum 8"), true)
    expectEqual(call.outputLines.last?.hasSuffix(" s  no dice"), true)
    #expect(call.errors.contains("dicevision: http://127.0.0.1:"))
  }

  @Test func readsAFilmOfTheFixtures() throws {
    let call = ToolCall()
    let clip = Fixtures.path("clips/throw-34.mjpeg")
    expectEqual(call.run(whole + [clip]), .success)
    expectEqual(call.outputLines.map { $0.split(separator: "  ").last }, ["roll 1: 6 3 6, sum 15"])
  }

  @Test func jsonHasAVersionAndANumberForEachEvent() throws {
    expectEqual(call.run(whole + ["--json", try film()]), .success)
    let events = try call.outputLines.map { try JSONReader.parse([UInt8]($0.utf8)) }
    expectEqual(
      events.map { $0["event"]?.string }, ["rollStarted", "rollEnded", "cleared", "sourceEnded"])
    expectEqual(events.map { $0["number"]?.integer }, [1, 2, 3, 4])
    #expect(events.allSatisfy { $0["version"]?.integer == 1 })
    #expect(events.allSatisfy { ($0["unixTime"]?.number ?? 0) > 1e9 })
    let roll = try #require(events.dropFirst().first)
    expectEqual(roll["values"], [3, 5])
    #expect(roll["dice"]?.array?.first?["box"]?["width"]?.number != nil)
  }

  @Test func standardInputIsASource() throws {
    call.input = try FileSystem.readFile(at: try film(), byteLimit: 1 << 26)
    expectEqual(call.run(whole + ["-"]), .success)
    expectEqual(call.outputLines.count, 2)
  }

  @Test func goesOnUntilItIsInterrupted() throws {
    call.interruption = (looks: 4, signal: 2)
    expectEqual(
      call.run("live", "--port", "0", "--loop", "--every-frame", try film()).rawValue, 130)
  }

  @Test func aFilmThatCannotBeReadIsAnError() throws {
    expectEqual(call.run(whole + [folder.file("missing.y4m")]), .failure)
    try folder.write("no film", to: "text.y4m")
    expectEqual(call.run(whole + [folder.file("text.y4m")]), .failure)
    try folder.write([], to: "empty.y4m")
    expectEqual(call.run(whole + [folder.file("empty.y4m")]), .failure)
    #expect(call.errors.contains("missing.y4m"))
  }

  @Test func aPortInUseIsNamed() throws {
    let server = try Server(ServerAccess())
    expectEqual(call.run("live", "--port", "\(server.port)", try film()), .failure)
    #expect(call.errors.contains("Another program listens on port \(server.port)."))
    #expect(call.errors.contains("--port"))
  }

  @Test(arguments: [
    [], ["--browser", "film.y4m"], ["--browser", "--loop"], ["--loop", "--until-end", "film.y4m"],
    ["--loop", "-"], ["--loop", "camera"], ["--until-end", "rtsp://a/b"], ["gopher://a/b"],
    ["--camera-size", "0x0", "camera"], ["--camera-rate", "0", "camera"], ["--port", "65536", "a"],
  ])
  func refusesWrongCalls(arguments: [String]) {
    expectEqual(call.run(["live"] + arguments), .usage)
  }

  @Test func addressesAndTokensAreChecked() throws {
    let film = try film()
    expectEqual(call.run("live", "--port", "0", "--listen", "example.org", film), .failure)
    expectEqual(call.run("live", "--port", "0", "--token", "short", film), .failure)
    #expect(call.errors.contains("A token has 16 characters at least"))
    let open = ToolCall()
    open.find = call.find
    expectEqual(open.run(whole + ["--listen", "0.0.0.0", film]), .success)
    #expect(open.errors.contains("?token="))
  }
}

@Suite struct LiveSourceTests {
  private func words(
    _ text: String, _ system: LiveSource.System
  ) throws -> [String] {
    let request = LiveSource.CameraRequest(size: "640x480", frameRate: "15")
    guard case .ffmpeg(let input, let isEndless) = try LiveSource(text, request, system: system)
    else { return [] }
    #expect(isEndless)
    return input
  }

  @Test func eachSystemHasItsCameras() throws {
    let request = ["-framerate", "15", "-video_size", "640x480"]
    try expectEqual(words("camera", .linux), ["-f", "v4l2"] + request + ["-i", "/dev/video0"])
    try expectEqual(words("camera:2", .linux).last, "/dev/video2")
    try expectEqual(words("camera:/dev/by-id/a", .linux).last, "/dev/by-id/a")
    try expectEqual(words("camera", .apple), ["-f", "avfoundation"] + request + ["-i", "0:none"])
    try expectEqual(words("camera:FaceTime", .apple).last, "FaceTime:none")
    try expectEqual(words("camera:USB Camera", .windows).last, "video=USB Camera")
    try expectEqual(words("camera:USB Camera", .windows).prefix(2), ["-f", "dshow"])
  }

  @Test func addressesGoThroughFFmpeg() throws {
    #expect(
      try words("rtsp://a/b", .linux) == ["-rtsp_transport", "tcp", "-i", "rtsp://a/b"])
    #expect(try words("http://phone:8080/video", .linux) == ["-i", "http://phone:8080/video"])
    for text in ["file:///etc/passwd", "concat://a", "://a"] {
      #expect(throws: ToolError.self) { try LiveSource(text) }
    }
    try expectEqual(LiveSource("-"), .film("-"))
    try expectEqual(LiveSource("a.y4m"), .film("a.y4m"))
  }

  @Test func passwordsAreNotTold() throws {
    #expect(try LiveSource("rtsp://me:secret@host/a@b").name == "rtsp://host/a@b")
    expectEqual(LiveSource.withoutSecrets("no address"), "no address")
  }
}

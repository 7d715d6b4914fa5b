import DiceFiles
import DiceImaging
import DiceCodecs
import TestSupport
import Testing

@testable import DiceCommandLine
@testable import DiceFinders

@Suite struct TrackCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  /// A film whose brightness tells the number of the frame, so that the detector knows where the
  /// dice are: none at first, two thrown in from frame 5, at rest from frame 15, gone from 34.
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

  private func film(frameCount: Int = 60) throws -> [UInt8] {
    let writer = try Y4MWriter(width: 320, height: 180, chroma: .s444, range: .full)
    var bytes = writer.header
    for index in 0..<frameCount {
      bytes += try writer.frame(
        PixelImage(
          width: 320, height: 180, format: .gray,
          samples: [UInt8](repeating: UInt8(4 * index), count: 320 * 180)))
    }
    return bytes
  }

  @Test func printsARollOnceAndWhenTheTableIsCleared() throws {
    call.input = try film()
    expectEqual(call.run("track", "-"), .success)
    let lines = call.outputLines
    expectEqual(lines.count, 2, "\(lines)")
    expectEqual(lines.first?.hasSuffix(" s  roll 1: 3 5, sum 8"), true)
    expectEqual(lines.last?.hasSuffix(" s  no dice"), true)
    #expect(call.errors.isEmpty)
  }

  @Test func jsonHasAnObjectForEachEvent() throws {
    try folder.write(try film(), to: "roll.y4m")
    expectEqual(call.run("track", "--format", "json", folder.file("roll.y4m")), .success)
    let events = try call.outputLines.map { try JSONReader.parse([UInt8]($0.utf8)) }
    expectEqual(events.map { $0["event"]?.string }, ["rollStarted", "rollEnded", "cleared"])
    let ended = try #require(events.dropFirst().first)
    let frame = try #require(ended["frame"]?.integer)
    #expect((15...27).contains(frame))
    #expect(abs((ended["time"]?.number ?? 0) - Double(frame) / 30) < 1e-3)
    expectEqual(ended["values"]?.array?.map(\.integer), [3, 5])
    expectEqual(ended["sum"]?.integer, 8)
    let die = try #require(ended["dice"]?.array?.first)
    #expect(abs((die["box"]?["x"]?.number ?? 0) - 100) < 1)
  }

  @Test func kindsOfDiceAreTold() throws {
    guard let find = call.find else { return }
    call.find = { (image, request) throws(ToolError) in
      var reading = try find(image, request)
      for index in reading.dice.indices {
        reading.dice[index].label = ["d%-30", "d10-5"][index]
        if index == 0 { reading.dice[index].value = 30 }
      }
      return reading
    }
    call.input = try film()
    expectEqual(call.run("track", "-"), .success)
    expectEqual(call.outputLines.first?.hasSuffix(" s  roll 1: 1d100: 30 5, total 35"), true)
    call.input = try film()
    expectEqual(call.run("track", "--format", "json", "-"), .success)
    let events = try call.outputLines.filter { $0.hasPrefix("{") }
      .map { try JSONReader.parse([UInt8]($0.utf8)) }
    let ended = try #require(events.first { $0["notation"] != nil })
    #expect(ended["notation"]?.string == "1d100" && ended["total"]?.integer == 35)
    let dice = try #require(ended["dice"]?.array)
    expectEqual(dice.map { $0["kind"]?.string }, ["d%", "d10"])
    expectEqual(dice.map { $0["face"]?.string }, ["30", "5"])
  }

  @Test func aFieldTellsDiceOutsideAndPlaces() throws {
    let film = try film()
    let field = ["--field", "60,10,260,10,260,80,60,80", "--field-size", "20x7cm"]
    call.input = film
    expectEqual(call.run(["track"] + field + ["-"]), .success)
    expectEqual(call.outputLines.first?.hasSuffix("roll 1: 3, sum 3; outside: 5"), true)
    call.input = film
    expectEqual(
      call.run(["track", "--format", "json"] + field + ["--player-side", "upper", "-"]), .success)
    let events = try call.outputLines.suffix(3).map { try JSONReader.parse([UInt8]($0.utf8)) }
    let ended = try #require(events.first { $0["event"]?.string == "rollEnded" })
    expectEqual(ended["values"]?.array?.map(\.integer), [3])
    expectEqual(ended["outside"]?.array?.first?["value"]?.integer, 5)
    let place = try #require(ended["dice"]?.array?.first?["place"])
    #expect(place["outside"]?.bool == false && place["cocked"]?.bool == false)
    // Seen from above: the middle of the box, 115, 55.
    let position = try #require(place["centimeters"]?.array?.map { $0.number ?? 0 })
    #expect(abs(position[0] - 5.5) < 0.1 && abs(position[1] - 4.5) < 0.1, "\(position)")
    let fromPlayer = try #require(place["fromPlayer"]?.array?.map { $0.number ?? 0 })
    #expect(abs(fromPlayer[0] - 0.725) < 0.01 && abs(fromPlayer[1] - 0.643) < 0.02)
  }

  @Test func fieldsThatAreNoneAreRefused() throws {
    for (arguments, part) in [
      (["--field", "1,2,3"], "four corners as eight numbers"),
      (["--field", "1,2,3,4,5,6,7,x"], "four corners as eight numbers"),
      (["--field", "0,0,0,9,9,9,9,0"], "clockwise"),
      (["--field-size", "20x7cm"], "needs --field"),
      (["--player-side", "left"], "needs --field"),
    ] {
      let call = ToolCall()
      expectEqual(call.run(["track"] + arguments + ["-"]), .usage, "\(arguments)")
      #expect(call.errors.contains(part), "\(call.errors)")
    }
  }

  @Test func aRollOfAnotherNumberOfDiceIsNone() throws {
    call.input = try film()
    expectEqual(call.run("track", "--dice", "3", "--format", "json", "-"), .success)
    #expect(!call.output.contains("rollEnded"))
  }

  @Test func everyNthFrameIsEnough() throws {
    call.input = try film()
    expectEqual(call.run("track", "--every", "3", "-"), .success)
    #expect(call.output.contains("roll 1: 3 5, sum 8"))
    #expect(call.requests.count <= 20)
  }

  @Test func writesTheMarkedFilmAndPictures() throws {
    let bytes = try film(frameCount: 20)
    call.input = bytes
    expectEqual(call.run("track", "--annotate", folder.file("marked.y4m"), "-"), .success)
    var reader = Y4MReader()
    var rest = try folder.bytes("marked.y4m")[...]
    var count = 0
    while let frame = try reader.nextFrame(from: &rest) {
      #expect(frame.width == 320 && frame.height == 180)
      count += 1
    }
    try reader.finish()
    expectEqual(count, 20)

    call.input = bytes
    expectEqual(call.run("track", "--annotate", folder.file("frames"), "-"), .success)
    let pictures = try FileSystem.files(in: folder.file("frames"))
    expectEqual(pictures.count, 20)
    expectEqual(pictures.last?.hasSuffix("frame_000019.jpg"), true)
  }

  // MARK: - What was not done

  @Test func aFilmWithoutARollSaysWhatWasSeen() throws {
    call.input = try film()
    expectEqual(call.run("track", "--dice", "3", "-"), .success)
    #expect(call.output.isEmpty)
    #expect(call.errors.contains("There was no roll in 60 frames: 2 dice at most at once"))
    #expect(call.errors.contains("--dice asks for rolls of 3."))

    let still = ToolCall()
    still.find = { (image, _) in
      PictureReading(
        width: image.width, height: image.height,
        dice: [die(4, 0.9, x: 100, y: 40, width: 30, height: 30)])
    }
    still.input = try film(frameCount: 40)
    expectEqual(still.run("track", "-"), .success)
    expectEqual(
      still.errors,
      "dicevision: There was no roll in 40 frames: 1 die at most at once, and none of them "
        + "moved. With --laid, dice that appear without being thrown are also rolls.\n")
    #expect(still.output.isEmpty)

    let laid = ToolCall()
    laid.find = still.find
    laid.input = still.input
    expectEqual(laid.run("track", "--laid", "-"), .success)
    #expect(laid.output.contains("roll 1: 4, sum 4") && laid.errors.isEmpty)

    let empty = ToolCall()
    empty.find = { (image, _) in
      PictureReading(width: image.width, height: image.height, dice: [])
    }
    empty.input = try film(frameCount: 1)
    expectEqual(empty.run("track", "-"), .success)
    #expect(empty.errors.contains("no roll in 1 frame: no die was seen."))
  }

  @Test func aFilmWithoutFramesIsAnError() throws {
    call.input = try film(frameCount: 0)
    expectEqual(call.run("track", "-"), .failure)
    expectEqual(call.errors, "dicevision: standard input: The film has no frames.\n")
  }

  @Test func lossesAreToldOneByOneAndThenCounted() throws {
    call.input = (0..<5000).flatMap { _ in [UInt8]([0xFF, 0xD8, 0xFF, 0xD9]) }
    expectEqual(call.run("track", "-"), .failure)
    let lines = call.errors.split(separator: "\n")
    expectEqual(lines.count, 11)
    expectEqual(lines.last, "dicevision: standard input: 4,990 more such losses.")
  }

  @Test func otherFilmsComeThroughFFmpeg() throws {
    try folder.write([0, 0, 0, 16] + Array("ftypisom\0\0\0\0".utf8), to: "my film.mp4")
    expectEqual(call.run("track", folder.file("my film.mp4")), .failure)
    #expect(
      call.errors.contains(
        "`ffmpeg -loglevel error -i '\(folder.path)/my film.mp4' -pix_fmt yuv420p "
          + "-f yuv4mpegpipe - | dicevision track -`"))
    for (header, words) in [
      ("YUV4MPEG2 W4 H4 F30:1 It\n", "-vf yadif"), ("", "-pix_fmt yuv420p"),
    ] {
      let call = ToolCall()
      call.input = [UInt8](header.utf8)
      expectEqual(call.run("track", "-"), .failure)
      #expect(call.errors.contains(words), "\(call.errors)")
    }
  }

  @Test func filmsThatAreNotWrittenAreRefusedByName() throws {
    call.input = try film(frameCount: 2)
    for name in ["x.mp4", "x.MOV", "x.png", "x.mjpeg"] {
      expectEqual(call.run("track", "--annotate", folder.file(name), "-"), .usage)
      #expect(call.errors.contains("a folder, or a film that ends in y4m"))
      #expect(!FileSystem.exists(at: folder.file(name)))
    }
    expectEqual(call.run("track", "--annotate", folder.file("x.mp4/"), "-"), .success)
    #expect(FileSystem.isFolder(at: folder.file("x.mp4")))
  }

  @Test func aTruncatedFilmFailsAfterItsFrames() throws {
    call.input = Array(try film(frameCount: 30).dropLast(100))
    expectEqual(call.run("track", "-"), .failure)
    #expect(call.output.contains("roll 1: 3 5"))
    #expect(call.errors.contains("standard input"))
  }

  @Test func whatIsNoFilmIsRefusedByName() throws {
    call.input = Array("no film".utf8)
    expectEqual(call.run("track", "-"), .failure)
    #expect(call.errors.hasPrefix("dicevision: standard input: "))
    expectEqual(call.run("track", folder.file("missing.y4m")), .failure)
    expectEqual(call.run("track", folder.path), .failure)
    #expect(call.errors.contains("no pictures"))
  }

  @Test func aFolderOfNumberedPicturesIsAFilm() throws {
    for index in 0..<45 {
      let image = PixelImage(
        width: 320, height: 180, format: .gray,
        samples: [UInt8](repeating: UInt8(4 * index), count: 320 * 180))
      try folder.write(PNGEncoder.encode(image), to: "film/frame\(index).png")
    }
    expectEqual(call.run("track", "--frame-rate", "30", folder.file("film")), .success)
    expectEqual(call.outputLines.first?.hasSuffix("roll 1: 3 5, sum 8"), true)
  }
}

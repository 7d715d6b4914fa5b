import DiceFiles
import DiceImaging
import DiceCodecs
import Testing

@testable import dicevision

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
    #expect(call.run("track", "-") == .success)
    let lines = call.outputLines
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first?.hasSuffix(" s  roll 1: 3 5, sum 8") == true)
    #expect(lines.last?.hasSuffix(" s  no dice") == true)
    #expect(call.errors.isEmpty)
  }

  @Test func jsonHasAnObjectForEachEvent() throws {
    try folder.write(try film(), to: "roll.y4m")
    #expect(call.run("track", "--format", "json", folder.file("roll.y4m")) == .success)
    let events = try call.outputLines.map { try JSONReader.parse([UInt8]($0.utf8)) }
    #expect(events.map { $0["event"]?.string } == ["rollStarted", "rollEnded", "cleared"])
    let ended = try #require(events.dropFirst().first)
    let frame = try #require(ended["frame"]?.integer)
    #expect((15...27).contains(frame))
    #expect(abs((ended["time"]?.number ?? 0) - Double(frame) / 30) < 1e-3)
    #expect(ended["values"]?.array?.map(\.integer) == [3, 5])
    #expect(ended["sum"]?.integer == 8)
    let die = try #require(ended["dice"]?.array?.first)
    #expect(abs((die["box"]?["x"]?.number ?? 0) - 100) < 1)
  }

  @Test func aRollOfAnotherNumberOfDiceIsNone() throws {
    call.input = try film()
    #expect(call.run("track", "--dice", "3", "--format", "json", "-") == .success)
    #expect(!call.output.contains("rollEnded"))
  }

  @Test func everyNthFrameIsEnough() throws {
    call.input = try film()
    #expect(call.run("track", "--every", "3", "-") == .success)
    #expect(call.output.contains("roll 1: 3 5, sum 8"))
    #expect(call.requests.count <= 20)
  }

  @Test func writesTheMarkedFilmAndPictures() throws {
    let bytes = try film(frameCount: 20)
    call.input = bytes
    #expect(call.run("track", "--annotate", folder.file("marked.y4m"), "-") == .success)
    var reader = Y4MReader()
    var rest = try folder.bytes("marked.y4m")[...]
    var count = 0
    while let frame = try reader.nextFrame(from: &rest) {
      #expect(frame.width == 320 && frame.height == 180)
      count += 1
    }
    try reader.finish()
    #expect(count == 20)

    call.input = bytes
    #expect(call.run("track", "--annotate", folder.file("frames"), "-") == .success)
    let pictures = try FileSystem.files(in: folder.file("frames"))
    #expect(pictures.count == 20)
    #expect(pictures.last?.hasSuffix("frame_000019.jpg") == true)
  }

  @Test func aTruncatedFilmFailsAfterItsFrames() throws {
    call.input = Array(try film(frameCount: 30).dropLast(100))
    #expect(call.run("track", "-") == .failure)
    #expect(call.output.contains("roll 1: 3 5"))
    #expect(call.errors.contains("standard input"))
  }

  @Test func whatIsNoFilmIsRefusedByName() throws {
    call.input = Array("no film".utf8)
    #expect(call.run("track", "-") == .failure)
    #expect(call.errors.hasPrefix("dicevision: standard input: "))
    #expect(call.run("track", folder.file("missing.y4m")) == .failure)
    #expect(call.run("track", folder.path) == .failure)
    #expect(call.errors.contains("no pictures"))
  }

  @Test func aFolderOfNumberedPicturesIsAFilm() throws {
    for index in 0..<45 {
      let image = PixelImage(
        width: 320, height: 180, format: .gray,
        samples: [UInt8](repeating: UInt8(4 * index), count: 320 * 180))
      try folder.write(PNGEncoder.encode(image), to: "film/frame\(index).png")
    }
    #expect(call.run("track", "--frame-rate", "30", folder.file("film")) == .success)
    #expect(call.outputLines.first?.hasSuffix("roll 1: 3 5, sum 8") == true)
  }
}

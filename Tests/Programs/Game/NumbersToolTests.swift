import DiceCodecs
import DiceFiles
import DiceImaging
import Foundation
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct NumbersToolTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  private static let one = "{\"id\": \"a\", \"strokes\": [[[30, 0], [30, 50], [30, 100]]]}"

  @Test func answersEachDrawingWithALine() throws {
    let path = try folder.write(
      [UInt8]((Self.one + "\n\n{\"id\": 7, \"strokes\": []}\n").utf8), to: "drawings.jsonl")
    expectEqual(call.run("numbers", path, "--format", "json"), .success)
    expectEqual(call.outputLines.count, 2)
    let first = try JSONReader.parse([UInt8](call.outputLines[0].utf8))
    expectEqual(first["id"]?.string, "a")
    expectEqual(first["text"]?.string, "1")
    let digit = try #require(first["digits"]?.array?.first)
    expectEqual(digit["value"]?.integer, 1)
    expectEqual(digit["strokes"]?.array?.map(\.integer), [0])
    expectEqual(call.outputLines[1], "{\"id\":7,\"text\":\"\",\"digits\":[]}")
  }

  @Test func readsStandardInputToItsEnd() throws {
    call.input = [UInt8](String(repeating: Self.one + "\n", count: 200).utf8)
    expectEqual(call.run("numbers", "-"), .success)
    expectEqual(call.outputLines, [String](repeating: "a: 1", count: 200))
  }

  @Test func filesWithoutDrawingsAreToldAsSuch() throws {
    expectEqual(call.run("numbers", "-"), .success)
    #expect(call.output.isEmpty && call.errors == "dicevision: standard input: no drawings.\n")
    let film = ToolCall()
    film.input = Array("YUV4MPEG2 W64 H64 F30:1 Cmono\nFRAME\n".utf8)
    expectEqual(film.run("numbers", "-"), .failure)
    expectEqual(film.errors.split(separator: "\n").count, 1)
    #expect(film.errors.contains("standard input: This is no file of drawings"))
    #expect(film.errors.contains("`ffmpeg -i in.mp4 out-%04d.png`"))
    let broken = ToolCall()
    broken.input = Array("\(Self.one)\n{\"strokes\": [\n".utf8)
    expectEqual(broken.run("numbers", "-"), .failure)
    #expect(broken.errors.hasPrefix("dicevision: standard input: Line 2, column 14: "))
  }

  @Test func namesTheLineThatIsNoDrawing() throws {
    let path = try folder.write(
      [UInt8](("[1]\n" + Self.one + "\n{\"strokes\": [[[1, \"x\"]]]}").utf8), to: "d.jsonl")
    expectEqual(call.run("numbers", path), .failure)
    expectEqual(call.output, "a: 1\n")
    #expect(call.errors.contains("Line 1: "))
    #expect(call.errors.contains("Line 3: Point 0 of stroke 0"))
  }

  /// A picture with an upright stroke, dark on light.
  private static let upright: PixelImage = {
    var samples = [UInt8](repeating: 240, count: 60 * 80)
    for row in 16..<64 { for column in 28..<33 { samples[row * 60 + column] = 20 } }
    return PixelImage(width: 60, height: 80, format: .gray, samples: samples)
  }()

  @Test func readsPicturesToldByTheirContent() throws {
    let path = try folder.write(PNGEncoder.encode(Self.upright), to: "one.jsonl")
    expectEqual(call.run("numbers", path, "--format", "json"), .success)
    let answer = try JSONReader.parse([UInt8](call.outputLines[0].utf8))
    expectEqual(answer["image"]?.string, path)
    expectEqual(answer["width"]?.integer, 60)
    let number = try #require(answer["numbers"]?.array?.first)
    expectEqual(number["text"]?.string, "1")
    #expect((number["confidence"]?.number ?? 0) > 0.2)
    let digit = try #require(number["digits"]?.array?.first)
    expectEqual(digit["value"]?.integer, 1)
    expectEqual(digit["box"]?["x"]?.number, 28)
    expectEqual(digit["box"]?["height"]?.number, 48)
  }

  @Test func drawsWhatWasRead() throws {
    let picture = try folder.write(PNGEncoder.encode(Self.upright), to: "one.png")
    let drawings = try folder.write([UInt8]((Self.one + "\n").utf8), to: "drawings.jsonl")
    let out = folder.file("read")
    expectEqual(call.run("numbers", picture, drawings, "--annotate", out), .success)
    expectEqual(call.output, "\(picture): 1\na: 1\n")
    for name in ["one.png", "drawings-1.png"] {
      let bytes = try FileSystem.readFile(at: Paths.joined(out, name), byteLimit: 1 << 20)
      let image = try ImageDecoder.decode(
        bytes, longerSide: .max, limits: DecodingLimits(), keepsAlpha: false
      ).image
      #expect(Set(image.samples).count > 3)
    }
    // The pictures' own folder is no place for copies of the same name.
    expectEqual(call.run("numbers", picture, "--annotate", folder.path), .usage)
  }

  @Test func measuresTheRecogniser() throws {
    let lines = (0..<4).map { index in
      "{\"writer\": \"w\", \"label\": \"1\", "
        + "\"strokes\": [[[30, 0], [\(30 + index), 50], [30, 100]]]}"
    }
    let path = try folder.write([UInt8](lines.joined(separator: "\n").utf8), to: "strokes.jsonl")
    expectEqual(call.run("evaluate", "numbers", path, "--count", "3", "--json"), .success)
    expectEqual(call.outputLines.count, 12)
    let single = try JSONReader.parse([UInt8](call.outputLines[0].utf8))
    #expect(single["count"]?.integer == 4 && single["rightCount"]?.integer == 4)
    expectEqual(call.run("evaluate", "numbers", path, "--writers", "x"), .failure)
  }
}

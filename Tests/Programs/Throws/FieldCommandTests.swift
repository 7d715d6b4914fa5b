import DiceCodecs
import DiceFiles
import DiceImaging
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct FieldCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()
  let board: String

  /// Eight by eight squares of 30 pixels from (40, 50) on.
  init() throws {
    folder = try TemporaryFolder()
    let (width, height) = (320, 340)
    var samples = [UInt8](repeating: 120, count: width * height)
    for y in 50..<290 {
      for x in 40..<280 {
        samples[y * width + x] = ((x - 40) / 30 + (y - 50) / 30) % 2 == 1 ? 60 : 200
      }
    }
    let image = PixelImage(width: width, height: height, format: .gray, samples: samples)
    board = try folder.write(PNGEncoder.encode(image), to: "board.png")
  }

  @Test func jsonHasFourCornersClockwiseFromTheUpperLeft() throws {
    expectEqual(call.run("field", "--format", "json", board), .success)
    let json = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(json["image"]?.string, board)
    let corners = try #require(json["corners"]?.array)
    expectEqual(corners.count, 4)
    let wanted = [(40.0, 50.0), (280, 50), (280, 290), (40, 290)]
    for (corner, (x, y)) in zip(corners, wanted) {
      let numbers = try #require(corner.array?.map { $0.number ?? .nan })
      #expect(numbers.count == 2 && abs(numbers[0] - x) < 0.5 && abs(numbers[1] - y) < 0.5)
    }
    let confidence = try #require(json["confidence"]?.number)
    #expect(confidence > 0.5 && confidence <= 1)
    for other in try #require(json["others"]?.array) {
      #expect(other.array?.count == 4 && other.array?.allSatisfy { $0.array?.count == 2 } == true)
    }
    let plain = ToolCall()
    expectEqual(plain.run("field", board), .success)
    #expect(plain.output.hasPrefix("\(board): grid of 8 x 8, "))
  }

  @Test func aPictureWithoutAFieldHasNullAndNothingToRectify() throws {
    let image = PixelImage(
      width: 64, height: 48, format: .gray, samples: [UInt8](repeating: 90, count: 64 * 48))
    let empty = try folder.write(PNGEncoder.encode(image), to: "empty.png")
    expectEqual(call.run("field", "--json", empty), .success)
    #expect(
      call.output == #"{"image":"\#(empty)","corners":null,"confidence":0,"others":[]}"# + "\n")
    let other = ToolCall()
    expectEqual(other.run("field", "--rectify", folder.file("above.png"), empty), .failure)
    #expect(other.errors.contains("There is no field to rectify."))
  }

  @Test func theTopViewHasTheShapeOfTheSizeAndCopiesAreMarked() throws {
    let (above, marked) = (folder.file("above.png"), folder.file("marked.png"))
    expectEqual(
      call.run("field", "--size", "20x40cm", "--rectify", above, "--annotate", marked, board),
      .success)
    let view = try ImageDecoder.decode(try FileSystem.readFile(at: above, byteLimit: 1 << 24))
    #expect(abs(view.height - 2 * view.width) <= 1)
    let copy = try ImageDecoder.decode(try FileSystem.readFile(at: marked, byteLimit: 1 << 24))
    #expect(copy.width == 320 && copy.height == 340)
    #expect(copy.converted(to: .gray).samples != copy.samples)
    // A corner's pixels were gray.
    let color = copy.color(column: 160, row: 50)
    #expect(color.red != color.blue || color.red != color.green)
  }

  @Test func wrongCallsAreRefused() throws {
    for size in ["40x40", "0x4cm", "4cm", "4x4x4cm", "axbcm", "-4x4cm", "nanx4cm", "4x4km"] {
      expectEqual(ToolCall().run("field", "--size", size, "--rectify", "x.png", board), .usage)
    }
    expectEqual(call.run("field", "--size", "40x40cm", board), .usage)
    expectEqual(call.run("field"), .usage)
    expectEqual(call.run("field", "-", "-"), .usage)
    expectEqual(call.run("field", "--rectify", folder.file("above.txt"), board), .usage)
    #expect(call.errors.contains("--rectify"))
    expectEqual(ToolCall().run("field", folder.file("missing.png")), .failure)
  }

  @Test func sizesHaveUnits() {
    #expect(FieldSize("40x30cm")?.width == 40 && FieldSize("40x30cm")?.height == 30)
    expectEqual(FieldSize("400x300mm")?.width, 40)
    expectEqual(FieldSize("1.22x0.61m")?.width, 122)
    expectEqual(FieldSize("10x20in")?.height, 50.8)
  }
}

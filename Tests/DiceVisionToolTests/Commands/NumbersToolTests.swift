import DiceFiles
import Foundation
import Testing

@testable import dicevision

@Suite struct NumbersToolTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  private static let one = "{\"id\": \"a\", \"strokes\": [[[30, 0], [30, 50], [30, 100]]]}"

  @Test func answersEachDrawingWithALine() throws {
    let path = try folder.write(
      [UInt8]((Self.one + "\n\n{\"id\": 7, \"strokes\": []}\n").utf8), to: "drawings.jsonl")
    #expect(call.run("numbers", path, "--format", "json") == .success)
    #expect(call.outputLines.count == 2)
    let first = try JSONReader.parse([UInt8](call.outputLines[0].utf8))
    #expect(first["id"]?.string == "a")
    #expect(first["text"]?.string == "1")
    let digit = try #require(first["digits"]?.array?.first)
    #expect(digit["value"]?.integer == 1)
    #expect(digit["strokes"]?.array?.map(\.integer) == [0])
    #expect(call.outputLines[1] == "{\"id\":7,\"text\":\"\",\"digits\":[]}")
  }

  @Test func namesTheLineThatIsNoDrawing() throws {
    let path = try folder.write(
      [UInt8](("[1]\n" + Self.one + "\n{\"strokes\": [[[1, \"x\"]]]}").utf8), to: "d.jsonl")
    #expect(call.run("numbers", path) == .failure)
    #expect(call.output == "a: 1\n")
    #expect(call.errors.contains("Line 1: "))
    #expect(call.errors.contains("Line 3: Point 0 of stroke 0"))
  }
}

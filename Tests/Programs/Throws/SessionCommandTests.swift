import DiceFiles
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct SessionCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aRenderedThrowIsScoredAndDrawn() throws {
    let film = folder.file("film")
    let drawing = ToolCall()
    expectEqual(
      drawing.run("render", "--session", "--count", "1", "--json", "--output", film), .success)
    let truth = try JSONReader.parse(
      FileSystem.readFile(at: "\(film)/session.json", byteLimit: 100_000))
    expectEqual(truth["throws"]?.array?.count, 1)
    let corners = try #require(truth["field"]?["corners"]?.array).flatMap {
      ($0.array ?? []).compactMap(\.number)
    }
    expectEqual(corners.count, 8)
    let call = ToolCall()
    let marked = folder.file("marked.y4m")
    expectEqual(
      call.run(
        "session", "--format", "json", "--throws", "1", "--poses", "\(film)/poses.jsonl",
        "--field", corners.map { "\($0)" }.joined(separator: ","), "--annotate", marked,
        "\(film)/session.y4m"), .success, "\(call.errors)")
    let events = try call.outputLines.map { try JSONReader.parse([UInt8]($0.utf8)) }
    let names = events.compactMap { $0["event"]?.string }
    expectEqual(
      names.prefix(8),
      [
        "fieldFound", "sceneStable", "playerEntered", "ready", "throwStarted", "throwEnded",
        "scored", "finished",
      ], "\(names)")
    expectEqual(names.last, "summary")
    let score = try #require(events.first { $0["event"]?.string == "scored" })
    expectEqual(score["place"], truth["throws"]?.array?[0]["place"])
    expectEqual(score["type"], truth["throws"]?.array?[0]["type"])
    #expect((score["path"]?.array?.count ?? 0) >= 8)
    expectEqual(events.last?["throws"]?.integer, 1)
    let frames = try #require(truth["frameCount"]?.integer)
    let size = try FileSystem.readFile(at: marked, byteLimit: 1 << 30).count
    #expect(size > frames * 640 * 360 * 3 / 2)
    // A film of the same kind is replaced, another file is not.
    try FileSystem.createFolder(at: folder.file("other"))
    try folder.write([1, 2, 3], to: "other/session.y4m")
    expectEqual(
      drawing.run("render", "--session", "--count", "1", "--output", folder.file("other")), .usage)
  }

  @Test func wrongCallsAreToldAsSuch() {
    let call = ToolCall()
    for arguments in [
      ["--field", "1,2,3", "-"], ["--field-size", "0x4cm", "-"], ["--hole", "1,2", "-"],
      ["--hole", "1,2,-3", "-"], ["--throws", "0", "-"], ["--rules", "other", "-"],
      ["--annotate-as", "png", "-"], ["--poses", "-", "-"],
      ["--weights", "a.weights", "--poses", "none", "-"],
      ["--joints", "a.weights", "--poses", "none", "-"],
      ["--people", "a.weights", "--poses", "b.jsonl", "-"],
      ["--focal-length", "0", "-"],
    ] { expectEqual(call.run(["session"] + arguments), .usage, "\(arguments)") }
    expectEqual(call.run("session", folder.file("missing.y4m")), .failure)
    // Corners that are crossed.
    expectEqual(call.run("session", "--field", "0,0,9,0,0,9,9,9", "-"), .usage)
    for arguments in [
      ["--throws"], ["--style", "varied"], ["--height", "100"], ["--dice", "2"],
      ["--format", "png"], ["--count", "1001"],
    ] {
      expectEqual(
        call.run(["render", "--session", "--output", folder.file("film")] + arguments), .usage,
        "\(arguments)")
    }
  }
}

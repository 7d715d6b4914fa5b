import DiceFiles
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct ThrowsCommandTests {
  let folder: TemporaryFolder
  let call = ToolCall()

  init() throws { folder = try TemporaryFolder() }

  /// A body whose right hand goes up or down, with a label of its own.
  private static func line(_ index: Int) -> String {
    let goesUp = index % 2 == 0
    let x = Double(index * 7 % 50)
    var frames: [String] = []
    for frame in 0..<16 {
      let height = Double(goesUp ? 60 - 4 * frame : 4 * frame)
      let places = [
        (0.0, -25.0), (-10, 0), (10, 0), (-16, 0.5 * height), (16, 20), (-20, height), (18, 40),
        (-7, 50), (7, 50), (-7, 75), (7, 75), (-7, 100), (7, 100),
      ]
      let points = places.map { "[\(100 + x + $0.0), \(100 + $0.1), 1]" }
      frames.append("[\(points.joined(separator: ", "))]")
    }
    return #"{"id": "n\#(index)", "label": "\#(goesUp ? "up" : "down")", "frames": ["#
      + frames.joined(separator: ", ") + "]}"
  }

  private static func lines(_ count: Int) -> String {
    (0..<count).map { line($0) + "\n" }.joined()
  }

  private func objects(_ call: ToolCall) throws -> [JSONValue] {
    try call.output.split(separator: "\n").map { try JSONReader.parse([UInt8]($0.utf8)) }
  }

  @Test func everySequenceIsAnswered() throws {
    let hidden = #"{"id": 7, "joints": ["nose"], "frames": [[[1, 2, 1]]]}"#
    let path = try folder.write(Self.lines(3) + "\n" + hidden + "\n", to: "throws.jsonl")
    expectEqual(call.run("throws", path, "--format", "json"), .success)
    let answers = try objects(call)
    expectEqual(answers.map { $0["id"]?.string }, ["n0", "n1", "n2", "7"])
    for answer in answers.prefix(3) {
      let label = answer["label"]?.string ?? ""
      #expect(["overhand", "underhand", "underleg", "none"].contains(label))
      #expect((0.25...1).contains(answer["confidence"]?.number ?? -1))
    }
    #expect(answers[3]["label"] == .null && answers[3]["confidence"]?.number == 0)
    let text = ToolCall()
    expectEqual(text.run("throws", path), .success)
    #expect(text.output.hasPrefix("n0: ") && text.output.hasSuffix("7: no trunk seen\n"))
    let table = ToolCall()
    expectEqual(table.run("throws", path, "--format", "csv"), .success)
    #expect(table.output.hasPrefix("id,label,confidence\r\nn0,"))
  }

  @Test func brokenLinesAreReportedAndOthersAnswered() throws {
    let path = try folder.write(
      Self.line(0) + "\n{\n" + #"{"id": "x", "frames": [[1]]}"# + "\n" + Self.line(1) + "\n",
      to: "throws.jsonl")
    let status = call.run("throws", folder.file("nowhere.jsonl"), path, "--json")
    expectEqual(status, .failure)
    try expectEqual(objects(call).map { $0["id"]?.string }, ["n0", "n1"])
    for text in ["nowhere.jsonl", "Line 2, column 2", "Line 3, frame 0"] {
      #expect(call.errors.contains(text), "\(text)")
    }
  }

  @Test func filesOfOtherKindsAreRefusedOnce() throws {
    for (bytes, advice) in [
      (Array("YUV4MPEG2 W64 H64 F30:1 Cmono\nFRAME\n{".utf8), "`dicevision session` follows"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0x0A, 0x7B, 0x0A, 0x01], "`dicevision pose` finds"),
      (Array("hello\nworld\n".utf8), "one a line."), ([0x7B, 0, 0x0A, 0], "one a line."),
    ] as [([UInt8], String)] {
      let path = try folder.write(bytes, to: "other")
      let call = ToolCall()
      expectEqual(
        call.run("throws", path, try folder.write(Self.line(0), to: "one.jsonl")), .failure)
      expectEqual(call.errors.split(separator: "\n").count, 1, "\(call.errors)")
      #expect(call.errors.contains("no file of sequences of joints, which are JSON objects"))
      #expect(call.errors.contains(advice))
      #expect(call.output.hasPrefix("n0: "))
    }
  }

  @Test func aFileWithoutSequencesIsToldAsSuch() throws {
    for text in ["", "\n \r\n\n"] {
      let path = try folder.write(text, to: "empty.jsonl")
      let call = ToolCall()
      expectEqual(call.run("throws", path, "--json"), .success)
      #expect(call.output.isEmpty)
      expectEqual(call.errors, "dicevision: \(path): no sequences.\n")
    }
  }

  @Test func whatIsTrainedIsTold() throws {
    let path = try folder.write(Self.lines(40), to: "moves.jsonl")
    let weights = folder.file("moves.dvweights")
    let status = call.run(
      "train", "actions", path, "--samples", "2000", "--folds", "2", "--threads", "2", "--json",
      "--output", weights)
    expectEqual(status, .success, "\(call.errors)")
    let result = try JSONReader.parse([UInt8](call.output.utf8))
    expectEqual(result["sequenceCount"]?.integer, 40)
    expectEqual(result["leftOut"]?["count"]?.integer, 40)
    #expect(result["leftOut"]?["balancedAccuracy"]?.number ?? 0 > 0.9)
    let throwing = ToolCall()
    expectEqual(throwing.run("throws", path, "--json", "--weights", weights), .success)
    let labels = try objects(throwing).map { $0["label"]?.string }
    expectEqual(labels.prefix(4), ["up", "down", "up", "down"])
    let evaluating = ToolCall()
    expectEqual(
      evaluating.run("evaluate", "actions", path, "--weights", weights, "--noise", "0.05"), .success
    )
    #expect(evaluating.output.contains("40 sequences, balanced accuracy 1.0000"))
    // The weights are not replaced unasked.
    expectEqual(ToolCall().run("train", "actions", path, "--output", weights), .usage)
  }

  @Test func whatCannotBeLearntIsRefused() throws {
    let path = try folder.write(Self.lines(4), to: "moves.jsonl")
    let weights = folder.file("moves.dvweights")
    func errors(_ arguments: String..., status: CallStatus) -> String {
      let call = ToolCall()
      expectEqual(call.run(["train", "actions", path, "--output", weights] + arguments), status)
      return call.errors
    }
    #expect(errors("--labels", "up,left", status: .failure).contains("\"left\""))
    #expect(errors("--labels", "up", status: .usage).contains("two different names"))
    #expect(errors("--folds", "1", status: .usage).contains("--folds 1"))
    #expect(errors("--seen-figures", "3", status: .usage).contains("--figures"))
    #expect(errors("--figures", "--joints", path, status: .usage).contains("--seen-figures"))
    #expect(!FileSystem.exists(at: weights))
    let evaluating = ToolCall()
    expectEqual(evaluating.run("evaluate", "actions", path), .failure)
    #expect(evaluating.errors.contains("label that the classifier knows"))
  }
}

import Testing

@testable import dicevision

@Suite struct ToolTests {
  @Test func theVersionIsOneLine() {
    let call = ToolCall()
    #expect(call.run("--version") == .success)
    #expect(call.output == "dicevision \(Tool.version)\n")
  }

  @Test func withoutACommandTheCallIsWrong() {
    let call = ToolCall()
    #expect(call.run() == .usage)
    #expect(call.errors.contains("command is missing") && call.errors.contains("dicevision --help"))
    #expect(call.output.isEmpty)
  }

  @Test func misspeltCommandsAreSuggested() {
    let call = ToolCall()
    #expect(call.run("detcet", "a.png") == .usage)
    #expect(call.errors.contains("\"detcet\" is no command. Did you mean detect?"))
  }

  @Test func aPictureInPlaceOfACommandSuggestsDetect() {
    let call = ToolCall()
    #expect(call.run("photos/roll.JPG") == .usage)
    #expect(call.errors.contains("Did you mean dicevision detect photos/roll.JPG?"))
  }

  @Test func wordsOfOtherToolsAreKnown() {
    let calls: [(arguments: [String], meant: String)] = [
      (["predict", "a.png"], "detect"), (["val", "a.json"], "evaluate"), (["fit"], "train"),
      (["refine", "a.json"], "relabel"), (["detect", "--model", "x"], "--weights"),
      (["detect", "--conf", "0.3"], "--confidence"), (["detect", "--imgsz", "640"], "--input"),
      (["detect", "--save"], "--annotate"), (["detect", "--reader", "none"], "--second-stage"),
      (["detect", "--source", "a"], "PATH, which stands without an option"),
      (["train", "--model", "x"], "--from"), (["train", "--batch-size", "3"], "--batch"),
      (["train", "--lr0", "3"], "--learning-rate"), (["evaluate", "--half"], "--precision"),
      (["train", "--data", "x"], "SOURCE, which stands without an option"),
      (["render", "--overwrite"], "--force"),
    ]
    for (arguments, meant) in calls {
      let call = ToolCall()
      #expect(call.run(arguments) == .usage)
      #expect(call.errors.contains("Did you mean \(meant)?"), "\(arguments): \(call.errors)")
    }
    // An option is itself where the command has it.
    #expect(ToolCall().run("detect", "--input", "64", "missing.png") == .failure)
  }

  @Test func wrongOptionsPointToTheHelpOfTheCommand() {
    for command in Tool.commands {
      let name = command.description.name
      let call = ToolCall()
      #expect(call.run(name, "--nonsense") == .usage)
      #expect(
        call.errors.contains("--nonsense") && call.errors.contains("dicevision \(name) --help"))
      #expect(call.output.isEmpty)
    }
  }

  @Test func aReaderThatLeavesIsNoError() {
    let call = ToolCall()
    call.writesUntilClosed = 0
    #expect(call.run("--help") == .success)
    #expect(call.errors.isEmpty)
  }

  @Test func exitStatusesAreTheDocumentedOnes() {
    #expect(CallStatus.success.rawValue == 0)
    #expect(CallStatus.failure.rawValue == 1)
    #expect(CallStatus.usage.rawValue == 2)
    #expect(ToolError.interrupted(signal: 2).exitStatus.rawValue == 130)
    #expect(ToolError.interrupted(signal: 15).exitStatus.rawValue == 143)
    #expect(ToolError.file(.diskFull(path: "a")).exitStatus == .failure)
    #expect(ToolError.outputClosed.exitStatus == .success)
  }
}

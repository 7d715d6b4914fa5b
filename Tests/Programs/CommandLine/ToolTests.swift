import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct ToolTests {
  @Test func theVersionIsOneLine() {
    let call = ToolCall()
    expectEqual(call.run("--version"), .success)
    expectEqual(call.output, "dicevision \(Tool.version)\n")
  }

  @Test func withoutACommandTheCallIsWrong() {
    let call = ToolCall()
    expectEqual(call.run(), .usage)
    #expect(call.errors.contains("command is missing") && call.errors.contains("dicevision --help"))
    #expect(call.output.isEmpty)
  }

  @Test func misspeltCommandsAreSuggested() {
    let call = ToolCall()
    expectEqual(call.run("detcet", "a.png"), .usage)
    #expect(call.errors.contains("\"detcet\" is no command. Did you mean detect?"))
  }

  @Test func aPictureInPlaceOfACommandSuggestsDetect() {
    let call = ToolCall()
    expectEqual(call.run("photos/roll.JPG"), .usage)
    #expect(call.errors.contains("Did you mean dicevision detect photos/roll.JPG?"))
  }

  @Test func wordsOfOtherToolsAreKnown() {
    let calls: [(arguments: [String], meant: String)] = [
      (["predict", "a.png"], "detect"), (["val", "a.json"], "evaluate dice"),
      (["fit"], "train dice"), (["train-pen-ways", "a"], "train pen-ways"),
      (["train", "a.json"], "train dice"),
      (["refine", "a.json"], "relabel"), (["detect", "--model", "x"], "--weights"),
      (["detect", "--conf", "0.3"], "--confidence"), (["detect", "--imgsz", "640"], "--input"),
      (["detect", "--save"], "--annotate"), (["detect", "--reader", "none"], "--second-stage"),
      (["detect", "--source", "a"], "PATH, which stands without an option"),
      (["train", "dice", "--model", "x"], "--from"),
      (["train", "dice", "--batch-size", "3"], "--batch"),
      (["train", "dice", "--lr0", "3"], "--learning-rate"),
      (["evaluate", "dice", "--half"], "--precision"),
      (["train", "dice", "--data", "x"], "SOURCE, which stands without an option"),
      (["render", "--overwrite"], "--force"),
    ]
    for (arguments, meant) in calls {
      let call = ToolCall()
      expectEqual(call.run(arguments), .usage)
      #expect(call.errors.contains("Did you mean \(meant)?"), "\(arguments): \(call.errors)")
    }
    // An option is itself where the command has it.
    expectEqual(ToolCall().run("detect", "--input", "64", "missing.png"), .failure)
  }

  @Test func wrongOptionsPointToTheHelpOfTheCommand() {
    for command in allCommands {
      let name = command.description.name
      let call = ToolCall()
      expectEqual(call.run(command.description.words + ["--nonsense"]), .usage)
      #expect(
        call.errors.contains("--nonsense") && call.errors.contains("dicevision \(name) --help"))
      #expect(call.output.isEmpty)
    }
  }

  @Test func aReaderThatLeavesIsNoError() {
    let call = ToolCall()
    call.writesUntilClosed = 0
    expectEqual(call.run("--help"), .success)
    #expect(call.errors.isEmpty)
  }

  @Test func exitStatusesAreTheDocumentedOnes() {
    expectEqual(CallStatus.success.rawValue, 0)
    expectEqual(CallStatus.failure.rawValue, 1)
    expectEqual(CallStatus.usage.rawValue, 2)
    expectEqual(ToolError.interrupted(signal: 2).exitStatus.rawValue, 130)
    expectEqual(ToolError.interrupted(signal: 15).exitStatus.rawValue, 143)
    expectEqual(ToolError.file(.diskFull(path: "a")).exitStatus, .failure)
    expectEqual(ToolError.outputClosed.exitStatus, .success)
  }

  @Test func theTableIsWhatTheProgramsHave() {
    expectEqual(CommandTable.entries.map(\.program), allPrograms.map(\.name))
    for (entry, program) in zip(CommandTable.entries, allPrograms) {
      var names: [String] = []
      for command in program.commands {
        let description = command.description
        let word = description.words[0]
        if names.last != word { names.append(word) }
        if description.words.count == 1 {
          expectEqual(entry.commands.first { $0.name == word }?.summary, description.summary)
        }
      }
      expectEqual(entry.commands.map(\.name).sorted(), names.sorted())
    }
    expectEqual(Set(CommandTable.names).count, CommandTable.names.count)
  }

  @Test func aCommandOfAProgramThatIsMissingSaysHowToBuildIt() {
    for (arguments, program) in [
      (["train", "dice", "a.json"], "dicevision-workshop"),
      (["help", "field"], "dicevision-throws"),
      (["play"], "dicevision-game"), (["live"], "dicevision-table"),
      (["tally"], "dicevision-table"),
      (["inspect", "digits"], "dicevision-workshop"),
    ] {
      let call = ToolCall()
      call.missingPrograms = [program]
      expectEqual(call.run(arguments), .failure)
      #expect(call.errors.contains("`swift build -c release --product \(program)`"))
      expectEqual(call.errors.split(separator: "\n").count, 1)
    }
  }

  @Test func weightsOfOtherKitsAreShown() {
    for name in WeightSource.Name.allCases {
      let call = ToolCall()
      expectEqual(call.run("inspect", name.rawValue), .success)
      #expect(call.output.contains("multiply-adds"))
    }
  }
}

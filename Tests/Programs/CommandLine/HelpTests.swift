import Foundation
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct HelpTests {
  private let names = CommandTable.names

  @Test func theOverviewNamesEveryCommand() {
    for arguments in [["--help"], ["-h"], ["help"]] {
      let call = ToolCall()
      expectEqual(call.run(arguments), .success)
      #expect(names.count >= 7)
      for name in names { #expect(call.output.contains("\n  \(name) ")) }
      #expect(call.output.contains("EXIT STATUS"))
      #expect(call.errors.isEmpty)
    }
  }

  @Test func everyCommandHasHelpWithUsageOptionsAndExamples() {
    for command in allCommands {
      let description = command.description
      let call = ToolCall()
      expectEqual(call.run(description.words + ["--help"]), .success)
      #expect(call.output.hasPrefix(description.summary.prefix(40)))
      #expect(call.output.contains("\nUSAGE\n  dicevision \(description.name) [OPTIONS]"))
      #expect(call.output.contains("\nEXAMPLES\n"))
      for option in description.options where !option.isHidden {
        #expect(call.output.contains("\n  \(option.spelling)"), "\(option.spelling)")
      }
      let other = ToolCall()
      expectEqual(other.run(["help"] + description.words), .success)
      expectEqual(other.output, call.output)
    }
  }

  @Test func linesFitATerminal() {
    let texts =
      allCommands.map { HelpText.text(for: $0.description) } + [HelpText.overview()]
    for text in texts {
      for line in text.split(separator: "\n") {
        // Examples and code stay as they are.
        let isTyped =
          line.hasPrefix("  dicevision") || line.hasPrefix("  curl")
          || line.hasPrefix("  ffmpeg")
        if !isTyped && !line.hasPrefix("    {") && !line.hasPrefix("    step,") {
          #expect(line.count <= 80, "\(line)")
        }
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test func wordsWithKindsListThem() {
    for group in ["train", "evaluate"] {
      let kinds = allCommands.map(\.description).filter { $0.name.hasPrefix("\(group) ") }
      #expect(kinds.count >= 6)
      for arguments in [[group, "--help"], ["help", group]] {
        let call = ToolCall()
        expectEqual(call.run(arguments), .success)
        for kind in kinds {
          #expect(call.output.contains("\n  \(kind.name.dropFirst(group.count + 1)) "))
        }
      }
      let call = ToolCall()
      expectEqual(call.run(group), .usage)
      #expect(call.errors.contains("dice") && call.errors.contains("dicevision \(group) --help"))
      expectEqual(ToolCall().run(group, "dicee", "--help"), .usage)
    }
  }

  @Test func helpOnAnUnknownCommandSuggestsTheNearest() {
    let call = ToolCall()
    expectEqual(call.run("help", "detcet"), .usage)
    #expect(call.errors.contains("\"detcet\" is no command. Did you mean detect?"))
  }

  @Test func optionsTakeTheWordsThatTheyName() {
    for option in allCommands.flatMap(\.description.options) {
      for choice in option.choices { #expect(option.accepts(choice), "\(option.spelling)") }
    }
  }

  /// Every example is a call that the parser takes.
  @Test func examplesAreValidCalls() throws {
    var count = 0
    for command in allCommands {
      for example in command.description.examples {
        let typed = example.call.split(separator: "|").last.map { String($0) } ?? example.call
        var words = typed.split(separator: " ").map { String($0) }
        if let redirection = words.firstIndex(of: ">") { words.removeSubrange(redirection...) }
        expectEqual(words.first, Tool.name)
        let name = command.description.words
        #expect(words.dropFirst().starts(with: name))
        _ = try ArgumentParser.parse(
          Array(words.dropFirst(1 + name.count)), for: command.description)
        count += 1
      }
    }
    #expect(count >= 10)
  }
}

extension CommandDescription {
  /// The words of the name.
  var words: [String] { name.split(separator: " ").map { String($0) } }
}

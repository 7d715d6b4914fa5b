import Foundation
import TestSupport
import Testing

@testable import dicevision

@Suite struct HelpTests {
  private let names = Tool.commands.map { $0.description.name }

  @Test func theOverviewNamesEveryCommand() {
    for arguments in [["--help"], ["-h"], ["help"]] {
      let call = ToolCall()
      #expect(call.run(arguments) == .success)
      #expect(names.count >= 7)
      for name in names { #expect(call.output.contains("\n  \(name) ")) }
      #expect(call.output.contains("EXIT STATUS"))
      #expect(call.errors.isEmpty)
    }
  }

  @Test func everyCommandHasHelpWithUsageOptionsAndExamples() {
    for command in Tool.commands {
      let description = command.description
      let call = ToolCall()
      #expect(call.run(description.name, "--help") == .success)
      #expect(call.output.hasPrefix(description.summary.prefix(40)))
      #expect(call.output.contains("\nUSAGE\n  dicevision \(description.name) [OPTIONS]"))
      #expect(call.output.contains("\nEXAMPLES\n"))
      for option in description.options where !option.isHidden {
        #expect(call.output.contains("\n  \(option.spelling)"), "\(option.spelling)")
      }
      let other = ToolCall()
      #expect(other.run("help", description.name) == .success)
      #expect(other.output == call.output)
    }
  }

  @Test func linesFitATerminal() {
    let texts =
      Tool.commands.map { HelpText.text(for: $0.description) }
      + [HelpText.overview(of: Tool.commands.map { $0.description })]
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

  @Test func hiddenOptionsStayHidden() {
    let call = ToolCall()
    #expect(call.run("help", "--help") == .success)
    #expect(!call.output.contains("--markdown"))
  }

  @Test func helpOnAnUnknownCommandSuggestsTheNearest() {
    let call = ToolCall()
    #expect(call.run("help", "detcet") == .usage)
    #expect(call.errors.contains("\"detcet\" is no command. Did you mean detect?"))
  }

  @Test func descriptionsAreWellFormed() {
    for command in Tool.commands {
      let description = command.description
      #expect(description.summary.last == ".")
      let names = description.options.map { $0.name }
      #expect(Set(names).count == names.count)
      for option in description.options {
        #expect(option.summary.last == ".", "\(option.spelling)")
        #expect(option.valueName == nil || !option.requirement.isEmpty, "\(option.spelling)")
        for choice in option.choices { #expect(option.accepts(choice), "\(option.spelling)") }
      }
      for example in description.examples { #expect(example.meaning.last == ".") }
    }
  }

  /// Every example is a call that the parser takes.
  @Test func examplesAreValidCalls() throws {
    var count = 0
    for command in Tool.commands {
      for example in command.description.examples {
        let typed = example.call.split(separator: "|").last.map { String($0) } ?? example.call
        var words = typed.split(separator: " ").map { String($0) }
        if let redirection = words.firstIndex(of: ">") { words.removeSubrange(redirection...) }
        #expect(words.first == Tool.name)
        #expect(words.dropFirst().first == command.description.name)
        _ = try ArgumentParser.parse(Array(words.dropFirst(2)), for: command.description)
        count += 1
      }
    }
    #expect(count >= 10)
  }

  @Test func theReferenceIsUpToDate() throws {
    let call = ToolCall()
    #expect(call.run("help", "--markdown") == .success)
    let path = Fixtures.folder.deletingLastPathComponent().appending(path: "Docs/Tool.md")
    let stored = try String(contentsOf: path, encoding: .utf8)
    #expect(
      stored == call.output,
      "run: swift run dicevision help --markdown > Docs/Tool.md")
  }

  @Test func theReferenceNamesEveryOption() {
    let document = HelpMarkdown.document(of: Tool.commands.map { $0.description })
    for command in Tool.commands {
      #expect(document.contains("\n## dicevision \(command.description.name)\n"))
      for option in command.description.options
      where !option.isHidden && option.name != "help" {
        #expect(document.contains("| `\(option.spelling)"), "\(option.spelling)")
      }
    }
  }
}

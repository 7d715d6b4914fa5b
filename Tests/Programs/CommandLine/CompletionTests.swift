import DiceFiles
import Foundation
import TestSupport
import Testing

@testable import DiceCommandLine

@Suite struct CompletionTests {
  private static let bash = ["/bin/bash", "/usr/bin/bash"].first { FileSystem.exists(at: $0) }

  /// What a program offers for the last of some words.
  private func offers(_ words: String...) -> [String] {
    let call = ToolCall()
    expectEqual(call.run(["--complete"] + words), .success)
    return call.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func wordsAreOfferedWhereTheyFit() {
    expectEqual(offers("det"), ["detect"])
    expectEqual(offers("--ver"), ["--version"])
    expectEqual(offers(""), CommandTable.names + ["--help", "--version"])
    expectEqual(offers("train", "pe"), ["pen-ways", "people"])
    expectEqual(offers("train", "di"), ["dice", "digits", "digit-or-none"])
    expectEqual(offers("train", "dice", "--samp"), ["--samples"])
    expectEqual(offers("detect", "--form"), ["--format"])
    expectEqual(offers("detect", "--format", ""), ["text", "json", "csv", "coco"])
    expectEqual(offers("detect", "--format", "=", "j"), ["json"])
    expectEqual(offers("detect", "--format", "="), ["text", "json", "csv", "coco"])
    expectEqual(offers("detect", "--format=j"), ["json"])
    expectEqual(offers("track", "--weights", "st"), ["standard", ":files"])
    expectEqual(offers("detect", "my"), [":files"])
    expectEqual(offers("render", "--output", "f"), [":folders"])
    #expect(offers("detect", "--confidence", "").isEmpty)
    expectEqual(offers("help", "rel"), ["relabel"])
    expectEqual(offers("completions", ""), ["bash", "zsh"])
    #expect(offers("nonsense", "").isEmpty)
  }

  @Test func everyOptionIsOffered() {
    for command in allCommands {
      let description = command.description
      let call = ToolCall()
      expectEqual(call.run(["--complete"] + description.words + ["--"]), .success)
      for option in description.options where !option.isHidden {
        #expect(
          call.output.contains("\(option.spelling)\t"), "\(description.name) \(option.spelling)")
      }
    }
  }

  @Test func aMissingProgramOffersNothing() {
    let call = ToolCall()
    call.missingPrograms = ["dicevision-workshop"]
    expectEqual(call.run("--complete", "train", ""), .success)
    #expect(call.output.isEmpty && call.errors.isEmpty)
  }

  @Test func unknownShellsAreRefused() {
    let call = ToolCall()
    expectEqual(call.run("completions", "bsh"), .usage)
    #expect(call.errors.contains("Did you mean bash?"))
  }

  /// What bash offers behind some words.
  private func offers(_ words: [String], in folder: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.bash))
    process.arguments =
      [
        "--norc", "-c",
        """
        cd "$1" || exit 1
        shift
        source ./completions
        COMP_WORDS=("$@")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _dicevision
        printf '%s\\n' "${COMPREPLY[@]}"
        """, "bash", folder,
      ] + words
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(complaints.isEmpty, "\(String(decoding: complaints, as: UTF8.self))")
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test(
    .enabled(
      if: CompletionTests.bash != nil && BuiltProgram.path != nil,
      "there is no bash here, or the program is not beside the tests"))
  func bashCompletesCommandsOptionsValuesAndFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write(CompletionScript.script(for: .bash), to: "completions")
    try folder.write("", to: "my photo.jpg")
    try folder.write("", to: "folder/x.png")
    let program = try #require(BuiltProgram.path)
    let cases: [([String], [String])] = [
      (["det"], ["detect"]), (["detect", "--format", "=", "j"], ["json"]),
      (["detect", "--format", "="], ["text", "json", "csv", "coco"]),
      (["track", "--weights", "st"], ["standard"]), (["detect", "my"], ["my photo.jpg"]),
      (["evaluate", "spe"], ["speech"]), (["render", "--output", "f"], ["folder"]),
      (["render", "--output", "my"], []), (["nonsense", ""], []),
    ]
    for (words, expected) in cases {
      try expectEqual(offers([program] + words, in: folder.path), expected, "\(words)")
    }
  }

  @Test func misspeltWordsAmongFilesAreSuggested() throws {
    let call = ToolCall()
    expectEqual(call.run("detect", "--weights", "standrad", "a.png"), .usage)
    #expect(call.errors.contains("Did you mean standard?"))
    // A path is taken at its word.
    for path in ["./standrad", "standrad.dvweights", "/nowhere/standrad"] {
      let call = ToolCall()
      expectEqual(call.run("detect", "--weights", path, "a.png"), .failure)
      #expect(!call.errors.contains("Did you mean"))
    }
  }
}

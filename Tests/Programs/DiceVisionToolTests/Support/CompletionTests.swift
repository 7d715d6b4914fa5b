import DiceFiles
import Foundation
import Testing

@testable import dicevision

@Suite struct CompletionTests {
  private static let bash = ["/bin/bash", "/usr/bin/bash"].first { FileSystem.exists(at: $0) }

  private let descriptions = Tool.commands.map { $0.description }

  @Test func theNamesOfCommandsAreInOnePlace() {
    #expect(Tool.commandNames == descriptions.map { $0.name })
  }

  @Test func everyShellKnowsEveryCommandAndOption() {
    for shell in CompletionScript.Shell.allCases {
      let call = ToolCall()
      #expect(call.run("completions", shell.rawValue) == .success)
      for command in descriptions {
        #expect(call.output.contains(command.name))
        for option in command.options where !option.isHidden {
          let written = shell == .fish ? "-l \(option.name)" : option.spelling
          #expect(call.output.contains(written), "\(shell) \(option.spelling)")
        }
      }
      #expect(!call.output.contains("--markdown") && !call.output.contains("-l markdown"))
    }
    let call = ToolCall()
    #expect(call.run("completions", "bsh") == .usage)
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

  @Test(.enabled(if: CompletionTests.bash != nil, "there is no bash here"))
  func bashCompletesCommandsOptionsValuesAndFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write(CompletionScript.script(for: .bash, descriptions), to: "completions")
    try folder.write("", to: "my photo.jpg")
    try folder.write("", to: "folder/x.png")
    let cases: [([String], [String])] = [
      (["dicevision", "det"], ["detect"]), (["dicevision", "--ver"], ["--version"]),
      (["dicevision", "detect", "--form"], ["--format"]),
      (["dicevision", "detect", "--format", ""], ["text", "json", "csv", "coco"]),
      (["dicevision", "detect", "--format", "=", "j"], ["json"]),
      (["dicevision", "detect", "--format", "="], ["text", "json", "csv", "coco"]),
      (["dicevision", "track", "--weights", "st"], ["standard"]),
      (["dicevision", "detect", "my"], ["my photo.jpg"]),
      (["dicevision", "render", "--output", "f"], ["folder"]),
      (["dicevision", "render", "--output", "my"], []),
      (["dicevision", "detect", "--confidence", ""], []),
      (["dicevision", "help", "rel"], ["relabel"]),
      (["dicevision", "completions", ""], ["bash", "zsh", "fish"]),
      (["dicevision", "nonsense", ""], []),
    ]
    for (words, expected) in cases {
      #expect(try offers(words, in: folder.path) == expected, "\(words)")
    }
  }

  @Test func misspeltWordsAmongFilesAreSuggested() throws {
    let call = ToolCall()
    #expect(call.run("detect", "--weights", "standrad", "a.png") == .usage)
    #expect(call.errors.contains("Did you mean standard?"))
    // A path is taken at its word.
    for path in ["./standrad", "standrad.dvweights", "/nowhere/standrad"] {
      let call = ToolCall()
      #expect(call.run("detect", "--weights", path, "a.png") == .failure)
      #expect(!call.errors.contains("Did you mean"))
    }
  }
}

@Suite struct HelpManualTests {
  private let page = HelpManual.document(of: Tool.commands.map { $0.description })

  @Test func namesEveryCommandAndOption() {
    for command in Tool.commands {
      #expect(page.contains("\n.SS \"\(HelpManual.line(command.description.name))\"\n"))
      for option in command.description.options where !option.isHidden {
        #expect(page.contains(HelpManual.line(option.spelling)), "\(option.spelling)")
      }
    }
  }

  @Test func textIsNeverACommand() {
    #expect(HelpManual.line(".TH x") == "\\&.TH x")
    #expect(HelpManual.line("'quoted' \\n - `code`") == "\\(aqquoted\\(aq \\en \\- code")
    let requests = Set(
      page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }
        .map { String($0.prefix { $0 != " " }) })
    #expect(
      requests.isSubset(
        of: [
          ".\\\"", ".TH", ".SH", ".SS", ".PP", ".TP", ".IP", ".RS", ".RE", ".nf", ".fi", ".B",
          ".I", ".nh", ".ad",
        ]), "\(requests)")
  }

  @Test func groffHasNothingToComplainOf() throws {
    guard let groff = ["/usr/bin/groff"].first(where: { FileSystem.exists(at: $0) }) else { return }
    let folder = try TemporaryFolder()
    let path = try folder.write(page, to: "dicevision.1")
    let process = Process()
    process.executableURL = URL(filePath: groff)
    process.arguments = ["-ww", "-man", "-Tascii", "-z", path]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(complaints.isEmpty, "\(String(decoding: complaints, as: UTF8.self))")
  }
}

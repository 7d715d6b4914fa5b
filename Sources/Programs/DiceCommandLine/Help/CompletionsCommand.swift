internal import DiceFiles

/// `dicevision completions`: prints what makes a shell complete the tool's command lines.
package enum CompletionsCommand {
  /// The command.
  package static let command = Tool.Command(
    description: CommandDescription(
      name: "completions", summary: CommandTable.summary(of: "completions"),
      argument: CommandDescription.Argument(
        name: "SHELL", summary: "The shell: bash or zsh.", counts: 1...1,
        completion: .words(CompletionScript.Shell.allCases.map { $0.rawValue })),
      sections: [
        HelpSection(
          title: "Where it goes",
          blocks: [
            .list([
              "bash: `source <(\(Tool.name) completions bash)` in `~/.bashrc`, or the script as "
                + "`\(Tool.name)` in `~/.local/share/bash-completion/completions`.",
              "zsh: the script as `_\(Tool.name)` in a folder of `$fpath`, before `compinit`.",
            ])
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) completions zsh > ~/.zfunc/_\(Tool.name)",
          meaning: "For zsh, if ~/.zfunc is in $fpath.")
      ]), run: run)

  static func run(
    _ arguments: ParsedArguments, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let name = arguments.positionals[0]
    let names = CompletionScript.Shell.allCases.map { $0.rawValue }
    guard let shell = CompletionScript.Shell(rawValue: name) else {
      throw .usage(
        .invalidValue(
          option: "SHELL", found: name, required: NumberText.alternatives(names),
          suggestion: Suggestion.nearest(to: name, among: names)))
    }
    try environment.print(CompletionScript.script(for: shell))
    return .success
  }
}

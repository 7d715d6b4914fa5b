internal import DiceFiles

/// `dicevision completions`: prints what makes a shell complete the tool's command lines.
enum CompletionsCommand {
  /// The command.
  static let command = Tool.Command(
    description: CommandDescription(
      name: "completions",
      summary: "Prints a script that lets a shell complete commands, options and values.",
      argument: CommandDescription.Argument(
        name: "SHELL", summary: "The shell: bash, zsh or fish.", counts: 1...1,
        completion: .words(CompletionScript.Shell.allCases.map { $0.rawValue })),
      sections: [
        HelpSection(
          title: "Where it goes",
          blocks: [
            .list([
              "bash: `source <(\(Tool.name) completions bash)` in `~/.bashrc`, or the script as "
                + "`\(Tool.name)` in `~/.local/share/bash-completion/completions`.",
              "zsh: the script as `_\(Tool.name)` in a folder of `$fpath`, before `compinit`.",
              "fish: the script as `\(Tool.name).fish` in `~/.config/fish/completions`.",
            ])
          ])
      ],
      examples: [
        CommandDescription.Example(
          call: "\(Tool.name) completions fish > ~/.config/fish/completions/\(Tool.name).fish",
          meaning: "For fish, from the next shell on.")
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
    try environment.print(
      CompletionScript.script(for: shell, Tool.commands.map { $0.description }))
    return .success
  }
}

/// The reference of all commands as a Markdown document: `Docs/Tool.md`.
enum HelpMarkdown {
  /// The document.
  static func document(of commands: [CommandDescription]) -> String {
    var lines = [
      "# The command line tool `\(Tool.name)`", "",
      Tool.summary, "",
      "```sh", "\(Tool.name) COMMAND [OPTIONS] [ARGUMENTS]", "```", "",
      "| command | what it does |", "|---|---|",
    ]
    for command in commands {
      lines.append(
        "| [`\(command.name)`](#\(Tool.name)-\(command.name)) | \(cell(command.summary)) |")
    }
    lines += [
      "",
      "`\(Tool.name) --help` prints this list, `\(Tool.name) help COMMAND` and "
        + "`\(Tool.name) COMMAND --help` what follows for one command, `\(Tool.name) --version` "
        + "the version. This page is printed by `\(Tool.name) help --markdown`, as a manual page by "
        + "`\(Tool.name) help --man`.",
    ]
    for section in Tool.sections { lines += rendered(section, level: 2) }
    lines += ["", "## Options of every command", "", "| option | meaning |", "|---|---|"]
    for option in CommandDescription.generalOptions.options {
      lines.append("| `\(cell(option.usage))` | \(cell(HelpText.summary(of: option))) |")
    }
    lines += ["", "## Examples", ""] + rendered(Tool.examples)
    for command in commands { lines += rendered(command) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func rendered(_ command: CommandDescription) -> [String] {
    var lines = [
      "", "## \(Tool.name) \(command.name)", "", command.summary, "",
      "```sh", command.usage, "```",
    ]
    for block in command.discussion { lines += [""] + rendered(block) }
    if let argument = command.argument {
      lines += ["", "| argument | meaning |", "|---|---|"]
      lines.append("| `\(argument.usage)` | \(cell(argument.summary)) |")
    }
    for group in command.groups {
      let shown = group.options.filter { !$0.isHidden }
      if shown.isEmpty { continue }
      lines += ["", "### \(group.title)", "", "| option | meaning |", "|---|---|"]
      for option in shown {
        lines.append("| `\(cell(option.usage))` | \(cell(HelpText.summary(of: option))) |")
      }
    }
    for section in command.sections { lines += rendered(section, level: 3) }
    if !command.examples.isEmpty {
      lines += ["", "### Examples", ""] + rendered(command.examples)
    }
    return lines
  }

  private static func rendered(_ section: HelpSection, level: Int) -> [String] {
    var lines = ["", String(repeating: "#", count: level) + " \(section.title)"]
    for block in section.blocks { lines += [""] + rendered(block) }
    return lines
  }

  private static func rendered(_ block: HelpBlock) -> [String] {
    switch block {
    case .paragraph(let text): [text]
    case .list(let points): points.map { "- \($0)" }
    case .code(let lines): ["```"] + lines + ["```"]
    }
  }

  private static func rendered(_ examples: [CommandDescription.Example]) -> [String] {
    var lines = ["```sh"]
    for (index, example) in examples.enumerated() {
      if index > 0 { lines.append("") }
      lines += ["# \(example.meaning)", example.call]
    }
    return lines + ["```"]
  }

  /// Text for a cell of a table.
  private static func cell(_ text: String) -> String {
    var result = ""
    for character in text {
      if character == "|" { result.append("\\") }
      result.append(character)
    }
    return result
  }
}

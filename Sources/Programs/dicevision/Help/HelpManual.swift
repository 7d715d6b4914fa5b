/// The manual page in roff, for `man`.
enum HelpManual {
  /// The page.
  static func document(of commands: [CommandDescription]) -> String {
    var lines = [
      ".\\\" Made by `\(Tool.name) help --man`.",
      ".TH \(Tool.name.uppercased()) 1 \"\" \"\(Tool.nameAndVersion)\" \"User Commands\"",
      // Neither words broken at line ends nor lines stretched.
      ".nh", ".ad l", ".SH NAME",
      "\(Tool.name) \\- finds the dice in pictures and reads their values", ".SH SYNOPSIS",
      ".B \(Tool.name)", ".I COMMAND", "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
      ".SH DESCRIPTION", line(Tool.summary),
    ]
    lines.append(".SH COMMANDS")
    for command in commands { lines += rendered(command) }
    lines.append(".SH OPTIONS")
    lines += entry(
      "\\fB\\-\\-help\\fR", "Prints the commands; after a command, the help of the command.")
    lines += entry("\\fB\\-\\-version\\fR", "Prints the version.")
    let color = CommandDescription.color.description
    lines += entry(
      "\\fB\(line(color.spelling))\\fR \\fI\(line(color.valueName ?? ""))\\fR",
      HelpText.summary(of: color))
    for section in Tool.sections {
      lines.append(".SH \(line(section.title.uppercased()))")
      for block in section.blocks { lines += rendered(block) }
    }
    lines.append(".SH EXAMPLES")
    for example in Tool.examples { lines += rendered(example) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func rendered(_ command: CommandDescription) -> [String] {
    var lines = [".SS \"\(line(command.name))\""]
    lines += [".B \(line(Tool.name)) \(line(command.name))", "[\\fIOPTIONS\\fR]"]
    if let argument = command.argument { lines.append("\\fI\(line(argument.usage))\\fR") }
    lines += [".PP", line(command.summary)]
    for block in command.discussion { lines += [".PP"] + rendered(block) }
    if let argument = command.argument {
      lines += entry("\\fI\(line(argument.usage))\\fR", argument.summary)
    }
    for group in command.groups {
      for option in group.options where !option.isHidden {
        let value = option.valueName.map { " \\fI\(line($0))\\fR" } ?? ""
        lines += entry("\\fB\(line(option.spelling))\\fR\(value)", HelpText.summary(of: option))
      }
    }
    for section in command.sections {
      lines += [".PP", "\\fB\(line(section.title))\\fR"]
      for block in section.blocks { lines += [".PP"] + rendered(block) }
    }
    if !command.examples.isEmpty {
      lines += [".PP", "\\fBExamples\\fR"]
      for example in command.examples { lines += rendered(example) }
    }
    return lines
  }

  private static func rendered(_ example: CommandDescription.Example) -> [String] {
    [".PP", line(example.meaning), ".PP", ".RS 4", ".nf", line(example.call), ".fi", ".RE"]
  }

  private static func rendered(_ block: HelpBlock) -> [String] {
    switch block {
    case .paragraph(let text): [line(text)]
    case .list(let points): points.flatMap { [".IP \\(bu 2", line($0)] }
    case .code(let lines): [".RS 4", ".nf"] + lines.map { line($0) } + [".fi", ".RE"]
    }
  }

  private static func entry(_ term: String, _ meaning: String) -> [String] {
    [".TP", term, line(meaning)]
  }

  /// Text as a line of roff: nothing in it is a command, and hyphens are those that are typed.
  static func line(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "`": continue
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "…": result += "\\&..."
      case "\n": result += " "
      default: result.append(character)
      }
    }
    return result.first == "." ? "\\&" + result : result
  }
}

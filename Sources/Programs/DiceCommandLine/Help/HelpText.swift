internal import DiceFiles

/// Help for a terminal: lines of at most 80 columns.
package enum HelpText {
  private static let width = 80
  private static let column = 26

  /// The help of one command.
  package static func text(for command: CommandDescription) -> String {
    var lines = wrapped(command.summary, indent: 0)
    for block in command.discussion { lines += [""] + rendered(block, indent: 0) }
    lines += ["", "USAGE", "  \(command.usage)"]
    if let argument = command.argument {
      lines += ["", "ARGUMENTS"] + entry(argument.usage, argument.summary)
    }
    let general = CommandDescription.OptionGroup(
      title: command.groups.isEmpty ? "Options" : "Other options",
      options: CommandDescription.generalOptions.options)
    for group in command.groups + [general] {
      let shown = group.options.filter { !$0.isHidden }
      if shown.isEmpty { continue }
      lines += ["", group.title.uppercased()]
      for option in shown { lines += entry(option.usage, summary(of: option)) }
    }
    for section in command.sections {
      lines += ["", section.title.uppercased()]
      for (index, block) in section.blocks.enumerated() {
        lines += (index == 0 ? [] : [""]) + rendered(block, indent: 2)
      }
    }
    lines += ["", "EXIT STATUS"] + wrapped(Tool.exitStatuses, indent: 2)
    if !command.examples.isEmpty {
      lines += ["", "EXAMPLES"]
      for example in command.examples {
        lines += ["  \(example.call)"] + wrapped(example.meaning, indent: 6)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of the tool: what it is for, the commands of all programs, its exit statuses.
  package static func overview() -> String {
    var lines = wrapped(Tool.summary, indent: 0)
    lines += ["", "USAGE", "  \(Tool.name) COMMAND [OPTIONS] [ARGUMENTS]"]
    for program in CommandTable.entries {
      lines += ["", program.title.uppercased()]
      for command in program.commands { lines += entry(command.name, command.summary) }
    }
    lines += ["", "OPTIONS"]
    lines += entry("--help", "Prints this text; after a command, the help of the command.")
    lines += entry("--version", "Prints the version.")
    lines += entry(
      CommandDescription.color.description.usage, summary(of: CommandDescription.color.description))
    for section in Tool.sections {
      lines += ["", section.title.uppercased()]
      for block in section.blocks { lines += rendered(block, indent: 2) }
    }
    lines += ["", "PROGRAMS"]
    for program in CommandTable.entries {
      lines += entry(program.program, "Has the commands under \(program.title.uppercased()).")
    }
    lines += wrapped(
      "They lie side by side. Each takes every command, and hands over what another one has.",
      indent: 2)
    lines += ["", "EXAMPLES"]
    for example in Tool.examples {
      lines += ["  \(example.call)"] + wrapped(example.meaning, indent: 6)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of commands of two words: what their second word can be.
  static func kinds(of group: String, _ commands: [CommandDescription]) -> String {
    var lines = wrapped(CommandTable.summary(of: group), indent: 0)
    lines += ["", "USAGE", "  \(Tool.name) \(group) KIND [OPTIONS] ARGUMENTS", "", "KINDS"]
    for command in commands {
      lines += entry(String(command.name.dropFirst(group.count + 1)), command.summary)
    }
    lines += [""] + wrapped("`\(Tool.name) \(group) KIND --help` explains a kind.", indent: 0)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The summary of an option with what a value must be and what happens without it.
  package static func summary(of option: OptionDescription) -> String {
    var facts: [String] = []
    if option.statesRequirement { facts.append(option.requirement) }
    if option.isRepeatable, option.valueName != nil { facts.append("repeatable") }
    if let defaultText = option.defaultText { facts.append("default: \(defaultText)") }
    return option.summary + (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))")
  }

  /// The help with titles and typed names in colour, where there are colours.
  package static func styled(_ text: String, _ style: TextStyle) -> String {
    guard style.isColored else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isTitle =
        line.first.map { $0.isLetter } == true && !line.contains { $0.isLowercase }
      if isTitle { return style.bold(String(line)) }
      // Options, and commands in the overview, stand at the left with their meaning behind.
      guard line.hasPrefix("  "), let first = line.dropFirst(2).first,
        first == "-" || first.isLowercase
      else { return String(line) }
      let term = line.dropFirst(2).prefix { $0 != " " }
      let isTerm =
        term.hasPrefix("--") || term[...] == Tool.name[...]
        || CommandTable.names.contains { $0 == term }
      return isTerm
        ? "  " + style.typed(String(term)) + line.dropFirst(2 + term.count) : String(line)
    }.joined(separator: "\n")
  }

  // MARK: - Lines

  private static func rendered(_ block: HelpBlock, indent: Int) -> [String] {
    switch block {
    case .paragraph(let text): wrapped(text, indent: indent)
    case .list(let points):
      points.flatMap { point in
        var lines = wrapped(point, indent: indent + 2)
        let bullet = String(repeating: " ", count: indent) + "- "
        lines[0] = bullet + lines[0].dropFirst(indent + 2)
        return lines
      }
    case .code(let lines):
      lines.map { $0.isEmpty ? "" : String(repeating: " ", count: indent + 2) + $0 }
    }
  }

  /// A term on the left and its meaning in a column on the right.
  private static func entry(_ term: String, _ meaning: String) -> [String] {
    var lines = wrapped(meaning, indent: column)
    let left = "  \(term)"
    if left.count + 2 <= column {
      lines[0] = left + lines[0].dropFirst(left.count)
    } else {
      lines.insert(left, at: 0)
    }
    return lines
  }

  /// The text in lines that are indented; at least one line.
  package static func wrapped(_ text: String, indent: Int) -> [String] {
    let start = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let plain = String(word.filter { $0 != "`" })
      if line.isEmpty {
        line = plain
      } else if indent + line.count + 1 + plain.count <= width {
        line += " " + plain
      } else {
        lines.append(start + line)
        line = plain
      }
    }
    return lines + [start + line]
  }
}

extension OptionDescription {
  /// Whether the help says what a value must be: not of any text, and not where the usage lists
  /// the values.
  fileprivate var statesRequirement: Bool {
    guard let valueName else { return false }
    return requirement != OptionDescription.anyText
      && valueName != choices.joined(separator: "|")
  }

  /// The requirement of options that take any text.
  package static let anyText = "a text that is not empty"
}

internal import DiceFiles

/// What a shell offers where a word is to be typed.
enum Completion: Hashable, Sendable {
  /// Nothing: a number, say.
  case none
  /// Some words.
  case words([String])
  /// Files and folders, and some words.
  case files(words: [String])
  /// Folders.
  case folders

  /// The words that are offered.
  var words: [String] {
    switch self {
    case .words(let words), .files(let words): words
    case .none, .folders: []
    }
  }
}

extension OptionDescription {
  /// What a shell offers for the option's value.
  var completion: Completion {
    guard let valueName else { return .none }
    if !choices.isEmpty { return .words(choices) }
    switch valueName {
    case "FILE", "OUT", "WEIGHTS", "WHICH", "ANNOTATIONS", "SOURCE":
      return .files(words: knownWords)
    case "DIR", "FOLDER": return .folders
    default: return .none
    }
  }
}

/// Scripts that let shells complete the tool's command lines, made from the commands' descriptions.
enum CompletionScript {
  /// A shell.
  enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
  }

  /// The script for a shell.
  static func script(
    for shell: Shell, _ commands: [CommandDescription]
  ) -> String {
    switch shell {
    case .bash: bash(commands)
    case .zsh: zsh(commands)
    case .fish: fish(commands)
    }
  }

  private static func shown(_ command: CommandDescription) -> [OptionDescription] {
    command.options.filter { !$0.isHidden }
  }

  // MARK: - Bash

  private static func bash(_ commands: [CommandDescription]) -> String {
    var lines = [
      "# bash completion for \(Tool.name); made by `\(Tool.name) completions bash`", "",
      "_\(Tool.name)_files() {", "  local IFS=$'\\n'",
      "  COMPREPLY+=($(compgen -\"$1\" -- \"$cur\"))",
      "  compopt -o filenames 2>/dev/null", "}", "",
      "_\(Tool.name)() {",
      "  local cur prev command",
      "  COMPREPLY=()", "  cur=${COMP_WORDS[COMP_CWORD]}",
      "  prev=${COMP_WORDS[COMP_CWORD - 1]}",
      "  # Bash takes --name=value apart at the equals sign.",
      "  if [[ $cur == \"=\" ]]; then",
      "    cur=",
      "  elif [[ $prev == \"=\" && $COMP_CWORD -gt 2 ]]; then",
      "    prev=${COMP_WORDS[COMP_CWORD - 2]}", "  fi",
      "  if [[ $COMP_CWORD -eq 1 ]]; then",
      "    COMPREPLY=($(compgen -W \"\(commands.map { $0.name }.joined(separator: " ")) "
        + "--help --version\" -- \"$cur\"))",
      "    return", "  fi", "  command=${COMP_WORDS[1]}", "  case \"$command $prev\" in",
    ]
    for command in commands {
      for option in shown(command) where option.valueName != nil {
        lines.append("    \"\(command.name) \(option.spelling)\")")
        lines += bash(option.completion).map { "      \($0)" } + ["      return ;;"]
      }
    }
    lines += ["  esac", "  case $command in"]
    for command in commands {
      lines.append("    \(command.name))")
      lines.append("      if [[ $cur == -* ]]; then")
      lines.append(
        "        COMPREPLY=($(compgen -W \""
          + shown(command).map { $0.spelling }.joined(separator: " ") + "\" -- \"$cur\"))")
      lines.append("      else")
      lines += bash(command.argument?.completion ?? .none).map { "        \($0)" }
      lines += ["      fi", "      return ;;"]
    }
    lines += ["  esac", "}", "", "complete -F _\(Tool.name) \(Tool.name)"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func bash(_ completion: Completion) -> [String] {
    let words = completion.words
    var lines: [String] = []
    if !words.isEmpty {
      lines.append("COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\"))")
    }
    switch completion {
    case .files: lines.append("_\(Tool.name)_files f")
    case .folders: lines.append("_\(Tool.name)_files d")
    case .none: lines.append(":")
    case .words: break
    }
    return lines
  }

  // MARK: - Zsh

  private static func zsh(_ commands: [CommandDescription]) -> String {
    var lines = [
      "#compdef \(Tool.name)", "# zsh completion; made by `\(Tool.name) completions zsh`", "",
      "_\(Tool.name)() {", "  local context state line", "  local -a commands", "  commands=(",
    ]
    for command in commands {
      lines.append("    \(quoted("\(command.name):\(plain(command.summary))"))")
    }
    lines += [
      "  )", "  _arguments -C '--help[Prints the help.]' '--version[Prints the version.]' \\",
      "    '1:command:->command' '*::argument:->argument'", "  case $state in",
      "    command) _describe command commands ;;", "    argument)",
      "      case $words[1] in",
    ]
    for command in commands {
      lines.append("        \(command.name))")
      lines.append("          _arguments -s -S \\")
      var specs: [String] = []
      for option in shown(command) {
        let repeats = option.isRepeatable && option.valueName != nil ? "*" : ""
        let name = "\(repeats)\(option.spelling)\(option.valueName == nil ? "" : "=")"
        let summary = plain(option.summary).map { character in
          character == "[" || character == "]" || character == ":"
            ? "\\\(character)"
            : String(character)
        }.joined()
        let value = option.valueName.map { ":\(argumentName($0)):\(zsh(option.completion))" }
        specs.append(quoted("\(name)[\(summary)]\(value ?? "")"))
      }
      if let argument = command.argument {
        let several = argument.counts.upperBound > 1 ? "*" : "1"
        specs.append(
          quoted("\(several):\(argumentName(argument.name)):\(zsh(argument.completion))"))
      }
      for (index, spec) in specs.enumerated() {
        lines.append("            \(spec)\(index + 1 < specs.count ? " \\" : " ;;")")
      }
    }
    lines += [
      "      esac ;;", "  esac", "}", "",
      "if [[ $funcstack[1] == _\(Tool.name) ]]; then _\(Tool.name) \"$@\"; else "
        + "compdef _\(Tool.name) \(Tool.name); fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func zsh(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .files(let words):
      words.isEmpty
        ? "_files"
        : "{_alternative \"words:word:(\(words.joined(separator: " ")))\" \"files:file:_files\"}"
    case .folders: "_files -/"
    }
  }

  /// What stands for an argument, without what means something to a shell.
  private static func argumentName(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
  }

  // MARK: - Fish

  private static func fish(_ commands: [CommandDescription]) -> String {
    let names = commands.map { $0.name }.joined(separator: " ")
    var lines = [
      "# fish completion for \(Tool.name); made by `\(Tool.name) completions fish`", "",
      "complete -c \(Tool.name) -f",
      "complete -c \(Tool.name) -n __fish_use_subcommand -l help -d 'Prints the help.'",
      "complete -c \(Tool.name) -n __fish_use_subcommand -l version -d 'Prints the version.'",
    ]
    for command in commands {
      lines.append(
        "complete -c \(Tool.name) -n 'not __fish_seen_subcommand_from \(names)' "
          + "-a \(command.name) -d \(fishQuoted(plain(command.summary)))")
    }
    for command in commands {
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      if let argument = command.argument {
        lines.append(
          "complete -c \(Tool.name) \(condition) \(fish(argument.completion, isOption: false))")
      }
      for option in shown(command) {
        var line = "complete -c \(Tool.name) \(condition) -l \(option.name)"
        if option.valueName != nil { line += " \(fish(option.completion, isOption: true))" }
        lines.append("\(line) -d \(fishQuoted(plain(option.summary)))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fish(_ completion: Completion, isOption: Bool) -> String {
    let words = completion.words.joined(separator: " ")
    return switch completion {
    case .none: isOption ? "-x" : "-f"
    case .words: isOption ? "-x -a '\(words)'" : "-f -a '\(words)'"
    case .files: (isOption ? "-r -F" : "-F") + (words.isEmpty ? "" : " -a '\(words)'")
    case .folders: (isOption ? "-x" : "-f") + " -a '(__fish_complete_directories)'"
    }
  }

  // MARK: - Words

  /// A sentence without the marks of code, and only the first one.
  private static func plain(_ text: String) -> String {
    let first = text.split(separator: ". ", maxSplits: 1).first.map { String($0) } ?? text
    let whole = first.last == "." || first == text ? first : first + "."
    return whole.filter { $0 != "`" }
  }

  /// A word between single quotes, as bash and zsh take it.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// A word between single quotes, as fish takes it.
  private static func fishQuoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result + "'"
  }
}

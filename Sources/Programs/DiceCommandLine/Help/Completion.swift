internal import DiceFiles

/// What a shell offers where a word is to be typed.
package enum Completion: Hashable, Sendable {
  /// Nothing: a number, say.
  case none
  /// Some words.
  case words([String])
  /// Files and folders, and some words.
  case files(words: [String])
  /// Folders.
  case folders

  /// The option that scripts call a program with, followed by the words of a command line.
  static let option = "--complete"

  /// The words that are offered.
  package var words: [String] {
    switch self {
    case .words(let words), .files(let words): words
    case .none, .folders: []
    }
  }
}

extension OptionDescription {
  /// What a shell offers for the option's value.
  package var completion: Completion {
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

/// Scripts that let shells complete the tool's command lines.
///
/// They ask the program at each press of the key: `dicevision --complete WORD...`, whose last word is
/// the one to complete. It prints a word on a line, what it means behind a tab, and `:files` or
/// `:folders` where files or folders of the working folder fit.
enum CompletionScript {
  /// A shell.
  enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
  }

  /// The script for a shell.
  static func script(for shell: Shell) -> String {
    let programs = CommandTable.entries.map(\.program).joined(separator: " ")
    switch shell {
    case .bash:
      return """
        # bash completion for \(Tool.name); made by `\(Tool.name) completions bash`
        _\(Tool.name)() {
          local line word=${COMP_WORDS[COMP_CWORD]} IFS=$'\\n'
          # Bash takes --name=value apart at the equals sign.
          [[ $word == "=" ]] && word=
          COMPREPLY=()
          while read -r line; do
            case $line in
              :files) COMPREPLY+=($(compgen -f -- "$word")); compopt -o filenames 2>/dev/null ;;
              :folders) COMPREPLY+=($(compgen -d -- "$word")); compopt -o filenames 2>/dev/null ;;
              *) COMPREPLY+=("${line%%$'\\t'*}") ;;
            esac
          done < <("${COMP_WORDS[0]}" \(Completion.option) "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F _\(Tool.name) \(programs)

        """
    case .zsh:
      return """
        #compdef \(programs)
        # zsh completion for \(Tool.name); made by `\(Tool.name) completions zsh`
        _\(Tool.name)() {
          local line
          local -a offers asked
          asked=("${(@)words[2,CURRENT]}")
          compset -P '--*='
          for line in "${(@f)$("$words[1]" \(Completion.option) "$asked[@]" 2>/dev/null)}"; do
            case $line in
              :files) _files ;;
              :folders) _files -/ ;;
              ?*) offers+=("${${line%%$'\\t'*}//:/\\\\:}:${${line#*$'\\t'}//:/\\\\:}") ;;
            esac
          done
          (( $#offers )) && _describe '\(Tool.name)' offers
        }
        if [[ $funcstack[1] == _\(Tool.name) ]]; then
          _\(Tool.name) "$@"
        else
          compdef _\(Tool.name) \(programs)
        fi

        """
    }
  }
}

extension Program {
  /// Prints what can stand for the last of some words of a command line.
  func complete(
    _ words: [String], _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let before = words.dropLast().filter { $0 != "=" }
    var word = words.last ?? ""
    if word == "=" { word = "" }
    guard let first = before.first else {
      let names = CommandTable.names.map { ($0, CommandTable.summary(of: $0)) }
      let options = [("--help", "Prints the help."), ("--version", "Prints the version.")]
      return try offer(names + options, for: word, environment)
    }
    switch command(for: before) {
    case .command(let command, let rest):
      return try complete(word, behind: rest, of: command.description, environment)
    case .kind(let group):
      guard before.count == 1 else { return .success }
      let kinds = kinds(of: group).map(\.description).map {
        (String($0.name.dropFirst(group.count + 1)), $0.summary)
      }
      return try offer(kinds, for: word, environment)
    case .none:
      guard let sister = CommandTable.program(of: first), sister != name else { return .success }
      return environment.handOver(sister, [Completion.option] + words) ?? .success
    }
  }

  private func complete(
    _ word: String, behind words: [String], of command: CommandDescription,
    _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    let options = command.options.filter { !$0.isHidden }
    var (name, value) = (words.last ?? "", word)
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      (name, value) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
    if let option = options.first(where: { $0.spelling == name && $0.valueName != nil }) {
      return try offer(option.completion, for: value, environment)
    }
    if word.hasPrefix("-") {
      return try offer(options.map { ($0.spelling, $0.summary) }, for: word, environment)
    }
    return try offer(command.argument?.completion ?? .none, for: word, environment)
  }

  private func offer(
    _ completion: Completion, for word: String, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    _ = try offer(completion.words.map { ($0, "") }, for: word, environment)
    switch completion {
    case .files: try environment.print(":files\n")
    case .folders: try environment.print(":folders\n")
    case .none, .words: break
    }
    return .success
  }

  private func offer(
    _ words: [(word: String, meaning: String)], for word: String, _ environment: Environment
  ) throws(ToolError) -> CallStatus {
    for (offered, meaning) in words where offered.hasPrefix(word) {
      let sentence = meaning.split(separator: ". ").first.map { String($0) } ?? ""
      try environment.print(
        sentence.isEmpty ? "\(offered)\n" : "\(offered)\t\(sentence.filter { $0 != "`" })\n")
    }
    return .success
  }
}

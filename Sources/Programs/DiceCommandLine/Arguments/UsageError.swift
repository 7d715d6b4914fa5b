internal import DiceFiles

/// Which rule a command line breaks.
package enum UsageError: Error, Hashable, Sendable {
  /// The first argument is a command.
  case missingCommand
  /// The first argument is a command that exists.
  case unknownCommand(found: String, suggestion: String?)
  /// An option is one of the command's.
  case unknownOption(found: String, command: String, suggestion: String?)
  /// An option that takes a value has one.
  case missingValue(option: String, required: String)
  /// A switch has no value.
  case unexpectedValue(option: String, found: String)
  /// A value is one that the option takes.
  case invalidValue(option: String, found: String, required: String, suggestion: String?)
  /// An option is given once.
  case repeatedOption(option: String)
  /// An option that the command cannot do without is given.
  case missingOption(option: String, command: String)
  /// A positional argument that the command cannot do without is given.
  case missingArgument(name: String, command: String)
  /// There are no more positional arguments than the command takes.
  case tooManyArguments(found: String, command: String, limit: Int)
  /// Arguments that exclude each other do not meet; the sentence says which and why.
  case conflict(sentence: String)
}

extension UsageError: CustomStringConvertible {
  /// One sentence for the user, and a question where another spelling may have been meant.
  package var description: String {
    switch self {
    case .missingCommand: "A command is missing."
    case .unknownCommand(let found, let suggestion):
      "\(quoted(found)) is no command.\(question(suggestion))"
    case .unknownOption(let found, let command, let suggestion):
      if let suggestion {
        "\(command) has no option \(printable(found)).\(question(suggestion))"
      } else if found.utf8.starts(with: "--".utf8) {
        "\(command) has no option \(printable(found))."
      } else {
        "\(command) has no option \(printable(found)); "
          + "a file whose name begins with a dash comes after --."
      }
    case .missingValue(let option, let required):
      "\(option) needs a value: \(required)."
    case .unexpectedValue(let option, let found):
      "\(option) takes no value, and \(quoted(found)) was given."
    case .invalidValue(let option, let found, let required, let suggestion):
      "\(option) must be \(required), not \(quoted(found)).\(question(suggestion))"
    case .repeatedOption(let option): "\(option) is given twice."
    case .missingOption(let option, let command): "\(command) needs \(option)."
    case .missingArgument(let name, let command): "\(command) needs \(name)."
    case .tooManyArguments(let found, let command, let limit):
      limit == 0
        ? "\(command) takes no argument, and \(quoted(found)) was given."
        : "\(command) takes \(limit == 1 ? "one argument" : "\(limit) arguments"); "
          + "\(quoted(found)) is one too many."
    case .conflict(let sentence): sentence
    }
  }

  private func question(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean \($0)?" } ?? ""
  }
}

/// Takes a command line apart by a command's description.
///
/// - `--name value` and `--name=value` are the same; a switch takes no value. A value that begins
///   with two dashes is written with `=`.
/// - Options and positional arguments may be mixed; after `--` everything is positional. A single
///   dash is positional: it stands for standard input.
/// - `-h` is `--help`. Where help is asked for, no other rule is checked.
/// - An option that is not repeatable is given once; options are not abbreviated.
package enum ArgumentParser {
  /// Reads the arguments after the command's name.
  ///
  /// - Throws: `UsageError`: the first rule broken from the left; counts of arguments come last.
  package static func parse(
    _ arguments: [String], for command: CommandDescription
  ) throws(UsageError) -> ParsedArguments {
    var result = ParsedArguments()
    if asksForHelp(arguments, command) {
      result.switches.insert(CommandDescription.help.description.name)
      return result
    }
    var index = 0
    var onlyPositional = false
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if onlyPositional || argument == "-" || argument.utf8.first != UInt8(ascii: "-") {
        result.positionals.append(argument)
      } else if argument == "--" {
        onlyPositional = true
      } else {
        let (written, attached) = split(argument)
        let option = try find(written, argument, command)
        if option.valueName == nil {
          if let attached {
            throw .unexpectedValue(option: option.spelling, found: attached)
          }
          result.switches.insert(option.name)
          continue
        }
        var value = attached
        if value == nil, index < arguments.count, !arguments[index].utf8.starts(with: "--".utf8) {
          value = arguments[index]
          index += 1
        }
        guard let value else {
          throw .missingValue(option: option.spelling, required: option.requirement)
        }
        try check(value, of: option)
        if !option.isRepeatable, result.values[option.name] != nil {
          throw .repeatedOption(option: option.spelling)
        }
        result.values[option.name, default: []].append(value)
      }
    }
    try checkCount(of: result.positionals, command)
    return result
  }

  // MARK: - Parts

  /// Whether `--help` or `-h` stands among the options, and not where a value belongs.
  private static func asksForHelp(_ arguments: [String], _ command: CommandDescription) -> Bool {
    var previousTakesValue = false
    for argument in arguments {
      if argument == "--" { return false }
      if !previousTakesValue, argument == "-h" { return true }
      if argument == "--help" { return true }
      previousTakesValue = command.options.contains {
        $0.valueName != nil && $0.spelling == argument
      }
    }
    return false
  }

  /// The option's name and the value after `=`.
  private static func split(_ argument: String) -> (written: String, value: String?) {
    guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      return (argument, nil)
    }
    return (
      String(argument[..<equals]), String(argument[argument.utf8.index(after: equals)...])
    )
  }

  private static func find(
    _ written: String, _ argument: String, _ command: CommandDescription
  ) throws(UsageError) -> OptionDescription {
    for option in command.options where option.spelling == written { return option }
    let known = command.options.filter { !$0.isHidden }.map { $0.spelling }
    throw .unknownOption(
      found: written, command: command.name,
      suggestion: ForeignWord.option(for: written, in: command)
        ?? Suggestion.nearest(to: written, among: known))
  }

  private static func check(
    _ value: String, of option: OptionDescription
  ) throws(UsageError) {
    if option.accepts(value) { return }
    throw .invalidValue(
      option: option.spelling, found: value, required: option.requirement,
      suggestion: Suggestion.nearest(to: value, among: option.choices))
  }

  private static func checkCount(
    of positionals: [String], _ command: CommandDescription
  ) throws(UsageError) {
    guard let argument = command.argument else {
      if let first = positionals.first {
        throw .tooManyArguments(found: first, command: command.name, limit: 0)
      }
      return
    }
    if positionals.count < argument.counts.lowerBound {
      throw .missingArgument(name: argument.name, command: command.name)
    }
    if positionals.count > argument.counts.upperBound {
      throw .tooManyArguments(
        found: positionals[argument.counts.upperBound], command: command.name,
        limit: argument.counts.upperBound)
    }
  }
}

/// The arguments of a call, checked against the command's description.
package struct ParsedArguments: Sendable {
  /// The positional arguments in their order.
  package var positionals: [String] = []
  /// The values of each option by its name, in their order.
  package var values: [String: [String]] = [:]
  /// The names of the switches that are there.
  package var switches: Set<String> = []

  /// The value of an option, the last one where there are several; nil where it was not given.
  package subscript<Value>(option: ValueOption<Value>) -> Value? {
    values[option.description.name]?.last.flatMap { option.read($0) }
  }

  /// The value of an option that a command cannot do without.
  ///
  /// - Throws: `ToolError.usage` where it was not given.
  package func required<Value>(
    _ option: ValueOption<Value>, of command: String
  ) throws(ToolError) -> Value {
    guard let value = self[option] else {
      throw .usage(.missingOption(option: option.description.spelling, command: command))
    }
    return value
  }

  /// All values of an option.
  package func all<Value>(_ option: ValueOption<Value>) -> [Value] {
    (values[option.description.name] ?? []).compactMap { option.read($0) }
  }

  /// Whether a switch is there.
  package func contains(_ flag: Switch) -> Bool {
    switches.contains(flag.description.name)
  }

  /// Whether an option or a switch was given.
  package func contains(_ option: OptionDescription) -> Bool {
    values[option.name] != nil || switches.contains(option.name)
  }

  /// Whether an option was given.
  package func contains<Value>(_ option: ValueOption<Value>) -> Bool {
    values[option.description.name] != nil
  }
}

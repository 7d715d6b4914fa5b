/// The arguments of a call, checked against the command's description.
struct ParsedArguments: Sendable {
  /// The positional arguments in their order.
  var positionals: [String] = []
  /// The values of each option by its name, in their order.
  var values: [String: [String]] = [:]
  /// The names of the switches that are there.
  var switches: Set<String> = []

  /// The value of an option, the last one where there are several; nil where it was not given.
  subscript<Value>(option: ValueOption<Value>) -> Value? {
    values[option.description.name]?.last.flatMap { option.read($0) }
  }

  /// The value of an option that a command cannot do without.
  ///
  /// - Throws: `ToolError.usage` where it was not given.
  func required<Value>(
    _ option: ValueOption<Value>, of command: String
  ) throws(ToolError) -> Value {
    guard let value = self[option] else {
      throw .usage(.missingOption(option: option.description.spelling, command: command))
    }
    return value
  }

  /// All values of an option.
  func all<Value>(_ option: ValueOption<Value>) -> [Value] {
    (values[option.description.name] ?? []).compactMap { option.read($0) }
  }

  /// Whether a switch is there.
  func contains(_ flag: Switch) -> Bool {
    switches.contains(flag.description.name)
  }

  /// Whether an option or a switch was given.
  func contains(_ option: OptionDescription) -> Bool {
    values[option.name] != nil || switches.contains(option.name)
  }

  /// Whether an option was given.
  func contains<Value>(_ option: ValueOption<Value>) -> Bool {
    values[option.description.name] != nil
  }
}
